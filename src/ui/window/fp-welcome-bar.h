// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_WELCOME_BAR (fp_welcome_bar_get_type ())

/* Says in three sentences what the window shows, until its reader has dismissed it for good. */
G_DECLARE_FINAL_TYPE (FpWelcomeBar, fp_welcome_bar, FP, WELCOME_BAR, AdwBin)

void fp_welcome_bar_set_settings (FpWelcomeBar *self, GSettings *settings);

G_END_DECLS
