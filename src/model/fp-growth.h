// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history.h"

G_BEGIN_DECLS

/* How records grow, and have changed since the mark: what a history knows of them, kept with them. A list without a history
 * knows nothing. */
void fp_records_take_history (FpRecords *self, FpHistory *history, GHashTable *partial);
FpFigure fp_records_get_growth (const FpRecords *self, guint index);
FpFigure fp_records_get_change (const FpRecords *self, guint index);
void fp_records_take_before (FpRecords *self, const FpRecords *before);
FpHistory *fp_records_get_history (const FpRecords *self, guint index);

void fp_growths_free (FpGrowths *self);

G_END_DECLS
