// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-window.h"

G_BEGIN_DECLS

#define FP_TYPE_PREFERENCES (fp_preferences_get_type ())

/* The preferences. A change applies at once, and to all views. */
G_DECLARE_FINAL_TYPE (FpPreferences, fp_preferences, FP, PREFERENCES, AdwPreferencesWindow)

FpPreferences *fp_preferences_new (GtkWindow *window, GSettings *settings);

G_END_DECLS
