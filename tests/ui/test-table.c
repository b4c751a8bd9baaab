// SPDX-License-Identifier: GPL-3.0-or-later
/* FpTable against a shadow that knows only what the signals tell. */
#include "fixture-snapshot.h"
#include "fp-table.h"

#define MIB     (G_GUINT64_CONSTANT (1) << 20)
#define N_KEPT  205 /* GTK has widgets for so many rows */
#define N_FIRST 40

typedef struct
{
  FpTable *table;
  GPtrArray *objects; /* the shadow: what stands at each position */
  GArray *selected;   /* gboolean, likewise */
  guint n_told;       /* what the model has to have, rows and those kept after them */
  guint n_items_changed;
  guint n_selection_changed;
  guint n_settled;
} Fixture;

static gboolean
is_selected (Fixture *self,
             guint position)
{
  return gtk_selection_model_is_selected (GTK_SELECTION_MODEL (self->table), position);
}

static void
items_changed_cb (GListModel *model,
                  guint position,
                  guint removed,
                  guint added,
                  gpointer data)
{
  Fixture *self = data;

  self->n_items_changed++;
  /* GTK 4.8 shows wrong rows after a change of a part. */
  g_assert_cmpuint (position, ==, 0);
  g_assert_cmpuint (removed, ==, self->objects->len);
  g_assert_cmpuint (added, !=, removed);
  g_assert_cmpuint (added, ==, g_list_model_get_n_items (model));
  g_ptr_array_set_size (self->objects, 0);
  g_array_set_size (self->selected, 0);
  for (guint i = 0; i < added; i++)
    {
      gboolean selected = is_selected (self, i);

      g_ptr_array_add (self->objects, g_list_model_get_item (model, i));
      g_array_append_val (self->selected, selected);
    }
}

static void
selection_changed_cb (GtkSelectionModel *model,
                      guint position,
                      guint n,
                      gpointer data)
{
  Fixture *self = data;

  self->n_selection_changed++;
  g_assert_cmpuint (position + n, <=, self->selected->len);
  for (guint i = position; i < position + n; i++)
    {
      g_assert_cmpint (g_array_index (self->selected, gboolean, i), !=, is_selected (self, i));
      g_array_index (self->selected, gboolean, i) = is_selected (self, i);
    }
}

static void
selection_settled_cb (Fixture *self)
{
  self->n_settled++;
  for (guint i = 0; i < self->selected->len; i++)
    g_assert_cmpint (g_array_index (self->selected, gboolean, i), ==, is_selected (self, i));
}

/* A long list is told in steps. */
static void
fill (Fixture *self)
{
  while (fp_table_get_n_rows (self->table) < fp_rows_get_n (fp_table_get_rows (self->table)))
    {
      g_assert_true (fp_table_keep_more (self->table));
      self->n_told = self->objects->len;
    }
}

static void
check (Fixture *self)
{
  guint n_rows = fp_rows_get_n (fp_table_get_rows (self->table)), n;

  fill (self);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->table));
  self->n_told = MAX (n_rows, MIN (self->n_told, N_KEPT));
  g_assert_cmpuint (n, ==, self->n_told);
  g_assert_cmpuint (n, ==, self->objects->len);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) object = g_list_model_get_item (G_LIST_MODEL (self->table), i);

      g_assert_true (object == g_ptr_array_index (self->objects, i));
      g_assert_cmpint (g_array_index (self->selected, gboolean, i), ==, is_selected (self, i));
      g_assert_true (i < n_rows || !is_selected (self, i));
    }
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (self->table), n));
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->table = fp_table_new ();
  self->objects = g_ptr_array_new_with_free_func (g_object_unref);
  self->selected = g_array_new (FALSE, FALSE, sizeof (gboolean));
  g_signal_connect (self->table, "items-changed", G_CALLBACK (items_changed_cb), self);
  g_signal_connect (self->table, "selection-changed", G_CALLBACK (selection_changed_cb), self);
  g_signal_connect_swapped (self->table, "selection-settled", G_CALLBACK (selection_settled_cb), self);
  fp_rows_set_sort (fp_table_get_rows (self->table), fp_columns_find ("pss", FP_RECORD_PROCESS), TRUE);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  check (self);
  g_assert_finalize_object (self->table);
  g_ptr_array_unref (self->objects);
  g_array_unref (self->selected);
}

/* "pid MiB, …" by ascending pid; start: of all of them */
static void
take (Fixture *self,
      guint64 start,
      const char *population)
{
  g_auto (GStrv) lines = g_strsplit (population, ", ", -1);
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = NULL;

  fixture_snapshot_init (&snapshot, 320);
  for (char **line = lines; *line && **line; line++)
    {
      g_auto (GStrv) words = g_strsplit (*line, " ", -1);
      FpProcess *process = fixture_snapshot_add (&snapshot, atoi (words[0]), words[2] ? words[2] : "p");

      process->start_ticks = start;
      fixture_set_figures (process, (guint64)atoi (words[1]) * MIB, 100 * MIB, 0);
    }
  records = fixture_snapshot_make_records (&snapshot);
  fp_table_update (self->table, records, NULL);
}

static void
update (Fixture *self,
        guint64 start,
        const char *population)
{
  take (self, start, population);
  check (self);
}

static gint
pid_at (Fixture *self,
        guint position)
{
  FpRows *rows = fp_table_get_rows (self->table);
  const FpRow *row = fp_rows_get (rows, position);

  return fp_process_records_get (fp_rows_get_records (rows, row->kind), row->index)->pid;
}

static void
select_row (Fixture *self,
            guint position)
{
  g_assert_true (gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->table), position, TRUE));
  check (self);
}

/* A new order is no change of the list. */
static void
test_order (Fixture *self,
            gconstpointer data)
{
  update (self, 1, "1 10, 2 20, 3 30");
  g_assert_cmpuint (self->n_items_changed, ==, 1);
  update (self, 1, "1 30, 2 20, 3 10");
  update (self, 1, "1 30, 2 40, 3 50");
  g_assert_cmpuint (self->n_items_changed, ==, 1);
  g_assert_cmpint (pid_at (self, 0), ==, 3);
  update (self, 1, "1 30, 2 40, 3 50, 4 60");
  g_assert_cmpuint (self->n_items_changed, ==, 2);
  update (self, 1, "1 30, 2 40, 3 50, 4 60");
  g_assert_cmpuint (self->n_items_changed, ==, 2);
  g_assert_cmpuint (self->n_selection_changed, ==, 0);
}

/* A snapshot of n processes, of which the last has the most memory and is the first row. */
static void
take_many (Fixture *self,
           guint n)
{
  g_autoptr (GString) population = g_string_new (NULL);

  for (guint pid = 1; pid <= n; pid++)
    g_string_append_printf (population, "%s%u %u", pid > 1 ? ", " : "", pid, pid);
  take (self, 1, population->str);
}

static void
update_many (Fixture *self,
             guint n)
{
  take_many (self, n);
  check (self);
}

/* As many rows as have widgets stay in the model; what was selected there is not any more. */
static void
test_shorter (Fixture *self,
              gconstpointer data)
{
  update_many (self, 300);
  self->n_items_changed = 0;
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->table));
  update_many (self, 299);
  update_many (self, 206);
  update_many (self, 205);
  g_assert_cmpuint (self->n_items_changed, ==, 3);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 205);
  update_many (self, 10);
  update_many (self, 0);
  update_many (self, 204);
  g_assert_cmpuint (self->n_items_changed, ==, 3);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
  gtk_selection_model_select_all (GTK_SELECTION_MODEL (self->table));
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 204);
  g_assert_cmpuint (fp_table_find (self->table, (FpKey){ 204, 1 }), ==, 0);
  g_assert_cmpuint (fp_table_find (self->table, (FpKey){ 205, 1 }), ==, GTK_INVALID_LIST_POSITION);
  update_many (self, 206);
  g_assert_cmpuint (self->n_items_changed, ==, 4);
}

/* A list that is new is told in steps, and a row that was not told yet can be neither found nor selected. */
static void
test_in_steps (Fixture *self,
               gconstpointer data)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->table);
  guint n_steps = 0;

  take_many (self, 300);
  g_assert_cmpuint (self->objects->len, ==, N_FIRST);
  g_assert_cmpuint (fp_table_get_n_rows (self->table), ==, N_FIRST);
  g_assert_cmpuint (fp_table_find (self->table, (FpKey){ 300 - N_FIRST + 1, 1 }), ==, N_FIRST - 1);
  g_assert_cmpuint (fp_table_find (self->table, (FpKey){ 300 - N_FIRST, 1 }), ==, GTK_INVALID_LIST_POSITION);
  gtk_selection_model_select_item (model, N_FIRST, TRUE);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
  gtk_selection_model_select_item (model, N_FIRST - 1, TRUE);
  for (guint before = self->objects->len; fp_table_keep_more (self->table); before = self->objects->len, n_steps++)
    if (self->objects->len < 300)
      g_assert_cmpuint (self->objects->len, ==, before + 20);
  g_assert_cmpuint (n_steps, ==, (N_KEPT - N_FIRST + 19) / 20);
  g_assert_cmpuint (self->objects->len, ==, 300);
  g_assert_true (is_selected (self, N_FIRST - 1));
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 1);
  g_assert_cmpuint (fp_table_find (self->table, (FpKey){ 300 - N_FIRST, 1 }), ==, N_FIRST);
}

static void
test_at_once (Fixture *self,
              gconstpointer data)
{
  take_many (self, 300);
  fp_table_tell_all (self->table);
  g_assert_cmpuint (self->objects->len, ==, 300);
  g_assert_cmpuint (self->n_items_changed, ==, 2);
  fp_table_tell_all (self->table);
  g_assert_cmpuint (self->n_items_changed, ==, 2);
}

/* Rows that may be shown are got ready a few at a time; none of them is a row yet. */
static void
test_keeps_more (Fixture *self,
                 gconstpointer data)
{
  guint n_steps = 0;

  fp_rows_set_grouping (fp_table_get_rows (self->table), FP_GROUPING_PROGRAM);
  update_many (self, 9);
  g_assert_cmpuint (self->objects->len, ==, 1);
  while (fp_table_keep_more (self->table))
    self->n_told = self->objects->len;
  g_assert_cmpuint (self->objects->len, ==, 10);
  update_many (self, 300);
  for (guint before = self->objects->len; fp_table_keep_more (self->table); before = self->objects->len, n_steps++)
    {
      self->n_told = self->objects->len;
      g_assert_cmpuint (self->objects->len, <=, before + 20);
      check (self);
    }
  g_assert_cmpuint (n_steps, ==, 10);
  g_assert_cmpuint (self->objects->len, ==, N_KEPT);
  g_assert_cmpuint (fp_rows_get_n (fp_table_get_rows (self->table)), ==, 1);
  fp_table_set_expanded (self->table, 0, TRUE);
  check (self);
  g_assert_cmpuint (self->objects->len, ==, 301);
}

/* A selected row goes out of sight with its group, also where that makes the model shorter. */
static void
test_closed_on_selected (Fixture *self,
                         gconstpointer data)
{
  fp_rows_set_grouping (fp_table_get_rows (self->table), FP_GROUPING_PROGRAM);
  update_many (self, 300);
  fp_table_set_expanded (self->table, 0, TRUE);
  select_row (self, 3);
  self->n_settled = 0;
  fp_table_set_expanded (self->table, 0, FALSE);
  g_assert_cmpuint (self->n_settled, ==, 1);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
}

static void
shrinking_cb (FpTable *table,
              gpointer n_told)
{
  *(guint *)n_told = g_list_model_get_n_items (G_LIST_MODEL (table));
}

/* The view hears of it while it still has the rows. */
static void
test_shrinking (Fixture *self,
                gconstpointer data)
{
  guint n_told = 0;

  g_signal_connect (self->table, "shrinking", G_CALLBACK (shrinking_cb), &n_told);
  update_many (self, 300);
  update_many (self, 310);
  g_assert_cmpuint (n_told, ==, 0);
  update_many (self, 250);
  g_assert_cmpuint (n_told, ==, 310);
}

/* The selection moves with its process; only the two positions that differ are told. */
static void
test_selection_follows (Fixture *self,
                        gconstpointer data)
{
  update (self, 1, "1 10, 2 20, 3 30, 4 40");
  select_row (self, 0);
  g_assert_cmpuint (self->n_selection_changed, ==, 1);
  update (self, 1, "1 10, 2 20, 3 30, 4 5");
  g_assert_cmpuint (self->n_selection_changed, ==, 3);
  g_assert_true (is_selected (self, 3));
  g_assert_cmpint (pid_at (self, 3), ==, 4);
  update (self, 1, "1 10, 2 20, 3 30, 4 6");
  g_assert_cmpuint (self->n_selection_changed, ==, 3);
  update (self, 1, "2 20, 3 30, 4 6");
  g_assert_true (is_selected (self, 2));
}

static void
test_reused_pid (Fixture *self,
                 gconstpointer data)
{
  update (self, 1, "1 10, 2 20");
  select_row (self, 0);
  update (self, 2, "1 10, 2 20");
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
  update (self, 1, "1 10, 2 20");
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
}

/* Out of sight is not gone. */
static void
test_filtered (Fixture *self,
               gconstpointer data)
{
  FpRows *rows = fp_table_get_rows (self->table);

  update (self, 1, "1 10 a, 2 20 b, 3 30 c");
  select_row (self, 1);
  fp_rows_set_query (rows, fp_query_new ("c", FP_RECORD_PROCESS, NULL));
  update (self, 1, "1 10 a, 2 20 b, 3 30 c");
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
  fp_rows_set_query (rows, NULL);
  update (self, 1, "1 10 a, 2 20 b, 3 30 c");
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 1);
  g_assert_true (is_selected (self, 1));
}

static void
test_groups (Fixture *self,
             gconstpointer data)
{
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_rows_set_grouping (fp_table_get_rows (self->table), FP_GROUPING_PROGRAM);
  update (self, 1, "1 10 a, 2 20 b, 3 30 a");
  g_assert_cmpuint (self->objects->len, ==, 2);
  g_assert_cmpuint (fp_rows_get_n (fp_table_get_rows (self->table)), ==, 2);
  fp_table_set_expanded (self->table, 0, TRUE);
  check (self);
  g_assert_cmpuint (self->objects->len, ==, 4);
  select_row (self, 0);
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->table), 1, FALSE);
  fp_table_add_selected (self->table, indices);
  g_assert_cmpuint (indices->len, ==, 2);
  fp_table_set_expanded (self->table, 0, FALSE);
  check (self);
  update (self, 1, "1 10 a, 2 99 b, 3 30 a");
  g_assert_true (is_selected (self, 1));
  g_assert_false (is_selected (self, 0));
}

static void
test_ranges (Fixture *self,
             gconstpointer data)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->table);

  update (self, 1, "1 10, 2 20, 3 30, 4 40, 5 50");
  gtk_selection_model_select_all (model);
  check (self);
  g_assert_cmpuint (self->n_selection_changed, ==, 1);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 5);
  gtk_selection_model_unselect_range (model, 1, 3);
  check (self);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 2);
  gtk_selection_model_select_range (model, 2, 2, TRUE);
  check (self);
  g_assert_true (is_selected (self, 2) && is_selected (self, 3) && !is_selected (self, 0));
  gtk_selection_model_unselect_all (model);
  g_assert_cmpuint (fp_table_get_n_selected (self->table), ==, 0);
}

/* Each of many rows apart is told, and once that this was all. */
static void
test_scattered (Fixture *self,
                gconstpointer data)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->table);
  g_autoptr (GtkBitset) odd = gtk_bitset_new_empty (), all = gtk_bitset_new_range (0, 100);

  update_many (self, 100);
  for (guint i = 1; i < 100; i += 2)
    gtk_bitset_add (odd, i);
  gtk_selection_model_set_selection (model, odd, all);
  g_assert_cmpuint (self->n_selection_changed, ==, 50);
  g_assert_cmpuint (self->n_settled, ==, 1);
  fp_rows_set_sort (fp_table_get_rows (self->table), fp_columns_find ("pss", FP_RECORD_PROCESS), FALSE);
  update_many (self, 100);
  g_assert_true (is_selected (self, 0));
  g_assert_cmpuint (self->n_settled, ==, 2);
  update_many (self, 100);
  g_assert_cmpuint (self->n_settled, ==, 2);
  gtk_selection_model_unselect_all (model);
  g_assert_cmpuint (self->n_selection_changed, ==, 101);
  g_assert_cmpuint (self->n_settled, ==, 3);
}

/* The shadow is right, whatever happens. */
static void
test_random (Fixture *self,
             gconstpointer data)
{
  for (guint round = 0; round < 500; round++)
    {
      g_autoptr (GString) population = g_string_new (NULL);
      guint n;

      for (guint pid = 1; pid <= 40; pid++)
        if (g_test_rand_int_range (0, 5) > 0)
          g_string_append_printf (population, "%s%u %d %c", population->len ? ", " : "", pid,
                                  g_test_rand_int_range (0, 100), g_test_rand_int_range ('a', 'f'));
      fp_rows_set_held (fp_table_get_rows (self->table), g_test_rand_int_range (0, 2));
      if (round % 20 == 0)
        fp_rows_set_grouping (fp_table_get_rows (self->table), (FpGrouping)g_test_rand_int_range (0, FP_N_GROUPINGS));
      update (self, (guint64)g_test_rand_int_range (1, 3), population->str);
      n = fp_rows_get_n (fp_table_get_rows (self->table));
      if (n == 0)
        continue;
      gtk_selection_model_select_item (GTK_SELECTION_MODEL (self->table), (guint)g_test_rand_int_range (0, (gint)n),
                                       g_test_rand_int_range (0, 2));
      check (self);
      n = (guint)g_test_rand_int_range (0, (gint)n);
      if (fp_rows_get (fp_table_get_rows (self->table), n)->kind == FP_ROW_GROUP)
        fp_table_set_expanded (self->table, n, g_test_rand_int_range (0, 2));
      check (self);
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
    { "/table/order", test_order },
    { "/table/selection-follows", test_selection_follows },
    { "/table/reused-pid", test_reused_pid },
    { "/table/filtered", test_filtered },
    { "/table/groups", test_groups },
    { "/table/ranges", test_ranges },
    { "/table/scattered", test_scattered },
    { "/table/shorter", test_shorter },
    { "/table/in-steps", test_in_steps },
    { "/table/at-once", test_at_once },
    { "/table/keeps-more", test_keeps_more },
    { "/table/shrinking", test_shrinking },
    { "/table/closed-on-selected", test_closed_on_selected },
    { "/table/random", test_random },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
