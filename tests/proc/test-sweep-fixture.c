// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-sweep.h"

#define KIB    G_GUINT64_CONSTANT (1024)
#define NOBODY 65534

static void
lookup_user (guint uid,
             FpUser *user)
{
  g_strlcpy (user->name, uid == 0 ? "root" : uid == 33 ? "www-data"
                                         : uid == 1000 ? "ada"
                                                       : "",
             sizeof user->name);
}

static FpSweep *
new_sweep (const Fixture *fixture,
           FpRotationMode rotation)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  FpSweep *sweep;

  settings.rotation = rotation;
  settings.n_sweeps = 4;
  settings.giant_us = G_USEC_PER_SEC;
  settings.lookup_user = lookup_user;
  sweep = fp_sweep_new (fixture->proc, &settings, &error);
  g_assert_no_error (error);
  return sweep;
}

static FpSnapshot *
collect_wanted (FpSweep *sweep,
                gint pid,
                guint64 start_ticks)
{
  const FpProcessId wanted = { pid, start_ticks };
  FpSweepRequest request = { .wanted = &wanted, .n_wanted = 1 };
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_sweep_collect (sweep, &request, &error);

  g_assert_no_error (error);
  return snapshot;
}

static const FpProcess *
find (const FpSnapshot *snapshot,
      gint pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);

  g_assert_nonnull (process);
  return process;
}

static guint64
get (const FpSnapshot *snapshot,
     gint pid,
     FpField field)
{
  const FpProcess *process = find (snapshot, pid);

  g_assert_true (fp_memory_has (&process->memory, field));
  return fp_memory_get (&process->memory, field);
}

static void
replace (const Fixture *fixture,
         const char *name,
         const char *old,
         const char *new)
{
  g_autofree char *text = fixture_read (fixture, name);
  g_autoptr (GString) changed = g_string_new (text);

  g_assert_cmpuint (g_string_replace (changed, old, new, 1), ==, 1);
  fixture_write (fixture, name, changed->str, -1);
}

static void
test_identities (void)
{
  static const struct
  {
    gint pid;
    const char *program, *user, *app, *unit, *container;
  } expected[] = {
    { 1, "systemd", "root", "", "init.scope", "" },
    { 312, "systemd-journald", "root", "", "systemd-journald.service", "" },
    { 812, "nginx", "root", "", "nginx.service", "" },
    { 813, "nginx", "www-data", "", "nginx.service", "" },
    { 1100, "gnome-shell", "ada", "", "org.gnome.Shell@wayland.service", "" },
    { 1210, "firefox", "ada", "firefox", "app-gnome-firefox-1200.scope", "" },
    { 1300, "telegram-desktop", "ada", "org.telegram.desktop", "app-flatpak-org.telegram.desktop-1299.scope", "" },
    { 1400, "spotify", "ada", "spotify", "snap.spotify.spotify-2f1a5b7e-9d1c-4f6b-8a3e-5c7d9e1f2a3b.scope", "" },
    { 1500, "backup.py", "ada", "", "backup.service", "" },
    { 1502, "redis-server", "root", "",
      "docker-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.scope", "docker:0123456789ab" },
    { 1600, "oldtool", "ada", "", "vte-spawn-11111111-2222-4333-8444-555555555555.scope", "" },
    { 1700, "bash", "", "", "session-5.scope", "" },
    { 1710, "vim.basic", "", "", "session-5.scope", "" },
    { 45, "kworker/u8:2-events_unbound", "root", "", "", "" },
  };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  snapshot = fixture_collect (sweep);
  g_assert_cmpuint (snapshot->n_processes, ==, 27);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const FpProcess *process = find (snapshot, expected[i].pid);

      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), ==, expected[i].program);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_USER), ==, expected[i].user);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_APP), ==, expected[i].app);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_UNIT), ==, expected[i].unit);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER), ==, expected[i].container);
    }
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, find (snapshot, 812), FP_TEXT_CONTROL_GROUP), ==,
                   "/system.slice/nginx.service");
}

static void
test_records (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *process;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  snapshot = fixture_collect (sweep);
  process = find (snapshot, 1210);
  g_assert_cmpint (process->ppid, ==, 1200);
  g_assert_cmpuint (process->uid, ==, 1000);
  g_assert_cmpuint (process->start_ticks, ==, 5060);
  g_assert_cmpint (process->state, ==, 'S');
  g_assert_cmpint (process->oom_score_adj, ==, 100);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (process->measured_us, ==, snapshot->info.boottime_us);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), ==, "Isolated Web Co");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMMAND), ==,
                   "/usr/lib/firefox/firefox -contentproc -childID 1 tab");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_EXE), ==, "/usr/lib/firefox/firefox");
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_RSS), ==, 233664 * KIB);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_PSS), ==, 137949 * KIB);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_PSS_ANON), ==, 107008 * KIB);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_USS), ==, 102400 * KIB);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_SHARED), ==, 131264 * KIB);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_THREADS), ==, 30);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_CPU_TIME), ==,
                    (1210 + 403) * G_USEC_PER_SEC / snapshot->info.ticks_per_second);
  g_assert_cmpuint (get (snapshot, 1210, FP_FIELD_OOM_SCORE), ==, 666);
  g_assert_cmpuint (get (snapshot, 1211, FP_FIELD_SWAP_PSS), ==, 20480 * KIB);
  g_assert_cmpint (find (snapshot, 901)->oom_score_adj, ==, -500);
  g_assert_cmpint (find (snapshot, 1600)->exe_state, ==, FP_EXE_DELETED);
  g_assert_cmpint (find (snapshot, 1500)->exe_state, ==, FP_EXE_PRESENT);
  g_assert_cmpstr (snapshot->info.boot_id, ==, "6f1c2d3e-4b5a-4c7d-8e9f-0a1b2c3d4e5f");
}

/* PSS of all is what meminfo says is mapped: to a kB of rounding for each. */
static void
test_sums (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  guint64 pss = 0, anon = 0, swap = 0, mapped;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  snapshot = fixture_collect (sweep);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpMemory *memory = &snapshot->processes[i].memory;

      pss += fp_memory_get (memory, FP_FIELD_PSS);
      anon += fp_memory_get (memory, FP_FIELD_PSS_ANON);
      swap += fp_memory_get (memory, FP_FIELD_SWAP_PSS);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_USS), <=, fp_memory_get (memory, FP_FIELD_PSS));
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PSS), <=, fp_memory_get (memory, FP_FIELD_RSS));
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_USS) + fp_memory_get (memory, FP_FIELD_SHARED), ==,
                        fp_memory_get (memory, FP_FIELD_RSS));
    }
  mapped = fp_system_get (&snapshot->system, FP_SYSTEM_ANON_PAGES) + fp_system_get (&snapshot->system,
                                                                                    FP_SYSTEM_MAPPED);
  g_assert_cmpuint (pss, <=, mapped);
  g_assert_cmpuint (pss + 2 * KIB * snapshot->n_processes, >, mapped);
  g_assert_cmpuint (anon, <=, fp_system_get (&snapshot->system, FP_SYSTEM_ANON_PAGES));
  g_assert_true (fp_system_get_swap_used (&snapshot->system, &mapped));
  g_assert_cmpuint (swap, ==, mapped);
}

static void
test_reasons (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;

  fixture_copy (&fixture, "desktop");
  fixture_remove (&fixture, "1300/smaps_rollup");
  fixture_remove (&fixture, "1300/smaps");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  snapshot = fixture_collect (sweep);
  g_assert_cmpint (find (snapshot, 1650)->reason, ==, FP_REASON_ZOMBIE);
  g_assert_cmpint (find (snapshot, 1650)->state, ==, 'Z');
  g_assert_false (fp_process_is_unread (find (snapshot, 1650)));
  g_assert_false (fp_memory_has (&find (snapshot, 1650)->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&find (snapshot, 1650)->memory, FP_FIELD_RSS));
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      g_assert_cmpint (fp_process_is_kernel_thread (process), ==,
                       process->pid == 2 || process->pid == 17 || process->pid == 45);
      g_assert_cmpint (fp_process_is_unread (process), ==, process->pid == 1300);
      g_assert_cmpint (fp_memory_has (&process->memory, FP_FIELD_PSS), ==,
                       !fp_process_is_kernel_thread (process) && process->pid != 1650 && process->pid != 1300);
    }
  g_assert_cmpint (find (snapshot, 1300)->reason, ==, FP_REASON_UNSUPPORTED);
  g_assert_cmpuint (get (snapshot, 1300, FP_FIELD_RSS), ==, find (snapshot, 1300)->memory.figures[FP_FIELD_RSS]);
  g_assert_cmpuint (get (snapshot, 1300, FP_FIELD_RSS), >, 0);
}

/* Root may read what nobody may, so as root the sweep is done by nobody. */
static void
test_permission (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL, again = NULL;
  const FpProcess *process;
  guint64 bound = 0;

  fixture_copy (&fixture, "desktop");
  path = g_build_filename (fixture.proc, "1300", "smaps_rollup", NULL);
  g_assert_cmpint (chmod (path, 0), ==, 0);
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  if (geteuid () == 0)
    g_assert_cmpint (seteuid (NOBODY), ==, 0);
  snapshot = fixture_collect (sweep);
  if (getuid () == 0)
    g_assert_cmpint (seteuid (0), ==, 0);

  process = find (snapshot, 1300);
  g_assert_cmpint (process->reason, ==, FP_REASON_PERMISSION);
  g_assert_true (fp_process_is_unread (process));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_USS));
  g_assert_true (fp_memory_bound (&process->memory, FP_FIELD_PSS, &bound));
  g_assert_cmpuint (bound, ==, (1640 + 5200 + 8192 + 40960 + 122880) * KIB);
  g_assert_true (fp_memory_bound (&process->memory, FP_FIELD_SWAP_PSS, &bound));
  g_assert_cmpuint (bound, ==, 16384 * KIB);
  g_assert_cmpuint (get (snapshot, 1200, FP_FIELD_PSS), >, 0);

  g_assert_cmpint (chmod (path, 0644), ==, 0);
  again = collect_wanted (sweep, 1300, 6002);
  g_assert_cmpint (find (again, 1300)->reason, ==, FP_REASON_NONE);
  g_assert_cmpuint (get (again, 1300, FP_FIELD_RSS), ==, (1640 + 5200 + 8192 + 40960 + 122880) * KIB);
}

static void
test_vanished (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL, second = NULL;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  fixture_remove (&fixture, "1212");
  second = fixture_collect (sweep);
  g_assert_cmpuint (second->n_processes, ==, first->n_processes - 1);
  g_assert_null (fp_snapshot_find (second, 1212));
  g_assert_nonnull (fp_snapshot_find (first, 1212));
}

/* A reader of mappings needs the names, and holds up no process a second time. */
static void
test_only_lists (void)
{
  static const FpText texts[] = { FP_TEXT_PROGRAM, FP_TEXT_COMMAND, FP_TEXT_USER, FP_TEXT_UNIT, FP_TEXT_CONTROL_GROUP };
  const FpSweepRequest request = { .only_lists = TRUE };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) lists = NULL, again = NULL, whole = NULL;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  lists = fp_sweep_collect (sweep, &request, NULL);
  again = fp_sweep_collect (sweep, &request, NULL);
  g_assert_cmpuint (fp_sweep_get_n_walks (sweep), ==, 0);
  g_assert_cmpuint (again->info.n_pending, ==, 0);
  whole = fixture_collect (sweep);
  g_assert_cmpuint (fp_sweep_get_n_walks (sweep), ==, 23);
  g_assert_cmpuint (lists->n_processes, ==, whole->n_processes);
  for (guint i = 0; i < whole->n_processes; i++)
    {
      g_assert_cmpint (lists->processes[i].pid, ==, whole->processes[i].pid);
      g_assert_cmpuint (lists->processes[i].uid, ==, whole->processes[i].uid);
      g_assert_false (fp_memory_has (&lists->processes[i].memory, FP_FIELD_PSS));
      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        g_assert_cmpstr (fp_snapshot_get_text (lists, &lists->processes[i], texts[j]), ==,
                         fp_snapshot_get_text (whole, &whole->processes[i], texts[j]));
    }
  g_assert_cmpuint (get (whole, 1500, FP_FIELD_PSS), ==, 25951 * KIB);
}

static void
change_and_sweep (const char *name,
                  const char *old,
                  const char *new,
                  gboolean is_walked)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  guint64 n_walks;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  n_walks = fp_sweep_get_n_walks (sweep);
  g_assert_cmpuint (n_walks, ==, 23);
  replace (&fixture, "1500/smaps_rollup", "25951", "24951");
  replace (&fixture, name, old, new);
  second = fixture_collect (sweep);
  g_assert_cmpuint (fp_sweep_get_n_walks (sweep) - n_walks, ==, is_walked);
  g_assert_cmpuint (get (first, 1500, FP_FIELD_PSS), ==, 25951 * KIB);
  g_assert_cmpuint (get (second, 1500, FP_FIELD_PSS), ==, (is_walked ? 24951 : 25951) * KIB);
  g_assert_cmpint (find (second, 1500)->measured_us == second->info.boottime_us, ==, is_walked);
}

static void
test_walked_when_changed (void)
{
  change_and_sweep ("1500/stat", " 4194560 6880 0 137 0 ", " 4194560 6881 0 137 0 ", TRUE);
  change_and_sweep ("1500/stat", " 4194560 6880 0 137 0 ", " 4194560 6880 1 137 0 ", TRUE);
  change_and_sweep ("1500/stat", " 4194560 6880 0 137 0 ", " 4194560 6880 0 138 0 ", TRUE);
  change_and_sweep ("1500/stat", " 4194560 6880 0 137 0 ", " 4194560 6880 0 137 1 ", TRUE);
}

static void
test_not_walked_when_unchanged (void)
{
  change_and_sweep ("1500/stat", " S 1 ", " R 1 ", FALSE);
  change_and_sweep ("1500/stat", " 0 1500 500 ", " 0 1501 501 ", FALSE);
  change_and_sweep ("1500/oom_score", "666", "667", FALSE);
}

static const char other_stat[] = "1500 (other) S 1 1 1 0 -1 4194560 1 0 0 0 1 1 0 0 20 0 1 0 99999 4096 1 0\n";

/* The other one of the same PID starts from nothing. */
static void
assert_reused (FpSweep *sweep,
               const FpSnapshot *first)
{
  g_autoptr (FpSnapshot) second = fixture_collect (sweep);
  const FpProcess *process = find (second, 1500);

  g_assert_cmpuint (find (first, 1500)->start_ticks, ==, 7100);
  g_assert_cmpuint (process->start_ticks, ==, 99999);
  g_assert_cmpstr (fp_snapshot_get_text (second, process, FP_TEXT_PROGRAM), ==, "other");
  g_assert_cmpstr (fp_snapshot_get_text (second, process, FP_TEXT_EXE), ==, "");
  g_assert_cmpuint (get (second, 1500, FP_FIELD_PSS), ==, 3 * KIB);
  g_assert_cmpuint (get (second, 1500, FP_FIELD_RSS), ==, 4 * KIB);
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_SWAP_PSS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_USS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PEAK_RSS));
  g_assert_cmpint (process->oom_score_adj, ==, 0);
  g_assert_cmpuint (process->uid, ==, 33);
}

static void
write_other (const Fixture *fixture,
             const char *stat)
{
  fixture_remove (fixture, "1500");
  fixture_write (fixture, "1500/status", "Name:\tother\nUid:\t0\t33\t0\t0\n", -1);
  fixture_write (fixture, "1500/smaps_rollup", "Rss: 4 kB\nPss: 3 kB\n", -1);
  fixture_write (fixture, "1500/stat", stat, -1);
}

static void
test_pid_reused (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  fixture_write (&fixture, "1500/stat", other_stat, -1);
  write_other (&fixture, other_stat);
  assert_reused (sweep, first);
}

/* The same with files of its own, where no kept descriptor says ESRCH. */
static void
test_pid_reused_in_new_folder (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  write_other (&fixture, other_stat);
  assert_reused (sweep, first);
}

static void
test_becomes_zombie (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  const FpProcess *process;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  replace (&fixture, "1600/stat", ") S ", ") Z ");
  second = fixture_collect (sweep);
  process = find (second, 1600);
  g_assert_cmpint (process->reason, ==, FP_REASON_ZOMBIE);
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_PSS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_RSS));
  g_assert_false (fp_memory_has (&process->memory, FP_FIELD_SWAP_PSS));
  g_assert_cmpstr (fp_snapshot_get_text (second, process, FP_TEXT_PROGRAM), ==, "oldtool");
}

/* A death walks the parent and those like the dead, nobody else. */
static void
test_death_walks_relatives (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  static const gint relatives[] = { 1200, 1210, 1211 };
  guint64 n_walks;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_OFF);
  first = fixture_collect (sweep);
  n_walks = fp_sweep_get_n_walks (sweep);
  fixture_remove (&fixture, "1212");
  for (guint i = 0; i < 60 && fp_sweep_get_n_walks (sweep) < n_walks + 3; i++)
    {
      g_clear_pointer (&second, fp_snapshot_unref);
      second = fixture_collect (sweep);
    }
  g_assert_cmpuint (fp_sweep_get_n_walks (sweep), ==, n_walks + 3);
  for (guint i = 0; i < second->n_processes; i++)
    {
      const FpProcess *process = &second->processes[i];
      gboolean is_relative = FALSE;

      for (guint k = 0; k < G_N_ELEMENTS (relatives); k++)
        is_relative |= process->pid == relatives[k];
      g_assert_cmpint (process->measured_us > first->info.boottime_us, ==, is_relative);
    }
}

static void
test_fixed_rotation_reaches_all (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  guint64 first_us;

  fixture_copy (&fixture, "desktop");
  sweep = new_sweep (&fixture, FP_ROTATION_FIXED);
  snapshot = fixture_collect (sweep);
  first_us = snapshot->info.boottime_us;
  for (guint i = 0; i < 5; i++)
    {
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = fixture_collect (sweep);
    }
  for (guint i = 0; i < snapshot->n_processes; i++)
    if (fp_memory_has (&snapshot->processes[i].memory, FP_FIELD_PSS))
      g_assert_cmpuint (snapshot->processes[i].measured_us, >, first_us);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proc/sweep/identities", test_identities);
  g_test_add_func ("/proc/sweep/records", test_records);
  g_test_add_func ("/proc/sweep/sums", test_sums);
  g_test_add_func ("/proc/sweep/reasons", test_reasons);
  g_test_add_func ("/proc/sweep/permission", test_permission);
  g_test_add_func ("/proc/sweep/vanished", test_vanished);
  g_test_add_func ("/proc/sweep/only-lists", test_only_lists);
  g_test_add_func ("/proc/sweep/walked-when-changed", test_walked_when_changed);
  g_test_add_func ("/proc/sweep/not-walked-when-unchanged", test_not_walked_when_unchanged);
  g_test_add_func ("/proc/sweep/becomes-zombie", test_becomes_zombie);
  g_test_add_func ("/proc/sweep/death-walks-relatives", test_death_walks_relatives);
  g_test_add_func ("/proc/sweep/fixed-rotation-reaches-all", test_fixed_rotation_reaches_all);
  g_test_add_func ("/proc/sweep/pid-reused", test_pid_reused);
  g_test_add_func ("/proc/sweep/pid-reused-in-new-folder", test_pid_reused_in_new_folder);
  return g_test_run ();
}
