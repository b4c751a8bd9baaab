// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-table-view.h"

G_BEGIN_DECLS

#define FP_TYPE_MAPPING_COLUMNS (fp_mapping_columns_get_type ())

/* A table of mappings, and the columns in it: one set after the other, without holding anything up. */
G_DECLARE_FINAL_TYPE (FpMappingColumns, fp_mapping_columns, FP, MAPPING_COLUMNS, GObject)

FpMappingColumns *fp_mapping_columns_new (void);
FpTableView *fp_mapping_columns_get_view (FpMappingColumns *self);
void fp_mapping_columns_take (FpMappingColumns *self, const FpColumnSet *set, gboolean is_tree, gboolean are_changes);

G_END_DECLS
