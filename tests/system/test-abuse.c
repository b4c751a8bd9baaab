// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define SECONDS     30
#define INTERVAL_US (2 * G_USEC_PER_SEC) /* of a window */
#define MAX_MEMORY  (32 * 1024)          /* KiB */
#define ALLOW       "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES;"

static const char *const kinds[] = {
  "flood-collect",
  "flood-refresh",
  "flood-version",
  "flood-mappings",
  "flood-questions",
  "wrong-types",
  "odd-values",
  "come-and-go",
  "send-much",
  "stop-halfway",
};

static guint
get_kib (pid_t pid,
         const char *key)
{
  g_autofree char *value = system_get_status (pid, key);

  return (guint)g_ascii_strtoull (value, NULL, 10);
}

/* What all of them do at once costs the good one nothing that it would notice. */
static void
test_abuse (void)
{
  SystemProcess abusers[G_N_ELEMENTS (kinds)], good;
  gint64 start_us, slowest_us = 0;
  guint n_served = 0, most_kib = 0;
  g_autoptr (GString) steps = g_string_new ("own");
  pid_t helper;

  system_set_rule ("20-test", ALLOW);
  for (guint i = 0; i < 1000; i++)
    g_string_append (steps, " hold again");
  system_start_client (&good, "fp-cleo", steps->str);
  system_expect (&good, "own own");
  helper = system_find_helper ();
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    system_start (&abusers[i], i % 2 ? "fp-ada" : "fp-ben",
                  (const char *const[]){ g_getenv ("FOOTPRINT_ABUSER"), kinds[i], NULL });
  start_us = g_get_monotonic_time ();
  while (g_get_monotonic_time () - start_us < SECONDS * G_USEC_PER_SEC)
    {
      gint64 asked_us = g_get_monotonic_time ();

      system_expect (&good, "holding");
      system_release (&good);
      system_expect (&good, "again own");
      slowest_us = MAX (slowest_us, g_get_monotonic_time () - asked_us);
      most_kib = get_kib (helper, "VmHWM");
      n_served++;
      g_usleep (500 * 1000);
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      int status;

      if (waitpid (abusers[i].pid, &status, WNOHANG) == 0)
        kill (abusers[i].pid, SIGKILL);
      else
        g_test_message ("%s ended early: %x", kinds[i], (guint)status);
    }
  g_test_message ("%u answers, the slowest after %d ms; %u KiB at most", n_served,
                  (gint)(slowest_us / 1000), most_kib);
  g_assert_cmpint (system_find_helper (), ==, helper);
  g_assert_cmpint (slowest_us, <, INTERVAL_US);
  g_assert_cmpuint (most_kib, <, MAX_MEMORY);
  system_stop (&good);
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/abuse", test_abuse);
  return g_test_run ();
}
