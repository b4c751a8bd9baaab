// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_COMPARISON_BAR (fp_comparison_bar_get_type ())

/* Says which two moments are compared, as long as any are. */
G_DECLARE_FINAL_TYPE (FpComparisonBar, fp_comparison_bar, FP, COMPARISON_BAR, AdwBin)

void fp_comparison_bar_set_session (FpComparisonBar *self, FpSession *session);

G_END_DECLS
