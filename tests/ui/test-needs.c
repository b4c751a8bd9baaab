// SPDX-License-Identifier: GPL-3.0-or-later
/* A request that goes with each snapshot may be answered late or never. */
#include <adwaita.h>

#include "fake-source.h"
#include "fp-session.h"
#include "fp-table-columns.h"
#include "fp-views.h"
#include "widget-probe.h"

typedef struct
{
  FakeSource *source;
  GtkWidget *window;
  FpSession *session;
  guint n_refreshed;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->source = fake_source_new ();
  self->window = g_object_ref_sink (adw_window_new ());
  self->session = fp_session_new (GTK_WINDOW (self->window), FP_SOURCE (self->source));
  g_signal_connect_swapped (self->session, "refreshed", G_CALLBACK (widget_probe_count_cb), &self->n_refreshed);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  fake_source_answer_groups (self->source);
  widget_probe_settle (20);
  g_assert_finalize_object (self->session);
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_assert_finalize_object (self->window);
  g_assert_finalize_object (self->source);
}

static void
refresh (Fixture *self)
{
  guint n = self->n_refreshed;

  fp_collector_set_visible (fp_session_get (self->session)->collector, TRUE);
  fp_collector_shown (fp_session_get (self->session)->collector);
  fp_collector_refresh (fp_session_get (self->session)->collector);
  for (guint i = 0; self->n_refreshed == n && i < 200; i++)
    widget_probe_settle (10);
  g_assert_cmpuint (self->n_refreshed, ==, n + 1);
}

/* The views go on without the answer, and only the first refresh waits for it. */
static void
test_never (Fixture *self,
            gconstpointer data)
{
  gint64 start;

  self->source->is_slow = TRUE;
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, FP_NEED_CONTROL_GROUPS);
  refresh (self);
  g_assert_null (fp_session_get (self->session)->groups);
  start = g_get_monotonic_time ();
  refresh (self);
  refresh (self);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 400 * G_TIME_SPAN_MILLISECOND);
  g_assert_cmpuint (self->source->n_groups, ==, 1);
}

/* The first answer is told as soon as it comes, and later ones with the next snapshot. */
static void
test_late (Fixture *self,
           gconstpointer data)
{
  self->source->is_slow = TRUE;
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, FP_NEED_CONTROL_GROUPS);
  refresh (self);
  fake_source_answer_groups (self->source);
  widget_probe_settle (50);
  g_assert_cmpuint (self->n_refreshed, ==, 2);
  g_assert_nonnull (fp_session_get (self->session)->groups);

  refresh (self);
  g_assert_nonnull (fp_session_get (self->session)->groups);
  fake_source_answer_groups (self->source);
  widget_probe_settle (50);
  g_assert_cmpuint (self->n_refreshed, ==, 3);
}

/* An answer in time comes with its snapshot. */
static void
test_in_time (Fixture *self,
              gconstpointer data)
{
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, FP_NEED_CONTROL_GROUPS);
  refresh (self);
  g_assert_nonnull (fp_session_get (self->session)->groups);
  widget_probe_settle (300);
  g_assert_cmpuint (self->n_refreshed, ==, 1);
}

/* Nothing is kept for a view that was hidden meanwhile, and nobody waits for it. */
static void
test_hidden (Fixture *self,
             gconstpointer data)
{
  self->source->is_slow = TRUE;
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, FP_NEED_CONTROL_GROUPS);
  refresh (self);
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, 0);
  fake_source_answer_groups (self->source);
  widget_probe_settle (50);
  g_assert_null (fp_session_get (self->session)->groups);
  g_assert_null (fp_session_get (self->session)->group_records);
  g_assert_cmpuint (self->n_refreshed, ==, 1);
}

/* A request is made until the last part of the window that needs it lets go. */
static void
test_needers (Fixture *self,
              gconstpointer data)
{
  const FpSessionState *state = fp_session_get (self->session);

  refresh (self);
  g_assert_cmpuint (self->source->n_kept, ==, 0);
  fp_session_set_needs (self->session, FP_NEEDER_PANE, FP_NEED_KEPT);
  widget_probe_settle (50);
  g_assert_cmpuint (self->source->n_kept, ==, 1);
  g_assert_nonnull (state->kept);
  g_assert_cmpuint (self->n_refreshed, ==, 2);
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, FP_NEED_KEPT);
  fp_session_set_needs (self->session, FP_NEEDER_PANE, 0);
  g_assert_cmpuint (self->source->n_kept, ==, 1);
  g_assert_nonnull (state->kept);
  refresh (self);
  g_assert_cmpuint (self->source->n_kept, ==, 2);
  g_assert_nonnull (state->kept);
  fp_session_set_needs (self->session, FP_NEEDER_VIEW, 0);
  g_assert_null (state->kept);
  refresh (self);
  g_assert_cmpuint (self->source->n_kept, ==, 2);
}

static GtkListItemFactory *
make_factory (const FpColumn *column,
              gpointer data)
{
  return gtk_signal_list_item_factory_new ();
}

static void
show (FpTableColumns *columns,
      gboolean is_shown)
{
  g_action_group_change_action_state (fp_table_columns_get_actions (columns), "graphics", g_variant_new_boolean (is_shown));
}

/* A column that is shown, or that the table is sorted by. */
static void
test_columns (void)
{
  GtkWidget *view = g_object_ref_sink (gtk_column_view_new (NULL));
  FpTableColumns *columns = fp_table_columns_new (GTK_COLUMN_VIEW (view), make_factory, NULL);
  guint n = 0;

  fp_table_columns_add (columns, &fp_table_layouts[FP_TABLE_PROCESSES]);
  g_signal_connect_swapped (columns, "needs-changed", G_CALLBACK (widget_probe_count_cb), &n);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, 0);
  show (columns, TRUE);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, FP_NEED_KEPT);
  g_assert_cmpuint (n, ==, 1);
  fp_table_columns_set_narrow (columns, TRUE);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, 0);
  fp_table_columns_set_sort (columns, "graphics", TRUE);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, FP_NEED_KEPT);
  g_assert_cmpuint (n, ==, 3);
  fp_table_columns_set_narrow (columns, FALSE);
  show (columns, FALSE);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, FP_NEED_KEPT);
  fp_table_columns_set_sort (columns, "pss", TRUE);
  g_assert_cmpuint (fp_table_columns_get_needs (columns), ==, 0);
  g_assert_cmpuint (n, ==, 4);
  g_object_unref (columns);
  g_object_unref (view);
}

static void
expect_kept (Fixture *self,
             gboolean is_kept)
{
  widget_probe_settle (50);
  g_assert_true ((fp_session_get (self->session)->kept != NULL) == is_kept);
}

/* A view asks for what its columns and its search need, and only while it is shown. */
static void
test_view (Fixture *self,
           gconstpointer data)
{
  FpView *view = g_object_ref_sink (fp_view_new (fp_views_find (FP_PROCESSES_VIEW), self->session));
  FpView *other = g_object_ref_sink (fp_view_new (fp_views_find ("users"), self->session));
  FpTableColumns *columns = fp_view_get_columns (view);

  show (columns, TRUE);
  refresh (self);
  expect_kept (self, FALSE);
  fp_view_set_shown (view, TRUE);
  expect_kept (self, TRUE);
  show (columns, FALSE);
  expect_kept (self, FALSE);
  fp_view_set_search (view, "graphics>0");
  expect_kept (self, TRUE);
  fp_view_set_shown (view, FALSE);
  fp_view_set_shown (other, TRUE);
  expect_kept (self, FALSE);
  fp_view_set_shown (other, FALSE);
  fp_view_set_shown (view, TRUE);
  expect_kept (self, TRUE);
  fp_view_set_search (view, NULL);
  expect_kept (self, FALSE);
  g_object_unref (view);
  g_object_unref (other);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/needs/never", Fixture, NULL, set_up, test_never, tear_down);
  g_test_add ("/needs/late", Fixture, NULL, set_up, test_late, tear_down);
  g_test_add ("/needs/in-time", Fixture, NULL, set_up, test_in_time, tear_down);
  g_test_add ("/needs/hidden", Fixture, NULL, set_up, test_hidden, tear_down);
  g_test_add ("/needs/needers", Fixture, NULL, set_up, test_needers, tear_down);
  g_test_add_func ("/needs/columns", test_columns);
  g_test_add ("/needs/view", Fixture, NULL, set_up, test_view, tear_down);
  return g_test_run ();
}
