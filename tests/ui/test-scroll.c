// SPDX-License-Identifier: GPL-3.0-or-later
/* The list paints the rows of the model, wherever it is scrolled and however many rows it has:
 * GTK 4.8 shows blank and wrong rows where a list changes in parts. */
#include <adwaita.h>

#include "fixture-snapshot.h"
#include "fp-list-page.h"
#include "fp-local-source.h"
#include "fp-table-view.h"
#include "fp-views.h"
#include "widget-probe.h"

#define N_PROCESSES 10000
#define N_MANY      9000
#define N_FEW       57
#define N_WIDGETS   205
#define FOURTH_PID  9286 /* of the fourth by size */
#define MIB         (G_GUINT64_CONSTANT (1) << 20)

typedef struct
{
  FixtureSnapshot snapshot;
  GtkWidget *window;
  FpSession *session;
  FpListPage *page;
  FpTableView *view;
  GtkAdjustment *adjustment;
  GtkWidget *list;
} Fixture;

static void
paint (Fixture *self)
{
  /* A second frame: what one lays out can change what is bound. */
  for (guint i = 0; i < 2; i++)
    {
      widget_probe_await_frame (self->window);
      while (g_main_context_iteration (NULL, FALSE))
        continue;
    }
}

/* "row" and its number; N_FEW of them are rare and N_MANY are common. data: the PID of one that is selected before
 * any of them is painted */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *button = gtk_button_new_with_label ("Focus");

  fixture_snapshot_init (&self->snapshot, N_PROCESSES);
  for (gint i = 0; i < N_PROCESSES; i++)
    {
      const char *kind = i % (N_PROCESSES / N_FEW) == 0 && i / (N_PROCESSES / N_FEW) < N_FEW ? "rare" : "plain";
      FpProcess *process = fixture_snapshot_add (&self->snapshot, i + 2, i % 10 ? "common" : "other");

      fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_COMMAND, kind);
      process->start_ticks = 1;
      fixture_set_figures (process, (guint64)(1 + i * 7919 % N_PROCESSES) * MIB, 20000 * MIB, 0);
    }
  self->snapshot.snapshot->strings = fp_string_block_ref (self->snapshot.strings.block);
  self->window = adw_window_new ();
  self->session = fp_session_new (GTK_WINDOW (self->window), source);
  self->page = FP_LIST_PAGE (fp_view_new (fp_views_find (FP_PROCESSES_VIEW), self->session));
  fp_view_set_shown (FP_VIEW (self->page), TRUE);
  gtk_box_append (GTK_BOX (box), button);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->page));
  gtk_widget_set_vexpand (GTK_WIDGET (self->page), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 1000, 700);
  adw_window_set_content (ADW_WINDOW (self->window), box);
  gtk_window_set_focus (GTK_WINDOW (self->window), button);
  if (!data)
    fp_session_take (self->session, self->snapshot.snapshot);
  gtk_window_present (GTK_WINDOW (self->window));
  while (!gtk_widget_get_mapped (self->window))
    g_main_context_iteration (NULL, TRUE);
  if (data)
    {
      paint (self);
      fp_session_take (self->session, self->snapshot.snapshot);
      g_assert_true (fp_view_select (FP_VIEW (self->page), GPOINTER_TO_INT (data), FALSE));
    }
  self->view = FP_TABLE_VIEW (widget_probe_find (GTK_WIDGET (self->page), FP_TYPE_TABLE_VIEW));
  self->list = widget_probe_find (GTK_WIDGET (self->page), g_type_from_name ("GtkColumnListView"));
  self->adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  paint (self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_object_unref (self->session);
  fixture_snapshot_clear (&self->snapshot);
}

/* In its cell of PIDs, the second one; GTK tells how the text differs from what is expected. */
static void
check_pid (GtkWidget *row,
           gint pid)
{
  GtkWidget *slot = gtk_widget_get_next_sibling (gtk_widget_get_first_child (row));
  g_autofree char *text = g_strdup_printf ("%d", pid), *difference = NULL;

  difference = gtk_test_accessible_check_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (slot)),
                                                   GTK_ACCESSIBLE_PROPERTY_LABEL, text);
  g_assert_cmpstr (difference, ==, NULL);
}

/* Each row stands where its place in the model says, and there is one wherever the viewport is not past the end. */
static guint
check_rows (Fixture *self)
{
  FpRows *rows = fp_table_get_rows (fp_table_view_get_table (self->view));
  guint n = fp_rows_get_n (rows), n_seen = 0;
  int height = gtk_widget_get_height (self->list), covered = 0;
  double upper = gtk_adjustment_get_upper (self->adjustment), value = gtk_adjustment_get_value (self->adjustment);

  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row; row = gtk_widget_get_next_sibling (row))
    {
      graphene_rect_t box;
      guint position;
      const FpRow *expected;

      if (!gtk_widget_get_mapped (row) || !gtk_widget_compute_bounds (row, self->list, &box) ||
          box.origin.y + box.size.height <= 0 || box.origin.y >= (float)height)
        continue;
      position = (guint)((value + (double)box.origin.y + (double)box.size.height / 2) / (upper / n));
      expected = fp_rows_get (rows, position);
      check_pid (row, fp_process_records_get (fp_rows_get_records (rows, expected->kind), expected->index)->pid);
      covered += (int)(MIN (box.origin.y + box.size.height, (float)height) - MAX (box.origin.y, 0));
      n_seen++;
    }
  g_assert_cmpint (covered, >=, MIN (height, (int)upper) - 2);
  return n_seen;
}

static void
check_everywhere (Fixture *self,
                  guint n)
{
  static const double places[] = { 0, 0.5, 1, 0.25, 0 };
  FpRows *rows = fp_table_get_rows (fp_table_view_get_table (self->view));

  g_assert_cmpuint (fp_rows_get_n (rows), ==, n);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      double end = gtk_adjustment_get_upper (self->adjustment) - gtk_adjustment_get_page_size (self->adjustment);
      guint n_seen;

      gtk_adjustment_set_value (self->adjustment, end * places[i]);
      paint (self);
      n_seen = check_rows (self);
      g_assert_cmpuint (n_seen, >=, 10);
    }
}

/* As many rows as there are have a widget that is shown; of a long list those around the viewport, and where the focus
 * was. */
static void
check_shown (Fixture *self)
{
  guint n = fp_rows_get_n (fp_table_get_rows (fp_table_view_get_table (self->view)));
  guint n_shown = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row; row = gtk_widget_get_next_sibling (row))
    n_shown += gtk_widget_get_visible (row);
  g_assert_cmpuint (n_shown, >=, MIN (n, N_WIDGETS));
  g_assert_cmpuint (n_shown, <=, n);
}

static void
search (Fixture *self,
        const char *text)
{
  fp_view_set_search (FP_VIEW (self->page), text);
  paint (self);
  check_rows (self);
  check_shown (self);
}

static void
test_filter (Fixture *self,
             gconstpointer data)
{
  check_everywhere (self, N_PROCESSES);
  search (self, "program:common");
  check_everywhere (self, N_MANY);
  search (self, "command:rare");
  check_everywhere (self, N_FEW);
  search (self, "program:common");
  check_everywhere (self, N_MANY);
  search (self, "");
  check_everywhere (self, N_PROCESSES);
}

/* The number of rows changes while the list is scrolled to where they may be no more. */
static void
test_filter_scrolled (Fixture *self,
                      gconstpointer data)
{
  static const char *const searches[] = { "program:common", "command:rare", "program:common", "", "command:rare", "" };
  static const double places[] = { 0, 0.5, 1 };

  for (guint k = 0; k < G_N_ELEMENTS (places); k++)
    for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
      {
        double end = gtk_adjustment_get_upper (self->adjustment) - gtk_adjustment_get_page_size (self->adjustment);

        gtk_adjustment_set_value (self->adjustment, end * places[k]);
        paint (self);
        search (self, searches[i]);
      }
}

/* A step of the wheel comes between a new number of rows and the next frame: GTK must know already where they are. */
static void
test_wheel (Fixture *self,
            gconstpointer data)
{
  static const char *const searches[] = { "program:common", "", "command:rare", "program:common", "" };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    {
      gtk_adjustment_set_value (self->adjustment, 500);
      paint (self);
      fp_view_set_search (FP_VIEW (self->page), searches[i]);
      gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment) + 60);
      gtk_adjustment_set_value (self->adjustment, gtk_adjustment_get_value (self->adjustment) - 30);
      paint (self);
      check_rows (self);
    }
}

/* To make 200 rows takes longer than all else in a search. */
static void
test_widgets_kept (Fixture *self,
                   gconstpointer data)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);

  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row; row = gtk_widget_get_next_sibling (row))
    g_hash_table_add (rows, row);
  g_assert_cmpuint (g_hash_table_size (rows), ==, N_WIDGETS);
  search (self, "command:rare");
  fp_view_set_search (FP_VIEW (self->page), "nothing like it");
  paint (self);
  search (self, "");
  for (GtkWidget *row = gtk_widget_get_first_child (self->list); row; row = gtk_widget_get_next_sibling (row))
    g_assert_true (g_hash_table_remove (rows, row));
  g_assert_cmpuint (g_hash_table_size (rows), ==, 0);
}

static GtkWidget *
get_nth_row (Fixture *self,
             guint n)
{
  GtkWidget *row = gtk_widget_get_first_child (self->list);

  for (guint i = 0; i < n; i++)
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* GTK remembers a row that had the focus, and that is hidden by now. */
static void
test_focus (Fixture *self,
            gconstpointer data)
{
  GtkWidget *button = gtk_root_get_focus (GTK_ROOT (self->window)), *focus;

  g_assert_true (gtk_widget_grab_focus (get_nth_row (self, 100)));
  search (self, "command:rare");
  focus = gtk_root_get_focus (GTK_ROOT (self->window));
  g_assert_true (gtk_widget_is_visible (focus) && gtk_widget_is_ancestor (focus, self->list));

  search (self, "");
  g_assert_true (gtk_widget_grab_focus (get_nth_row (self, 100)));
  gtk_widget_grab_focus (button);
  search (self, "command:rare");
  g_assert_true (gtk_root_get_focus (GTK_ROOT (self->window)) == button);
  gtk_widget_child_focus (self->window, GTK_DIR_TAB_FORWARD);
  for (guint i = 0; i < 30 && !gtk_widget_is_ancestor (gtk_root_get_focus (GTK_ROOT (self->window)), self->list); i++)
    gtk_widget_child_focus (self->window, GTK_DIR_TAB_FORWARD);
  focus = gtk_root_get_focus (GTK_ROOT (self->window));
  g_assert_true (gtk_widget_is_visible (focus) && gtk_widget_is_ancestor (focus, self->list));
}

/* A list that gets lower keeps its beginning, whatever row was chosen in it. */
static void
test_lower (Fixture *self,
            gconstpointer data)
{
  int height;

  g_assert_true (gtk_widget_grab_focus (get_nth_row (self, 10)));
  paint (self);
  height = gtk_widget_get_height (self->list);
  gtk_widget_set_margin_top (GTK_WIDGET (self->page), 100);
  paint (self);
  g_assert_cmpint (gtk_widget_get_height (self->list), ==, height - 100);
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (self->adjustment), 0, 0.01);
  check_rows (self);

  /* It does not hinder who scrolls. */
  gtk_adjustment_set_value (self->adjustment, 1000);
  gtk_widget_set_margin_top (GTK_WIDGET (self->page), 0);
  paint (self);
  gtk_widget_set_margin_top (GTK_WIDGET (self->page), 100);
  paint (self);
  g_assert_cmpfloat (gtk_adjustment_get_value (self->adjustment), >, 800);
  check_rows (self);
}

/* A new order where the list is scrolled to: what is read stays where it is, as long as the order is held. */
static void
test_order_scrolled (Fixture *self,
                     gconstpointer data)
{
  double end = gtk_adjustment_get_upper (self->adjustment) - gtk_adjustment_get_page_size (self->adjustment);
  FpRows *rows = fp_table_get_rows (fp_table_view_get_table (self->view));
  const guint middle = N_PROCESSES / 2;
  double value;
  FpKey key;

  gtk_adjustment_set_value (self->adjustment, end / 2);
  paint (self);
  value = gtk_adjustment_get_value (self->adjustment);
  key = fp_rows_get (rows, middle)->key;
  for (guint round = 0; round < 5; round++)
    {
      for (guint i = 0; i < N_PROCESSES; i++)
        fixture_set_figures (&self->snapshot.snapshot->processes[i], (guint64)g_test_rand_int_range (1, 9999) * MIB,
                             20000 * MIB, 0);
      fp_session_take (self->session, self->snapshot.snapshot);
      paint (self);
      check_rows (self);
      g_assert_true (fp_key_equal (&fp_rows_get (rows, middle)->key, &key));
      g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (self->adjustment), value, 0.5);
    }
  gtk_adjustment_set_value (self->adjustment, 0);
  paint (self);
  check_rows (self);
  g_assert_false (fp_key_equal (&fp_rows_get (rows, middle)->key, &key));
}

static void
check_seen (Fixture *self,
            gint pid)
{
  FpRows *rows = fp_table_get_rows (fp_table_view_get_table (self->view));
  double height = gtk_adjustment_get_upper (self->adjustment) / fp_rows_get_n (rows);
  double top = gtk_adjustment_get_value (self->adjustment);
  guint position = 0;

  while (fp_rows_get (rows, position)->kind != FP_ROW_RECORD ||
         fp_process_records_get (fp_session_get (self->session)->records, fp_rows_get (rows, position)->index)->pid != pid)
    g_assert_cmpuint (++position, <, fp_rows_get_n (rows));
  g_assert_cmpfloat (position * height, >=, top - 1);
  g_assert_cmpfloat ((position + 1) * height, <=, top + gtk_adjustment_get_page_size (self->adjustment) + 1);
}

static gint
get_nth_pid (Fixture *self,
             guint n)
{
  FpRows *rows = fp_table_get_rows (fp_table_view_get_table (self->view));

  return fp_process_records_get (fp_session_get (self->session)->records, fp_rows_get (rows, n)->index)->pid;
}

static void
choose (Fixture *self,
        gint pid)
{
  g_assert_true (fp_view_select (FP_VIEW (self->page), pid, FALSE));
  paint (self);
  check_seen (self, pid);
}

/* A row that is asked for is scrolled to, but not where it is seen already. */
static void
test_reveal (Fixture *self,
             gconstpointer data)
{
  static const guint places[] = { 7000, N_PROCESSES - 1, 0, 5000 };
  double value;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      choose (self, get_nth_pid (self, places[i]));
      check_rows (self);
    }
  value = gtk_adjustment_get_value (self->adjustment);
  for (guint i = 0; i < 5; i++)
    {
      choose (self, get_nth_pid (self, 5000 - i));
      choose (self, get_nth_pid (self, 5000 - 5 + i));
    }
  g_assert_cmpfloat_with_epsilon (gtk_adjustment_get_value (self->adjustment), value, 0.5);
  check_rows (self);

  gtk_widget_activate_action (GTK_WIDGET (self->page), "page.group-by", "s", "program");
  paint (self);
  choose (self, 3000);
}

/* Before there is a place for anything nobody can tell whether a row will be in sight. */
static void
test_reveal_at_start (Fixture *self,
                      gconstpointer data)
{
  check_seen (self, GPOINTER_TO_INT (data));
  check_rows (self);
  g_assert_true ((gtk_adjustment_get_value (self->adjustment) > 0) == (GPOINTER_TO_INT (data) != FOURTH_PID));
}

int
main (int argc,
      char *argv[])
{
  /* The text of a cell is asked in the program itself. */
  g_setenv ("GTK_A11Y", "test", TRUE);
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/scroll/filter", Fixture, NULL, set_up, test_filter, tear_down);
  g_test_add ("/scroll/filter-scrolled", Fixture, NULL, set_up, test_filter_scrolled, tear_down);
  g_test_add ("/scroll/wheel", Fixture, NULL, set_up, test_wheel, tear_down);
  g_test_add ("/scroll/widgets-kept", Fixture, NULL, set_up, test_widgets_kept, tear_down);
  g_test_add ("/scroll/focus", Fixture, NULL, set_up, test_focus, tear_down);
  g_test_add ("/scroll/lower", Fixture, NULL, set_up, test_lower, tear_down);
  g_test_add ("/scroll/order-scrolled", Fixture, NULL, set_up, test_order_scrolled, tear_down);
  g_test_add ("/scroll/reveal", Fixture, NULL, set_up, test_reveal, tear_down);
  g_test_add ("/scroll/reveal-at-start", Fixture, GINT_TO_POINTER (5000), set_up, test_reveal_at_start, tear_down);
  g_test_add ("/scroll/reveal-none", Fixture, GINT_TO_POINTER (FOURTH_PID), set_up, test_reveal_at_start, tear_down);
  return g_test_run ();
}
