// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-detail-pane.h"
#include "fp-list-page-info.h"
#include "fp-row-actions.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_LIST_PAGE (fp_list_page_get_type ())

/* A view of processes: which of them, in which groups, in a table, and what they sum up to.
 *
 * ::search-requested (const char *text): for what was chosen here, on the page of processes
 * ::target-changed: what fp_list_page_show_target () shows is another now */
G_DECLARE_FINAL_TYPE (FpListPage, fp_list_page, FP, LIST_PAGE, GtkWidget)

GtkWidget *fp_list_page_new (const FpListPageInfo *info);
GActionGroup *fp_list_page_get_actions (FpListPage *self);
FpRowActions *fp_list_page_get_row_actions (FpListPage *self);
FpTableView *fp_list_page_get_view (FpListPage *self);
void fp_list_page_set_source (FpListPage *self, FpSource *source);
void fp_list_page_explain_sandbox (FpListPage *self, FpSource *source);
void fp_list_page_set_live (FpListPage *self, gboolean is_live);
void fp_list_page_set_narrow (FpListPage *self, gboolean is_narrow);
void fp_list_page_set_figure_style (FpListPage *self, FpFigureStyle style);
void fp_list_page_set_hidden (FpListPage *self, const char *text);
void fp_list_page_update (FpListPage *self, FpRecords *records);
void fp_list_page_fail (FpListPage *self, const char *message);
void fp_list_page_set_search (FpListPage *self, const char *text);
void fp_list_page_show_all (FpListPage *self);
void fp_list_page_show_target (FpListPage *self, FpDetailPane *pane, FpRecords *all, gboolean is_remembered);
gboolean fp_list_page_select (FpListPage *self, gint pid, gboolean may_show_all);
void fp_list_page_add_attention (FpListPage *self, GArray *ids);

G_END_DECLS
