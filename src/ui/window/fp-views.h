// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-view.h"

G_BEGIN_DECLS

/* The table of views. The window, the shortcuts and their overview, the command line and the settings offer each of them
 * in this order. */
extern const FpViewInfo fp_views[];
extern const guint fp_n_views;

#define FP_PROCESSES_VIEW "processes"

const FpViewInfo *fp_views_find (const char *id);
const char *fp_views_explain_missing (const FpViewInfo *info, FpSource *source);
char *fp_views_name_all (gboolean is_choice);
GtkShortcutsWindow *fp_views_make_shortcuts (void);

G_END_DECLS
