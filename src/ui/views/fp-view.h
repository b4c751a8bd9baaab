// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-detail-pane.h"
#include "fp-table-columns.h"

G_BEGIN_DECLS

#define FP_TYPE_VIEW (fp_view_get_type ())

/* A view of the session, of which the window shows one at a time. It refreshes when the session has something new, or,
 * while it is hidden, once when it is shown again. Views ask the window for more through its actions: win.search-for (s)
 * in the processes, win.search-groups (s), win.search-files (s), win.show-process (i), win.clear-search, win.show-details,
 * win.report (s), a line for a toast, win.mark and win.mark-at (t), a moment of CLOCK_BOOTTIME from which changes count.
 *
 * ::target-changed: fp_view_show_target () would now show something else */
G_DECLARE_DERIVABLE_TYPE (FpView, fp_view, FP, VIEW, GtkWidget)

/* A view's row in the table of views. */
typedef struct
{
  const char *id; /* on the command line and in settings; never translated */
  const char *title;
  const char *icon;
  const char *accel;
  const char *settings; /* (nullable): its settings keys begin with this */
  GType (*get_type) (void);
  gconstpointer kind; /* (nullable): what the class needs to know where several views are of one class */
  guint needs;        /* bits of FpNeed that it always has */
  guint requires;     /* bits of the requests without whose answers it has nothing to show */
} FpViewInfo;

/* Only refresh must be implemented. */
struct _FpViewClass
{
  GtkWidgetClass parent;

  void (*set_up) (FpView *self);
  void (*refresh) (FpView *self); /* the session's snapshot, format, problem or access, or the search is new */

  gboolean (*is_ready) (FpView *self); /* (nullable): it shows all that it waits for */
  void (*focus) (FpView *self);        /* (nullable): what is read first gets the focus */
  void (*read_again) (FpView *self);   /* what no snapshot brings: somebody asked for it */

  /* In the pane: the selection, or the whole machine. */
  void (*show_target) (FpView *self, FpDetailPane *pane);

  /* may_show_all: also where filter or search hide it, which then are others. FALSE: it is not there, or hidden */
  gboolean (*select) (FpView *self, gint pid, gboolean may_show_all);
  void (*show_all) (FpView *self);                   /* takes all filters back */
  void (*add_attention) (FpView *self, GArray *ids); /* FpProcessId of those on screen or selected */
  void (*set_narrow) (FpView *self, gboolean is_narrow);
  FpTableColumns *(*get_columns) (FpView *self); /* (nullable) */
  guint (*get_needs) (FpView *self);             /* (nullable): bits of FpNeed, beside those of its row */
  void (*save) (FpView *self, GSettings *settings);
  void (*restore) (FpView *self, GSettings *settings);
};

FpView *fp_view_new (const FpViewInfo *info, FpSession *session);
const FpViewInfo *fp_view_get_info (FpView *self);
FpSession *fp_view_get_session (FpView *self);
const char *fp_view_get_search (FpView *self);

void fp_view_set_shown (FpView *self, gboolean is_shown);
void fp_view_set_search (FpView *self, const char *text);
void fp_view_refresh (FpView *self);
gboolean fp_view_is_ready (FpView *self);
void fp_view_focus (FpView *self);
void fp_view_read_again (FpView *self);
void fp_view_update_needs (FpView *self);

void fp_view_show_target (FpView *self, FpDetailPane *pane);
gboolean fp_view_select (FpView *self, gint pid, gboolean may_show_all);
void fp_view_show_all (FpView *self);
void fp_view_add_attention (FpView *self, GArray *ids);
void fp_view_set_narrow (FpView *self, gboolean is_narrow);
FpTableColumns *fp_view_get_columns (FpView *self);
void fp_view_save (FpView *self, GSettings *settings);
void fp_view_restore (FpView *self, GSettings *settings);

G_END_DECLS
