// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FixtureSnapshot snapshot;
  FpRecords *records;
  guint n;
  guint indices[16];
  FpFormat format;
} Fixture;

static FpProcess *
add (Fixture *self,
     gint pid,
     const char *program,
     const char *user,
     const char *container,
     FpReason reason)
{
  FpProcess *process = fixture_snapshot_add_reason (&self->snapshot, pid, program, reason);

  process->uid = (guint32)user[0];
  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, user);
  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_CONTAINER, container);
  self->indices[self->n] = self->n;
  self->n++;
  return process;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  FpProcess *process;

  fixture_snapshot_init (&self->snapshot, 16);
  fixture_set_figures (add (self, 10, "a", "alice", "box", FP_REASON_NONE), 3 * MIB, 5 * MIB, 1);
  fixture_set_figures (add (self, 11, "a", "bob", "", FP_REASON_NONE), 4 * MIB, 6 * MIB, 2);
  process = add (self, 12, "b", "bob", "", FP_REASON_PERMISSION);
  fp_memory_set (&process->memory, FP_FIELD_RSS, 8 * MIB);
  fp_memory_set (&process->memory, FP_FIELD_VM_SWAP, 7);
  add (self, 13, "kthreadd", "root", "", FP_REASON_KERNEL_THREAD);
  add (self, 14, "b", "root", "", FP_REASON_ZOMBIE);
  process = add (self, 15, "a", "alice", "box", FP_REASON_SHARED_MEMORY);
  process->shares_with = 10;
  fixture_set_figures (process, 3 * MIB, 5 * MIB, 1);
  add (self, 16, "c", "carol", "", FP_REASON_PENDING);
  self->records = fixture_snapshot_make_records (&self->snapshot);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fp_records_unref (self->records);
  fixture_snapshot_clear (&self->snapshot);
}

/* The first process has changed since it was read: between 3 and 5 MiB of memory, 1 and 3 bytes of swap. */
static void
let_change (Fixture *self)
{
  FpMemory *memory = &self->snapshot.snapshot->processes[0].memory;

  fp_memory_set_range (memory, FP_FIELD_PSS, 3 * MIB, 5 * MIB);
  fp_memory_set_range (memory, FP_FIELD_SWAP_PSS, 1, 3);
}

static FpRecords *
make_totals (Fixture *self,
             const char *by)
{
  return fp_totals_new (self->records, self->indices, self->n, by ? fp_columns_find (by, FP_RECORD_PROCESS) : NULL,
                        &self->format);
}

static guint
find (const FpRecords *totals,
      const char *name)
{
  for (guint i = 0; i < totals->n; i++)
    if (strcmp (fp_totals_get (totals, i)->name, name) == 0)
      return i;
  g_error ("There is no group “%s”", name);
}

static void
assert_figure (const FpRecords *totals,
               guint index,
               FpField field,
               FpFigureKind kind,
               guint64 low,
               guint64 high)
{
  FpFigure figure = fp_records_get_figure (totals, index, field);

  g_assert_cmpint (figure.kind, ==, kind);
  g_assert_cmpuint (figure.low, ==, low);
  g_assert_cmpuint (figure.high, ==, high);
}

/* A sum with a part that may have changed has both ends and is measured; beside what could not be read they are told apart. */
static void
test_ranges (Fixture *self,
             gconstpointer data)
{
  g_autoptr (FpRecords) programs = NULL, all = NULL, users = NULL, sum = fp_totals_new_empty (FP_RECORD_PROCESS);

  let_change (self);
  programs = make_totals (self, "program");
  g_assert_cmpuint (fp_totals_get (programs, 0)->n_unread, ==, 0);
  assert_figure (programs, 0, FP_FIELD_PSS, FP_FIGURE_RANGE, 7 * MIB, 9 * MIB);
  assert_figure (programs, 0, FP_FIELD_RSS, FP_FIGURE_EXACT, 11 * MIB, 11 * MIB);
  assert_figure (programs, 0, FP_FIELD_SWAP_PSS, FP_FIGURE_RANGE, 3, 5);
  g_assert_cmpuint (fp_total_get_spread (fp_totals_get (programs, 0), FP_FIELD_PSS), ==, 2 * MIB);
  g_assert_cmpuint (fp_total_get_spread (fp_totals_get (programs, 0), FP_FIELD_RSS), ==, 0);
  users = make_totals (self, "user");
  assert_figure (users, find (users, "bob"), FP_FIELD_PSS, FP_FIGURE_PARTIAL, 4 * MIB, 12 * MIB);
  g_assert_cmpuint (fp_total_get_spread (fp_totals_get (users, find (users, "bob")), FP_FIELD_PSS), ==, 0);

  /* Without the one of which nothing is known */
  self->n--;
  all = make_totals (self, NULL);
  g_assert_cmpuint (fp_totals_get (all, 0)->n_unread, ==, 1);
  assert_figure (all, 0, FP_FIELD_PSS, FP_FIGURE_PARTIAL, 7 * MIB, 17 * MIB);
  g_assert_cmpuint (fp_total_get_spread (fp_totals_get (all, 0), FP_FIELD_PSS), ==, 2 * MIB);
  fp_totals_add (sum, "", (FpKey){ 0, 0 });
  for (guint i = 0; i < programs->n; i++)
    fp_totals_add_group (sum, 0, programs, i);
  g_assert_cmpuint (fp_totals_get (sum, 0)->spread[FP_RANGE_PSS], ==, 2 * MIB);
  g_assert_cmpuint (fp_totals_get (sum, 0)->low[FP_FIELD_PSS], ==, 7 * MIB);
}

static void
test_programs (Fixture *self,
               gconstpointer data)
{
  g_autoptr (FpRecords) totals = make_totals (self, "program");

  g_assert_cmpint (totals->class->kind, ==, FP_RECORD_TOTAL);
  g_assert_cmpuint (totals->n, ==, 4);
  g_assert_cmpstr (fp_totals_get (totals, 0)->name, ==, "a");
  g_assert_cmpstr (fp_totals_get (totals, 1)->name, ==, "b");
  g_assert_cmpuint (fp_totals_get (totals, 0)->n_members, ==, 3);
  g_assert_cmpuint (fp_totals_get (totals, 0)->n_unread, ==, 0);
  assert_figure (totals, 0, FP_FIELD_PSS, FP_FIGURE_EXACT, 7 * MIB, 7 * MIB);
  assert_figure (totals, 0, FP_FIELD_RSS, FP_FIGURE_EXACT, 11 * MIB, 11 * MIB);
  assert_figure (totals, 0, FP_FIELD_SWAP_PSS, FP_FIGURE_EXACT, 3, 3);
  g_assert_cmpuint (fp_totals_get (totals, 1)->n_members, ==, 2);
  g_assert_cmpuint (fp_totals_get (totals, 1)->n_unread, ==, 1);
  assert_figure (totals, 1, FP_FIELD_PSS, FP_FIGURE_AT_MOST, 0, 8 * MIB);
  assert_figure (totals, 1, FP_FIELD_RSS, FP_FIGURE_EXACT, 8 * MIB, 8 * MIB);
  assert_figure (totals, 1, FP_FIELD_SWAP_PSS, FP_FIGURE_AT_MOST, 0, 7);
}

static void
test_users (Fixture *self,
            gconstpointer data)
{
  g_autoptr (FpRecords) totals = make_totals (self, "user");

  g_assert_cmpuint (totals->n, ==, 4);
  assert_figure (totals, find (totals, "alice"), FP_FIELD_PSS, FP_FIGURE_EXACT, 3 * MIB, 3 * MIB);
  assert_figure (totals, find (totals, "bob"), FP_FIELD_PSS, FP_FIGURE_PARTIAL, 4 * MIB, 12 * MIB);
  assert_figure (totals, find (totals, "bob"), FP_FIELD_RSS, FP_FIGURE_EXACT, 14 * MIB, 14 * MIB);
  assert_figure (totals, find (totals, "bob"), FP_FIELD_SWAP_PSS, FP_FIGURE_PARTIAL, 2, 9);
  assert_figure (totals, find (totals, "carol"), FP_FIELD_PSS, FP_FIGURE_UNKNOWN, 0, G_MAXUINT64);
  g_assert_cmpuint (fp_totals_get (totals, find (totals, "alice"))->n_members, ==, 2);
  g_assert_cmpuint (fp_totals_get (totals, find (totals, "carol"))->n_unread, ==, 1);
}

/* A figure that is asked for is as in the whole sum, and the rest is not there. */
static void
test_fields (Fixture *self,
             gconstpointer data)
{
  const guint64 one = 1, wanted = one << FP_FIELD_PSS | one << FP_FIELD_SWAP_PSS;
  g_autoptr (FpRecords) all = make_totals (self, NULL);
  g_autoptr (FpRecords) some = fp_totals_new_of_fields (self->records, self->indices, self->n, wanted);

  g_assert_cmpuint (some->n, ==, 1);
  g_assert_cmpuint (fp_totals_get (some, 0)->n_members, ==, fp_totals_get (all, 0)->n_members);
  g_assert_cmpuint (fp_totals_get (some, 0)->n_unread, ==, fp_totals_get (all, 0)->n_unread);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      FpFigure whole = fp_records_get_figure (all, 0, field);

      if (wanted >> field & 1)
        assert_figure (some, 0, field, whole.kind, whole.low, whole.high);
      else
        assert_figure (some, 0, field, FP_FIGURE_NONE, 0, 0);
    }
}

static void
test_numeric_users (Fixture *self,
                    gconstpointer data)
{
  g_autoptr (FpRecords) totals = NULL;

  self->format.numeric_users = TRUE;
  totals = make_totals (self, "user");
  g_assert_cmpuint (totals->n, ==, 4);
  g_assert_cmpstr (fp_totals_get (totals, 0)->name, ==, "97");
  assert_figure (totals, find (totals, "98"), FP_FIELD_PSS, FP_FIGURE_PARTIAL, 4 * MIB, 12 * MIB);
}

static void
test_containers (Fixture *self,
                 gconstpointer data)
{
  g_autoptr (FpRecords) totals = make_totals (self, "container");

  g_assert_cmpuint (totals->n, ==, 2);
  assert_figure (totals, find (totals, "box"), FP_FIELD_PSS, FP_FIGURE_EXACT, 3 * MIB, 3 * MIB);
  g_assert_cmpuint (fp_totals_get (totals, find (totals, ""))->n_members, ==, 5);
  assert_figure (totals, find (totals, ""), FP_FIELD_PSS, FP_FIGURE_PARTIAL, 4 * MIB, G_MAXUINT64);
}

/* A kernel thread has no memory, a zombie has none any more, a twin's is counted with the other. */
static void
test_without_memory (Fixture *self,
                     gconstpointer data)
{
  g_autoptr (FpRecords) totals = make_totals (self, "user");
  guint root = find (totals, "root");

  g_assert_cmpuint (fp_totals_get (totals, root)->n_members, ==, 2);
  g_assert_cmpuint (fp_totals_get (totals, root)->n_unread, ==, 0);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].unit == FP_UNIT_BYTES)
      assert_figure (totals, root, field, FP_FIGURE_NONE, 0, 0);
}

static void
test_all (Fixture *self,
          gconstpointer data)
{
  g_autoptr (FpRecords) totals = make_totals (self, NULL);

  g_assert_cmpuint (totals->n, ==, 1);
  g_assert_cmpuint (fp_totals_get (totals, 0)->n_members, ==, 7);
  g_assert_cmpuint (fp_totals_get (totals, 0)->n_unread, ==, 2);
  assert_figure (totals, 0, FP_FIELD_PSS, FP_FIGURE_PARTIAL, 7 * MIB, G_MAXUINT64);
  assert_figure (totals, 0, FP_FIELD_USS, FP_FIGURE_UNKNOWN, 0, G_MAXUINT64);
}

static void
test_some (Fixture *self,
           gconstpointer data)
{
  static const guint some[] = { 2, 0 };
  g_autoptr (FpRecords) totals = fp_totals_new (self->records, some, 2, NULL, &self->format);

  g_assert_cmpuint (fp_totals_get (totals, 0)->n_members, ==, 2);
  assert_figure (totals, 0, FP_FIELD_PSS, FP_FIGURE_PARTIAL, 3 * MIB, 11 * MIB);
}

static void
test_none (Fixture *self,
           gconstpointer data)
{
  g_autoptr (FpRecords) one = fp_totals_new (self->records, NULL, 0, NULL, &self->format);
  g_autoptr (FpRecords) none =
      fp_totals_new (self->records, NULL, 0, fp_columns_find ("user", FP_RECORD_PROCESS), &self->format);

  g_assert_cmpuint (none->n, ==, 0);
  g_assert_cmpuint (one->n, ==, 1);
  g_assert_cmpuint (fp_totals_get (one, 0)->n_members, ==, 0);
}

/* Every field of 500 processes of which each is known, bounded or unknown by chance, in groups by chance */
static void
fill (FixtureSnapshot *snapshot,
      guint n)
{
  for (guint i = 0; i < n; i++)
    {
      static const FpReason reasons[] = { FP_REASON_NONE, FP_REASON_NONE, FP_REASON_PERMISSION,
                                          FP_REASON_ZOMBIE, FP_REASON_KERNEL_THREAD, FP_REASON_SHARED_MEMORY };
      char name[2] = { (char)('a' + g_test_rand_int_range (0, 5)), '\0' };
      FpProcess *process = fixture_snapshot_add_reason (snapshot, (gint)i + 1, name,
                                                        reasons[g_test_rand_int_range (0, G_N_ELEMENTS (reasons))]);

      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (g_test_rand_int_range (0, 4) > 0)
          fp_memory_set (&process->memory, field, (guint64)g_test_rand_int_range (0, G_MAXINT32));
    }
}

static void
check_sum (const FpRecords *records,
           const FpRecords *totals,
           guint group,
           FpField field)
{
  guint64 low = 0, high = 0;
  FpFigure sum = fp_records_get_figure (totals, group, field);
  guint n = 0;

  for (guint i = 0; i < records->n; i++)
    {
      FpFigure figure = fp_records_get_figure (records, i, field);

      if (strcmp (fp_snapshot_get_text (fp_process_records_get_snapshot (records), fp_process_records_get (records, i),
                                        FP_TEXT_PROGRAM),
                  fp_totals_get (totals, group)->name) != 0 ||
          figure.kind == FP_FIGURE_NONE)
        continue;
      n++;
      low += figure.low;
      high = high == G_MAXUINT64 || figure.high == G_MAXUINT64 ? G_MAXUINT64 : high + figure.high;
    }
  if (field == FP_FIELD_USS)
    high = MAX (low, MIN (high, fp_totals_get (totals, group)->high[FP_FIELD_PSS]));
  g_assert_cmpint (sum.kind == FP_FIGURE_NONE, ==, n == 0);
  g_assert_cmpuint (sum.low, ==, low);
  g_assert_cmpuint (sum.high, ==, high);
  g_assert_cmpint (sum.kind == FP_FIGURE_EXACT || sum.kind == FP_FIGURE_NONE, ==, low == high);
}

static void
test_sums_of_members (void)
{
  Fixture self = { 0 };
  guint indices[500];
  g_autoptr (FpRecords) totals = NULL;
  guint n_members = 0;

  fixture_snapshot_init (&self.snapshot, G_N_ELEMENTS (indices));
  fill (&self.snapshot, G_N_ELEMENTS (indices));
  for (guint i = 0; i < G_N_ELEMENTS (indices); i++)
    indices[i] = i;
  self.records = fixture_snapshot_make_records (&self.snapshot);
  totals = fp_totals_new (self.records, indices, G_N_ELEMENTS (indices), fp_columns_find ("program", FP_RECORD_PROCESS),
                          &self.format);
  g_assert_cmpuint (totals->n, ==, 5);
  for (guint group = 0; group < totals->n; group++)
    {
      n_members += fp_totals_get (totals, group)->n_members;
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (fp_field_is_summed (field))
          check_sum (self.records, totals, group, field);
    }
  g_assert_cmpuint (n_members, ==, G_N_ELEMENTS (indices));
  tear_down (&self, NULL);
}

/* More than a number has room for: at least what it has room for, never less than one of the members. */
static void
test_overflow (void)
{
  static const guint64 figures[] = { G_GUINT64_CONSTANT (1) << 62, G_GUINT64_CONSTANT (3) << 62, 5 };
  Fixture self = { 0 };
  g_autoptr (FpRecords) totals = NULL, one = NULL;
  static const guint second = 1;

  fixture_snapshot_init (&self.snapshot, G_N_ELEMENTS (figures));
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    fixture_set_figures (fixture_snapshot_add (&self.snapshot, (gint)i + 1, "a"), 7, 9, figures[i]);
  self.records = fixture_snapshot_make_records (&self.snapshot);
  totals = fp_totals_new (self.records, NULL, G_N_ELEMENTS (figures), NULL, &self.format);
  one = fp_totals_new (self.records, &second, 1, NULL, &self.format);
  assert_figure (totals, 0, FP_FIELD_PSS, FP_FIGURE_EXACT, 21, 21);
  assert_figure (totals, 0, FP_FIELD_SWAP_PSS, FP_FIGURE_RANGE, G_MAXINT64, G_MAXUINT64);
  assert_figure (one, 0, FP_FIELD_SWAP_PSS, FP_FIGURE_RANGE, G_MAXINT64, G_MAXUINT64);
  tear_down (&self, NULL);
}

static void
test_not_summed (void)
{
  static const FpField fields[] = { FP_FIELD_PEAK_RSS, FP_FIELD_VM_PEAK, FP_FIELD_OOM_SCORE, FP_FIELD_KERNEL_PAGE_SIZE,
                                    FP_FIELD_MMU_PAGE_SIZE, FP_FIELD_THP_ELIGIBLE, FP_FIELD_PROTECTION_KEY };
  Fixture self = { 0 };
  g_autoptr (FpRecords) totals = NULL;
  FpProcess *process;

  fixture_snapshot_init (&self.snapshot, 1);
  process = fixture_snapshot_add (&self.snapshot, 1, "a");
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    fp_memory_set (&process->memory, fields[i], 4096);
  self.records = fixture_snapshot_make_records (&self.snapshot);
  totals = fp_totals_new (self.records, NULL, 1, NULL, &self.format);
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_assert_false (fp_field_is_summed (fields[i]));
      assert_figure (totals, 0, fields[i], FP_FIGURE_NONE, 0, 0);
    }
  tear_down (&self, NULL);
}

/* Two names of which FNV-1a makes the same number: whoever names programs can look for such. */
static void
test_names_that_meet (void)
{
  static const char *const names[] = { "8yn0iYCKYHlIj4-BwPqk", "GReLUrM4wMqfg9yzV3KQ" };
  g_autoptr (FpRecords) totals = fp_totals_new_empty (FP_RECORD_PROCESS);

  for (guint round = 0; round < 2; round++)
    for (guint i = 0; i < G_N_ELEMENTS (names); i++)
      g_assert_cmpuint (fp_totals_find_or_add (totals, G_MAXUINT, names[i]), ==, i);
  g_assert_cmpuint (totals->n, ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (fp_totals_get (totals, i)->name, ==, names[i]);
}

#define ADD(name, func) g_test_add ("/totals/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  ADD ("programs", test_programs);
  ADD ("ranges", test_ranges);
  ADD ("users", test_users);
  ADD ("fields", test_fields);
  ADD ("numeric-users", test_numeric_users);
  ADD ("containers", test_containers);
  ADD ("without-memory", test_without_memory);
  ADD ("all", test_all);
  ADD ("some", test_some);
  ADD ("none", test_none);
  g_test_add_func ("/totals/sums-of-members", test_sums_of_members);
  g_test_add_func ("/totals/overflow", test_overflow);
  g_test_add_func ("/totals/names-that-meet", test_names_that_meet);
  g_test_add_func ("/totals/not-summed", test_not_summed);
  return g_test_run ();
}
