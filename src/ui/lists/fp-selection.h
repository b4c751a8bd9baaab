// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-row-icons.h"
#include "fp-table.h"

G_BEGIN_DECLS

/* Gives the selection in a list as one record, and a group as words to search for. processes: (nullable): for rows that
 * stand for one */
FpRecords *fp_selection_get_target (FpTable *table,
                                    const FpRecords *records,
                                    const FpRecords *processes,
                                    const char *nobody,
                                    guint *index,
                                    char **title);
gint fp_selection_find_process (const FpRows *rows, guint position, const FpRecords *processes);
char *fp_selection_describe_members (FpTable *table, const FpRecords *records, const FpFormat *format);
GdkPaintable *fp_selection_find_icon (FpTable *table, FpRowIcons *icons, FpGrouping grouping, int scale);
gboolean fp_selection_select_record (FpTable *table, guint index, gboolean *has_opened);
char *fp_selection_make_search (const FpRows *rows, FpGrouping grouping, guint position);

G_END_DECLS
