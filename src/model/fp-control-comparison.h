// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-changes.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* Control groups of two moments: all that there are at the later one, and behind them those that are gone since. */
FpRecords *fp_control_comparison_new (FpControlGroups *before,
                                      FpControlGroups *after,
                                      gboolean is_same_boot,
                                      const FpRecords *processes,
                                      const FpControlChanges *changes);

G_END_DECLS
