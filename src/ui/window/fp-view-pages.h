// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-view.h"

G_BEGIN_DECLS

/* The fp_table_columns_to_variant () of each view */
#define FP_COLUMNS_TYPE "aa(sbi)"

#define FP_TYPE_VIEW_PAGES (fp_view_pages_get_type ())

/* A page of a stack for each view of the table of views. A view is made when it is shown for the first time: most of them are
 * never looked at, and making one takes a tenth of what a window takes to start.
 *
 * ::target-changed: fp_view_show_target () of the shown view would now show something else */
G_DECLARE_FINAL_TYPE (FpViewPages, fp_view_pages, FP, VIEW_PAGES, GObject)

FpViewPages *fp_view_pages_new (AdwViewStack *stack, FpSession *session, GSettings *settings);
FpView *fp_view_pages_get_shown (FpViewPages *self);
gboolean fp_view_pages_show (FpViewPages *self, const char *id);
void fp_view_pages_set_search (FpViewPages *self, const char *text);
void fp_view_pages_set_narrow (FpViewPages *self, gboolean is_narrow);
GVariant *fp_view_pages_get_columns (FpViewPages *self);
void fp_view_pages_set_columns (FpViewPages *self, GVariant *columns);
void fp_view_pages_save (FpViewPages *self);

G_END_DECLS
