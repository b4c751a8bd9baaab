// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-list-page-info.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_LIST_TOOLS (fp_list_tools_get_type ())

/* Above a list: which processes it shows, in which groups, in which order and columns.
 *
 * ::changed: other processes or other groups than before */
G_DECLARE_FINAL_TYPE (FpListTools, fp_list_tools, FP, LIST_TOOLS, GtkBox)

GtkWidget *fp_list_tools_new (const FpListPageInfo *info, FpTableView *view, GActionMap *actions);
void fp_list_tools_show_all (FpListTools *self);
void fp_list_tools_show_record (FpListTools *self, const FpRecords *records, guint index);
gboolean fp_list_tools_shows_all (FpListTools *self);
const char *fp_list_tools_get_no_match_hint (FpListTools *self);
gboolean fp_list_tools_shows_ended (FpListTools *self);
void fp_list_tools_set_marked (FpListTools *self, gboolean is_marked);
void fp_list_tools_set_compared (FpListTools *self, gboolean is_compared);
const FpColumn *fp_list_tools_get_sort (FpListTools *self, gboolean *descending);
FpGrouping fp_list_tools_get_grouping (FpListTools *self);
void fp_list_tools_set_narrow (FpListTools *self, gboolean is_narrow);

G_END_DECLS
