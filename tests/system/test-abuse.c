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

/* Beyond what the bus makes everybody wait at that time: the crowd floods it as well, and dbus-daemon does one thing after the other.
 * A crowd that asks the bus alone makes others wait as long. */
#define MAX_WAIT_US     (1 * G_USEC_PER_SEC)
#define MAX_QUESTION_US (2 * G_USEC_PER_SEC)
#define MAX_REVOKE_US   (2 * G_USEC_PER_SEC)
#define REVOKE_PAUSE_US (50 * 1000)
#define BUS_PAUSE_US    (5 * 1000)

/* A call takes one trip to the bus if the helper knows what polkit says to it. So often polkitd 122 asks the bus who the helper
 * and the agent are, one call after the other, to check somebody and to ask for a password. Of a newcomer the helper asks the
 * bus, too, and polkit about all processes and about a user's own at once. */
#define CALL_TRIPS     1
#define CHECK_TRIPS    2
#define FIRST_TRIPS    3
#define QUESTION_TRIPS 6

/* A newcomer waits on the bus for its call, for what the bus says of it, for the way to polkit, for who asks at each of two checks,
 * for the way back, and for the answer. */
#define NEWCOMER_TRIPS 7

/* A helper that stands still for so long in the midst has to be found. */
#define BLOCKED_US (3 * MAX_WAIT_US / 2)

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

/* The threads that a call goes through: a service's first one, and those that bring and take its messages. */
static const char *const services[] = { "footprint-helpe", "polkitd" };
static const char *const messengers[] = { "gdbus", "bus-in", "bus-out" };

/* The plain ones: many connections and calls, big answers that are kept, questions that nobody answers. Beside these others wait
 * less than the bounds with nothing taken off, as long as they and the helper get a processor. */
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
  guint n_last; /* end before the question */
} Crowd;

static const Crowd all_at_once = { everything, G_N_ELEMENTS (everything), N_LAST };
static const Crowd plain_ones = { plain, G_N_ELEMENTS (plain), 0 };

static const Crowd *crowd = &all_at_once;
static SystemProcess abusers[G_N_ELEMENTS (everything)];
static SystemSlice slice;
static PolkitWatch *polkit;
static gint n_bus_trips;
static gint bus_us;      /* that they took */
static gint most_bus_us; /* that as many of them as a newcomer needs took, one after the other */
static gint bus_is_over;
static SystemProcess silent_agent;

typedef struct
{
  gint64 start_us;
  gint n_trips;
  gint trips_us;
  gint64 took_us;
  gint64 bus_us;
  gint64 delay_us; /* the services waited for a processor */
  gint64 rest_us;  /* without either */
} Stretch;

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
  system_start_together (&abusers[first], n, "fp-ben", &slice, argvs);
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

static gboolean
is_on_the_way (pid_t pid,
               const char *thread)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%s/comm", pid, thread);
  g_autofree char *name = NULL;

  return g_ascii_strtoll (thread, NULL, 10) == pid ||
         (g_file_get_contents (path, &name, NULL, NULL) && g_strv_contains (messengers, g_strstrip (name)));
}

/* How long the threads that a call goes through have waited for a processor */
static gint64
get_delay_us (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) threads = g_dir_open (path, 0, NULL);
  const char *thread;
  gint64 ns, sum_ns = 0;

  while ((thread = g_dir_read_name (threads)))
    {
      g_autofree char *file = g_build_filename (path, thread, "schedstat", NULL);
      g_autofree char *text = NULL;

      if (is_on_the_way (pid, thread) && g_file_get_contents (file, &text, NULL, NULL) &&
          sscanf (text, "%*d %" G_GINT64_FORMAT, &ns) == 1)
        sum_ns += ns;
    }
  return sum_ns / 1000;
}

static gint64
get_delays_us (void)
{
  gint64 sum_us = 0;

  for (guint i = 0; i < G_N_ELEMENTS (services); i++)
    sum_us += get_delay_us (system_find_process (services[i]));
  return sum_us;
}

/* Goes to the bus and back, again and again, beside all that is measured, with pauses, as it would be the greatest flood itself. */
static gpointer
bus_worker (gpointer data)
{
  g_autoptr (GDBusConnection) connection = system_connect_to_bus ();
  gint last_us[NEWCOMER_TRIPS] = { 0 };

  for (guint i = 0; !g_atomic_int_get (&bus_is_over); i = (i + 1) % NEWCOMER_TRIPS)
    {
      gint64 start_us = g_get_monotonic_time ();
      gint sum_us = 0;
      g_autoptr (GVariant) id =
          g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId",
                                       NULL, NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);

      g_assert_nonnull (id);
      last_us[i] = (gint)(g_get_monotonic_time () - start_us);
      g_atomic_int_add (&bus_us, last_us[i]);
      g_atomic_int_inc (&n_bus_trips);
      for (guint trip = 0; trip < NEWCOMER_TRIPS; trip++)
        sum_us += last_us[trip];
      g_atomic_int_set (&most_bus_us, MAX (most_bus_us, sum_us));
      g_usleep (BUS_PAUSE_US);
    }
  return NULL;
}

static Stretch
stretch_begin (void)
{
  return (Stretch){ g_get_monotonic_time (), g_atomic_int_get (&n_bus_trips), g_atomic_int_get (&bus_us), .delay_us = -get_delays_us () };
}

/* trips: one after the other, so long the bus alone takes for them. Where users compute all day, helper and polkitd wait for a
 * processor as everybody does, unless systemd gives them their share; but some of that wait is for other calls, so that it
 * excuses at most half of the time. */
static void
stretch_end (Stretch *self,
             guint trips)
{
  gint n = g_atomic_int_get (&n_bus_trips) - self->n_trips;

  self->took_us = g_get_monotonic_time () - self->start_us;
  self->bus_us = n > 0 ? MIN (g_atomic_int_get (&bus_us) - self->trips_us, self->took_us) * trips / n : 0;
  self->delay_us += get_delays_us ();
  self->rest_us = self->took_us - self->bus_us - MIN (self->delay_us, self->took_us / 2);
}

/* Somebody's question comes, and the answer to it counts, as if there were no crowd. How long PAM computes in between, on
 * processors that the crowd keeps busy, is no matter of the helper. */
static void
check_question (void)
{
  SystemProcess client, agent;
  Stretch asked, served;

  system_start_client (&client, "fp-ada", "hold ask");
  system_expect (&client, "holding");
  system_start_agent (&agent, client.pid, "password-aloud", "secret");
  asked = stretch_begin ();
  system_release (&client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-memory");
  stretch_end (&asked, QUESTION_TRIPS);
  system_expect (&agent, "answered");
  served = stretch_begin ();
  system_expect (&client, "ask all");
  stretch_end (&served, CHECK_TRIPS);
  g_test_message ("asked after %d ms, by the bus alone %d ms; served %d ms after the password", (gint)(asked.took_us / 1000),
                  (gint)(asked.bus_us / 1000), (gint)(served.took_us / 1000));
  g_assert_cmpint (asked.rest_us, <, MAX_QUESTION_US);
  g_assert_cmpint (served.rest_us, <, MAX_QUESTION_US);
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
  Stretch revoked = stretch_begin ();

  write_rule (NOTHING_FOR_CLEO);
  while (glance (good))
    ;
  stretch_end (&revoked, CHECK_TRIPS);
  g_test_message ("revoked after %d ms, by the bus alone %d ms", (gint)(revoked.took_us / 1000), (gint)(revoked.bus_us / 1000));
  g_assert_cmpint (revoked.rest_us, <, MAX_REVOKE_US);
  write_rule (ALL_FOR_CLEO);
  while (!glance (good))
    ;
}

typedef struct
{
  gint64 whole_us;
  gint64 helper_us; /* beyond what the bus, polkit and the wait for a processor take */
  gint64 sum_us;    /* of the whole waits */
  guint n;
} Waits;

/* is_new: polkit is asked about it; blocked_us: for so long the helper stands still meanwhile;
 * slowest: so far */
static void
ask (SystemProcess *good,
     gboolean is_new,
     const char *answer,
     gint64 blocked_us,
     Waits *slowest)
{
  pid_t helper = system_find_helper ();
  gint64 polkit_us, delay_us, rest_us;
  Stretch call;

  system_expect (good, "holding");
  if (blocked_us > 0)
    kill (helper, SIGSTOP);
  call = stretch_begin ();
  delay_us = -get_delay_us (helper);
  system_release (good);
  g_usleep ((gulong)blocked_us);
  kill (helper, SIGCONT);
  system_expect (good, answer);
  stretch_end (&call, is_new ? FIRST_TRIPS : CALL_TRIPS);
  delay_us += get_delay_us (helper);
  polkit_us = is_new ? polkit_watch_get_us (polkit, good->pid) : 0;
  rest_us = call.took_us - call.bus_us - polkit_us;
  rest_us -= MIN (delay_us, rest_us / 2);
  if (call.took_us > MAX_WAIT_US)
    g_test_message ("“%s” after %d ms, by polkit %d ms, by the bus %d ms, waiting for a processor %d ms", answer,
                    (gint)(call.took_us / 1000), (gint)(polkit_us / 1000), (gint)(call.bus_us / 1000), (gint)(delay_us / 1000));
  slowest->sum_us += call.took_us;
  slowest->n++;
  slowest->whole_us = MAX (slowest->whole_us, call.took_us);
  slowest->helper_us = MAX (slowest->helper_us, rest_us);
}

/* Somebody else calls for the first time. */
static void
ask_as_newcomer (gint64 blocked_us,
                 Waits *slowest)
{
  SystemProcess newcomer;

  system_start_client (&newcomer, "fp-ada", "join hold first");
  system_expect (&newcomer, "joined");
  ask (&newcomer, TRUE, "first own", blocked_us, slowest);
  system_stop (&newcomer);
}

static void
say_waits (const char *who,
           const Waits *slowest)
{
  g_test_message ("%s waited %d ms at most and %d ms on average, at most %d ms for the helper", who, (gint)(slowest->whole_us / 1000),
                  (gint)(slowest->sum_us / slowest->n / 1000), (gint)(slowest->helper_us / 1000));
}

/* A helper that makes others wait is not hidden by what is taken off for the bus and the processors. */
static void
check_blocked (SystemProcess *good)
{
  Waits waits = { 0 }, newcomers_waits = { 0 };

  ask (good, FALSE, "glance all", BLOCKED_US, &waits);
  ask_as_newcomer (BLOCKED_US, &newcomers_waits);
  say_waits ("beside a helper that stood still, one that was there before", &waits);
  say_waits ("beside a helper that stood still, one that was new", &newcomers_waits);
  g_assert_cmpint (waits.helper_us, >=, MAX_WAIT_US);
  g_assert_cmpint (newcomers_waits.helper_us, >=, MAX_WAIT_US);
}

static void
test_crowd (gconstpointer data)
{
  SystemProcess good;
  Waits slowest = { 0 }, slowest_newcomer = { 0 };
  gint64 start_us;
  guint n_served = 0;
  guint64 most = 0;
  double cpu_seconds, cores;
  g_autoptr (GString) steps = g_string_new ("own");
  GThread *bus = g_thread_new ("bus", bus_worker, NULL);
  pid_t helper;

  crowd = data;
  g_atomic_int_set (&most_bus_us, 0);
  system_set_rule ("20-test", ALL_FOR_CLEO);
  for (guint i = 0; i < 2000; i++)
    g_string_append (steps, " hold glance");
  polkit = polkit_watch_new ();
  system_start_client (&good, "fp-cleo", steps->str);
  system_expect (&good, "own all");
  helper = system_find_helper ();
  if (!system_make_slice (&slice))
    g_test_message ("nothing shares out the processors among users here, so the crowd has as many shares as processes");
  start_abusers (0, 1);
  while (get_kept () < HOARD)
    g_usleep (50 * 1000);
  start_abusers (1, N_FIRST - 1);
  start_abusers (N_FIRST, crowd->n - N_FIRST);
  start_us = g_get_monotonic_time ();
  cpu_seconds = get_cpu_seconds (helper);
  while (g_get_monotonic_time () - start_us < get_seconds () * G_USEC_PER_SEC)
    {
      ask (&good, FALSE, "glance all", 0, &slowest);
      ask_as_newcomer (0, &slowest_newcomer);
      most = MAX (most, get_memory (helper));
      n_served++;
      g_usleep (200 * 1000);
    }
  cores = (get_cpu_seconds (helper) - cpu_seconds) / (double)(g_get_monotonic_time () - start_us) * G_USEC_PER_SEC;
  say_waits ("one that was there before", &slowest);
  say_waits ("one that was new", &slowest_newcomer);
  g_test_message ("%d trips to the bus alone took %d ms at most", NEWCOMER_TRIPS, g_atomic_int_get (&most_bus_us) / 1000);
  g_test_message ("%u answers to each; %u MiB at most; %.2f cores", n_served, (guint)(most >> 20), cores);
  stop_abusers (crowd->n - crowd->n_last, crowd->n_last);
  check_question ();
  check_revocation (&good);
  check_blocked (&good);
  g_atomic_int_set (&bus_is_over, TRUE);
  g_thread_join (bus);
  g_atomic_int_set (&bus_is_over, FALSE);
  g_assert_cmpint (system_find_helper (), ==, helper);
  g_assert_cmpint (slowest.helper_us, <, MAX_WAIT_US);
  g_assert_cmpint (slowest_newcomer.helper_us, <, MAX_WAIT_US);
  g_assert_cmpuint (polkit_watch_get_most (polkit), <=, MAX_CHECKS);
  polkit_watch_free (polkit);
  g_assert_cmpuint (most, <, MAX_MEMORY);
  g_assert_cmpfloat (cores, <, MAX_CORES);
  system_stop (&good);
  stop_abusers (0, crowd->n - crowd->n_last);
  system_stop (&silent_agent);
  system_clear_slice (&slice);
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

  system_start (&knocker, "fp-ben", (const char *const[]){ g_getenv ("FOOTPRINT_ABUSER"), "knock", NULL });
  for (guint i = 0; i < N_ACTIVATIONS; i++)
    {
      SystemProcess client;

      system_end_owner (FP_HELPER_BUS_NAME);
      system_start_client (&client, "root", "own");
      system_expect (&client, "own all");
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
