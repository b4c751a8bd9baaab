// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_MARK_BAR (fp_mark_bar_get_type ())

/* Says since when changes count while there is a mark, with a button that removes it. */
G_DECLARE_FINAL_TYPE (FpMarkBar, fp_mark_bar, FP, MARK_BAR, AdwBin)

void fp_mark_bar_set_session (FpMarkBar *self, FpSession *session);

G_END_DECLS
