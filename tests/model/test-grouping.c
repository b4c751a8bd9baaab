// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-rows.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FpRows *rows;
} Fixture;

/* A row of the table says all about a grouping, so the row has to make sense. */
static void
test_table (void)
{
  g_autoptr (GHashTable) keys = g_hash_table_new (NULL, NULL);
  guint n_of_processes = 0, n_of_mappings = 0;

  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    {
      const FpGroupingInfo *info = &fp_grouping_infos[i];

      g_test_message ("%s", info->id);
      g_assert_true (*info->id && info->kinds != 0 && info->nobody);
      g_assert_true (!info->title || *info->title);
      g_assert_true (!info->key || (g_ascii_isdigit (info->key) && info->title && g_hash_table_add (keys, GINT_TO_POINTER (info->key))));
      for (guint level = 0; level < FP_GROUPING_COLUMNS && info->columns[level]; level++)
        g_assert_cmpint (fp_columns_find (info->columns[level], info->kinds)->presentation, ==, FP_PRESENT_TEXT);
      for (guint j = 0; j < i; j++)
        g_assert_true (!(info->kinds & fp_grouping_infos[j].kinds) || !g_str_equal (info->id, fp_grouping_infos[j].id));
    }
  while (fp_grouping_get_offered (FP_RECORD_PROCESS, n_of_processes) < FP_N_GROUPINGS)
    n_of_processes++;
  while (fp_grouping_get_offered (FP_RECORD_MAPPING, n_of_mappings) < FP_N_GROUPINGS)
    n_of_mappings++;
  g_assert_cmpuint (n_of_processes, >=, 7);
  g_assert_cmpuint (n_of_mappings, >=, 2);
  g_assert_cmpint (fp_grouping_get_offered (FP_RECORD_PROCESS, 0), ==, FP_GROUPING_NOTHING);
  g_assert_cmpint (fp_grouping_get_subject (FP_GROUPING_USER_PROGRAM, 0), ==, FP_SUBJECT_USER);
  g_assert_cmpint (fp_grouping_get_subject (FP_GROUPING_USER_PROGRAM, 1), ==, FP_SUBJECT_PROGRAM);
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->rows = fp_rows_new ();
  fp_rows_set_sort (self->rows, fp_columns_find ("pss", FP_RECORD_PROCESS), TRUE);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fp_rows_free (self->rows);
}

/* "pid ppid program MiB, …" by ascending pid */
static void
update (Fixture *self,
        const char *population)
{
  g_auto (GStrv) lines = g_strsplit (population, ", ", -1);
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&snapshot, 32);
  for (char **line = lines; *line && **line; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", -1);
      FpProcess *process = fixture_snapshot_add (&snapshot, atoi (words[0]), words[2]);

      process->ppid = atoi (words[1]);
      process->start_ticks = (guint64)process->pid;
      fixture_set_figures (process, (guint64)atoi (words[3]) * MIB, 100 * MIB, 0);
    }
  records = fixture_snapshot_make_records (&snapshot);
  fp_rows_update (self->rows, records, NULL);
}

/* Groups as "name(count)MiB", records as their pid, the ended with a cross; a dot for each step of depth. */
static char *
describe (Fixture *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    {
      const FpRow *row = fp_rows_get (self->rows, i);
      const FpRecords *records = fp_rows_get_records (self->rows, row->kind);

      g_string_append (text, i ? " " : "");
      for (guint d = 0; d < row->depth; d++)
        g_string_append_c (text, '.');
      if (row->kind == FP_ROW_GROUP)
        g_string_append_printf (text, "%s(%u)%u", fp_totals_get (records, row->index)->name,
                                fp_totals_get (records, row->index)->n_members,
                                (guint)(fp_records_get_figure (records, row->index, FP_FIELD_PSS).low / MIB));
      else
        g_string_append_printf (text, "%s%d", row->kind == FP_ROW_ENDED ? "+" : "",
                                fp_process_records_get (records, row->index)->pid);
    }
  return g_string_free (text, FALSE);
}

static void
assert_rows (Fixture *self,
             const char *population,
             const char *expected)
{
  g_autofree char *rows = NULL;

  update (self, population);
  rows = describe (self);
  g_assert_cmpstr (rows, ==, expected);
}

static void
expand (Fixture *self,
        guint position,
        gboolean is_expanded)
{
  fp_rows_set_expanded (self->rows, fp_rows_get (self->rows, position)->key, is_expanded);
}

static void
test_by_program (Fixture *self,
                 gconstpointer data)
{
  const char *population = "2 1 a 5, 3 1 b 7, 4 1 a 6, 5 1 c 1";
  g_autofree char *rows = NULL, *again = NULL;

  fp_rows_set_grouping (self->rows, FP_GROUPING_PROGRAM);
  assert_rows (self, population, "a(2)11 b(1)7 c(1)1");
  expand (self, 0, TRUE);
  rows = describe (self);
  g_assert_cmpstr (rows, ==, "a(2)11 .4 .2 b(1)7 c(1)1");

  /* Expansion goes by what a group is, not where. */
  assert_rows (self, "2 1 a 5, 3 1 b 9, 5 1 c 1", "b(1)9 a(1)5 .2 c(1)1");
  expand (self, 1, FALSE);
  again = describe (self);
  g_assert_cmpstr (again, ==, "b(1)9 a(1)5 c(1)1");
}

/* The row that was searched for is seen at once, and groups that were open before stay so. */
static void
test_search (Fixture *self,
             gconstpointer data)
{
  const char *population = "2 1 a 5, 3 1 b 7, 4 1 a 6";
  g_autofree char *closed = NULL;

  fp_rows_set_opens_matches (self->rows, TRUE);
  fp_rows_set_grouping (self->rows, FP_GROUPING_PROGRAM);
  assert_rows (self, population, "a(2)11 b(1)7");
  expand (self, 1, TRUE);
  fp_rows_set_query (self->rows, fp_query_new ("pid>2", FP_RECORD_PROCESS, NULL));
  assert_rows (self, population, "b(1)7 .3 a(1)6 .4");
  expand (self, 2, FALSE);
  closed = describe (self);
  g_assert_cmpstr (closed, ==, "b(1)7 .3 a(1)6");
  fp_rows_set_query (self->rows, fp_query_new ("pid>1", FP_RECORD_PROCESS, NULL));
  assert_rows (self, population, "a(2)11 b(1)7 .3");
  fp_rows_set_query (self->rows, NULL);
  assert_rows (self, population, "a(2)11 b(1)7 .3");
  fp_rows_set_query (self->rows, fp_query_new ("pid>2", FP_RECORD_PROCESS, NULL));
  assert_rows (self, population, "b(1)7 .3 a(1)6 .4");
}

static void
test_regrouping (Fixture *self,
                 gconstpointer data)
{
  const char *population = "2 1 a 5, 3 1 b 7, 4 1 a 6";

  fp_rows_set_grouping (self->rows, FP_GROUPING_PROGRAM);
  update (self, population);
  expand (self, 0, TRUE);
  fp_rows_set_grouping (self->rows, FP_GROUPING_NOTHING);
  assert_rows (self, population, "3 4 2");
  fp_rows_set_grouping (self->rows, FP_GROUPING_PROGRAM);
  assert_rows (self, population, "a(2)11 .4 .2 b(1)7");
}

/* A parent stands first among its own; what it and they take is in the group's sum at every depth. */
static void
test_by_parent (Fixture *self,
                gconstpointer data)
{
  const char *population = "1 0 init 1, 10 1 shell 2, 11 10 make 3, 12 11 cc 9, 13 11 cc 8, 20 1 alone 4";
  g_autofree char *rows = NULL;

  fp_rows_set_grouping (self->rows, FP_GROUPING_PARENT);
  assert_rows (self, population, "init(6)27");
  for (guint i = 0; i < 10; i++)
    if (i < fp_rows_get_n (self->rows) && fp_rows_get (self->rows, i)->kind == FP_ROW_GROUP)
      expand (self, i, TRUE);
  rows = describe (self);
  g_assert_cmpstr (rows, ==, "init(6)27 .1 .shell(4)22 ..10 ..make(3)20 ...11 ...12 ...13 .20");
}

/* A group has its place by its leader where sums make no sense, between those that lead none. */
static void
test_tree_by_pid (Fixture *self,
                  gconstpointer data)
{
  const char *population = "1 0 init 1, 10 1 a 2, 11 1 shell 3, 12 11 make 9, 13 1 b 4";

  fp_rows_set_grouping (self->rows, FP_GROUPING_PARENT);
  fp_rows_set_sort (self->rows, fp_columns_find ("pid", FP_RECORD_PROCESS), FALSE);
  update (self, population);
  expand (self, 0, TRUE);
  assert_rows (self, population, "init(5)19 .1 .10 .shell(2)12 .13");
  fp_rows_set_sort (self->rows, fp_columns_find ("pid", FP_RECORD_PROCESS), TRUE);
  assert_rows (self, population, "init(5)19 .1 .13 .shell(2)12 .10");
  fp_rows_set_sort (self->rows, fp_columns_find ("pss", FP_RECORD_PROCESS), TRUE);
  assert_rows (self, population, "init(5)19 .1 .shell(2)12 .13 .10");
}

/* Ancestors that do not match are left out, and their descendants move up. */
static void
test_filtered_tree (Fixture *self,
                    gconstpointer data)
{
  fp_rows_set_grouping (self->rows, FP_GROUPING_PARENT);
  fp_rows_set_query (self->rows, fp_query_new ("-make", FP_RECORD_PROCESS, NULL));
  update (self, "1 0 init 1, 11 1 make 3, 12 11 cc 9, 13 12 as 8");
  expand (self, 0, TRUE);
  assert_rows (self, "1 0 init 1, 11 1 make 3, 12 11 cc 9, 13 12 as 8", "init(3)18 .1 .cc(2)17");
}

/* A saved file may say anything of who stems from whom. */
static void
test_loops (Fixture *self,
            gconstpointer data)
{
  fp_rows_set_grouping (self->rows, FP_GROUPING_PARENT);
  assert_rows (self, "2 3 a 1, 3 2 b 2, 4 4 c 3, 5 9 d 4", "5 4 a(2)3");
}

static void
test_held (Fixture *self,
           gconstpointer data)
{
  assert_rows (self, "2 1 a 5, 3 1 b 7, 4 1 c 6", "3 4 2");
  fp_rows_set_held (self->rows, TRUE);
  assert_rows (self, "2 1 a 50, 3 1 b 7, 4 1 c 60", "3 4 2");
  assert_rows (self, "2 1 a 50, 4 1 c 60, 9 1 new 99", "+3 4 2 9");
  assert_rows (self, "2 1 a 50, 4 1 c 60, 8 1 newer 100, 9 1 new 99", "+3 4 2 9 8");
  fp_rows_set_held (self->rows, FALSE);
  assert_rows (self, "2 1 a 50, 4 1 c 60, 8 1 newer 100, 9 1 new 99", "8 9 4 2");
}

/* A row that no longer matches keeps its place too, and is not summed. */
static void
test_held_unmatched (Fixture *self,
                     gconstpointer data)
{
  guint n;

  fp_rows_set_query (self->rows, fp_query_new (">4M", FP_RECORD_PROCESS, NULL));
  assert_rows (self, "2 1 a 5, 3 1 b 7, 4 1 c 6", "3 4 2");
  fp_rows_set_held (self->rows, TRUE);
  assert_rows (self, "2 1 a 5, 3 1 b 1, 4 1 c 6", "3 4 2");
  fp_rows_get_matches (self->rows, &n);
  g_assert_cmpuint (n, ==, 2);
}

/* A change that the reader asks for is made at once. */
static void
test_held_gives_way (Fixture *self,
                     gconstpointer data)
{
  assert_rows (self, "2 1 a 5, 3 1 b 7, 4 1 c 6", "3 4 2");
  fp_rows_set_held (self->rows, TRUE);
  fp_rows_set_sort (self->rows, fp_columns_find ("pid", FP_RECORD_PROCESS), FALSE);
  assert_rows (self, "2 1 a 5, 4 1 c 6", "2 4");
  fp_rows_set_query (self->rows, fp_query_new ("c", FP_RECORD_PROCESS, NULL));
  assert_rows (self, "2 1 a 5, 4 1 c 6", "4");
}

static void
test_held_groups (Fixture *self,
                  gconstpointer data)
{
  fp_rows_set_grouping (self->rows, FP_GROUPING_PROGRAM);
  update (self, "2 1 a 5, 3 1 b 7, 4 1 a 6");
  expand (self, 0, TRUE);
  expand (self, 3, TRUE);
  fp_rows_set_held (self->rows, TRUE);
  assert_rows (self, "2 1 a 5, 4 1 a 6, 5 1 c 99", "a(2)11 .4 .2 b(0)0 .+3 c(1)99");
  assert_rows (self, "4 1 a 6, 5 1 c 99, 6 1 a 50", "a(2)56 .4 .+2 .6 b(0)0 .+3 c(1)99");
  fp_rows_set_held (self->rows, FALSE);
  assert_rows (self, "4 1 a 6, 5 1 c 99, 6 1 a 50", "c(1)99 a(2)56 .6 .4");
}

static FpFigure
get_time (Fixture *self,
          FpRowKind kind,
          const char *id)
{
  return fp_column_get_figure (fp_columns_find (id, FP_RECORD_PROCESS), fp_rows_get_records (self->rows, kind), 0);
}

/* When it was started, and how old what was measured is, is known of the ended, too. */
static void
test_held_times (Fixture *self,
                 gconstpointer data)
{
  FpFigure started = { 0 }, age = { 0 };

  for (guint i = 0; i < 3; i++)
    {
      g_auto (FixtureSnapshot) snapshot = { 0 };
      g_autoptr (FpRecords) records = NULL;
      FpProcess *process;

      fixture_snapshot_init (&snapshot, 4);
      snapshot.snapshot->info.realtime_us = G_GUINT64_CONSTANT (1700000000000000);
      process = fixture_snapshot_add (&snapshot, i == 0 ? 2 : 3, "a");
      process->measured_us -= 3 * G_USEC_PER_SEC;
      records = fixture_snapshot_make_records (&snapshot);
      fp_rows_update (self->rows, records, NULL);
      fp_rows_set_held (self->rows, TRUE);
      if (i == 0)
        {
          started = get_time (self, FP_ROW_RECORD, "started");
          age = get_time (self, FP_ROW_RECORD, "measured_age_us");
          g_assert_cmpuint (age.low, ==, 3 * G_USEC_PER_SEC);
          continue;
        }
      g_assert_cmpuint (get_time (self, FP_ROW_ENDED, "started").kind, ==, FP_FIGURE_EXACT);
      g_assert_cmpuint (get_time (self, FP_ROW_ENDED, "started").low, ==, started.low);
      g_assert_cmpuint (get_time (self, FP_ROW_ENDED, "measured_age_us").low, ==, age.low);
    }
}

/* A PID used anew is another process. */
static void
test_held_reused (Fixture *self,
                  gconstpointer data)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;
  g_autofree char *rows = NULL;

  assert_rows (self, "2 1 a 5, 3 1 b 7", "3 2");
  fp_rows_set_held (self->rows, TRUE);
  fixture_snapshot_init (&snapshot, 4);
  fixture_set_figures (fixture_snapshot_add (&snapshot, 3, "other"), 9 * MIB, 9 * MIB, 0);
  records = fixture_snapshot_make_records (&snapshot);
  fp_rows_update (self->rows, records, NULL);
  rows = describe (self);
  g_assert_cmpstr (rows, ==, "+3 +2 3");
}

#define N_PIDS 60

/* Some of those there may be, each PID with one of two start times */
static FpRecords *
make_some (void)
{
  g_auto (FixtureSnapshot) snapshot = { 0 };

  fixture_snapshot_init (&snapshot, N_PIDS);
  for (gint pid = 1; pid <= N_PIDS; pid++)
    if (pid == 1 || g_test_rand_bit ())
      {
        FpProcess *process = fixture_snapshot_add (&snapshot, pid, "a");

        process->start_ticks = (guint64)g_test_rand_int_range (1, 3);
        fixture_set_figures (process, (guint64)pid * MIB, 100 * MIB, 0);
      }
  return fixture_snapshot_make_records (&snapshot);
}

static gboolean
has_key (const FpRecords *records,
         FpKey key)
{
  for (guint i = 0; i < records->n; i++)
    {
      FpKey other = fp_records_get_key (records, i);

      if (fp_key_equal (&key, &other))
        return TRUE;
    }
  return FALSE;
}

static guint
count_records (const FpRows *rows)
{
  guint n = 0;

  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    n += fp_rows_get (rows, i)->kind == FP_ROW_RECORD;
  return n;
}

/* Everything keeps its place, comes and goes and comes again; what was never seen stands behind, the largest first. */
static void
test_held_churn (Fixture *self,
                 gconstpointer data)
{
  g_autoptr (GArray) seen = g_array_new (FALSE, FALSE, sizeof (FpKey));

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (FpRecords) records = make_some ();
      guint n_seen = seen->len;

      fp_rows_update (self->rows, records, NULL);
      fp_rows_set_held (self->rows, TRUE);
      g_assert_cmpuint (fp_rows_get_n (self->rows), >=, n_seen);
      for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
        {
          const FpRow *row = fp_rows_get (self->rows, i);
          FpKey key = fp_records_get_key (fp_rows_get_records (self->rows, row->kind), row->index);

          g_assert_true (fp_key_equal (&row->key, &key));
          g_assert_cmpint (row->kind, ==, has_key (records, key) ? FP_ROW_RECORD : FP_ROW_ENDED);
          if (i < n_seen)
            g_assert_true (fp_key_equal (&key, &g_array_index (seen, FpKey, i)));
          else
            {
              g_assert_true (i == n_seen || g_array_index (seen, FpKey, i - 1).a > key.a);
              g_array_append_val (seen, key);
            }
        }
      g_assert_cmpuint (count_records (self->rows), ==, records->n);
    }
}

static void
test_members (Fixture *self,
              gconstpointer data)
{
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_rows_set_grouping (self->rows, FP_GROUPING_PARENT);
  assert_rows (self, "1 0 init 1, 10 1 shell 2, 11 10 make 3, 20 0 alone 4", "init(3)6 20");
  fp_rows_add_members (self->rows, 0, indices);
  g_assert_cmpuint (indices->len, ==, 3);
  g_array_set_size (indices, 0);
  fp_rows_add_members (self->rows, 1, indices);
  g_assert_cmpuint (indices->len, ==, 1);
  g_assert_cmpuint (g_array_index (indices, guint, 0), ==, 3);
}

/* PIDs begin anew at some time: the older half has the higher ones. */
static void
fill_tree (FixtureSnapshot *snapshot,
           guint n)
{
  static const FpReason reasons[] = { FP_REASON_NONE, FP_REASON_PERMISSION, FP_REASON_ZOMBIE, FP_REASON_KERNEL_THREAD,
                                      FP_REASON_PENDING };

  for (guint i = 0; i < n; i++)
    {
      char name[2] = { (char)('a' + g_test_rand_int_range (0, 4)), '\0' };
      FpProcess *process = fixture_snapshot_add_reason (snapshot, (gint)i + 1, name,
                                                        reasons[g_test_rand_int_range (0, G_N_ELEMENTS (reasons))]);

      process->ppid = g_test_rand_int_range (0, (gint)n + 1);
      process->start_ticks = (i + n / 2) % n;
      process->uid = (guint32)g_test_rand_int_range (0, 3);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (g_test_rand_int_range (0, 4) > 0)
          fp_memory_set (&process->memory, field, (guint64)g_test_rand_int_range (0, G_MAXINT32));
      if (g_test_rand_int_range (0, 100) == 0)
        fp_memory_set (&process->memory, FP_FIELD_RSS, G_MAXUINT64);
    }
}

static void
check_group (const FpRows *rows,
             guint position)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));
  const FpTotal *total =
      fp_totals_get (fp_rows_get_records (rows, FP_ROW_GROUP), fp_rows_get (rows, position)->index);
  g_autoptr (FpRecords) sum = NULL;
  const FpTotal *expected;

  fp_rows_add_members (rows, position, members);
  sum = fp_totals_new (fp_rows_get_records (rows, FP_ROW_RECORD), (const guint *)members->data, members->len, NULL,
                       NULL);
  expected = fp_totals_get (sum, 0);
  g_assert_cmpuint (total->n_members, ==, members->len);
  g_assert_cmpuint (total->n_unread, ==, expected->n_unread);
  g_assert_cmpmem (total->low, sizeof total->low, expected->low, sizeof expected->low);
  g_assert_cmpmem (total->high, sizeof total->high, expected->high, sizeof expected->high);
  g_assert_cmphex (total->known, ==, expected->known);
  g_assert_cmphex (total->unknown, ==, expected->unknown);
}

/* At every depth a group's sum is that of all below it, with both ends. */
static void
test_sums_of_groups (Fixture *self,
                     gconstpointer data)
{
  static const FpGrouping groupings[] = { FP_GROUPING_PARENT, FP_GROUPING_USER_PROGRAM };
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&snapshot, 500);
  fill_tree (&snapshot, 500);
  records = fixture_snapshot_make_records (&snapshot);
  for (guint i = 0; i < G_N_ELEMENTS (groupings); i++)
    {
      guint n_groups = 0, deepest = 0;

      fp_rows_set_grouping (self->rows, groupings[i]);
      fp_rows_update (self->rows, records, NULL);
      for (guint position = 0; position < fp_rows_get_n (self->rows); position++)
        {
          if (fp_rows_get (self->rows, position)->kind != FP_ROW_GROUP)
            continue;
          expand (self, position, TRUE);
          check_group (self->rows, position);
          deepest = MAX (deepest, fp_rows_get (self->rows, position)->depth);
          n_groups++;
        }
      g_assert_cmpuint (n_groups, ==, fp_rows_get_records (self->rows, FP_ROW_GROUP)->n);
      g_assert_cmpuint (deepest, >, 0);
    }
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/grouping/program", test_by_program },
    { "/grouping/search", test_search },
    { "/grouping/regrouping", test_regrouping },
    { "/grouping/parent", test_by_parent },
    { "/grouping/tree-by-pid", test_tree_by_pid },
    { "/grouping/filtered-tree", test_filtered_tree },
    { "/grouping/loops", test_loops },
    { "/grouping/held", test_held },
    { "/grouping/held/unmatched", test_held_unmatched },
    { "/grouping/held/gives-way", test_held_gives_way },
    { "/grouping/held/groups", test_held_groups },
    { "/grouping/held/times", test_held_times },
    { "/grouping/held/reused", test_held_reused },
    { "/grouping/held/churn", test_held_churn },
    { "/grouping/members", test_members },
    { "/grouping/sums-of-groups", test_sums_of_groups },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/grouping/table", test_table);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
