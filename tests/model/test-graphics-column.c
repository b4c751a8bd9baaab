// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixture-snapshot.h"
#include "fp-columns.h"
#include "fp-graphics-words.h"
#include "fp-query.h"
#include "fp-totals.h"

#define MIB (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FixtureSnapshot snapshot;
  FpKept *kept;
  FpRecords *records;
} Fixture;

static void
add_process (Fixture *self,
             gint pid,
             const char *user)
{
  FpProcess *process = fixture_snapshot_add_reason (&self->snapshot, pid, "a", FP_REASON_NONE);

  process->start_ticks = 100;
  fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, user);
}

static void
tell (Fixture *self,
      gint pid,
      guint64 start_ticks)
{
  const FpProcessId id = { pid, start_ticks };

  g_array_append_val (self->kept->told, id);
}

static void
add_client (Fixture *self,
            gint pid,
            guint64 in_ram,
            gboolean has_in_ram)
{
  const FpGraphics graphics = { .pid = pid, .n_holders = 1, .in_ram = in_ram, .has_in_ram = has_in_ram };
  const FpGraphicsHolder holder = { pid, self->kept->graphics->len };

  g_array_append_val (self->kept->graphics, graphics);
  g_array_append_val (self->kept->graphics_holders, holder);
}

/* Process 10 and 11 have clients; 12 has none; 13 was not looked at; 14 has a client that does not tell; 15 is another
 * process than the one that was looked at. */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  static const char *const users[] = { "alice", "alice", "alice", "bob", "carol", "dave" };

  fixture_snapshot_init (&self->snapshot, 8);
  for (gint i = 0; i < 6; i++)
    add_process (self, 10 + i, users[i]);
  self->kept = fp_kept_new ();
  for (gint i = 0; i < 6; i++)
    if (i != 3)
      tell (self, 10 + i, i == 5 ? 99 : 100);
  add_client (self, 10, 3 * MIB, TRUE);
  add_client (self, 11, 4 * MIB, TRUE);
  add_client (self, 11, 1 * MIB, TRUE);
  add_client (self, 14, 0, FALSE);
  fp_records_unref (fixture_snapshot_make_records (&self->snapshot));
  self->records = fp_process_records_new (self->snapshot.snapshot, self->kept);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fp_records_unref (self->records);
  fp_kept_unref (self->kept);
  fixture_snapshot_clear (&self->snapshot);
}

static void
assert_exact (const FpRecords *records,
              guint index,
              guint64 bytes)
{
  FpFigure figure = fp_column_get_figure (fp_columns_find ("graphics", records->class->kind), records, index);

  g_assert_cmpint (figure.kind, ==, FP_FIGURE_EXACT);
  g_assert_cmpuint (figure.low, ==, bytes);
}

static void
assert_unknown (const FpRecords *records,
                guint index)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  const FpColumn *column = fp_columns_find ("graphics", records->class->kind);
  char text[FP_CELL_SIZE];

  g_assert_cmpint (fp_column_get_figure (column, records, index).kind, ==, FP_FIGURE_UNKNOWN);
  fp_column_format (column, records, index, &format, text, sizeof text);
  g_assert_cmpstr (text, ==, "—");
}

static void
test_processes (Fixture *self,
                gconstpointer data)
{
  assert_exact (self->records, 0, 3 * MIB);
  assert_exact (self->records, 1, 5 * MIB);
  assert_exact (self->records, 2, 0);
  for (guint i = 3; i < 6; i++)
    assert_unknown (self->records, i);
  /* All other figures are as they were. */
  g_assert_cmpint (fp_records_get_figure (self->records, 0, FP_FIELD_PSS).kind,
                   ==, fp_figure_of_memory (&self->snapshot.snapshot->processes[0].memory, FP_FIELD_PSS).kind);
  g_assert_false (fp_memory_has (&self->snapshot.snapshot->processes[0].memory, FP_FIELD_GRAPHICS));
}

static void
test_totals (Fixture *self,
             gconstpointer data)
{
  g_autoptr (FpRecords) totals = fp_totals_new (self->records, NULL, self->records->n,
                                                fp_columns_find ("user", FP_RECORD_PROCESS), NULL);
  g_autoptr (FpRecords) all = fp_totals_new (self->records, NULL, self->records->n, NULL, NULL);
  FpFigure figure = fp_records_get_figure (all, 0, FP_FIELD_GRAPHICS);

  g_assert_cmpuint (totals->n, ==, 4);
  assert_exact (totals, 0, 8 * MIB);
  for (guint i = 1; i < 4; i++)
    assert_unknown (totals, i);
  g_assert_cmpint (figure.kind, ==, FP_FIGURE_PARTIAL);
  g_assert_cmpuint (figure.low, ==, 8 * MIB);
}

/* Nothing is known where nothing was read. */
static void
test_without (Fixture *self,
              gconstpointer data)
{
  g_autoptr (FpRecords) records = fp_process_records_new (self->snapshot.snapshot, NULL);

  for (guint i = 0; i < records->n; i++)
    assert_unknown (records, i);
}

static guint
count_matches (Fixture *self,
               const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, &error);
  guint n = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < self->records->n; i++)
    n += fp_query_matches (query, self->records, i) == FP_MATCH_CERTAINLY;
  return n;
}

static guint
get_needs (const char *text)
{
  g_autoptr (FpQuery) query = fp_query_new (text, FP_RECORD_PROCESS, NULL);

  g_assert_nonnull (query);
  return fp_query_get_needs (query);
}

static void
test_search (Fixture *self,
             gconstpointer data)
{
  g_assert_cmpuint (count_matches (self, "graphics>0"), ==, 2);
  g_assert_cmpuint (count_matches (self, "graphics>=5M"), ==, 1);
  g_assert_cmpuint (count_matches (self, "graphics=0"), ==, 1);
  g_assert_cmpuint (get_needs ("graphics>0"), ==, FP_NEED_KEPT);
  g_assert_cmpuint (get_needs ("memory>0 (swap>0 or -graphics>1M)"), ==, FP_NEED_KEPT);
  g_assert_cmpuint (get_needs ("graphics"), ==, 0);
  g_assert_cmpuint (get_needs (""), ==, 0);
}

static void
assert_words (Fixture *self,
              gint pid,
              const char *expected)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autofree char *words = fp_graphics_words_describe (self->kept, &(FpProcessId){ pid, 100 }, &format);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_words (Fixture *self,
            gconstpointer data)
{
  FpGraphics *graphics = (FpGraphics *)self->kept->graphics->data;

  graphics[0] = (FpGraphics){ .driver = "amdgpu", .device = "0000:11:00.0", .id = 185, .n_holders = 2, .in_ram = 3 * MIB, .on_card = 5 * MIB, .allocated = 8 * MIB, .has_in_ram = TRUE };
  graphics[1] = (FpGraphics){ .driver = "panfrost", .id = 6, .n_holders = 1, .in_ram = MIB, .allocated = 9 * MIB, .has_in_ram = TRUE };
  graphics[2] = (FpGraphics){ .kind = FP_GRAPHICS_DMABUF, .driver = "system", .n_holders = 1, .in_ram = 2 * MIB, .allocated = 2 * MIB, .has_in_ram = TRUE };
  graphics[3] = (FpGraphics){ .driver = "msm", .id = 1, .n_holders = 1, .allocated = 4 * MIB };
  assert_words (self, 10, "3.0 MiB in RAM\n5.0 MiB on the card\namdgpu, client 185\nCard 0000:11:00.0\nShared by 2 processes");
  assert_words (self, 11, "2.0 MiB in RAM\nBuffer from system\n\n1.0 MiB in RAM\n9.0 MiB allocated\npanfrost, client 6");
  assert_words (self, 12, NULL);
  assert_words (self, 13, NULL);
  assert_words (self, 14, "4.0 MiB allocated\nmsm, client 1");
  assert_words (self, 15, NULL);
}

/* A program that opens many clients does not fill the pane. */
static void
test_many_words (Fixture *self,
                 gconstpointer data)
{
  const FpFormat format = { .style = FP_STYLE_IEC };
  g_autofree char *words = NULL;

  g_array_set_size (self->kept->graphics_holders, 0);
  for (guint i = 0; i < 20; i++)
    add_client (self, 12, MIB, TRUE);
  words = fp_graphics_words_describe (self->kept, &(FpProcessId){ 12, 100 }, &format);
  g_assert_true (g_str_has_suffix (words, "\nand 14 smaller ones"));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/graphics-column/processes", Fixture, NULL, set_up, test_processes, tear_down);
  g_test_add ("/graphics-column/totals", Fixture, NULL, set_up, test_totals, tear_down);
  g_test_add ("/graphics-column/without", Fixture, NULL, set_up, test_without, tear_down);
  g_test_add ("/graphics-column/search", Fixture, NULL, set_up, test_search, tear_down);
  g_test_add ("/graphics-column/words", Fixture, NULL, set_up, test_words, tear_down);
  g_test_add ("/graphics-column/many-words", Fixture, NULL, set_up, test_many_words, tear_down);
  return g_test_run ();
}
