// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_HELP_WINDOW (fp_help_window_get_type ())

/* The help says what the figures mean, in pages that can be searched. All of its text is in fp-help-window.ui, and a page is
 * known by its name there, such as “unlock”. */
G_DECLARE_FINAL_TYPE (FpHelpWindow, fp_help_window, FP, HELP_WINDOW, AdwWindow)

FpHelpWindow *fp_help_window_new (GtkApplication *application);
void fp_help_window_show (FpHelpWindow *self, const char *page);

G_END_DECLS
