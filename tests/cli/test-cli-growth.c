// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs of known behaviour under --watch: the one that leaks is told with its rate, and no other. */
#include <math.h>
#include <signal.h>

#include "behaviour.h"
#include "cli-runner.h"

#define N_TOLD 20 /* lines in a row with the right rate: it is found again every ten seconds, from few readings at first */

/* A late turn of the program or of the reader moves the first rates; later readings outweigh it. */
static guint
count_told (guint n_told,
            double mib)
{
  g_test_message ("%.2f MiB a minute", mib);
  return fabs (mib - BEHAVIOUR_LEAK * 60) <= BEHAVIOUR_LEAK * 6 ? n_told + 1 : 0;
}

/* A line is the time, the PID, and the rate if one is told. */
static gboolean
read_rate (GDataInputStream *lines,
           pid_t *pid,
           double *mib)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
  g_auto (GStrv) fields = NULL;

  g_assert_no_error (error);
  g_assert_nonnull (line);
  fields = g_strsplit (g_strchomp (line), ",", -1);
  g_assert_cmpuint (g_strv_length (fields), >=, 3);
  *pid = (pid_t)g_ascii_strtoll (fields[1], NULL, 10);
  *mib = g_ascii_strtod (fields[2], NULL) / BEHAVIOUR_MIB;
  return *fields[2] != '\0' && *pid != 0;
}

static void
test_leak (void)
{
  pid_t pids[N_BEHAVIOURS], pid;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autoptr (GSubprocess) cli = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) error = NULL;
  double mib;

  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    {
      pids[i] = behaviour_start (i);
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", pids[i]);
    }
  cli = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, g_getenv ("FOOTPRINT_CLI"), "--watch", "0.5", "--csv", "-c",
                          "pid,growth", "--pid", list->str, NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (cli));
  for (guint n_told = 0; n_told < N_TOLD;)
    {
      if (!read_rate (lines, &pid, &mib))
        continue;
      if (pid == pids[BEHAVIOUR_LEAKS])
        n_told = count_told (n_told, mib);
      else
        g_assert_cmpfloat (mib, <=, 0);
    }
  g_subprocess_send_signal (cli, SIGINT);
  g_subprocess_wait (cli, NULL, &error);
  g_assert_no_error (error);
  for (Behaviour i = 0; i < N_BEHAVIOURS; i++)
    behaviour_stop (pids[i]);
}

/* The leak is all that grows in the total of this program, whose processes are this one and the leak. */
static void
test_total (void)
{
  pid_t pid = behaviour_start (BEHAVIOUR_LEAKS);
  g_autofree char *name = g_path_get_basename (g_get_prgname ());
  g_autoptr (GSubprocess) cli = NULL;
  g_autoptr (GDataInputStream) lines = NULL;
  g_autoptr (GError) error = NULL;

  cli = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, g_getenv ("FOOTPRINT_CLI"), "--watch", "0.5", "--csv", "-c",
                          "name,growth", "--by", "program", NULL);
  g_assert_no_error (error);
  lines = g_data_input_stream_new (g_subprocess_get_stdout_pipe (cli));
  for (guint n_told = 0; n_told < N_TOLD;)
    {
      g_autofree char *line = g_data_input_stream_read_line (lines, NULL, NULL, &error);
      g_auto (GStrv) fields = NULL;

      g_assert_no_error (error);
      g_assert_nonnull (line);
      fields = g_strsplit (g_strchomp (line), ",", -1);
      if (!g_str_equal (fields[1], name) || *fields[2] == '\0')
        continue;
      n_told = count_told (n_told, g_ascii_strtod (fields[2], NULL) / BEHAVIOUR_MIB);
    }
  g_subprocess_send_signal (cli, SIGINT);
  g_subprocess_wait (cli, NULL, &error);
  g_assert_no_error (error);
  behaviour_stop (pid);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/growth/leak", test_leak);
  g_test_add_func ("/cli/growth/total", test_total);
  return g_test_run ();
}
