// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-rows.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRecords *records;
  FpRows *rows;
} Fixture;

/* pid, program, PSS in MiB: exact 3 and 5, at most 4, unknown, none */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  FpProcess *process;

  fixture_snapshot_init (&self->snapshot, 8);
  process = fixture_snapshot_add (&self->snapshot, 2, "Beta");
  fixture_set_figures (process, 3 * MIB, 9 * MIB, 0);
  process = fixture_snapshot_add_reason (&self->snapshot, 3, "alpha", FP_REASON_PERMISSION);
  fp_memory_set (&process->memory, FP_FIELD_RSS, 4 * MIB);
  process = fixture_snapshot_add_reason (&self->snapshot, 5, "", FP_REASON_PERMISSION);
  process = fixture_snapshot_add (&self->snapshot, 10, "gamma");
  fixture_set_figures (process, 5 * MIB, 5 * MIB, 7);
  fixture_snapshot_add_reason (&self->snapshot, 11, "delta", FP_REASON_KERNEL_THREAD);
  process = fixture_snapshot_add (&self->snapshot, 12, "beta");
  fixture_set_figures (process, 3 * MIB, 8 * MIB, 7);
  self->records = fixture_snapshot_make_records (&self->snapshot);
  self->rows = fp_rows_new ();
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fp_rows_free (self->rows);
  fp_records_unref (self->records);
  fixture_snapshot_clear (&self->snapshot);
}

static void
assert_rows (Fixture *self,
             const char *expected)
{
  g_autoptr (GString) pids = g_string_new (NULL);

  fp_rows_update (self->rows, self->records, NULL);
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    g_string_append_printf (pids, "%s%d", i ? " " : "",
                            fp_process_records_get (self->records, fp_rows_get (self->rows, i)->index)->pid);
  g_assert_cmpstr (pids->str, ==, expected);
}

static void
sort (Fixture *self,
      const char *column,
      gboolean descending,
      const char *expected)
{
  g_test_message ("%s %s", column, descending ? "down" : "up");
  fp_rows_set_sort (self->rows, fp_columns_find (column, FP_RECORD_PROCESS), descending);
  assert_rows (self, expected);
}

static void
test_unsorted (Fixture *self,
               gconstpointer data)
{
  assert_rows (self, "2 3 5 10 11 12");
}

/* By the bound, equal ones by pid, those that are not known last both ways. */
static void
test_figures (Fixture *self,
              gconstpointer data)
{
  sort (self, "pss", TRUE, "10 3 2 12 5 11");
  sort (self, "pss", FALSE, "2 12 3 10 5 11");
  sort (self, "rss", TRUE, "2 12 10 3 5 11");
  sort (self, "rss", FALSE, "3 10 12 2 5 11");
}

/* Equal ones by memory, the biggest first. */
static void
test_ties (Fixture *self,
           gconstpointer data)
{
  sort (self, "swap", TRUE, "10 12 2 3 5 11");
  sort (self, "swap", FALSE, "2 10 12 3 5 11");
  sort (self, "ppid", FALSE, "10 3 2 12 5 11");
  sort (self, "ppid", TRUE, "10 3 2 12 5 11");
  sort (self, "state", TRUE, "10 3 2 12 5 11");
}

static void
test_numbers (Fixture *self,
              gconstpointer data)
{
  sort (self, "pid", FALSE, "2 3 5 10 11 12");
  sort (self, "pid", TRUE, "12 11 10 5 3 2");
}

/* Without regard to case; what has no text comes last both ways. */
static void
test_texts (Fixture *self,
            gconstpointer data)
{
  sort (self, "program", FALSE, "3 2 12 11 10 5");
  sort (self, "program", TRUE, "10 11 2 12 3 5");
}

static void
test_made_texts (Fixture *self,
                 gconstpointer data)
{
  sort (self, "reason", FALSE, "11 3 5 10 2 12");
  sort (self, "reason", TRUE, "3 5 11 10 2 12");
}

/* Alike for longer than a glance, or the one the beginning of the other */
static void
test_long_texts (Fixture *self,
                 gconstpointer data)
{
  static const char *const names[] = { "application-b", "Application-a", "applicat", "", "applicatioN-C", "applicati" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fixture_snapshot_set_text (&self->snapshot, &self->snapshot.snapshot->processes[i], FP_TEXT_PROGRAM, names[i]);
  fp_string_block_unref (self->snapshot.snapshot->strings);
  self->snapshot.snapshot->strings = fp_string_block_ref (self->snapshot.strings.block);
  sort (self, "program", FALSE, "5 12 3 2 11 10");
  sort (self, "program", TRUE, "11 2 3 12 5 10");
}

/* The largest and the smallest there are, beside what is not known. */
static void
test_extremes (Fixture *self,
               gconstpointer data)
{
  fp_memory_set (&self->snapshot.snapshot->processes[4].memory, FP_FIELD_THREADS, 0);
  fp_memory_set (&self->snapshot.snapshot->processes[5].memory, FP_FIELD_THREADS, G_MAXUINT64);
  sort (self, "threads", FALSE, "11 12 10 3 2 5");
  sort (self, "threads", TRUE, "12 11 10 3 2 5");
}

static gboolean
is_even (const FpRecords *records,
         guint index,
         gpointer data)
{
  (*(guint *)data)++;
  return fp_process_records_get (records, index)->pid % 2 == 0;
}

static void
test_filter (Fixture *self,
             gconstpointer data)
{
  guint n_calls = 0;

  fp_rows_set_filter (self->rows, is_even, &n_calls);
  sort (self, "pss", TRUE, "10 2 12");
  g_assert_cmpuint (n_calls, ==, 6);
  fp_rows_set_query (self->rows, fp_query_new ("beta", FP_RECORD_PROCESS, NULL));
  assert_rows (self, "2 12");
  fp_rows_set_filter (self->rows, NULL, NULL);
  fp_rows_set_query (self->rows, fp_query_new ("-beta", FP_RECORD_PROCESS, NULL));
  assert_rows (self, "10 3 5 11");
  fp_rows_set_query (self->rows, fp_query_new ("nothing", FP_RECORD_PROCESS, NULL));
  assert_rows (self, "");
  fp_rows_set_query (self->rows, NULL);
  assert_rows (self, "10 3 2 12 5 11");
}

static void
test_empty (void)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&snapshot, 1);
  records = fixture_snapshot_make_records (&snapshot);
  fp_rows_set_sort (rows, fp_columns_find ("pss", FP_RECORD_PROCESS), TRUE);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 0);
  fp_rows_update (rows, records, NULL);
  g_assert_cmpuint (fp_rows_get_n (rows), ==, 0);
}

#define MANY 10000

/* Cut off anywhere: of many one is the beginning of the other, or the same but for its case. */
static void
fill (FixtureSnapshot *snapshot)
{
  static const char *const beginnings[] = { "p", "program-", "/usr/lib/x86_64-linux-gnu/library-", "/usr/lib/X86_64-linux-gnu/plug" };

  fixture_snapshot_init (snapshot, MANY);
  for (gint i = 0; i < MANY; i++)
    {
      char name[64];
      FpProcess *process;

      g_snprintf (name, sizeof name, "%s%d", beginnings[g_test_rand_int_range (0, G_N_ELEMENTS (beginnings))],
                  g_test_rand_int_range (0, 100));
      if (i % 4 == 0)
        name[g_test_rand_int_range (1, (gint)strlen (name))] = '\0';
      process = fixture_snapshot_add (snapshot, i + 1, name);
      if (i % 10 > 0)
        fixture_set_figures (process, (guint64)g_test_rand_int_range (0, 1000), 1000, 0);
    }
}

/* Each once, in an order in which no neighbours are the wrong way round. */
static void
check_many (const FpRows *rows,
            const FpRecords *records,
            const FpColumn *column,
            gboolean descending)
{
  g_autofree guint *indices = g_new (guint, MANY);
  g_autofree guint8 *seen = g_new0 (guint8, MANY);

  g_assert_cmpuint (fp_rows_get_n (rows), ==, MANY);
  for (guint i = 0; i < MANY; i++)
    {
      indices[i] = fp_rows_get (rows, i)->index;
      g_assert_cmpuint (seen[indices[i]]++, ==, 0);
      if (i == 0)
        continue;
      if (column->presentation == FP_PRESENT_TEXT)
        {
          const char *a = fp_column_get_text (column, records, indices[i - 1], NULL, NULL, 0);
          const char *b = fp_column_get_text (column, records, indices[i], NULL, NULL, 0);

          int order = descending ? g_ascii_strcasecmp (b, a) : g_ascii_strcasecmp (a, b);

          if (order == 0)
            order = fp_figure_compare (fp_records_get_figure (records, indices[i - 1], FP_FIELD_PSS),
                                       fp_records_get_figure (records, indices[i], FP_FIELD_PSS), TRUE);
          g_assert_cmpint (order, <=, 0);
        }
      else
        g_assert_cmpint (fp_figure_compare (fp_column_get_figure (column, records, indices[i - 1]),
                                            fp_column_get_figure (column, records, indices[i]), descending),
                         <=, 0);
    }
}

static void
test_many (void)
{
  static const char *const ids[] = { "pss", "pid", "program" };
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRows) rows = fp_rows_new ();
  g_autoptr (FpRecords) records = NULL;

  fill (&snapshot);
  records = fixture_snapshot_make_records (&snapshot);
  for (guint i = 0; i < G_N_ELEMENTS (ids) * 2; i++)
    {
      const FpColumn *column = fp_columns_find (ids[i / 2], FP_RECORD_PROCESS);

      fp_rows_set_sort (rows, column, i % 2 == 0);
      fp_rows_update (rows, records, NULL);
      check_many (rows, records, column, i % 2 == 0);
    }
}

/* The same twice, and back again after another order. */
static void
test_stable (Fixture *self,
             gconstpointer data)
{
  sort (self, "pss", TRUE, "10 3 2 12 5 11");
  assert_rows (self, "10 3 2 12 5 11");
  sort (self, "program", FALSE, "3 2 12 11 10 5");
  sort (self, "pss", TRUE, "10 3 2 12 5 11");
  fp_rows_set_sort (self->rows, NULL, FALSE);
  assert_rows (self, "2 3 5 10 11 12");
}

#define ADD(name, func) g_test_add ("/rows/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("unsorted", test_unsorted);
  ADD ("figures", test_figures);
  ADD ("ties", test_ties);
  ADD ("numbers", test_numbers);
  ADD ("texts", test_texts);
  ADD ("made-texts", test_made_texts);
  ADD ("long-texts", test_long_texts);
  ADD ("extremes", test_extremes);
  ADD ("filter", test_filter);
  ADD ("stable", test_stable);
  g_test_add_func ("/rows/empty", test_empty);
  g_test_add_func ("/rows/many", test_many);
  return g_test_run ();
}
