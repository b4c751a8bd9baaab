// SPDX-License-Identifier: GPL-3.0-or-later
/* When memory is full at this rate: the words, and that they hold still. */
#include "fixture-snapshot.h"
#include "fp-filling.h"
#include "fp-machine-history.h"
#include "fp-totals.h"

#define MIB    (G_GUINT64_CONSTANT (1) << 20)
#define GIB    (G_GUINT64_CONSTANT (1) << 30)
#define SECOND G_GUINT64_CONSTANT (1000000)
#define DAY    (24 * 60 * 60 * SECOND)

static FpSystem
make_system (guint64 available,
             guint64 swap_total,
             guint64 swap_free)
{
  FpSystem system = { 0 };

  fp_system_set (&system, FP_SYSTEM_MEM_TOTAL, 16 * GIB);
  fp_system_set (&system, FP_SYSTEM_MEM_AVAILABLE, available);
  fp_system_set (&system, FP_SYSTEM_SWAP_TOTAL, swap_total);
  fp_system_set (&system, FP_SYSTEM_SWAP_FREE, swap_free);
  return system;
}

static FpGrowth
seen_for (guint64 span_us,
          FpFigure figure)
{
  return (FpGrowth){ figure, span_us };
}

static void
assert_words (const FpFilling *filling,
              const char *expected)
{
  g_autofree char *words = fp_filling_describe (filling);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (void)
{
  static const struct
  {
    guint64 low;
    guint64 high;
    guint64 available;
    guint64 swap;
    const char *words;
  } cases[] = {
    { 100 * MIB, 100 * MIB, 4000 * MIB, 0, "At this rate memory is full in about 40 minutes." },
    { 100 * MIB, 100 * MIB, 1000 * MIB, 3000 * MIB, "At this rate memory and swap are full in about 40 minutes." },
    { 98 * MIB, 102 * MIB, 4000 * MIB, 0, "At this rate memory is full in about 40 minutes." },
    { 80 * MIB, 100 * MIB, 4000 * MIB, 0, "At this rate memory is full in 40 to 50 minutes." },
    { 100 * MIB, 100 * MIB, 30 * MIB, 0, "At this rate memory is full in less than a minute." },
    { 100 * MIB, 150 * MIB, 140 * MIB, 0, "At this rate memory is full in about 1 minute." },
    { 100 * MIB, 100 * MIB, 12000 * MIB, 0, "At this rate memory is full in about 2 hours." },
    { 10 * MIB, 14 * MIB, 12000 * MIB, 0, "At this rate memory is full in 14 to 20 hours." },
    /* It would take days, or the rate is hardly known. */
    { 1 * MIB, 1 * MIB, 12000 * MIB, 0, NULL },
    { 10 * MIB, 90 * MIB, 4000 * MIB, 0, NULL },
    { 0, 0, 4000 * MIB, 0, NULL },
    { 0, 90 * MIB, 4000 * MIB, 0, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FpSystem system = make_system (cases[i].available, cases[i].swap, cases[i].swap);
      FpFilling filling = { FALSE };

      fp_filling_update (&filling, seen_for (DAY, fp_figure_between (cases[i].low, cases[i].high)), &system, SECOND);
      assert_words (&filling, cases[i].words);
    }
}

/* Two gigabytes at 100 MiB a minute: in 20 minutes, which 20 seconds are enough to tell; and ten times as many. */
static void
test_seen_for_too_short (void)
{
  const FpFigure grows = fp_figure_exact (100 * MIB);
  FpSystem near = make_system (2000 * MIB, 0, 0), far = make_system (20000 * MIB, 0, 0);
  FpFilling filling = { FALSE };

  fp_filling_update (&filling, seen_for (20 * SECOND, grows), &near, SECOND);
  assert_words (&filling, "At this rate memory is full in about 20 minutes.");
  filling = (FpFilling){ FALSE };
  fp_filling_update (&filling, seen_for (199 * SECOND, grows), &far, SECOND);
  assert_words (&filling, NULL);
  filling = (FpFilling){ FALSE };
  fp_filling_update (&filling, seen_for (200 * SECOND, grows), &far, SECOND);
  assert_words (&filling, "At this rate memory is full in about 3 hours.");
}

/* Memory that shrinks or is not known, and a kernel that does not tell how much is available */
static void
test_none (void)
{
  FpSystem system = make_system (4000 * MIB, 0, 0), unknown = { 0 };
  FpFilling filling = { FALSE };

  fp_filling_update (&filling, seen_for (DAY, (FpFigure){ FP_FIGURE_LESS, 100 * MIB, 100 * MIB }), &system, SECOND);
  assert_words (&filling, NULL);
  filling = (FpFilling){ FALSE };
  fp_filling_update (&filling, seen_for (DAY, (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 }), &system, SECOND);
  assert_words (&filling, NULL);
  filling = (FpFilling){ FALSE };
  fp_filling_update (&filling, seen_for (DAY, fp_figure_exact (100 * MIB)), &unknown, SECOND);
  assert_words (&filling, NULL);
}

/* Each second it takes a second less, and the estimate goes up and down by two minutes. */
static void
test_holds_still (void)
{
  FpFilling filling = { FALSE };
  guint n_changes = 0;
  g_autofree char *last = NULL;

  for (guint second = 1; second <= 600; second++)
    {
      const guint noise = second % 2 ? 200 : 0;
      FpSystem system = make_system ((4000 - second * 100 / 60 + noise) * MIB, 0, 0);
      g_autofree char *words = NULL;

      fp_filling_update (&filling, seen_for (DAY, fp_figure_exact (100 * MIB)), &system, second * SECOND);
      words = fp_filling_describe (&filling);
      g_assert_nonnull (words);
      n_changes += g_strcmp0 (words, last) != 0;
      g_free (last);
      last = g_steal_pointer (&words);
    }
  g_assert_cmpstr (last, ==, "At this rate memory is full in about 30 minutes.");
  g_assert_cmpuint (n_changes, ==, 3);
}

/* A growth that is gone for ten seconds goes on, and one that was there for ten seconds was none. */
static void
test_patience (void)
{
  const FpFigure grows = fp_figure_exact (100 * MIB), none = fp_figure_exact (0);
  FpSystem system = make_system (4000 * MIB, 0, 0);
  FpFilling filling = { FALSE };

  fp_filling_update (&filling, seen_for (DAY, none), &system, 1 * SECOND);
  for (guint i = 2; i <= 16; i++)
    {
      fp_filling_update (&filling, seen_for (DAY, grows), &system, i * SECOND);
      g_assert_false (filling.is_told);
    }
  fp_filling_update (&filling, seen_for (DAY, none), &system, 17 * SECOND);
  for (guint i = 18; i <= 32; i++)
    {
      fp_filling_update (&filling, seen_for (DAY, grows), &system, i * SECOND);
      g_assert_false (filling.is_told);
    }
  fp_filling_update (&filling, seen_for (DAY, grows), &system, 33 * SECOND);
  g_assert_true (filling.is_told);
  for (guint i = 34; i <= 48; i++)
    {
      fp_filling_update (&filling, seen_for (DAY, none), &system, i * SECOND);
      g_assert_true (filling.is_told);
    }
  fp_filling_update (&filling, seen_for (DAY, none), &system, 49 * SECOND);
  g_assert_false (filling.is_told);
}

/* The machine's own memory, and not what its processes add up to, says when it is full. */
static void
test_machine (void)
{
  g_autoptr (FpMachineHistory) history = fp_machine_history_new ();

  for (guint second = 1; second <= 90; second++)
    {
      g_auto (FixtureSnapshot) fixture = { 0 };
      g_autoptr (FpRecords) records = NULL, sum = NULL;
      FpSystem *system;

      fixture_snapshot_init (&fixture, 1);
      system = &fixture.snapshot->system;
      *system = make_system (4090 * MIB - second * MIB, 0, 0);
      fixture.snapshot->info.boottime_us = second * SECOND;
      fixture_set_figures (fixture_snapshot_add (&fixture, 7, "editor"), 40 * MIB, 40 * MIB, 0);
      records = fixture_snapshot_make_records (&fixture);
      sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
      fp_machine_history_take (history, fixture.snapshot, fp_totals_get (sum, 0), 5 * SECOND);
      if (second < 30)
        g_assert_false (history->filling.is_told);
    }
  assert_words (&history->filling, "At this rate memory is full in about 1 hour.");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filling/words", test_words);
  g_test_add_func ("/filling/seen-for-too-short", test_seen_for_too_short);
  g_test_add_func ("/filling/none", test_none);
  g_test_add_func ("/filling/holds-still", test_holds_still);
  g_test_add_func ("/filling/patience", test_patience);
  g_test_add_func ("/filling/machine", test_machine);
  return g_test_run ();
}
