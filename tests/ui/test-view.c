// SPDX-License-Identifier: GPL-3.0-or-later
/* Views watch one session: those that are hidden do nothing until they are shown. */
#include <adwaita.h>

#include "fixture-snapshot.h"
#include "fp-list-page.h"
#include "fp-local-source.h"
#include "fp-table-view.h"
#include "fp-totals.h"
#include "fp-views.h"
#include "widget-probe.h"

#define N_USERS 3
#define MIB     (G_GUINT64_CONSTANT (1) << 20)

/* A view that counts its refreshes */
#define COUNTER_TYPE_VIEW (counter_view_get_type ())
G_DECLARE_FINAL_TYPE (CounterView, counter_view, COUNTER, VIEW, FpView)

struct _CounterView
{
  FpView parent;

  guint n_refreshes;
};

G_DEFINE_FINAL_TYPE (CounterView, counter_view, FP_TYPE_VIEW)

static void
counter_view_refresh (FpView *view)
{
  COUNTER_VIEW (view)->n_refreshes++;
}

static void
counter_view_class_init (CounterViewClass *class)
{
  FP_VIEW_CLASS (class)->refresh = counter_view_refresh;
}

static void
counter_view_init (CounterView *self)
{
}

typedef struct
{
  FixtureSnapshot snapshot;
  GtkWidget *window;
  FpSession *session;
  guint n_refreshed;
  guint n_targets;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");

  fixture_snapshot_init (&self->snapshot, 2 * N_USERS);
  for (gint i = 0; i < 2 * N_USERS; i++)
    {
      g_autofree char *user = g_strdup_printf ("user%d", i % N_USERS);
      FpProcess *process = fixture_snapshot_add (&self->snapshot, i + 2, "program");

      fixture_snapshot_set_text (&self->snapshot, process, FP_TEXT_USER, user);
      fixture_set_figures (process, (guint64)(i + 1) * MIB, 100 * MIB, 0);
    }
  self->snapshot.snapshot->strings = fp_string_block_ref (self->snapshot.strings.block);
  self->window = g_object_ref_sink (adw_window_new ());
  self->session = fp_session_new (GTK_WINDOW (self->window), source);
  g_signal_connect_swapped (self->session, "refreshed", G_CALLBACK (widget_probe_count_cb), &self->n_refreshed);
}

/* A request for groups, which the view of users needs, holds the session until it is answered. */
static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_object_add_weak_pointer (G_OBJECT (self->session), (gpointer *)&self->session);
  g_object_unref (self->session);
  while (self->session)
    g_main_context_iteration (NULL, TRUE);
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_assert_finalize_object (self->window);
  fixture_snapshot_clear (&self->snapshot);
}

static FpView *
make_view (Fixture *self,
           const FpViewInfo *info)
{
  FpView *view = g_object_ref_sink (fp_view_new (info, self->session));

  g_signal_connect_swapped (view, "target-changed", G_CALLBACK (widget_probe_count_cb), &self->n_targets);
  return view;
}

/* However often the session and the search change meanwhile, a view that is shown again refreshes once. */
static void
test_hidden (Fixture *self,
             gconstpointer data)
{
  const FpViewInfo info = { .id = "counter", .title = "Counter", .get_type = counter_view_get_type };
  FpView *view = make_view (self, &info);
  CounterView *counter = COUNTER_VIEW (view);

  fp_session_take (self->session, self->snapshot.snapshot);
  fp_session_take (self->session, self->snapshot.snapshot);
  fp_session_set_figure_style (self->session, FP_STYLE_PERCENT);
  fp_view_set_search (view, "program");
  fp_read_access_update (fp_session_get (self->session)->access);
  g_assert_cmpuint (self->n_refreshed, ==, 2);
  g_assert_cmpuint (counter->n_refreshes, ==, 0);
  g_assert_cmpuint (self->n_targets, ==, 0);
  fp_view_set_shown (view, TRUE);
  g_assert_cmpuint (counter->n_refreshes, ==, 1);
  g_assert_cmpuint (self->n_targets, ==, 1);

  fp_session_take (self->session, self->snapshot.snapshot);
  g_assert_cmpuint (counter->n_refreshes, ==, 2);
  fp_view_set_search (view, "other");
  fp_view_set_search (view, "other");
  g_assert_cmpuint (counter->n_refreshes, ==, 3);

  /* Nothing was missed. */
  fp_view_set_shown (view, FALSE);
  fp_view_set_shown (view, TRUE);
  g_assert_cmpuint (counter->n_refreshes, ==, 3);
  g_assert_finalize_object (view);
}

/* A hidden list has no rows before it is shown, and then those of the last search. */
static void
test_hidden_lists (Fixture *self,
                   gconstpointer data)
{
  static const char *const lists[] = { FP_PROCESSES_VIEW, "users" };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      FpView *view = make_view (self, fp_views_find (lists[i]));
      GtkWidget *table_view = widget_probe_find (GTK_WIDGET (view), FP_TYPE_TABLE_VIEW);
      FpRows *rows = fp_table_get_rows (fp_table_view_get_table (FP_TABLE_VIEW (table_view)));

      fp_session_take (self->session, self->snapshot.snapshot);
      fp_view_set_search (view, "user:user1");
      g_assert_cmpuint (fp_rows_get_n (rows), ==, 0);
      fp_view_set_shown (view, TRUE);
      g_assert_cmpuint (fp_rows_get_n (rows), >, 0);
      g_assert_finalize_object (view);
    }
}

/* Totals and their sum are of all programs, and of the snapshot that is shown. */
static void
test_totals (Fixture *self,
             gconstpointer data)
{
  const FpSessionState *state = fp_session_get (self->session);

  g_assert_null (state->totals);
  fp_session_take (self->session, self->snapshot.snapshot);
  g_assert_true (state->is_live);
  g_assert_cmpuint (state->totals->n, ==, N_USERS);
  g_assert_cmpuint (fp_totals_get (state->sum, 0)->n_members, ==, 2 * N_USERS);
  g_assert_cmpuint (fp_totals_get (state->sum, 0)->low[FP_FIELD_PSS], ==, 21 * MIB);
}

/* Each view is found by its name, and no two by one key. */
static void
test_table (void)
{
  for (guint i = 0; i < fp_n_views; i++)
    {
      guint key;
      GdkModifierType modifiers;

      g_assert_true (gtk_accelerator_parse (fp_views[i].accel, &key, &modifiers));
      g_assert_true (g_type_is_a (fp_views[i].get_type (), FP_TYPE_VIEW));
      for (guint j = 0; j < i; j++)
        {
          g_assert_cmpstr (fp_views[i].id, !=, fp_views[j].id);
          g_assert_cmpstr (fp_views[i].accel, !=, fp_views[j].accel);
        }
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/views/hidden", Fixture, NULL, set_up, test_hidden, tear_down);
  g_test_add ("/views/hidden-lists", Fixture, NULL, set_up, test_hidden_lists, tear_down);
  g_test_add ("/views/totals", Fixture, NULL, set_up, test_totals, tear_down);
  g_test_add_func ("/views/table", test_table);
  return g_test_run ();
}
