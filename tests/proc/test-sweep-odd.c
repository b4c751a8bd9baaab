// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-snapshot-file.h"
#include "fp-sweep.h"

#define KIB G_GUINT64_CONSTANT (1024)

static void
test_who_is_there (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  /* Neither files nor other folders nor processes without a stat. */
  g_assert_cmpuint (snapshot->n_processes, ==, 23);
  for (guint i = 0; i < snapshot->n_processes; i++)
    g_assert_cmpint (snapshot->processes[i].pid, ==, 101 + (gint)i);
}

static void
test_reasons (void)
{
  static const struct
  {
    gint pid;
    FpReason reason;
    gboolean has_pss, is_unread;
  } cases[] = {
    { 101, FP_REASON_NONE, TRUE, FALSE },
    { 103, FP_REASON_NONE, TRUE, FALSE },
    { 108, FP_REASON_NONE, TRUE, FALSE },
    { 109, FP_REASON_KERNEL_THREAD, FALSE, FALSE },
    { 111, FP_REASON_NONE, TRUE, FALSE },
    { 112, FP_REASON_NONE, TRUE, FALSE },
    { 118, FP_REASON_UNSUPPORTED, FALSE, TRUE },
    { 119, FP_REASON_ZOMBIE, FALSE, FALSE },
    { 122, FP_REASON_UNSUPPORTED, FALSE, TRUE },
    { 123, FP_REASON_NONE, TRUE, FALSE },
  };
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FpProcess *process = fp_snapshot_find (snapshot, cases[i].pid);

      g_assert_cmpint (process->reason, ==, cases[i].reason);
      g_assert_cmpint (fp_memory_has (&process->memory, FP_FIELD_PSS), ==, cases[i].has_pss);
      g_assert_cmpint (fp_process_is_unread (process), ==, cases[i].is_unread);
      g_assert_cmpint (process->measured_us != 0, ==, cases[i].has_pss);
    }
  /* On its way out: no figure, and none made up. */
  g_assert_false (fp_memory_has (&fp_snapshot_find (snapshot, 110)->memory, FP_FIELD_PSS));
  g_assert_cmpint (fp_snapshot_find (snapshot, 110)->reason, !=, FP_REASON_KERNEL_THREAD);
}

static void
test_figures (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");
  static const gint pids[] = { 101, 102, 103, 104, 105, 106, 107, 108, 111, 113, 114, 115, 116, 117, 120, 123 };

  for (guint i = 0; i < G_N_ELEMENTS (pids); i++)
    {
      const FpMemory *memory = &fp_snapshot_find (snapshot, pids[i])->memory;

      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_RSS), ==, 1000 * KIB);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PSS), ==, 600 * KIB);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_USS), ==, 500 * KIB);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_SHARED), ==, 500 * KIB);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_SWAP_PSS), ==, 20 * KIB);
      g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PEAK_RSS), ==, 1200 * KIB);
    }
}

static void
test_missing_figures_are_absent (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");
  const FpMemory *old = &fp_snapshot_find (snapshot, 112)->memory;
  const FpMemory *cut = &fp_snapshot_find (snapshot, 121)->memory;

  g_assert_cmpuint (fp_memory_get (old, FP_FIELD_PSS), ==, 600 * KIB);
  g_assert_false (fp_memory_has (old, FP_FIELD_PSS_ANON));
  g_assert_false (fp_memory_has (old, FP_FIELD_USS));
  g_assert_false (fp_memory_has (old, FP_FIELD_SHARED));
  g_assert_false (fp_memory_has (old, FP_FIELD_SWAP_PSS));
  g_assert_cmpuint (fp_memory_get (cut, FP_FIELD_PSS), ==, 600 * KIB);
  g_assert_false (fp_memory_has (cut, FP_FIELD_USS));
  g_assert_false (fp_memory_has (cut, FP_FIELD_SWAP));
}

static void
test_huge (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");
  const FpMemory *memory = &fp_snapshot_find (snapshot, 117)->memory;

  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_HUGETLB), ==, 14336 * KIB);
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_USS), ==, 500 * KIB);
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PSS), ==, 600 * KIB);
}

static void
test_main_thread_exited (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");
  const FpProcess *process = fp_snapshot_find (snapshot, 108);

  g_assert_true (process->main_thread_exited);
  g_assert_cmpint (process->state, ==, 'Z');
  g_assert_cmpuint (process->uid, ==, 1000);
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_EXE), ==, "/usr/bin/headless");
  g_assert_false (fp_snapshot_find (snapshot, 119)->main_thread_exited);
}

static void
test_users (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  g_assert_cmpuint (fp_snapshot_find (snapshot, 101)->uid, ==, 1000);
  g_assert_cmpuint (fp_snapshot_find (snapshot, 113)->uid, ==, 4242424);
  g_assert_cmpuint (fp_snapshot_find (snapshot, 114)->uid, ==, 65534);
}

/* Alike in every figure, and yet two. */
static void
test_identical_workers_both_count (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  for (gint pid = 115; pid <= 116; pid++)
    {
      g_assert_cmpint (fp_snapshot_find (snapshot, pid)->shares_with, ==, 0);
      g_assert_cmpuint (fp_memory_get (&fp_snapshot_find (snapshot, pid)->memory, FP_FIELD_PSS), ==, 600 * KIB);
    }
}

static void
test_texts_are_valid (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  for (guint i = 0; i < snapshot->n_processes; i++)
    for (FpText text = 0; text < FP_N_TEXTS; text++)
      g_assert_true (g_utf8_validate (fp_snapshot_get_text (snapshot, &snapshot->processes[i], text), -1, NULL));
}

/* Names that anybody may give do not spoil the snapshot for all. */
static void
test_hostile_names (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *fill = g_strnfill (126, 'a');
  g_autofree char *group = g_strdup_printf ("0::/%s\xc3\xa9.slice\n", fill);
  g_autofree char *exe = g_strdup_printf ("/tmp/\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                                          "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff%s"
                                          "\xc3\xa9",
                                          fill);
  g_autofree char *link = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL, copy = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  fixture_copy (&fixture, "odd");
  fixture_write (&fixture, "111/cgroup", group, -1);
  fixture_remove (&fixture, "111/exe");
  link = g_build_filename (fixture.proc, "111/exe", NULL);
  g_assert_cmpint (symlink (exe, link), ==, 0);
  snapshot = fixture_sweep (fixture.proc);
  bytes = fp_snapshot_to_bytes (snapshot);
  copy = fp_snapshot_from_bytes (bytes, &error);
  g_assert_no_error (error);
}

static void
test_hidden_tasks (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");

  /* loadavg speaks of 900, 24 threads are to be seen, and 4 processes are listed that have ended when they are read. */
  g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_TASKS), ==, 900);
  g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_HIDDEN_TASKS), ==, 872);
}

static void
test_system (void)
{
  g_autoptr (FpSnapshot) snapshot = fixture_sweep_original ("odd");
  const FpSystem *system = &snapshot->system;

  g_assert_cmpuint (fp_system_get (system, FP_SYSTEM_MEM_TOTAL), ==, 1000000 * KIB);
  g_assert_false (fp_system_has (system, FP_SYSTEM_CACHED));
  g_assert_cmpuint (system->n_swaps, ==, 3);
  g_assert_cmpint (system->swaps[0].priority, ==, -2);
  g_assert_cmpint (system->swaps[1].priority, ==, 5);
  g_assert_cmpint (system->swaps[2].priority, ==, -3);
  g_assert_cmpstr (snapshot->info.boot_id, ==, "");
}

static void
test_no_proc (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;

  g_assert_null (fp_sweep_new ("/nonexistent", &settings, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/sweep-odd/who-is-there", test_who_is_there);
  g_test_add_func ("/proc/sweep-odd/reasons", test_reasons);
  g_test_add_func ("/proc/sweep-odd/figures", test_figures);
  g_test_add_func ("/proc/sweep-odd/missing-figures-are-absent", test_missing_figures_are_absent);
  g_test_add_func ("/proc/sweep-odd/huge", test_huge);
  g_test_add_func ("/proc/sweep-odd/main-thread-exited", test_main_thread_exited);
  g_test_add_func ("/proc/sweep-odd/users", test_users);
  g_test_add_func ("/proc/sweep-odd/identical-workers-both-count", test_identical_workers_both_count);
  g_test_add_func ("/proc/sweep-odd/texts-are-valid", test_texts_are_valid);
  g_test_add_func ("/proc/sweep-odd/hostile-names", test_hostile_names);
  g_test_add_func ("/proc/sweep-odd/hidden-tasks", test_hidden_tasks);
  g_test_add_func ("/proc/sweep-odd/system", test_system);
  g_test_add_func ("/proc/sweep-odd/no-proc", test_no_proc);
  return g_test_run ();
}
