// SPDX-License-Identifier: GPL-3.0-or-later
/* Changes since a moment of the history: of processes, of totals and of the machine. */
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-growth.h"
#include "fp-machine-changes.h"
#include "fp-machine-history.h"
#include "fp-totals.h"

#define KIB        G_GUINT64_CONSTANT (1024)
#define MIB        (1024 * KIB)
#define SECOND     G_GUINT64_CONSTANT (1000000)
#define LONGEST_US (5 * SECOND)

/* A leak of a MiB a second from second 100 on, one that keeps what it has, and one that begins in second 150. */
static FpRecords *
take (FpHistory *history,
      FpTotalHistory *totals,
      guint second)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  FpProcess *process;
  FpRecords *records;

  fixture_snapshot_init (&fixture, 4);
  fixture.snapshot->info.boottime_us = second * SECOND;
  process = fixture_snapshot_add (&fixture, 7, "keeps");
  fixture_set_figures (process, 5 * MIB, 5 * MIB, MIB);
  process = fixture_snapshot_add (&fixture, 8, "leaks");
  fixture_set_figures (process, (second - 90) * MIB, MIB, (second >= 200 ? 4 : 0) * MIB);
  if (second >= 150)
    {
      process = fixture_snapshot_add (&fixture, 9, "new");
      process->start_ticks = 150 * 100;
      fixture_set_figures (process, 3 * MIB, 3 * MIB, 0);
    }
  records = fixture_snapshot_make_records (&fixture);
  fp_history_take (history, fixture.snapshot, LONGEST_US);
  if (totals)
    fp_total_history_take (totals, records, NULL, LONGEST_US);
  return records;
}

static void
assert_change (FpRecords *records,
               guint index,
               gint64 expected)
{
  FpFigure change = fp_records_get_change (records, index);
  gint64 bytes = change.kind == FP_FIGURE_LESS ? -(gint64)change.low : (gint64)change.low;

  g_assert_true (fp_figure_is_known (change));
  g_assert_cmpuint (change.low, ==, change.high);
  g_assert_cmpint (bytes, ==, expected);
}

/* Each moment of the history can be the mark, and without it nothing is said of changes. */
static void
test_processes (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = NULL;

  for (guint second = 100; second <= 300; second++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, NULL, second);
      if (second == 100)
        fp_history_set_start (history);
    }
  fp_records_take_history (last, history, NULL);
  g_assert_false (fp_figure_is_known (fp_records_get_change (last, 1)));

  fp_history_mark (history, 120 * SECOND);
  fp_records_take_history (last, history, NULL);
  assert_change (last, 0, 0);
  assert_change (last, 1, 184 * (gint64)MIB);
  assert_change (last, 2, 3 * (gint64)MIB);

  fp_history_mark (history, 250 * SECOND + SECOND / 2);
  fp_records_take_history (last, history, NULL);
  assert_change (last, 1, 50 * (gint64)MIB);
  assert_change (last, 2, 0);

  fp_history_unmark (history);
  g_assert_false (fp_history_is_marked (history));
  fp_records_take_history (last, history, NULL);
  g_assert_false (fp_figure_is_known (fp_records_get_change (last, 1)));
}

/* The mark stays when its moment is forgotten; one of hours ago is a minute's. */
static void
test_long_ago (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpRecords) last = NULL;

  for (guint second = 100; second <= 3000; second++)
    {
      g_clear_pointer (&last, fp_records_unref);
      last = take (history, NULL, second);
      if (second == 130)
        fp_history_mark (history, second * SECOND);
    }
  fp_records_take_history (last, history, NULL);
  assert_change (last, 1, (2870 + 4) * (gint64)MIB);
  fp_history_mark (history, 1000 * SECOND);
  fp_records_take_history (last, history, NULL);
  assert_change (last, 1, (3000 - 1000) * (gint64)MIB);
}

/* A process that was there before without being listed is unknown; one that began since has all it has. */
static void
test_hidden (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_auto (FixtureSnapshot) before = { 0 }, after = { 0 };
  g_autoptr (FpRecords) records = NULL;
  FpProcess *process;

  fixture_snapshot_init (&before, 1);
  before.snapshot->info.boottime_us = 100 * SECOND;
  process = fixture_snapshot_add (&before, 7, "mine");
  fixture_set_figures (process, MIB, MIB, 0);
  g_clear_pointer (&records, fp_records_unref);
  records = fixture_snapshot_make_records (&before);
  fp_history_take (history, before.snapshot, LONGEST_US);
  fp_history_mark (history, 100 * SECOND);

  fixture_snapshot_init (&after, 3);
  after.snapshot->info.boottime_us = 102 * SECOND;
  process = fixture_snapshot_add (&after, 7, "mine");
  fixture_set_figures (process, MIB, MIB, 0);
  process = fixture_snapshot_add (&after, 8, "old");
  process->start_ticks = 50 * 100;
  fixture_set_figures (process, 9 * MIB, MIB, 0);
  process = fixture_snapshot_add (&after, 9, "new");
  process->start_ticks = 101 * 100;
  fixture_set_figures (process, 9 * MIB, MIB, 0);
  g_clear_pointer (&records, fp_records_unref);
  records = fixture_snapshot_make_records (&after);
  fp_history_take (history, after.snapshot, LONGEST_US);
  fp_records_take_history (records, history, NULL);
  assert_change (records, 0, 0);
  g_assert_false (fp_figure_is_known (fp_records_get_change (records, 1)));
  assert_change (records, 2, 9 * (gint64)MIB);
}

/* A range is a change where both ends went the same way. */
static void
test_ranges (void)
{
  const FpHistoryEnds before = { { 100, 0, 0, 0 }, { 200, 0, 0, 0 } };
  FpFigure change;

  change = fp_history_ends_subtract (&(FpHistoryEnds){ { 250, 0, 0, 0 }, { 260, 0, 0, 0 } }, &before);
  g_assert_cmpint (change.kind, ==, FP_FIGURE_MORE);
  g_assert_cmpuint (change.low, ==, 50 * KIB);
  g_assert_cmpuint (change.high, ==, 160 * KIB);
  change = fp_history_ends_subtract (&(FpHistoryEnds){ { 20, 0, 0, 0 }, { 40, 0, 0, 0 } }, &before);
  g_assert_cmpint (change.kind, ==, FP_FIGURE_LESS);
  g_assert_cmpuint (change.low, ==, 60 * KIB);
  g_assert_cmpuint (change.high, ==, 180 * KIB);
  change = fp_history_ends_subtract (&(FpHistoryEnds){ { 150, 0, 0, 0 }, { 260, 0, 0, 0 } }, &before);
  g_assert_false (fp_figure_is_known (change));
  change = fp_history_ends_subtract (&(FpHistoryEnds){ { 250, 0, 0, 0 }, { FP_HISTORY_UNKNOWN, 0, 0, 0 } }, &before);
  g_assert_false (fp_figure_is_known (change));
}

/* One that is not there has no bytes. */
static const FpMachineChange *
find (const FpMachineChanges *changes,
      const char *name)
{
  static const FpMachineChange none = { 0 };

  for (guint i = 0; i < changes->changes->len; i++)
    if (g_str_equal (((FpMachineChange *)changes->changes->pdata[i])->name, name))
      return changes->changes->pdata[i];
  return &none;
}

static void
set_line (FpMachineState *state,
          FpMachineLine line,
          gint64 low,
          gint64 high)
{
  state->lines[line] = (FpMachineEnds){ low, high };
}

/* Two states of a machine of 1000 MiB; what is kept and the cache are each other's opposite. */
static void
make_states (FpMachineState *before,
             FpMachineState *now)
{
  *before = *now = (FpMachineState){ .total = 1000 * (gint64)MIB };
  set_line (before, FP_MACHINE_PROGRAMS, 200 * (gint64)MIB, 200 * (gint64)MIB);
  set_line (before, FP_MACHINE_KEPT, 40 * (gint64)MIB, 60 * (gint64)MIB);
  set_line (before, FP_MACHINE_CACHE, 340 * (gint64)MIB, 360 * (gint64)MIB);
  set_line (before, FP_MACHINE_KERNEL, 100 * (gint64)MIB, 100 * (gint64)MIB);
  set_line (before, FP_MACHINE_FREE, 300 * (gint64)MIB, 300 * (gint64)MIB);
  before->page_tables = 10 * (gint64)MIB;
  set_line (now, FP_MACHINE_PROGRAMS, 320 * (gint64)MIB, 320 * (gint64)MIB);
  set_line (now, FP_MACHINE_KEPT, 120 * (gint64)MIB, 140 * (gint64)MIB);
  set_line (now, FP_MACHINE_CACHE, 190 * (gint64)MIB, 210 * (gint64)MIB);
  set_line (now, FP_MACHINE_KERNEL, 110 * (gint64)MIB, 110 * (gint64)MIB);
  set_line (now, FP_MACHINE_FREE, 240 * (gint64)MIB, 240 * (gint64)MIB);
  now->page_tables = 20 * (gint64)MIB;
}

static void
add_program (GArray *programs,
             const char *name,
             guint32 base,
             guint32 now)
{
  FpProgramChange change = { .name = name };

  change.base.low_kib[FP_HISTORY_PSS] = change.base.high_kib[FP_HISTORY_PSS] = base * 1024;
  change.now.low_kib[FP_HISTORY_PSS] = change.now.high_kib[FP_HISTORY_PSS] = now * 1024;
  g_array_append_val (programs, change);
}

/* Known changes are there as what they are, in bytes and in words, and all sum to nothing. */
static void
test_machine (void)
{
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  g_autoptr (FpMachineChanges) changes = NULL;
  g_autofree char *words = NULL;
  FpMachineState before, now;

  make_states (&before, &now);
  add_program (programs, "firefox", 20, 150);
  add_program (programs, "gone", 15, 0);
  add_program (programs, "idle", 10, 10);
  changes = fp_machine_changes_new (&before, &now, programs);
  g_assert_cmpint (changes->sum, ==, 0);
  g_assert_cmpint (find (changes, "firefox")->bytes, ==, 130 * (gint64)MIB);
  g_assert_cmpstr (find (changes, "firefox")->search, ==, "program=firefox");
  g_assert_cmpint (find (changes, "gone")->bytes, ==, -15 * (gint64)MIB);
  g_assert_cmpint (find (changes, "idle")->bytes, ==, 0);
  g_assert_cmpint (find (changes, "Other programs")->bytes, ==, 5 * (gint64)MIB);
  g_assert_cmpint (find (changes, "Files kept in memory")->bytes, ==, 80 * (gint64)MIB);
  g_assert_cmpint (find (changes, "Cache")->bytes, ==, -150 * (gint64)MIB);
  g_assert_cmpint (find (changes, "Page tables")->bytes, ==, 10 * (gint64)MIB);
  g_assert_cmpint (find (changes, "Kernel")->bytes, ==, 0);
  g_assert_cmpint (find (changes, "Not explained")->bytes, ==, 0);
  words = fp_machine_changes_describe (changes, &(FpFormat){ .style = FP_STYLE_IEC });
  g_assert_cmpstr (words, ==,
                   "firefox\u00a0+130.0, Files kept in memory\u00a0+80.0, Page tables\u00a0+10.0, Other programs\u00a0+5.0, "
                   "Cache\u00a0−150.0, Free\u00a0−60.0, gone\u00a0−15.0\u00a0MiB = 0");
}

/* Memory that is plugged in is the sum. */
static void
test_more_memory (void)
{
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  g_autoptr (FpMachineChanges) changes = NULL;
  g_autofree char *words = NULL;
  FpMachineState before, now;

  make_states (&before, &now);
  set_line (&now, FP_MACHINE_FREE, 340 * (gint64)MIB, 340 * (gint64)MIB);
  now.total += 100 * (gint64)MIB;
  changes = fp_machine_changes_new (&before, &now, programs);
  g_assert_cmpint (changes->sum, ==, 100 * (gint64)MIB);
  g_assert_cmpint (find (changes, "Programs")->bytes, ==, 120 * (gint64)MIB);
  words = fp_machine_changes_describe (changes, &(FpFormat){ .style = FP_STYLE_IEC });
  g_assert_true (g_str_has_suffix (words, " = +100.0\u00a0MiB"));
}

static gint64
read_tenths (const char *text)
{
  gboolean is_less = g_str_has_prefix (text, "−");
  const char *digits = is_less ? text + strlen ("−") : text + 1;
  char *dot;
  gint64 whole = (gint64)g_ascii_strtoull (digits, &dot, 10);

  g_assert_true (is_less || *text == '+');
  g_assert_cmpint (*dot, ==, '.');
  return (is_less ? -1 : 1) * (whole * 10 + dot[1] - '0');
}

/* The figures that are shown sum to nothing too, whatever they are. */
static void
test_rounded (void)
{
  for (guint round = 0; round < 200; round++)
    {
      g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
      g_autoptr (FpMachineChanges) changes = NULL;
      g_autofree char *words = NULL;
      FpMachineState before = { 0 }, now = { 0 };
      gint64 sum = 0, shown = 0;
      g_auto (GStrv) parts = NULL;

      for (FpMachineLine line = 0; line < FP_MACHINE_FREE; line++)
        {
          gint64 bytes = 4096 * (gint64)g_test_rand_int_range (-100000, 100000);

          set_line (&now, line, bytes, bytes);
          sum += bytes;
        }
      set_line (&now, FP_MACHINE_FREE, -sum, -sum);
      changes = fp_machine_changes_new (&before, &now, programs);
      g_assert_cmpint (changes->sum, ==, 0);
      words = fp_machine_changes_describe (changes, &(FpFormat){ .style = FP_STYLE_IEC });
      g_assert_true (g_str_has_suffix (words, " = 0"));
      parts = g_strsplit (words, ", ", -1);
      for (guint i = 0; parts[i]; i++)
        shown += read_tenths (strstr (parts[i], "\u00a0") + strlen ("\u00a0"));
      g_assert_cmpint (shown, ==, 0);
    }
}

/* Programs that ended and began since are told by what they had. */
static void
test_programs (void)
{
  g_autoptr (FpHistory) history = fp_history_new ();
  g_autoptr (FpTotalHistory) totals = fp_total_history_new ();
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  guint n_found = 0;

  for (guint second = 100; second <= 200; second++)
    {
      g_autoptr (FpRecords) records = take (history, totals, second);
    }
  fp_total_history_mark (totals, 160 * SECOND);
  for (guint second = 101; second <= 110; second++)
    {
      /* “new” is gone */
      g_auto (FixtureSnapshot) fixture = { 0 };
      g_autoptr (FpRecords) records = NULL;
      FpProcess *process;

      fixture_snapshot_init (&fixture, 2);
      fixture.snapshot->info.boottime_us = (second + 100) * SECOND;
      process = fixture_snapshot_add (&fixture, 8, "leaks");
      fixture_set_figures (process, 200 * MIB, MIB, 0);
      records = fixture_snapshot_make_records (&fixture);
      fp_total_history_take (totals, records, NULL, LONGEST_US);
    }
  fp_total_history_add_changes (totals, changes);
  for (guint i = 0; i < changes->len; i++)
    {
      const FpProgramChange *change = &g_array_index (changes, FpProgramChange, i);

      if (g_str_equal (change->name, "new"))
        {
          g_assert_cmpuint (change->base.low_kib[FP_HISTORY_PSS], ==, 3 * 1024);
          g_assert_cmpuint (change->now.high_kib[FP_HISTORY_PSS], ==, 0);
          n_found++;
        }
      if (g_str_equal (change->name, "leaks"))
        {
          g_assert_cmpuint (change->base.low_kib[FP_HISTORY_PSS], ==, 70 * 1024);
          g_assert_cmpuint (change->now.low_kib[FP_HISTORY_PSS], ==, 200 * 1024);
          n_found++;
        }
    }
  g_assert_cmpuint (n_found, ==, 2);
}

/* Files that were read before the mark tell what they have more; one that is new has all it has. */
static void
test_before (void)
{
  g_auto (FixtureSnapshot) before = { 0 }, after = { 0 };
  g_autoptr (FpRecords) old = NULL, new = NULL;
  FpProcess *process;

  fixture_snapshot_init (&before, 1);
  process = fixture_snapshot_add (&before, 7, "file");
  fixture_set_figures (process, 5 * MIB, 5 * MIB, 0);
  old = fixture_snapshot_make_records (&before);
  fixture_snapshot_init (&after, 2);
  process = fixture_snapshot_add (&after, 7, "file");
  fixture_set_figures (process, 2 * MIB, 5 * MIB, 0);
  process = fixture_snapshot_add (&after, 9, "other");
  fixture_set_figures (process, 4 * MIB, 5 * MIB, 0);
  new = fixture_snapshot_make_records (&after);
  fp_records_take_before (new, old);
  assert_change (new, 0, -3 * (gint64)MIB);
  assert_change (new, 1, 4 * (gint64)MIB);
  fp_records_take_before (new, NULL);
  g_assert_false (fp_figure_is_known (fp_records_get_change (new, 0)));
}

static void
take_machine (FpMachineHistory *history,
              guint second,
              guint64 realtime_s)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  g_autoptr (FpRecords) records = NULL, sum = NULL;

  fixture_snapshot_init (&fixture, 1);
  fixture.snapshot->info.boottime_us = second * SECOND;
  fixture.snapshot->info.realtime_us = realtime_s * SECOND;
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_ANON_PAGES, MIB);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_MAPPED, MIB);
  records = fixture_snapshot_make_records (&fixture);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  fp_machine_history_take (history, fixture.snapshot, fp_totals_get (sum, 0), LONGEST_US);
}

/* A clock that is set leaves no gap, sleep does, and a machine that is set back begins anew. */
static void
test_clocks (void)
{
  static const struct
  {
    guint second;
    guint64 realtime_s;
    gboolean follows_gap;
  } takes[] = { { 100, 50000, FALSE }, { 101, 46401, FALSE }, { 102, 46402, FALSE }, { 3702, 50002, TRUE }, { 3703, 90003, FALSE } };
  g_autoptr (FpMachineHistory) history = fp_machine_history_new ();

  for (guint i = 0; i < G_N_ELEMENTS (takes); i++)
    take_machine (history, takes[i].second, takes[i].realtime_s);
  g_assert_cmpuint (history->moments->len, ==, G_N_ELEMENTS (takes));
  for (guint i = 0; i < G_N_ELEMENTS (takes); i++)
    g_assert_cmpint (g_array_index (history->moments, FpMachineMoment, i).follows_gap, ==, takes[i].follows_gap);
  take_machine (history, 20, 90020);
  g_assert_cmpuint (history->moments->len, ==, 1);
  g_assert_cmpuint (fp_machine_history_get_first (history)->time_us, ==, 20 * SECOND);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mark/before", test_before);
  g_test_add_func ("/mark/clocks", test_clocks);
  g_test_add_func ("/mark/hidden", test_hidden);
  g_test_add_func ("/mark/long-ago", test_long_ago);
  g_test_add_func ("/mark/machine", test_machine);
  g_test_add_func ("/mark/more-memory", test_more_memory);
  g_test_add_func ("/mark/processes", test_processes);
  g_test_add_func ("/mark/programs", test_programs);
  g_test_add_func ("/mark/ranges", test_ranges);
  g_test_add_func ("/mark/rounded", test_rounded);
  return g_test_run ();
}
