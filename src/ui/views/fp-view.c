// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-view.h"

typedef struct
{
  const FpViewInfo *info;
  FpSession *session;
  char *search; /* NULL: none */
  gboolean is_shown;
  gboolean is_stale; /* the next refresh was put off until it is shown */
} FpViewPrivate;

static guint target_changed_signal;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (FpView, fp_view, GTK_TYPE_WIDGET)

static FpViewPrivate *
get_private (FpView *self)
{
  return fp_view_get_instance_private (self);
}

static guint
get_needs (FpView *self)
{
  guint own = FP_VIEW_GET_CLASS (self)->get_needs ? FP_VIEW_GET_CLASS (self)->get_needs (self) : 0;

  return get_private (self)->info->needs | own;
}

static void
catch_up (FpView *self)
{
  FpViewPrivate *private = get_private (self);

  if (!private->is_shown)
    return;
  if (private->is_stale)
    FP_VIEW_GET_CLASS (self)->refresh (self);
  private->is_stale = FALSE;
  fp_view_update_needs (self);
  g_signal_emit (self, target_changed_signal, 0);
}

/* The window says why there is nothing new; a view says why there is nothing. */
static void
problem_cb (FpView *self)
{
  if (!fp_session_get (get_private (self)->session)->records)
    fp_view_refresh (self);
}

static void
show_machine (FpView *self,
              FpDetailPane *pane)
{
  const FpSessionState *state = fp_session_get (fp_view_get_session (self));
  gboolean is_whole = fp_system_get (&state->snapshot->system, FP_SYSTEM_HIDDEN_TASKS) == 0;

  fp_detail_pane_show (pane, &(FpDetailTarget){
                                 .records = state->sum,
                                 .title = is_whole ? _ ("This machine") : _ ("All that is seen here"),
                             });
}

static void
fp_view_finalize (GObject *object)
{
  FpViewPrivate *private = get_private (FP_VIEW (object));

  g_clear_object (&private->session);
  g_free (private->search);

  G_OBJECT_CLASS (fp_view_parent_class)->finalize (object);
}

static void
fp_view_class_init (FpViewClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_view_finalize;
  class->show_target = show_machine;

  target_changed_signal =
      g_signal_new ("target-changed", FP_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_view_init (FpView *self)
{
}

FpView *
fp_view_new (const FpViewInfo *info,
             FpSession *session)
{
  FpView *self;
  FpViewPrivate *private;

  g_return_val_if_fail (info, NULL);
  g_return_val_if_fail (FP_IS_SESSION (session), NULL);

  self = g_object_new (info->get_type (), NULL);
  private = get_private (self);
  private->info = info;
  private->session = g_object_ref (session);
  if (FP_VIEW_GET_CLASS (self)->set_up)
    FP_VIEW_GET_CLASS (self)->set_up (self);
  g_signal_connect_object (session, "refreshed", G_CALLBACK (fp_view_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::format", G_CALLBACK (fp_view_refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::problem", G_CALLBACK (problem_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_session_get (session)->access, "changed", G_CALLBACK (fp_view_refresh), self,
                           G_CONNECT_SWAPPED);
  return self;
}

const FpViewInfo *
fp_view_get_info (FpView *self)
{
  g_return_val_if_fail (FP_IS_VIEW (self), NULL);

  return get_private (self)->info;
}

FpSession *
fp_view_get_session (FpView *self)
{
  g_return_val_if_fail (FP_IS_VIEW (self), NULL);

  return get_private (self)->session;
}

/* NULL or empty: all is shown */
const char *
fp_view_get_search (FpView *self)
{
  g_return_val_if_fail (FP_IS_VIEW (self), NULL);

  return get_private (self)->search;
}

/* Its window shows this view of all. It need not be mapped for that: in a narrow window the details can be in its place. */
void
fp_view_set_shown (FpView *self,
                   gboolean is_shown)
{
  g_return_if_fail (FP_IS_VIEW (self));

  get_private (self)->is_shown = is_shown;
  fp_view_update_needs (self);
  catch_up (self);
}

void
fp_view_set_search (FpView *self,
                    const char *text)
{
  FpViewPrivate *private;

  g_return_if_fail (FP_IS_VIEW (self));

  private = get_private (self);
  if (g_strcmp0 (private->search, text) == 0)
    return;
  g_free (private->search);
  private->search = g_strdup (text);
  fp_view_refresh (self);
}

/* At once, or when it is shown again. */
void
fp_view_refresh (FpView *self)
{
  g_return_if_fail (FP_IS_VIEW (self));

  get_private (self)->is_stale = TRUE;
  catch_up (self);
}

gboolean
fp_view_is_ready (FpView *self)
{
  g_return_val_if_fail (FP_IS_VIEW (self), FALSE);

  return !FP_VIEW_GET_CLASS (self)->is_ready || FP_VIEW_GET_CLASS (self)->is_ready (self);
}

void
fp_view_read_again (FpView *self)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->read_again)
    FP_VIEW_GET_CLASS (self)->read_again (self);
}

/* Its columns or its search may have others than before. */
void
fp_view_update_needs (FpView *self)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (get_private (self)->is_shown)
    fp_session_set_needs (get_private (self)->session, FP_NEEDER_VIEW, get_needs (self));
}

void
fp_view_show_target (FpView *self,
                     FpDetailPane *pane)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (fp_session_get (fp_view_get_session (self))->records)
    FP_VIEW_GET_CLASS (self)->show_target (self, pane);
}

gboolean
fp_view_select (FpView *self,
                gint pid,
                gboolean may_show_all)
{
  g_return_val_if_fail (FP_IS_VIEW (self), FALSE);

  return FP_VIEW_GET_CLASS (self)->select && FP_VIEW_GET_CLASS (self)->select (self, pid, may_show_all);
}

void
fp_view_show_all (FpView *self)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->show_all)
    FP_VIEW_GET_CLASS (self)->show_all (self);
}

/* Not as the widget's grab_focus (), which GTK calls for Tab, too: that would never lead out of the view. */
void
fp_view_focus (FpView *self)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->focus)
    FP_VIEW_GET_CLASS (self)->focus (self);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self));
}

void
fp_view_add_attention (FpView *self,
                       GArray *ids)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->add_attention)
    FP_VIEW_GET_CLASS (self)->add_attention (self, ids);
}

void
fp_view_set_narrow (FpView *self,
                    gboolean is_narrow)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->set_narrow)
    FP_VIEW_GET_CLASS (self)->set_narrow (self, is_narrow);
}

FpTableColumns *
fp_view_get_columns (FpView *self)
{
  g_return_val_if_fail (FP_IS_VIEW (self), NULL);

  return FP_VIEW_GET_CLASS (self)->get_columns ? FP_VIEW_GET_CLASS (self)->get_columns (self) : NULL;
}

void
fp_view_save (FpView *self,
              GSettings *settings)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->save)
    FP_VIEW_GET_CLASS (self)->save (self, settings);
}

void
fp_view_restore (FpView *self,
                 GSettings *settings)
{
  g_return_if_fail (FP_IS_VIEW (self));

  if (FP_VIEW_GET_CLASS (self)->restore)
    FP_VIEW_GET_CLASS (self)->restore (self, settings);
}
