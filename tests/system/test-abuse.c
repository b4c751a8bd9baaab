// SPDX-License-Identifier: GPL-3.0-or-later
/* One user does everything at once that he can, and the others’ waits are measured. The short form takes some seconds;
 * with FP_TEST_LONG=1 in the environment it is a minute. */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-helper-protocol.h"
#include "polkit-watch.h"
#include "system-user.h"
#include "test-length.h"

#define MAX_WAIT_MS     1000
#define MAX_REVOKE_MS   2000
#define REVOKE_PAUSE_US (50 * 1000)

/* Two users' turns, with two checks each */
#define MAX_CHECKS 4

#define MAX_MEMORY    ((guint64)128 << 20)
#define MAX_CORES     1.2
#define HOARD         ((guint64)16 << 20) /* that one of them has got before the others begin */
#define N_ACTIVATIONS 15
#define RULE          "/etc/polkit-1/rules.d/20-test.rules"
#define OWN           "if (action.id == \"io.github.footprint_app.Footprint.read-own-memory\") return polkit.Result.YES;"
#define ALL_FOR_CLEO \
  OWN "if (action.id == \"io.github.footprint_app.Footprint.read-memory\" && subject.user == \"fp-cleo\") return polkit.Result.YES;"
#define NOTHING_FOR_CLEO "if (subject.user == \"fp-cleo\") return polkit.Result.NO;" OWN

/* The first ones of the crowd have their connections before it takes the rest of their user's, and the very first its answers.
 * The last ones wear out the places that the bus itself has for new connections. */
#define N_FIRST 4
#define N_LAST  3

static const char *const everything[] = {
  "hoard",
  "hoard-snapshots",
  "never-read",
  "never-read-details",
  "flood-wanted",
  "ask-in-silence",
  "flood-collect",
  "flood-refresh",
  "flood-version",
  "flood-mappings",
  "flood-questions",
  "wrong-types",
  "odd-values",
  "send-much",
  "send-lists",
  "send-nested",
  "crowd",
  "flood-invalid",
  "knock",
  "come-with-lists",
  "come-with-calls",
  "come-with-short-calls",
  "come-and-go",
  "stop-halfway",
};

/* The plain ones: many connections and calls, big answers that are kept, questions that nobody answers */
static const char *const plain[] = {
  "hoard",
  "hoard-snapshots",
  "flood-wanted",
  "ask-in-silence",
  "flood-invalid",
  "wrong-types",
  "odd-values",
  "send-much",
  "knock",
  "crowd",
};

typedef struct
{
  const char *const *kinds;
  guint n;
  guint n_last;     /* end before the question */
  gint max_wait_ms; /* of who calls for the first time */
  gint max_question_ms;
} Crowd;

/* Everything at once wears out the bus itself, which is then slow to take anybody new: up to 0.8 s in five runs of a minute, and 1.1 s
 * for a question. */
static const Crowd plain_ones = { plain, G_N_ELEMENTS (plain), 0, 1000, 2000 };
static const Crowd all_at_once = { everything, G_N_ELEMENTS (everything), N_LAST, 2000, 3000 };

static const Crowd *crowd = &all_at_once;
static SystemProcess abusers[G_N_ELEMENTS (everything)];
static SystemSlice users, crowds, others, services, helpers;
static PolkitWatch *polkit;
static SystemProcess silent_agent;

static guint
get_seconds (void)
{
  return test_is_long () ? 60 : 6;
}

static void
start_abusers (guint first,
               guint n)
{
  const char *argvs[G_N_ELEMENTS (everything)][3];

  for (guint i = 0; i < n; i++)
    memcpy (argvs[i], (const char *[]){ g_getenv ("FOOTPRINT_ABUSER"), crowd->kinds[first + i], NULL }, sizeof argvs[i]);
  system_start_together (&abusers[first], n, "fp-ben", &crowds, argvs);
  for (guint i = first; i < first + n; i++)
    if (g_str_equal (crowd->kinds[i], "ask-in-silence"))
      system_start_agent (&silent_agent, abusers[i].pid, "hang", "");
}

static void
stop_abusers (guint first,
              guint n)
{
  for (guint i = first; i < first + n; i++)
    {
      int status;

      if (waitpid (abusers[i].pid, &status, WNOHANG) == 0)
        {
          kill (abusers[i].pid, SIGKILL);
          waitpid (abusers[i].pid, NULL, 0);
        }
      else if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
        g_error ("%s ended early: %x", crowd->kinds[i], (guint)status);
    }
}

/* The memory of blocks that some process still has a descriptor of, each counted once. */
static guint64
add_kept (GHashTable *known,
          pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid);
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;
  guint64 sum = 0;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *target = g_file_read_link (file, NULL);
      struct stat st;

      if (target && g_str_has_prefix (target, "/memfd:footprint") && stat (file, &st) == 0 &&
          g_hash_table_add (known, g_memdup2 (&st.st_ino, sizeof st.st_ino)))
        sum += (guint64)st.st_blocks * 512;
    }
  return sum;
}

static guint64
get_kept (void)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint64 sum = add_kept (known, system_find_helper ());

  for (guint i = 0; i < crowd->n; i++)
    if (abusers[i].pid)
      sum += add_kept (known, abusers[i].pid);
  return sum;
}

static guint64
get_memory (pid_t helper)
{
  g_autofree char *rss = system_get_status (helper, "VmRSS");

  return get_kept () + g_ascii_strtoull (rss, NULL, 10) * 1024;
}

static double
get_cpu_seconds (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  fields = g_strsplit (strrchr (text, ')') + 2, " ", -1);
  return (g_ascii_strtod (fields[11], NULL) + g_ascii_strtod (fields[12], NULL)) / (double)sysconf (_SC_CLK_TCK);
}

static gint
get_ms_since (gint64 start_us)
{
  return (gint)((g_get_monotonic_time () - start_us) / 1000);
}

/* One of the other users, who have as much of the processors as the crowd's. */
static void
start_other (SystemProcess *self,
             const char *user,
             const char *steps)
{
  system_start_client (self, user, steps);
  if (others.group)
    system_join_slice (&others, self->pid);
}

/* Somebody's question comes, and the answer to it counts, as if there were no crowd. How long PAM computes in between, on
 * processors that the crowd keeps busy, is no matter of the helper. */
static void
check_question (void)
{
  SystemProcess client, agent;
  gint64 start_us;
  gint asked_ms, served_ms;

  start_other (&client, "fp-ada", "hold ask");
  system_expect (&client, "holding");
  system_start_agent (&agent, client.pid, "password-aloud", "secret");
  start_us = g_get_monotonic_time ();
  system_release (&client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-memory");
  asked_ms = get_ms_since (start_us);
  system_expect (&agent, "answered");
  start_us = g_get_monotonic_time ();
  system_expect (&client, "ask all");
  served_ms = get_ms_since (start_us);
  g_test_message ("asked after %d ms; served %d ms after the password", asked_ms, served_ms);
  g_assert_cmpint (asked_ms + served_ms, <, crowd->max_question_ms);
  system_stop (&client);
  system_stop (&agent);
}

static void
write_rule (const char *body)
{
  g_autofree char *text = g_strdup_printf ("polkit.addRule(function(action, subject) { %s });\n", body);

  g_assert_true (g_file_set_contents (RULE, text, -1, NULL));
}

static gboolean
has_prefix_of_error (const char *line,
                     FpHelperError code)
{
  g_autofree char *prefix = g_strdup_printf ("glance error %d ", (gint)code);

  return g_str_has_prefix (line, prefix);
}

/* Returns whether Cleo is given what all may see, or nothing. Whoever asks without a pause is dropped as a flood; a helper that
 * is too busy to answer has revoked nothing. */
static gboolean
glance (SystemProcess *good)
{
  g_autofree char *line = NULL;

  g_usleep (REVOKE_PAUSE_US);
  system_expect (good, "holding");
  system_release (good);
  line = system_read_line (good);
  if (g_str_has_prefix (line, "glance all "))
    return TRUE;
  if (!has_prefix_of_error (line, FP_HELPER_ERROR_DENIED))
    g_error ("“%s” while it was revoked", line);
  return FALSE;
}

/* polkitd itself looks up within a second. */
static void
check_revocation (SystemProcess *good)
{
  gint64 start_us = g_get_monotonic_time ();
  gint revoked_ms;

  write_rule (NOTHING_FOR_CLEO);
  while (glance (good))
    ;
  revoked_ms = get_ms_since (start_us);
  g_test_message ("revoked after %d ms", revoked_ms);
  g_assert_cmpint (revoked_ms, <, MAX_REVOKE_MS);
  write_rule (ALL_FOR_CLEO);
  while (!glance (good))
    ;
}

typedef struct
{
  gint most_ms;
  gint sum_ms;
  gint n;
} Waits;

static void
ask (SystemProcess *good,
     const char *answer,
     Waits *waits)
{
  gint64 start_us;
  gint ms;

  system_expect (good, "holding");
  start_us = g_get_monotonic_time ();
  system_release (good);
  system_expect (good, answer);
  ms = get_ms_since (start_us);
  if (ms > MAX_WAIT_MS)
    g_test_message ("“%s” after %d ms", answer, ms);
  waits->most_ms = MAX (waits->most_ms, ms);
  waits->sum_ms += ms;
  waits->n++;
}

/* Somebody else calls for the first time. */
static void
ask_as_newcomer (Waits *waits)
{
  SystemProcess newcomer;

  start_other (&newcomer, "fp-ada", "join hold first");
  system_expect (&newcomer, "joined");
  ask (&newcomer, "first own", waits);
  system_stop (&newcomer);
}

static void
say_waits (const char *who,
           const Waits *waits)
{
  g_test_message ("%s waited %d ms at most and %d ms on average", who, waits->most_ms, waits->sum_ms / waits->n);
}

/* Whoever reads is given the processors as SECURITY.md says for a machine on which users compute all day: the crowd itself has them
 * all otherwise, and all of these wait. */
static void
share_out_processors (pid_t helper)
{
  gboolean shares = system_make_slice (&users, "user", 10) && system_make_slice (&crowds, "user/crowd", 100) &&
                    system_make_slice (&others, "user/others", 100) && system_make_slice (&services, "system", 100) &&
                    system_make_slice (&helpers, "system/helper", 100);

  if (!shares)
    {
      g_test_message ("nothing shares out the processors among users here, so the crowd is as nice as can be");
      g_clear_pointer (&crowds.group, g_free);
      g_clear_pointer (&others.group, g_free);
      return;
    }
  system_join_slice (&services, system_find_process ("dbus-daemon"));
  system_join_slice (&services, system_find_process ("polkitd"));
  system_join_slice (&helpers, helper);
}

static void
test_crowd (gconstpointer data)
{
  SystemProcess good;
  Waits waits = { 0 }, newcomers_waits = { 0 };
  gint64 start_us;
  guint64 most = 0;
  double cpu_seconds, cores;
  g_autoptr (GString) steps = g_string_new ("own");
  pid_t helper;

  crowd = data;
  system_set_rule ("20-test", ALL_FOR_CLEO);
  for (guint i = 0; i < 2000; i++)
    g_string_append (steps, " hold glance");
  polkit = polkit_watch_new ();
  system_start_client (&good, "fp-cleo", steps->str);
  system_expect (&good, "own all");
  helper = system_find_helper ();
  share_out_processors (helper);
  if (others.group)
    system_join_slice (&others, good.pid);
  start_abusers (0, 1);
  while (get_kept () < HOARD)
    g_usleep (50 * 1000);
  start_abusers (1, N_FIRST - 1);
  /* The rest of the crowd takes the turns of its user, also those of questions. */
  if (crowd == &plain_ones)
    system_expect (&silent_agent, "asked io.github.footprint_app.Footprint.read-memory");
  start_abusers (N_FIRST, crowd->n - N_FIRST);
  start_us = g_get_monotonic_time ();
  cpu_seconds = get_cpu_seconds (helper);
  while (g_get_monotonic_time () - start_us < get_seconds () * G_USEC_PER_SEC)
    {
      ask (&good, "glance all", &waits);
      ask_as_newcomer (&newcomers_waits);
      most = MAX (most, get_memory (helper));
      g_usleep (200 * 1000);
    }
  cores = (get_cpu_seconds (helper) - cpu_seconds) / (double)(g_get_monotonic_time () - start_us) * G_USEC_PER_SEC;
  say_waits ("one that was there before", &waits);
  say_waits ("one that was new", &newcomers_waits);
  g_test_message ("%d answers to each; %u MiB at most; %.2f cores", waits.n, (guint)(most >> 20), cores);
  stop_abusers (crowd->n - crowd->n_last, crowd->n_last);
  check_question ();
  check_revocation (&good);
  g_assert_cmpint (system_find_helper (), ==, helper);
  g_assert_cmpint (waits.most_ms, <, MAX_WAIT_MS);
  g_assert_cmpint (newcomers_waits.most_ms, <, crowd->max_wait_ms);
  g_assert_cmpint (newcomers_waits.sum_ms / newcomers_waits.n, <, MAX_WAIT_MS);
  g_assert_cmpuint (polkit_watch_get_most (polkit), <=, MAX_CHECKS);
  polkit_watch_free (polkit);
  g_assert_cmpuint (most, <, MAX_MEMORY);
  g_assert_cmpfloat (cores, <, MAX_CORES);
  system_stop (&good);
  stop_abusers (0, crowd->n - crowd->n_last);
  system_stop (&silent_agent);
}

/* Somebody else is served while answers pile up in the bus. */
static void
test_unread (gconstpointer kind)
{
  SystemProcess abuser, good;

  system_set_rule ("20-test", OWN);
  system_start (&abuser, "fp-ben", (const char *const[]){ g_getenv ("FOOTPRINT_ABUSER"), kind, NULL });
  system_expect (&abuser, "enough");
  system_start_client (&good, "fp-cleo", "own");
  system_expect (&good, "own own");
  system_stop (&good);
  system_stop (&abuser);
}

/* The helper starts each time, whatever sockets others find. */
static void
test_activations (void)
{
  SystemProcess knocker;

  system_set_rule ("20-test", OWN);
  system_start (&knocker, "fp-ben", (const char *const[]){ g_getenv ("FOOTPRINT_ABUSER"), "knock", NULL });
  for (guint i = 0; i < N_ACTIVATIONS; i++)
    {
      SystemProcess client;

      system_end_owner (FP_HELPER_BUS_NAME);
      system_start_client (&client, i % 2 ? "root" : "fp-cleo", "own");
      system_expect (&client, i % 2 ? "own all" : "own own");
      system_stop (&client);
    }
  system_stop (&knocker);
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/abuse/unread/snapshots", "never-read", test_unread);
  g_test_add_data_func ("/abuse/unread/details", "never-read-details", test_unread);
  g_test_add_data_func ("/abuse/plain", &plain_ones, test_crowd);
  g_test_add_data_func ("/abuse/everything", &all_at_once, test_crowd);
  g_test_add_func ("/abuse/activations", test_activations);
  return g_test_run ();
}
