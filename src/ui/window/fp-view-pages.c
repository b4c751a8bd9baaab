// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-view-pages.h"
#include "fp-views.h"

struct _FpViewPages
{
  GObject parent;

  AdwViewStack *stack; /* not owned: the window has it, and the views in it */
  FpSession *session;
  GSettings *settings;
  GPtrArray *views; /* in the order of their table; NULL: not made yet */

  /* For those that are still to be made */
  char *search;
  gboolean is_narrow;
};

static guint target_changed_signal;

G_DEFINE_FINAL_TYPE (FpViewPages, fp_view_pages, G_TYPE_OBJECT)

static void
fp_view_pages_finalize (GObject *object)
{
  FpViewPages *self = FP_VIEW_PAGES (object);

  g_object_unref (self->session);
  g_object_unref (self->settings);
  g_ptr_array_unref (self->views);
  g_free (self->search);

  G_OBJECT_CLASS (fp_view_pages_parent_class)->finalize (object);
}

static void
fp_view_pages_class_init (FpViewPagesClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_view_pages_finalize;

  target_changed_signal =
      g_signal_new ("target-changed", FP_TYPE_VIEW_PAGES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_view_pages_init (FpViewPages *self)
{
  self->views = g_ptr_array_new ();
}

static void
target_changed_cb (FpViewPages *self)
{
  g_signal_emit (self, target_changed_signal, 0);
}

static FpView *
get_view (FpViewPages *self,
          guint i)
{
  FpView *view = self->views->pdata[i];

  if (view)
    return view;
  self->views->pdata[i] = view = fp_view_new (&fp_views[i], self->session);
  adw_bin_set_child (ADW_BIN (adw_view_stack_get_child_by_name (self->stack, fp_views[i].id)), GTK_WIDGET (view));
  fp_view_restore (view, self->settings);
  fp_view_set_narrow (view, self->is_narrow);
  fp_view_set_search (view, self->search);
  g_signal_connect_object (view, "target-changed", G_CALLBACK (target_changed_cb), self, G_CONNECT_SWAPPED);
  /* A saved snapshot, or one that is held, brings nothing new that would do it. */
  fp_view_refresh (view);
  return view;
}

/* The stack tells of another page when it has moved the focus there, which takes something that can have it. */
static void
map_cb (FpViewPages *self)
{
  fp_view_pages_get_shown (self);
}

static void
update_shown (FpViewPages *self)
{
  FpView *shown = fp_view_pages_get_shown (self);

  for (guint i = 0; i < self->views->len; i++)
    if (self->views->pdata[i])
      fp_view_set_shown (self->views->pdata[i], self->views->pdata[i] == shown);
}

static void
shown_changed_cb (FpViewPages *self)
{
  update_shown (self);
  g_settings_set_string (self->settings, "view", adw_view_stack_get_visible_child_name (self->stack));
}

/* Shows the view of the settings first. */
FpViewPages *
fp_view_pages_new (AdwViewStack *stack,
                   FpSession *session,
                   GSettings *settings)
{
  FpViewPages *self = g_object_new (FP_TYPE_VIEW_PAGES, NULL);
  g_autofree char *first = g_settings_get_string (settings, "view");

  self->stack = stack;
  self->session = g_object_ref (session);
  self->settings = g_object_ref (settings);
  g_ptr_array_set_size (self->views, (gint)fp_n_views);
  for (guint i = 0; i < fp_n_views; i++)
    {
      GtkWidget *child = adw_bin_new ();
      AdwViewStackPage *page = adw_view_stack_add_titled (stack, child, fp_views[i].id, g_dpgettext2 (NULL, "view", fp_views[i].title));

      g_signal_connect_object (child, "map", G_CALLBACK (map_cb), self, G_CONNECT_SWAPPED);
      adw_view_stack_page_set_icon_name (page, fp_views[i].icon);
      adw_view_stack_page_set_visible (page, !fp_views_explain_missing (&fp_views[i], fp_session_get (session)->source));
    }
  fp_view_pages_show (self, first);
  update_shown (self);
  g_signal_connect_object (stack, "notify::visible-child", G_CALLBACK (shown_changed_cb), self, G_CONNECT_SWAPPED);
  return self;
}

FpView *
fp_view_pages_get_shown (FpViewPages *self)
{
  const char *id;
  guint i = 0;

  g_return_val_if_fail (FP_IS_VIEW_PAGES (self), NULL);

  id = adw_view_stack_get_visible_child_name (self->stack);
  while (!g_str_equal (fp_views[i].id, id))
    i++;
  return get_view (self, i);
}

/* FALSE: there is none of this name, or it has nothing to show */
gboolean
fp_view_pages_show (FpViewPages *self,
                    const char *id)
{
  GtkWidget *child;

  g_return_val_if_fail (FP_IS_VIEW_PAGES (self), FALSE);

  child = adw_view_stack_get_child_by_name (self->stack, id);
  if (!child || !adw_view_stack_page_get_visible (adw_view_stack_get_page (self->stack, child)))
    return FALSE;
  adw_view_stack_set_visible_child (self->stack, child);
  return TRUE;
}

void
fp_view_pages_set_search (FpViewPages *self,
                          const char *text)
{
  g_return_if_fail (FP_IS_VIEW_PAGES (self));

  g_free (self->search);
  self->search = g_strdup (text);
  for (guint i = 0; i < self->views->len; i++)
    if (self->views->pdata[i])
      fp_view_set_search (self->views->pdata[i], text);
}

void
fp_view_pages_set_narrow (FpViewPages *self,
                          gboolean is_narrow)
{
  g_return_if_fail (FP_IS_VIEW_PAGES (self));

  self->is_narrow = is_narrow;
  for (guint i = 0; i < self->views->len; i++)
    if (self->views->pdata[i])
      fp_view_set_narrow (self->views->pdata[i], is_narrow);
}

/* FP_COLUMNS_TYPE; a view without a list has none. */
GVariant *
fp_view_pages_get_columns (FpViewPages *self)
{
  GVariantBuilder builder;

  g_return_val_if_fail (FP_IS_VIEW_PAGES (self), NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE (FP_COLUMNS_TYPE));
  for (guint i = 0; i < self->views->len; i++)
    {
      FpTableColumns *columns = fp_view_get_columns (get_view (self, i));

      g_variant_builder_add_value (&builder, columns ? fp_table_columns_to_variant (columns) : g_variant_new ("a(sbi)", NULL));
    }
  return g_variant_builder_end (&builder);
}

/* columns: NULL for the usual ones */
void
fp_view_pages_set_columns (FpViewPages *self,
                           GVariant *columns)
{
  g_return_if_fail (FP_IS_VIEW_PAGES (self));

  for (guint i = 0; i < self->views->len; i++)
    {
      g_autoptr (GVariant) of_view = columns ? g_variant_get_child_value (columns, i) : NULL;
      FpTableColumns *shown = fp_view_get_columns (get_view (self, i));

      if (shown)
        fp_table_columns_take_variant (shown, of_view);
    }
}

/* A view that was never made is as the settings have it. */
void
fp_view_pages_save (FpViewPages *self)
{
  g_return_if_fail (FP_IS_VIEW_PAGES (self));

  for (guint i = 0; i < self->views->len; i++)
    if (self->views->pdata[i])
      fp_view_save (self->views->pdata[i], self->settings);
}
