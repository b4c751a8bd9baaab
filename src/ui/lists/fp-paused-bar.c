// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-paused-bar.h"
#include "fp-successors.h"

struct _FpPausedBar
{
  GtkBox parent;

  /* Template widgets */
  GtkButton *new_records;
  GtkWidget *resume;
  GtkWidget *words;

  FpTableView *view;  /* not owned: the page's */
  FpRecords *records; /* (nullable): the last that were sorted */
};

enum
{
  NEW_REQUESTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpPausedBar, fp_paused_bar, GTK_TYPE_BOX)

static const FpRows *
get_rows (FpPausedBar *self)
{
  return fp_table_get_rows (fp_table_view_get_table (self->view));
}

/* Marks the records that are not among those of the paused order. Free the array. */
static gboolean *
find_new (FpPausedBar *self)
{
  const FpRecords *records = fp_rows_get_records (get_rows (self), FP_ROW_RECORD);
  g_autofree guint *successors = fp_successors_find (self->records, records);
  gboolean *are_new = g_new (gboolean, records->n + 1);

  for (guint i = 0; i < records->n; i++)
    are_new[i] = TRUE;
  for (guint i = 0; i < self->records->n; i++)
    if (successors[i] != FP_NO_SUCCESSOR)
      are_new[successors[i]] = FALSE;
  return are_new;
}

static guint
count_new (FpPausedBar *self)
{
  guint n_matches, n = 0;
  const guint *matches = fp_rows_get_matches (get_rows (self), &n_matches);
  g_autofree gboolean *are_new = find_new (self);

  for (guint i = 0; i < n_matches; i++)
    n += are_new[matches[i]] != FALSE;
  return n;
}

static void
resume_cb (FpPausedBar *self)
{
  fp_order_pause_resume (fp_table_view_get_order_pause (self->view));
}

/* Goes to the first of them as the rows stand, which can be in a closed group. */
static void
new_cb (FpPausedBar *self)
{
  const FpRows *rows = get_rows (self);
  g_autofree gboolean *are_new = self->records ? find_new (self) : NULL;
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; are_new && i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);

      g_array_set_size (members, 0);
      if (row->kind == FP_ROW_RECORD || (row->kind == FP_ROW_GROUP && !row->is_expanded))
        fp_rows_add_members (rows, i, members);
      for (guint j = 0; j < members->len; j++)
        if (are_new[g_array_index (members, guint, j)])
          {
            g_signal_emit (self, signals[NEW_REQUESTED], 0, g_array_index (members, guint, j));
            return;
          }
    }
}

static void
show_new (FpPausedBar *self,
          guint n)
{
  /* Translators: so many rows are new */
  g_autofree char *text = g_strdup_printf (ngettext ("%u new", "%u new", n), n);

  if (n > 0)
    gtk_button_set_label (self->new_records, text);
  gtk_widget_set_visible (GTK_WIDGET (self->new_records), n > 0 && gtk_widget_get_visible (self->words));
}

/* Call this when the rows or the pause have changed. may_show: the rows are on the screen, and can change */
void
fp_paused_bar_update (FpPausedBar *self,
                      gboolean may_show)
{
  gboolean is_paused, is_held;

  g_return_if_fail (FP_IS_PAUSED_BAR (self));

  is_paused = fp_order_pause_is_paused (fp_table_view_get_order_pause (self->view));
  is_held = fp_rows_is_order_held (get_rows (self));
  if (!is_held)
    {
      FpRecords *records = (FpRecords *)fp_rows_get_records (get_rows (self), FP_ROW_RECORD);

      if (records)
        fp_records_ref (records);
      g_clear_pointer (&self->records, fp_records_unref);
      self->records = records;
    }
  gtk_widget_set_visible (self->resume, is_paused && may_show);
  show_new (self, is_paused && may_show && is_held ? count_new (self) : 0);
}

/* A narrow window has room for the icon beside the sum. */
void
fp_paused_bar_set_narrow (FpPausedBar *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_PAUSED_BAR (self));

  gtk_widget_set_visible (self->words, !is_narrow);
}

/* The view must live longer. */
void
fp_paused_bar_set_view (FpPausedBar *self,
                        FpTableView *view)
{
  g_return_if_fail (FP_IS_PAUSED_BAR (self));

  self->view = view;
}

static void
fp_paused_bar_dispose (GObject *object)
{
  g_clear_pointer (&FP_PAUSED_BAR (object)->records, fp_records_unref);

  G_OBJECT_CLASS (fp_paused_bar_parent_class)->dispose (object);
}

static void
fp_paused_bar_class_init (FpPausedBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_paused_bar_dispose;

  signals[NEW_REQUESTED] = g_signal_new ("new-requested", FP_TYPE_PAUSED_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                         G_TYPE_NONE, 1, G_TYPE_UINT);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-paused-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpPausedBar, new_records);
  gtk_widget_class_bind_template_child (widget_class, FpPausedBar, resume);
  gtk_widget_class_bind_template_child (widget_class, FpPausedBar, words);
  gtk_widget_class_bind_template_callback (widget_class, new_cb);
  gtk_widget_class_bind_template_callback (widget_class, resume_cb);
}

static void
fp_paused_bar_init (FpPausedBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
