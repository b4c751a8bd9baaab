// SPDX-License-Identifier: GPL-3.0-or-later
/* One user's processes keep whoever reads them waiting. The helper serves everybody else as before. */
#include <pwd.h>
#include <signal.h>
#include <string.h>

#include "fp-clock.h"
#include "fp-helper-protocol.h"
#include "silent-set.h"
#include "system-user.h"

#define OWN_FOR_ALL \
  "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES; "
#define MAX_WAIT_S 30
#define MIDWAY     (1024 * 1024) /* bytes of 15 MiB that a process's mappings are */

static void
start_sleeper (SystemProcess *self)
{
  static const char *const argv[] = { "/bin/sh", "-c", "echo ready; exec sleep 1000", NULL };

  system_start (self, "fp-ben", argv);
  system_expect (self, "ready");
  system_await_sleep (self->pid, "sleep");
}

/* What user is given, of after now. */
static FpSnapshot *
collect_as (const char *user)
{
  g_autofree char *path = g_build_filename (getpwnam (user)->pw_dir, "snapshot", NULL);
  g_autofree char *steps = g_strconcat ("own fresh save=", path, NULL);
  guint64 start_us = fp_clock_us (CLOCK_BOOTTIME);
  FpSnapshot *snapshot;
  SystemProcess client;

  system_start_client (&client, user, steps);
  system_expect (&client, "own ");
  system_expect (&client, "saved 1");
  system_stop (&client);
  snapshot = system_load_snapshot (path);
  g_assert_cmpuint (snapshot->info.boottime_us, >=, start_us);
  g_assert_cmpuint (fp_clock_us (CLOCK_BOOTTIME) - start_us, <, MAX_WAIT_S * G_USEC_PER_SEC);
  return snapshot;
}

static void
check_exact (const FpSnapshot *snapshot,
             pid_t pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", pid);
  g_autofree char *text = NULL;
  FpMemory now = { 0 };
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  fp_memory_scan (&now, FP_ORIGIN_SMAPS, text, length);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (fp_memory_get (&now, FP_FIELD_ANONYMOUS), >, 0);
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_ANONYMOUS), ==, fp_memory_get (&now, FP_FIELD_ANONYMOUS));
  g_assert_cmpuint (fp_memory_get (&process->memory, FP_FIELD_RSS), ==, fp_memory_get (&now, FP_FIELD_RSS));
}

static void
check_given (const char *user,
             pid_t sleeper,
             const SilentSet *set,
             FpReason reason)
{
  g_autoptr (FpSnapshot) snapshot = collect_as (user);

  for (guint i = 0; i < set->n; i++)
    {
      const FpProcess *process = fp_snapshot_find (snapshot, set->pids[i]);

      g_assert_nonnull (process);
      g_assert_cmpint (process->reason, ==, reason);
      g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
    }
  if (sleeper)
    check_exact (snapshot, sleeper);
}

static void
check_all (pid_t sleeper,
           const SilentSet *set)
{
  check_given ("fp-ben", sleeper, set, FP_REASON_PERMISSION);
  check_given ("fp-ada", 0, set, FP_REASON_NO_ANSWER);
  check_given ("root", sleeper, set, FP_REASON_NO_ANSWER);
}

/* Figures of before stand until it is their turn to be read again. */
static void
await_reason (const SilentSet *set,
              FpReason reason)
{
  gint64 end_us = g_get_monotonic_time () + MAX_WAIT_S * G_USEC_PER_SEC;
  guint n_seen = 0;

  while (n_seen < set->n)
    {
      g_autoptr (FpSnapshot) snapshot = collect_as ("root");

      n_seen = 0;
      for (guint i = 0; i < set->n; i++)
        n_seen += fp_snapshot_find (snapshot, set->pids[i])->reason == reason;
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
    }
}

/* For longer than a snapshot counts as recent, and by a helper that has known them before as well as by one that has not. */
static void
test_unanswered (void)
{
  g_autoptr (FpSnapshot) before = NULL;
  SystemProcess sleeper;
  SilentSet set;
  gint64 silent_us;

  system_set_rule ("20-test", OWN_FOR_ALL);
  if (!silent_set_start (&set, 2, getpwnam ("fp-ada")->pw_uid))
    return;
  start_sleeper (&sleeper);
  before = collect_as ("root");
  for (guint i = 0; i < set.n; i++)
    g_assert_cmpint (fp_snapshot_find (before, set.pids[i])->reason, ==, FP_REASON_NONE);
  silent_set_silence (&set, 2);
  silent_us = g_get_monotonic_time ();
  await_reason (&set, FP_REASON_NO_ANSWER);
  do
    check_all (sleeper.pid, &set);
  while (g_get_monotonic_time () < silent_us + 12 * G_USEC_PER_SEC);
  g_assert_cmpint (kill (system_find_helper (), SIGKILL), ==, 0);
  system_await_no_owner ("io.github.footprint_app.Footprint.Helper");
  check_all (sleeper.pid, &set);
  silent_set_answer (&set);
  await_reason (&set, FP_REASON_NONE);
  system_stop (&sleeper);
  silent_set_stop (&set);
  system_set_rule ("20-test", NULL);
}

/* Bytes that the helper has read, of /proc mostly */
static guint64
count_read (pid_t helper)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/io", helper);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "rchar: "));
  return g_ascii_strtoull (text + strlen ("rchar: "), NULL, 10);
}

/* The user's request keeps the helper waiting from its midst on. */
static void
ask_midway (SystemProcess *client,
            const char *user,
            const char *request,
            SilentSet *set)
{
  g_autofree char *steps = g_strdup_printf ("own fresh hold %s", request);
  gint64 end_us = g_get_monotonic_time () + MAX_WAIT_S * G_USEC_PER_SEC;
  pid_t helper;
  guint64 n_read;

  system_start_client (client, user, steps);
  system_expect (client, "own ");
  system_expect (client, "holding");
  helper = system_find_helper ();
  n_read = count_read (helper);
  system_release (client);
  while (count_read (helper) < n_read + MIDWAY)
    g_assert_cmpint (g_get_monotonic_time (), <, end_us);
  silent_set_silence (set, 1);
}

static void
check_answered (const char *user,
                const char *request,
                const char *answer)
{
  g_autofree char *steps = g_strdup_printf ("own fresh %s", request);
  SystemProcess client;

  system_start_client (&client, user, steps);
  system_expect (&client, "own ");
  system_expect (&client, answer);
  system_stop (&client);
}

/* Nobody is asked for a password because a process of one's own does not answer. */
static void
check_own (pid_t pid)
{
  g_autofree char *steps = g_strdup_printf ("own mappings=%d", pid);
  SystemProcess client;

  system_start_client (&client, "fp-ada", steps);
  system_expect (&client, "own ");
  system_expect_error (&client, "mappings", FP_HELPER_ERROR_FAILED);
  system_stop (&client);
}

/* Processes lock their memory while the helper reads it for the two who may read mappings at one time, and for the one who
 * may sum up files. Then it reads for others. */
static void
test_midway (void)
{
  g_autofree char *mappings = NULL, *files = NULL;
  SystemProcess sleeper, clients[3];
  SilentSet set;
  gint64 start_us;

  system_set_rule ("20-test", OWN_FOR_ALL);
  if (!silent_set_start_with (&set, 3, getpwnam ("fp-ada")->pw_uid, "mappings=30000"))
    return;
  start_sleeper (&sleeper);
  start_us = g_get_monotonic_time ();
  for (guint i = 0; i < set.n; i++)
    {
      const char *user = i == 0 ? "fp-ada" : "root";
      g_autofree char *request = g_strdup_printf ("%s=%d", i < 2 ? "mappings" : "files", set.pids[i]);

      ask_midway (&clients[i], user, request, &set);
    }
  system_expect_error (&clients[0], "mappings", FP_HELPER_ERROR_FAILED);
  system_expect_error (&clients[1], "mappings", FP_HELPER_ERROR_FAILED);
  system_expect (&clients[2], "files read 0 of 1 processes");
  check_own (set.pids[1]);
  mappings = g_strdup_printf ("mappings=%d", sleeper.pid);
  files = g_strdup_printf ("files=%d", sleeper.pid);
  check_answered ("fp-ben", mappings, "mappings read ");
  check_answered ("root", mappings, "mappings read ");
  check_answered ("root", files, "files read 1 of 1 processes");
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, MAX_WAIT_S * G_USEC_PER_SEC);
  silent_set_answer (&set);
  for (guint i = 0; i < set.n; i++)
    system_stop (&clients[i]);
  system_stop (&sleeper);
  silent_set_stop (&set);
  system_set_rule ("20-test", NULL);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/unanswered/others", test_unanswered);
  g_test_add_func ("/unanswered/midway", test_midway);
  return g_test_run ();
}
