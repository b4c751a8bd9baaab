// SPDX-License-Identifier: GPL-3.0-or-later
/* Processes that have ended: what they had at most, how long they ran and when they ended; those that ran shortly together. */
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-ended.h"
#include "fp-rows.h"
#include "fp-sum.h"

#define MIB        (G_GUINT64_CONSTANT (1) << 20)
#define SECOND     G_GUINT64_CONSTANT (1000000)
#define TICKS      100 /* a second */
#define LONGEST_US (5 * SECOND)
#define EPOCH      (G_GUINT64_CONSTANT (1700000000) * SECOND)

typedef struct
{
  FpHistory *history;
  FpEnded *ended;
  FpRecords *last;
  guint64 n_kills; /* by the kernel, since the machine was started */
} Watch;

typedef struct
{
  gint pid;
  const char *program;
  guint started; /* second */
  guint64 pss;   /* 0: it is over, and its parent has not noticed yet */
  const char *group;
  guint oom_score;
} Living;

static void
watch_init (Watch *self)
{
  *self = (Watch){ fp_history_new (), fp_ended_new (), NULL, 3 };
}

static void
watch_clear (Watch *self)
{
  g_clear_pointer (&self->last, fp_records_unref);
  fp_history_unref (self->history);
  fp_ended_free (self->ended);
}

/* As the session does it. */
static void
watch_at (Watch *self,
          guint second,
          const Living *living,
          guint n,
          guint64 n_hidden)
{
  g_auto (FixtureSnapshot) fixture = { 0 };
  FpRecords *records;

  fixture_snapshot_init (&fixture, n + 1);
  fixture.snapshot->info.boottime_us = second * SECOND;
  fixture.snapshot->info.realtime_us = EPOCH + second * SECOND;
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_HIDDEN_TASKS, n_hidden);
  fp_system_set (&fixture.snapshot->system, FP_SYSTEM_OOM_KILLS, self->n_kills);
  for (guint i = 0; i < n; i++)
    {
      FpProcess *process = fixture_snapshot_add_reason (&fixture, living[i].pid, living[i].program,
                                                        living[i].pss > 0 ? FP_REASON_NONE : FP_REASON_ZOMBIE);

      process->start_ticks = (guint64)living[i].started * TICKS;
      fixture_snapshot_set_text (&fixture, process, FP_TEXT_CONTROL_GROUP, living[i].group ? living[i].group : "");
      if (living[i].pss == 0)
        continue;
      fixture_set_figures (process, living[i].pss, living[i].pss, 2 * MIB);
      fp_memory_set (&process->memory, FP_FIELD_OOM_SCORE, living[i].oom_score);
    }
  records = fixture_snapshot_make_records (&fixture);
  if (self->last)
    fp_ended_take (self->ended, self->last, fixture.snapshot, self->history);
  fp_history_take (self->history, fixture.snapshot, LONGEST_US);
  g_clear_pointer (&self->last, fp_records_unref);
  self->last = records;
}

static guint
find (const FpRecords *records,
      const char *program)
{
  for (guint i = 0; i < records->n; i++)
    if (g_str_equal (fp_process_records_get_text (records, i, FP_TEXT_PROGRAM), program))
      return i;
  g_error ("%s has not ended", program);
}

static void
assert_figure (const FpRecords *records,
               guint index,
               const char *column,
               guint64 expected)
{
  FpFigure figure = fp_column_get_figure (fp_columns_find (column, FP_RECORD_PROCESS), records, index);

  g_assert_cmpint (figure.kind, ==, FP_FIGURE_EXACT);
  g_assert_cmpuint (figure.low, ==, expected);
}

/* It had most in the middle, and its PID is another's now. */
static void
test_one (void)
{
  const guint64 sizes[] = { 10 * MIB, 70 * MIB, 30 * MIB };
  FpRecords *records;
  Watch watch;

  watch_init (&watch);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    watch_at (&watch, 100 + i, (Living[]){ { 7, "stays", 5, MIB }, { 42, "server", 20, sizes[i] } }, 2, 0);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, 0);
  watch_at (&watch, 110, (Living[]){ { 7, "stays", 5, MIB }, { 42, "other", 105, 3 * MIB } }, 2, 0);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, 1);
  records = fp_ended_get_records (watch.ended);
  g_assert_cmpuint (records->n, ==, 1);
  g_assert_cmpstr (fp_process_records_get_text (records, 0, FP_TEXT_PROGRAM), ==, "server");
  assert_figure (records, 0, "pid", 42);
  assert_figure (records, 0, "highest", 72 * MIB);
  assert_figure (records, 0, "lasted", 90 * SECOND);
  assert_figure (records, 0, "ended", EPOCH + 110 * SECOND);
  g_assert_false (fp_figure_is_known (fp_records_get_figure (records, 0, FP_FIELD_PSS)));
  watch_clear (&watch);
}

static void
assert_says (const FpRecords *records,
             const char *program,
             const char *expected)
{
  FpFormat format = { 0 };
  g_autofree char *said = fp_sum_describe_use (records, find (records, program), &format);

  if (expected)
    g_assert_nonnull (strstr (said, expected));
  else
    g_assert_null (strstr (said, "killed"));
}

/* A worker that grew until the kernel killed it is a row of its own, however shortly it ran. What ended when nothing was killed may
 * not have been killed, nor what was smaller than another one that ended then. */
static void
test_killed (void)
{
  const Living all[] = { { 7, "stays", 5, MIB }, { 40, "worker", 99, 70 * MIB }, { 41, "first", 20, MIB }, { 42, "second", 20, MIB }, { 43, "calm", 20, MIB }, { 44, "cc1", 99, MIB / 2 } };
  FpRecords *records;
  Watch watch;

  watch_init (&watch);
  watch_at (&watch, 100, all, 6, 0);
  watch.n_kills = 4;
  watch_at (&watch, 101, (Living[]){ all[0], all[2], all[3], all[4], all[5] }, 5, 0);
  watch.n_kills = 5;
  watch_at (&watch, 102, (Living[]){ all[0], all[4] }, 2, 0);
  watch_at (&watch, 103, all, 1, 0);
  records = fp_ended_get_records (watch.ended);
  g_assert_cmpuint (records->n, ==, 5);
  assert_says (records, "worker", "The kernel killed 1 process at that time because memory ran out.");
  assert_says (records, "first", "The kernel killed 1 process at that time because memory ran out.");
  assert_says (records, "second", "The kernel killed 1 process at that time because memory ran out.");
  assert_says (records, "calm", NULL);
  assert_says (records, "cc1", NULL);
  watch_clear (&watch);
}

/* The memory of what was killed is given back for a while, and its parent may notice late: what ends meanwhile was not killed. */
static void
test_killed_late (void)
{
  static const char group[] = "/user.slice/terminal.scope";
  const Living small = { 41, "small", 20, MIB, group }, hog = { 42, "hog", 20, 70 * MIB, group };
  const Living over = { 42, "hog", 20, 0, group }, second = { 43, "second", 20, 2 * MIB, group };

  for (guint is_over = 0; is_over < 2; is_over++)
    {
      FpRecords *records;
      Watch watch;

      watch_init (&watch);
      watch_at (&watch, 100, (Living[]){ small, hog, second }, 3, 0);
      watch.n_kills++;
      watch_at (&watch, 101, (Living[]){ is_over ? over : hog, second }, 2, 0);
      if (is_over)
        watch_at (&watch, 102, (Living[]){ over }, 1, 0);
      watch_at (&watch, 103, NULL, 0, 0);
      records = fp_ended_get_records (watch.ended);
      assert_says (records, "small", NULL);
      assert_says (records, "hog", "The kernel killed 1 process at that time");
      assert_says (records, "second", NULL);
      watch_clear (&watch);
    }
}

/* A process of the control group that the kernel would have killed before what ended is still there; and the kill of one that was
 * never read is nobody's a moment later. Another one that is as large, or is to be spared, is no reason against it. */
static void
test_killed_other (void)
{
  const Living large = { 41, "large", 20, 150 * MIB, "/a", 700 }, ended = { 42, "ended", 20, 70 * MIB, "/a", 600 };
  const Living worker = { 43, "worker", 20, 70 * MIB, "/b", 10 }, other = { 44, "other", 20, 75 * MIB, "/b", 11 };
  const Living spared = { 45, "spared", 20, 900 * MIB, "/b", 2 };
  FpRecords *records;
  Watch watch;

  watch_init (&watch);
  watch_at (&watch, 100, (Living[]){ large, ended, worker, other, spared }, 5, 0);
  watch.n_kills++;
  watch_at (&watch, 101, (Living[]){ large, worker, other, spared }, 4, 0);
  watch_at (&watch, 102, (Living[]){ large, worker, other, spared }, 4, 0);
  watch_at (&watch, 103, (Living[]){ worker, other, spared }, 3, 0);
  watch.n_kills++;
  watch_at (&watch, 104, (Living[]){ other, spared }, 2, 0);
  records = fp_ended_get_records (watch.ended);
  assert_says (records, "ended", NULL);
  assert_says (records, "large", NULL);
  assert_says (records, "worker", "The kernel killed 1 process at that time");
  watch_clear (&watch);
}

/* While nobody looked, as in a hidden window, much could be killed that was never read. */
static void
test_killed_unwatched (void)
{
  const Living worker = { 41, "worker", 20, 9 * MIB };
  Watch watch;

  watch_init (&watch);
  watch_at (&watch, 100, &worker, 1, 0);
  watch.n_kills += 50;
  watch_at (&watch, 3700, NULL, 0, 0);
  assert_says (fp_ended_get_records (watch.ended), "worker", NULL);
  watch_clear (&watch);
}

/* Processes that ran shortly are one row, which has no PID and no memory. */
static void
test_folded (void)
{
  FpRecords *records;
  FpFigure pid;
  Watch watch;

  watch_init (&watch);
  for (guint i = 0; i < 312; i++)
    watch_at (&watch, 100 + i, (Living[]){ { 7, "stays", 5, MIB }, { (gint)(100 + i), "cc1", 99 + i, (i == 200 ? 178 : 50) * MIB } }, 2, 0);
  watch_at (&watch, 420, (Living[]){ { 7, "stays", 5, MIB } }, 1, 0);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, 312);
  records = fp_ended_get_records (watch.ended);
  g_assert_cmpuint (records->n, ==, 1);
  g_assert_cmpstr (fp_process_records_get_text (records, 0, FP_TEXT_COMMAND), ==, "312 ended, with at most 180 MiB each");
  assert_figure (records, 0, "highest", 180 * MIB);
  assert_figure (records, 0, "ended", EPOCH + 420 * SECOND);
  pid = fp_column_get_figure (fp_columns_find ("pid", FP_RECORD_PROCESS), records, 0);
  g_assert_cmpint (pid.kind, ==, FP_FIGURE_NONE);
  g_assert_false (fp_figure_is_known (fp_records_get_figure (records, 0, FP_FIELD_PSS)));
  watch_clear (&watch);
}

/* However many end, the list has a bound, and all are counted in it. */
static void
test_bound (void)
{
  guint n_programs = 2 * FP_ENDED_MAX_PROGRAMS, n = 0, n_counted = 0;
  FpRecords *records;
  Watch watch;

  watch_init (&watch);
  for (guint round = 0; round < 4; round++)
    {
      g_autofree Living *living = g_new0 (Living, n_programs);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

      for (guint i = 0; i < n_programs; i++)
        {
          g_ptr_array_add (names, g_strdup_printf ("program-%u", i));
          living[i] = (Living){ (gint)(10 + i), names->pdata[i], 1 + round, (i + 1) * MIB };
        }
      watch_at (&watch, 1000 + 2 * round, living, n_programs, 0);
      watch_at (&watch, 1001 + 2 * round, NULL, 0, 0);
      n += n_programs;
    }
  records = fp_ended_get_records (watch.ended);
  g_assert_cmpuint (records->n, ==, FP_ENDED_MAX + FP_ENDED_MAX_PROGRAMS + 1);
  for (guint i = 0; i < records->n; i++)
    n_counted += fp_process_records_get_ended (records, i)->n;
  g_assert_cmpuint (n_counted, ==, n);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, n);
  find (records, "Other programs");
  watch_clear (&watch);
}

/* Processes that the kernel hides from now on have not ended. */
static void
test_hidden (void)
{
  Living living[40];
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Watch watch;

  watch_init (&watch);
  for (guint i = 0; i < G_N_ELEMENTS (living); i++)
    {
      g_ptr_array_add (names, g_strdup_printf ("service-%u", i));
      living[i] = (Living){ (gint)(10 + i), names->pdata[i], 1, MIB };
    }
  watch_at (&watch, 100, living, G_N_ELEMENTS (living), 0);
  watch_at (&watch, 101, living, 2, G_N_ELEMENTS (living) - 2);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, 0);
  watch_at (&watch, 102, living, 1, G_N_ELEMENTS (living) - 2);
  g_assert_cmpuint (fp_ended_get_n (watch.ended), ==, 1);
  watch_clear (&watch);
}

/* They are rows in place of the processes, which a search finds and the order sorts; while the order is held they stay. */
static void
test_rows (void)
{
  FpRows *rows = fp_rows_new ();
  Watch watch;

  watch_init (&watch);
  watch_at (&watch, 200, (Living[]){ { 7, "stays", 5, MIB }, { 8, "small", 5, MIB }, { 9, "large", 5, 90 * MIB } }, 3, 0);
  watch_at (&watch, 201, (Living[]){ { 7, "stays", 5, MIB } }, 1, 0);
  fp_rows_set_ended (rows, fp_ended_get_records (watch.ended));
  fp_rows_set_sort (rows, fp_columns_find ("highest", FP_RECORD_PROCESS), TRUE);
  fp_rows_update (rows, watch.last, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (fp_rows_get (rows, i)->kind, ==, FP_ROW_ENDED);
  g_assert_cmpstr (fp_process_records_get_text (fp_rows_get_records (rows, FP_ROW_ENDED), fp_rows_get (rows, 0)->index, FP_TEXT_PROGRAM), ==, "large");

  fp_rows_set_held (rows, TRUE);
  watch_at (&watch, 202, (Living[]){ { 6, "newer", 5, MIB } }, 1, 0);
  fp_rows_set_ended (rows, fp_ended_get_records (watch.ended));
  fp_rows_update (rows, watch.last, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 2);
  fp_rows_set_held (rows, FALSE);
  fp_rows_update (rows, watch.last, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 3);

  fp_rows_set_query (rows, fp_query_new ("large", FP_RECORD_PROCESS, NULL));
  fp_rows_update (rows, watch.last, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 1);
  fp_rows_set_query (rows, NULL);
  fp_rows_set_ended (rows, NULL);
  fp_rows_update (rows, watch.last, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 1);
  g_assert_cmpint (fp_rows_get (rows, 0)->kind, ==, FP_ROW_RECORD);
  fp_rows_free (rows);
  watch_clear (&watch);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ended/bound", test_bound);
  g_test_add_func ("/ended/folded", test_folded);
  g_test_add_func ("/ended/hidden", test_hidden);
  g_test_add_func ("/ended/killed", test_killed);
  g_test_add_func ("/ended/killed-late", test_killed_late);
  g_test_add_func ("/ended/killed-other", test_killed_other);
  g_test_add_func ("/ended/killed-unwatched", test_killed_unwatched);
  g_test_add_func ("/ended/one", test_one);
  g_test_add_func ("/ended/rows", test_rows);
  return g_test_run ();
}
