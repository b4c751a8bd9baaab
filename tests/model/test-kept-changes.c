// SPDX-License-Identifier: GPL-3.0-or-later
/* A file system in memory says by how much it has grown, where it was looked at at the start. */
#include "fixture-snapshot.h"
#include "fp-machine-parts.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

static void
add_tmpfs (FpKept *kept,
           const char *path,
           guint64 used)
{
  const FpTmpfs tmpfs = { .path = g_strdup (path), .used = used, .has_used = TRUE, .device = g_str_hash (path) };

  g_array_append_val (kept->tmpfs, tmpfs);
}

static const FpMachineItem *
find_item (const FpMachineItems *items,
           const char *name)
{
  for (guint i = 0; i < items->len; i++)
    if (g_str_equal (((const FpMachineItem *)items->pdata[i])->name, name))
      return items->pdata[i];
  g_error ("There is no item “%s”", name);
}

static FpMachineItems *
list_kept (FpKept *now,
           FpKept *then)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;
  g_autoptr (FpMachine) machine = NULL;
  FpMachineInput input = { 0 };
  FpMachineMoment start;

  fixture_snapshot_init (&fixture, 1);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MEM_TOTAL, 8192 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_ANON_PAGES, 100 * MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MAPPED, 0);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_SHMEM, 2048 * MIB);
  fixture_set_figures (fixture_snapshot_add (&fixture, 1, "all"), 100 * MIB, 100 * MIB, 0);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  g_assert_true (fp_machine_moment_make (&start, fixture.snapshot, fp_totals_get (sum, 0)));
  input = (FpMachineInput){ .processes = records, .users = sum, .sum = sum, .kept = now, .old_kept = then, .start = &start };
  machine = fp_machine_new (&input);
  return fp_machine_list_parts (machine, FP_MACHINE_KEPT);
}

static void
test_changes (void)
{
  g_autoptr (FpKept) now = fp_kept_new (), then = fp_kept_new ();
  g_autoptr (GPtrArray) files = NULL;

  add_tmpfs (now, "/tmp", 900 * MIB);
  add_tmpfs (now, "/run", 4 * MIB);
  add_tmpfs (now, "/new", 2 * MIB);
  add_tmpfs (then, "/run", 6 * MIB);
  add_tmpfs (then, "/tmp", 100 * MIB);
  files = list_kept (now, then);
  g_assert_true (find_item (files, "/tmp")->has_change);
  g_assert_cmpint (find_item (files, "/tmp")->change, ==, 800 * (gint64)MIB);
  g_assert_cmpint (find_item (files, "/run")->change, ==, -2 * (gint64)MIB);
  g_assert_false (find_item (files, "/new")->has_change);
}

static void
test_unknown_start (void)
{
  g_autoptr (FpKept) now = fp_kept_new ();
  g_autoptr (GPtrArray) files = NULL;

  add_tmpfs (now, "/tmp", 900 * MIB);
  files = list_kept (now, NULL);
  g_assert_false (find_item (files, "/tmp")->has_change);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-changes/changes", test_changes);
  g_test_add_func ("/kept-changes/unknown-start", test_unknown_start);
  return g_test_run ();
}
