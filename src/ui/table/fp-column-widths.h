// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column-sets.h"

G_BEGIN_DECLS

#define FP_COLUMN_TITLE_ROOM 28 /* for its margins and the sort arrow */

int fp_column_widths_choose (const FpTableLayout *layout, const FpColumn *column);
guint fp_column_widths_find_cut (const int *widths, guint n, int room, int *rest);
gboolean fp_column_widths_are_outdated (GVariant *columns, guint kinds);

G_END_DECLS
