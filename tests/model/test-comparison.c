// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-comparison.h"
#include "fp-mapped-records.h"
#include "fp-sum.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

/* Two moments of one run of a machine. */
typedef struct
{
  FixtureSnapshot before;
  FixtureSnapshot after;
  FpRecords *records; /* of both */
} Moments;

static void
set_up (Moments *self,
        gconstpointer data)
{
  fixture_snapshot_init (&self->before, 32);
  fixture_snapshot_init (&self->after, 32);
  g_strlcpy (self->before.snapshot->info.boot_id, "one", sizeof self->before.snapshot->info.boot_id);
  g_strlcpy (self->after.snapshot->info.boot_id, data ? data : "one", sizeof self->after.snapshot->info.boot_id);
}

static void
tear_down (Moments *self,
           gconstpointer data)
{
  fp_records_unref (self->records);
  fixture_snapshot_clear (&self->before);
  fixture_snapshot_clear (&self->after);
}

static FpProcess *
add (FixtureSnapshot *snapshot,
     gint pid,
     const char *program,
     const char *unit,
     guint64 mib)
{
  FpProcess *process = fixture_snapshot_add (snapshot, pid, program);

  fixture_snapshot_set_text (snapshot, process, FP_TEXT_UNIT, unit);
  fixture_set_figures (process, mib * MIB, mib * MIB, 0);
  fp_memory_derive (&process->memory);
  return process;
}

static void
compare (Moments *self)
{
  g_autoptr (FpRecords) before = fixture_snapshot_make_records (&self->before), after = fixture_snapshot_make_records (&self->after);

  self->records = fp_comparison_new_processes (self->before.snapshot, self->after.snapshot, NULL);
}

/* Formats a column of a record, or of a total. */
static char *
format (const FpRecords *records,
        guint index,
        const char *id)
{
  const FpColumn *column = fp_columns_find (id, fp_records_get_kinds (records));
  const FpFormat words = { .style = FP_STYLE_IEC, .is_for_programs = TRUE };
  char text[FP_CELL_SIZE];

  g_assert_nonnull (column);
  fp_column_format (column, records, index, &words, text, sizeof text);
  return g_strdup (text);
}

static void
assert_row (const FpRecords *records,
            guint index,
            const char *expected)
{
  g_autofree char *before = format (records, index, "before"), *after = format (records, index, "after");
  g_autofree char *difference = format (records, index, "difference"), *outcome = format (records, index, "outcome");
  g_autofree char *pair = format (records, index, "compared_with");
  g_autofree char *row = g_strjoin (" | ", before, after, difference, outcome, pair, NULL);

  g_assert_cmpstr (row, ==, expected);
}

static guint
find (const FpRecords *records,
      gint pid,
      guint nth)
{
  for (guint i = 0; i < records->n; i++)
    if (fp_process_records_get (records, i)->pid == pid && nth-- == 0)
      return i;
  g_assert_not_reached ();
}

static void
test_outcomes (Moments *self,
               gconstpointer data)
{
  add (&self->before, 10, "grows", "", 100);
  add (&self->before, 20, "shrinks", "", 100);
  add (&self->before, 30, "stays", "", 100);
  add (&self->before, 40, "ends", "", 100);
  add (&self->after, 10, "grows", "", 130);
  add (&self->after, 20, "shrinks", "", 60);
  add (&self->after, 30, "stays", "", 100);
  add (&self->after, 50, "begins", "", 7);
  compare (self);
  g_assert_cmpuint (self->records->n, ==, 5);
  assert_row (self->records, find (self->records, 10, 0), "100 MiB | 130 MiB | +30.0 MiB | grown | itself");
  assert_row (self->records, find (self->records, 20, 0), "100 MiB | 60.0 MiB | −40.0 MiB | shrunk | itself");
  assert_row (self->records, find (self->records, 30, 0), "100 MiB | 100 MiB | 0 B | same | itself");
  assert_row (self->records, find (self->records, 40, 0), "100 MiB | 0 B | −100 MiB | ended | ");
  assert_row (self->records, find (self->records, 50, 0), "0 B | 7.0 MiB | +7.0 MiB | new | ");
}

/* Swapping out is not shrinking: the process has as much as before. */
static void
test_swapped_out (Moments *self,
                  gconstpointer data)
{
  FpProcess *before = add (&self->before, 10, "idle", "", 100), *after = add (&self->after, 10, "idle", "", 40);

  fp_memory_set (&before->memory, FP_FIELD_SWAP_PSS, 0);
  fp_memory_set (&after->memory, FP_FIELD_SWAP_PSS, 60 * MIB);
  fp_memory_derive (&before->memory);
  fp_memory_derive (&after->memory);
  compare (self);
  assert_row (self->records, 0, "100 MiB | 40.0 MiB | −60.0 MiB | same | itself");
  g_assert_cmpuint (fp_records_get_difference (self->records, 0, FP_FIELD_SWAP_PSS).low, ==, 60 * MIB);
}

/* A PID that is used again is another process, and finds the one that has it now. */
static void
test_used_again (Moments *self,
                 gconstpointer data)
{
  add (&self->before, 10, "old", "", 50);
  add (&self->after, 10, "new", "", 20)->start_ticks = 900;
  compare (self);
  g_assert_cmpuint (self->records->n, ==, 2);
  assert_row (self->records, find (self->records, 10, 0), "0 B | 20.0 MiB | +20.0 MiB | new | ");
  assert_row (self->records, find (self->records, 10, 1), "50.0 MiB | 0 B | −50.0 MiB | ended | ");
  g_assert_true (fp_snapshot_find (fp_process_records_get_snapshot (self->records), 10) == fp_process_records_get (self->records, 0));
}

/* A service was restarted: its workers are compared by their rank in size, and one more is new. Another program of the unit
 * and the same program elsewhere take no part in it; without a unit, elsewhere is with another parent. */
static void
test_restarted (Moments *self,
                gconstpointer data)
{
  add (&self->before, 10, "worker", "work.service", 100);
  add (&self->before, 11, "worker", "work.service", 300);
  add (&self->before, 12, "master", "work.service", 50);
  add (&self->before, 13, "worker", "other.service", 9);
  add (&self->after, 20, "worker", "work.service", 310);
  add (&self->after, 21, "worker", "work.service", 20);
  add (&self->after, 22, "worker", "work.service", 90);
  add (&self->after, 23, "master", "work.service", 50);
  add (&self->before, 14, "tool", "", 5)->ppid = 4;
  add (&self->after, 24, "tool", "", 6)->ppid = 4;
  add (&self->after, 25, "tool", "", 9)->ppid = 5;
  compare (self);
  assert_row (self->records, find (self->records, 24, 0), "5.0 MiB | 6.0 MiB | +1.0 MiB | grown | rank");
  assert_row (self->records, find (self->records, 25, 0), "0 B | 9.0 MiB | +9.0 MiB | new | ");
  assert_row (self->records, find (self->records, 20, 0), "300 MiB | 310 MiB | +10.0 MiB | grown | rank");
  assert_row (self->records, find (self->records, 22, 0), "100 MiB | 90.0 MiB | −10.0 MiB | shrunk | rank");
  assert_row (self->records, find (self->records, 21, 0), "0 B | 20.0 MiB | +20.0 MiB | new | ");
  assert_row (self->records, find (self->records, 23, 0), "50.0 MiB | 50.0 MiB | 0 B | same | rank");
  assert_row (self->records, find (self->records, 13, 0), "9.0 MiB | 0 B | −9.0 MiB | ended | ");
  g_assert_cmpuint (self->records->n, ==, 7);
}

/* After a restart of the machine nothing is the same, and sessions have other numbers. */
static void
test_rebooted (Moments *self,
               gconstpointer data)
{
  add (&self->before, 1, "init", "init.scope", 10);
  add (&self->before, 40, "shell", "session-3.scope", 5);
  add (&self->before, 50, "gone", "session-3.scope", 6);
  add (&self->after, 1, "init", "init.scope", 12);
  add (&self->after, 50, "shell", "session-7.scope", 8);
  compare (self);
  g_assert_cmpuint (self->records->n, ==, 3);
  assert_row (self->records, find (self->records, 1, 0), "10.0 MiB | 12.0 MiB | +2.0 MiB | grown | rank");
  assert_row (self->records, find (self->records, 50, 0), "5.0 MiB | 8.0 MiB | +3.0 MiB | grown | rank");
  assert_row (self->records, find (self->records, 50, 1), "6.0 MiB | 0 B | −6.0 MiB | ended | ");
  g_assert_false (fp_figure_is_known (fp_column_get_figure (fp_columns_find ("start_ticks", FP_RECORD_PROCESS), self->records,
                                                            find (self->records, 50, 1))));
}

static void
set_range (FpProcess *process,
           guint64 low,
           guint64 high)
{
  process->memory = (FpMemory){ 0 };
  fp_memory_set (&process->memory, FP_FIELD_RSS, 500 * MIB);
  fp_memory_set_range (&process->memory, FP_FIELD_PSS, low * MIB, high * MIB);
}

static void
test_ranges (Moments *self,
             gconstpointer data)
{
  add (&self->before, 10, "a", "", 100);
  add (&self->before, 20, "b", "", 100);
  set_range (add (&self->before, 30, "c", "", 0), 100, 120);
  add (&self->before, 40, "d", "", 0)->memory = (FpMemory){ 0 };
  set_range (add (&self->after, 10, "a", "", 0), 110, 120);
  set_range (add (&self->after, 20, "b", "", 0), 90, 120);
  add (&self->after, 30, "c", "", 90);
  add (&self->after, 40, "d", "", 100);
  compare (self);
  assert_row (self->records, 0, "100 MiB | 110–120 MiB | +10.0–20.0 MiB | grown | itself");
  assert_row (self->records, 1, "100 MiB | 90.0–120 MiB | −10.0 MiB…+20.0 MiB |  | itself");
  assert_row (self->records, 2, "100–120 MiB | 90.0 MiB | −10.0…−30.0 MiB | shrunk | itself");
  assert_row (self->records, 3, "— | 100 MiB | — |  | itself");
}

/* The sentence below a list; its blanks keep a figure and its unit together. */
static void
assert_words (const FpRecords *records,
              const char *expected)
{
  const FpFormat people = { .style = FP_STYLE_IEC };
  g_autofree guint *indices = g_new (guint, records->n);
  g_autofree char *words = NULL;
  g_auto (GStrv) parts = NULL;
  g_autofree char *plain = NULL;

  for (guint i = 0; i < records->n; i++)
    indices[i] = i;
  words = fp_sum_describe_rows (records, indices, records->n, &people);
  parts = g_strsplit (words, "\u00a0", -1);
  plain = g_strjoinv (" ", parts);
  g_assert_cmpstr (plain, ==, expected);
}

/* Sums are those of each moment, whoever is paired with whom. */
static void
test_groups (Moments *self,
             gconstpointer data)
{
  const FpColumn *program;
  g_autoptr (FpRecords) totals = NULL, sum = NULL;

  add (&self->before, 10, "browser", "", 100);
  add (&self->before, 11, "browser", "", 200);
  add (&self->before, 12, "editor", "", 30);
  add (&self->after, 10, "browser", "", 150);
  add (&self->after, 30, "player", "", 40);
  compare (self);
  program = fp_columns_find ("program", FP_RECORD_PROCESS);
  totals = fp_totals_new (self->records, NULL, self->records->n, program, NULL);
  g_assert_cmpuint (totals->n, ==, 3);
  for (guint i = 0; i < totals->n; i++)
    {
      const FpTotal *total = fp_totals_get (totals, i);

      assert_row (totals, i,
                  g_str_equal (total->name, "browser")  ? "300 MiB | 150 MiB | −150 MiB | shrunk | "
                  : g_str_equal (total->name, "editor") ? "30.0 MiB | 0 B | −30.0 MiB | ended | "
                                                        : "0 B | 40.0 MiB | +40.0 MiB | new | ");
      g_assert_cmpuint (total->n_members, ==, g_str_equal (total->name, "editor") ? 0 : 1);
    }
  sum = fp_totals_new (self->records, NULL, 0, NULL, NULL);
  for (guint i = 0; i < totals->n; i++)
    fp_totals_add_group (sum, 0, totals, i);
  assert_row (sum, 0, "330 MiB | 190 MiB | −140 MiB | shrunk | ");
  assert_words (self->records, "4 processes · Memory 330 MiB before, 190 MiB after: −140 MiB");
}

/* A list of one moment has none of this. */
static void
test_not_compared (Moments *self,
                   gconstpointer data)
{
  add (&self->after, 10, "alone", "", 100);
  self->records = fixture_snapshot_make_records (&self->after);
  g_assert_false (fp_records_are_compared (self->records));
  g_assert_null (fp_columns_find ("before", fp_records_get_kinds (self->records)));
  g_assert_cmpint (fp_records_get_before (self->records, 0, FP_FIELD_PSS).kind, ==, FP_FIGURE_NONE);
  g_assert_cmpint (fp_records_get_outcome (self->records, 0), ==, FP_OUTCOME_UNKNOWN);
}

static void
add_file (FpMappedFiles *files,
          guint64 inode,
          const char *name,
          guint64 mib)
{
  FpMappedFile file = {
    .key = { inode, 1 }, .name = fp_mapped_texts_add (files->texts, name), .shown = fp_mapped_texts_add (files->texts, name)
  };
  guint64 fields = fp_fields_of_origins (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING);

  for (guint i = 0; fields; fields &= fields - 1, i++)
    {
      FpField field = (FpField)__builtin_ctzll (fields);

      file.present |= G_GUINT64_CONSTANT (1) << field;
      file.figures[i] = field == FP_FIELD_PSS ? mib * MIB : 0;
    }
  g_array_append_val (files->files, file);
}

/* An updated library has a new inode and the old name. One that nobody maps any more is there with nothing. */
static void
test_files (void)
{
  g_autoptr (FpMappedFiles) before = fp_mapped_files_new (0, NULL), after = fp_mapped_files_new (0, NULL);
  g_autoptr (FpRecords) records = NULL, sum = NULL;

  add_file (before, 1, "/lib/same.so", 10);
  add_file (before, 2, "/lib/updated.so", 20);
  add_file (before, 3, "/lib/gone.so", 30);
  add_file (after, 9, "/lib/updated.so", 25);
  add_file (after, 1, "/lib/same.so", 11);
  add_file (after, 8, "/lib/new.so", 5);
  fp_mapped_files_index (before);
  fp_mapped_files_index (after);
  records = fp_comparison_new_files (before, after, NULL);
  g_assert_cmpuint (records->n, ==, 4);
  assert_row (records, 0, "20.0 MiB | 25.0 MiB | +5.0 MiB | grown | name");
  assert_row (records, 1, "10.0 MiB | 11.0 MiB | +1.0 MiB | grown | itself");
  assert_row (records, 2, "0 B | 5.0 MiB | +5.0 MiB | new | ");
  assert_row (records, 3, "30.0 MiB | 0 B | −30.0 MiB | ended | ");
  g_assert_cmpstr (fp_mapped_records_get (records, 3)->name, ==, "/lib/gone.so");
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  assert_row (sum, 0, "60.0 MiB | 41.0 MiB | −19.0 MiB | shrunk | ");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/comparison/outcomes", Moments, NULL, set_up, test_outcomes, tear_down);
  g_test_add ("/comparison/swapped-out", Moments, NULL, set_up, test_swapped_out, tear_down);
  g_test_add ("/comparison/used-again", Moments, NULL, set_up, test_used_again, tear_down);
  g_test_add ("/comparison/restarted", Moments, NULL, set_up, test_restarted, tear_down);
  g_test_add ("/comparison/rebooted", Moments, "two", set_up, test_rebooted, tear_down);
  g_test_add ("/comparison/ranges", Moments, NULL, set_up, test_ranges, tear_down);
  g_test_add ("/comparison/groups", Moments, NULL, set_up, test_groups, tear_down);
  g_test_add ("/comparison/not-compared", Moments, NULL, set_up, test_not_compared, tear_down);
  g_test_add_func ("/comparison/files", test_files);
  return g_test_run ();
}
