// SPDX-License-Identifier: GPL-3.0-or-later
/* A helper that a security module of the kernel refuses what its capability would give it. */
#include <signal.h>
#include <stdio.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define HELPER   "/usr/libexec/footprint-helper"
#define SLEEPER  "fp-inside"
#define SNAPSHOT "/run/snapshot"

static gboolean
can_confine (void)
{
  g_autofree char *problem = NULL;
  int status;

  g_assert_true (g_spawn_command_line_sync (g_getenv ("FOOTPRINT_LANDLOCKED"), NULL, &problem, &status, NULL));
  if (status != 0)
    g_test_skip (g_strchomp (problem));
  return status == 0;
}

/* In the helper's place: one that is confined, with a process that is confined together with it. */
static void
confine_helper (void)
{
  static const char inside[] = "#!/bin/sh\n/run/" SLEEPER " 1000 &\nexec " HELPER ".real \"$@\"\n";
  g_autofree char *outside = g_strdup_printf ("#!/bin/sh\nexec %s /run/confined \"$@\"\n", g_getenv ("FOOTPRINT_LANDLOCKED"));

  g_assert_true (g_spawn_command_line_sync ("cp /bin/sleep /run/" SLEEPER, NULL, NULL, NULL, NULL));
  g_assert_cmpint (rename (HELPER, HELPER ".real"), ==, 0);
  g_assert_true (g_file_set_contents_full (HELPER, outside, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  g_assert_true (g_file_set_contents_full ("/run/confined", inside, -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

/* Its parent is the helper, which does not reap it. */
static const FpProcess *
find_sleeper (const FpSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      if (process->reason != FP_REASON_ZOMBIE &&
          g_str_equal (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), SLEEPER))
        return process;
    }
  g_error ("“%s” is not seen", SLEEPER);
}

/* A process that is refused has all that everybody may read. */
static void
check_process (const FpProcess *process,
               gboolean is_inside)
{
  if (!fp_reason_has_memory ((FpReason)process->reason))
    return;
  g_assert_cmpint (process->reason, ==, is_inside ? FP_REASON_NONE : FP_REASON_PERMISSION);
  g_assert_cmpint (fp_memory_has (&process->memory, FP_FIELD_PSS), ==, is_inside);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), >, 0);
}

static void
test_refused (gconstpointer data)
{
  g_autofree char *steps = g_strconcat (data, "own mappings=1 save=" SNAPSHOT, NULL);
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *sleeper;
  SystemProcess client;

  if (!can_confine ())
    return;
  system_start_client (&client, "root", steps);
  system_expect (&client, "own all");
  system_expect_error (&client, "mappings", FP_HELPER_ERROR_REFUSED);
  system_expect (&client, "saved 1");
  snapshot = system_load_snapshot (SNAPSHOT);
  system_stop (&client);
  sleeper = find_sleeper (snapshot);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      check_process (process, process == sleeper || process->pid == sleeper->ppid);
    }
  g_assert_nonnull (fp_snapshot_find (snapshot, 1));
  g_assert_cmpint (kill (sleeper->pid, SIGKILL), ==, 0);
}

/* It can't find out where its callers are, so on the bus nobody is more than a confined program to it. */
static void
test_callers (void)
{
  SystemProcess client;

  if (!can_confine ())
    return;
  system_start_client (&client, "root", "own");
  system_expect_error (&client, "own", FP_HELPER_ERROR_LOCKED);
  system_stop (&client);
  g_assert_cmpint (kill (system_find_process (SLEEPER), SIGKILL), ==, 0);
  g_assert_cmpint (kill (system_find_helper (), SIGKILL), ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  confine_helper ();
  g_test_add_func ("/refused/callers", test_callers);
  g_test_add_data_func ("/refused/stdio", "stdio=" HELPER " ", test_refused);
  return g_test_run ();
}
