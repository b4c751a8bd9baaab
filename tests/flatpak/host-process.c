// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host-process.h"

/* "": it has ended, or is not to be read */
char *
host_read (pid_t pid,
           const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  char *text = NULL;
  gsize size = 0;

  if (!g_file_get_contents (path, &text, &size, NULL))
    return g_strdup ("");
  for (gsize i = 0; i + 1 < size; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  return g_strchomp (text);
}

/* By its name, or by words that its command ends with. 0: there is none */
pid_t
host_find (const char *word)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (proc)))
    {
      pid_t pid = atoi (name);
      g_autofree char *comm = NULL, *command = NULL;

      if (pid <= 0)
        continue;
      comm = host_read (pid, "comm");
      command = host_read (pid, "cmdline");
      if (g_str_equal (comm, word) || (strchr (word, ' ') && g_str_has_suffix (command, word)))
        return pid;
    }
  return 0;
}

static void
freeze (pid_t pid)
{
  g_autofree char *state = NULL;

  g_assert_cmpint (kill (pid, SIGSTOP), ==, 0);
  for (state = host_read (pid, "stat"); !strstr (state, ") T "); state = host_read (pid, "stat"))
    {
      g_free (state);
      g_usleep (1000);
    }
}

void
frozen_start (Frozen *self)
{
  g_autoptr (GError) error = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT_WORKLOAD"), "fork", "2", "8", "3", NULL };
  FILE *output;
  int fd;

  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pids[0],
                            &self->input, &fd, NULL, &error);
  g_assert_no_error (error);
  output = fdopen (fd, "r");
  g_assert_cmpint (fscanf (output, "pid %*s %d pid %*s %d ready", &self->pids[0], &self->pids[1]), ==, 2);
  fclose (output);
  for (guint i = 0; i < G_N_ELEMENTS (self->pids); i++)
    freeze (self->pids[i]);
}

void
frozen_end (Frozen *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->pids); i++)
    kill (self->pids[i], SIGKILL);
  waitpid (self->pids[0], NULL, 0);
  close (self->input);
}

static JsonObject *
take_process (const char *text,
              guint n)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonArray *processes;

  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  processes = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "processes");
  g_assert_cmpuint (json_array_get_length (processes), >, n);
  return json_object_ref (json_array_get_object_element (processes, n));
}

JsonObject *
host_measure (pid_t pid)
{
  g_autofree char *number = g_strdup_printf ("%d", pid), *text = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--json", "--pid", number, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &text, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return take_process (text, 0);
}

JsonObject *
host_load (const char *file,
           guint n)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (file, &text, NULL, &error);
  g_assert_no_error (error);
  return take_process (text, n);
}
