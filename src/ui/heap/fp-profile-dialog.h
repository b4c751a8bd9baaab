// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_PROFILE_DIALOG (fp_profile_dialog_get_type ())

/* Asks which program is to be recorded, and looks at it before it is started: what can't be recorded has its reason here. The
 * recording then has a window of its own. */
G_DECLARE_FINAL_TYPE (FpProfileDialog, fp_profile_dialog, FP, PROFILE_DIALOG, AdwWindow)

FpProfileDialog *fp_profile_dialog_new (GtkWindow *parent, GSettings *settings);

G_END_DECLS
