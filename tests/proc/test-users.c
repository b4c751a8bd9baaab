// SPDX-License-Identifier: GPL-3.0-or-later
#include <grp.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-sweep.h"
#include "fp-users.h"

#define SLOW_UID 4711
#define NOBODY   65534

static GMutex mutex;
static GCond opened;
static gboolean is_open;
static guint n_lookups[16];
static gint n_come, n_left;

static void
lookup (guint uid,
        FpUser *user)
{
  if (uid < G_N_ELEMENTS (n_lookups))
    g_atomic_int_inc (&n_lookups[uid]);
  if (uid == 1 || uid == 2)
    g_snprintf (user->name, sizeof user->name, "name-%u", uid);
}

/* Blocks until the test opens the gate, which may be never. */
static void
blocked_lookup (guint uid,
                FpUser *user)
{
  g_atomic_int_inc (&n_come);
  g_mutex_lock (&mutex);
  while (!is_open)
    g_cond_wait (&opened, &mutex);
  g_mutex_unlock (&mutex);
  g_snprintf (user->name, sizeof user->name, "late-%u", uid);
  g_atomic_int_inc (&n_left);
}

static void
open_gate (gboolean open)
{
  g_mutex_lock (&mutex);
  is_open = open;
  g_cond_broadcast (&opened);
  g_mutex_unlock (&mutex);
}

static void
assert_name (FpUsers *users,
             guint uid,
             const char *expected)
{
  FpUser user = { "before", "before" };

  g_assert_cmpint (fp_users_get (users, uid, &user), ==, *expected != '\0');
  g_assert_cmpstr (user.name, ==, expected);
}

static void
test_each_once (void)
{
  FpUsers *users = fp_users_new (lookup);

  assert_name (users, 1, "");
  for (guint i = 0; i < 50; i++)
    for (guint uid = 1; uid < 10; uid++)
      {
        fp_users_request (users, uid);
        if (i > 0)
          assert_name (users, uid, uid == 1 ? "name-1" : uid == 2 ? "name-2"
                                                                  : "");
        else
          fp_users_wait (users, 10 * G_USEC_PER_SEC);
      }
  for (guint uid = 1; uid < 10; uid++)
    g_assert_cmpuint (g_atomic_int_get (&n_lookups[uid]), ==, 1);
  assert_name (users, 11, "");
  g_assert_cmpuint (g_atomic_int_get (&n_lookups[11]), ==, 0);
  fp_users_free (users);
}

static void
test_unused (void)
{
  FpUsers *users = fp_users_new (lookup);
  gint64 start = g_get_monotonic_time ();

  fp_users_wait (users, G_USEC_PER_SEC);
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC / 2);
  fp_users_free (users);
}

static void
test_late_answer (void)
{
  FpUsers *users = fp_users_new (blocked_lookup);
  gint64 start = g_get_monotonic_time ();

  open_gate (FALSE);
  fp_users_request (users, SLOW_UID);
  fp_users_request (users, SLOW_UID + 1);
  fp_users_wait (users, 100000);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 100000);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
  assert_name (users, SLOW_UID, "");

  open_gate (TRUE);
  fp_users_wait (users, 10 * G_USEC_PER_SEC);
  assert_name (users, SLOW_UID, "late-4711");
  assert_name (users, SLOW_UID + 1, "late-4712");
  fp_users_free (users);
}

static void
test_freed_while_blocked (void)
{
  FpUsers *users = fp_users_new (blocked_lookup);
  gint n = g_atomic_int_get (&n_left), n_before = g_atomic_int_get (&n_come);
  gint64 start;

  open_gate (FALSE);
  fp_users_request (users, 5);
  fp_users_request (users, 6);
  while (g_atomic_int_get (&n_come) == n_before)
    g_usleep (1000);
  start = g_get_monotonic_time ();
  fp_users_free (users);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);

  /* The thread comes back to what is its own by now, and asks no more. */
  open_gate (TRUE);
  for (guint i = 0; i < 500 && g_atomic_int_get (&n_left) == n; i++)
    g_usleep (10000);
  g_usleep (50000);
  g_assert_cmpint (g_atomic_int_get (&n_left), ==, n + 1);
}

/* A directory server that never answers holds up the first sweep only, and that for 200 ms. */
static void
test_sweep_waits_once (void)
{
  g_autofree char *root = fixture_get_original ("desktop");
  g_autofree char *proc = g_build_filename (root, "proc", NULL);
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) snapshot = NULL;
  FpSweep *sweep;
  gint64 start, took_us[5];

  open_gate (FALSE);
  settings.lookup_user = blocked_lookup;
  sweep = fp_sweep_new (proc, &settings, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (took_us); i++)
    {
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      start = g_get_monotonic_time ();
      snapshot = fp_sweep_collect (sweep, &request, NULL);
      took_us[i] = g_get_monotonic_time () - start;
    }
  g_assert_cmpint (took_us[0], >=, 190000);
  g_assert_cmpint (took_us[0], <, 3 * G_USEC_PER_SEC);
  g_assert_cmpint (MIN (MIN (took_us[1], took_us[2]), MIN (took_us[3], took_us[4])), <, 100000);
  for (guint i = 0; i < snapshot->n_processes; i++)
    g_assert_cmpstr (fp_snapshot_get_text (snapshot, &snapshot->processes[i], FP_TEXT_USER), ==, "");

  open_gate (TRUE);
  for (guint i = 0; i < 500; i++)
    {
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = fp_sweep_collect (sweep, &request, NULL);
      if (*fp_snapshot_get_text (snapshot, fp_snapshot_find (snapshot, 1700), FP_TEXT_USER))
        break;
      g_usleep (10000);
    }
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, fp_snapshot_find (snapshot, 1700), FP_TEXT_USER), ==, "late-1001");
  fp_sweep_free (sweep);
}

/* As a user who may have no more threads; root may always. */
static void
test_no_thread (void)
{
  struct rlimit limit;
  FpUsers *users;
  gint64 start;

  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
      g_test_trap_assert_passed ();
      return;
    }
  if (getuid () == 0)
    {
      g_assert_cmpint (setgroups (0, NULL), ==, 0);
      g_assert_cmpint (setresgid (NOBODY, NOBODY, NOBODY), ==, 0);
      g_assert_cmpint (setresuid (NOBODY, NOBODY, NOBODY), ==, 0);
    }
  g_assert_cmpint (getrlimit (RLIMIT_NPROC, &limit), ==, 0);
  limit.rlim_cur = 0;
  g_assert_cmpint (setrlimit (RLIMIT_NPROC, &limit), ==, 0);
  users = fp_users_new (lookup);
  start = g_get_monotonic_time ();
  fp_users_request (users, 1);
  fp_users_wait (users, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 5 * G_USEC_PER_SEC);
  assert_name (users, 1, "");

  /* Once there may be one, it answers what was asked before too. */
  limit.rlim_cur = limit.rlim_max;
  g_assert_cmpint (setrlimit (RLIMIT_NPROC, &limit), ==, 0);
  fp_users_request (users, 2);
  fp_users_wait (users, 10 * G_USEC_PER_SEC);
  assert_name (users, 1, "name-1");
  assert_name (users, 2, "name-2");
  fp_users_free (users);
}

static void
test_real_lookup (void)
{
  FpUser user = { "before", "before" };

  fp_user_lookup (0, &user);
  g_assert_cmpstr (user.name, ==, "root");
  g_assert_cmpstr (user.full_name, ==, "root");
  fp_user_lookup (4294000000, &user);
  g_assert_cmpstr (user.name, ==, "");
  g_assert_cmpstr (user.full_name, ==, "");
}

static void
assert_owner (guint uid,
              const char *expected)
{
  FpUser user = { "", "" };

  fp_user_find_owner (uid, "ada:100000:65536\nnonsense\n:::\nben:165536:10\neve:4294967290:99999999999\nx:1:2:3\n", &user);
  g_assert_cmpstr (user.full_name, ==, expected);
  g_assert_cmpstr (user.name, ==, "");
}

static void
test_owner_of_container (void)
{
  assert_owner (100000, "In a container of ada");
  assert_owner (165535, "In a container of ada");
  assert_owner (165536, "In a container of ben");
  assert_owner (165545, "In a container of ben");
  assert_owner (165546, "");
  assert_owner (99999, "");
  assert_owner (4294967294u, "");
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/users/each-once", test_each_once);
  g_test_add_func ("/proc/users/unused", test_unused);
  g_test_add_func ("/proc/users/late-answer", test_late_answer);
  g_test_add_func ("/proc/users/freed-while-blocked", test_freed_while_blocked);
  g_test_add_func ("/proc/users/sweep-waits-once", test_sweep_waits_once);
  g_test_add_func ("/proc/users/no-thread", test_no_thread);
  g_test_add_func ("/proc/users/real-lookup", test_real_lookup);
  g_test_add_func ("/proc/users/owner-of-container", test_owner_of_container);
  return g_test_run ();
}
