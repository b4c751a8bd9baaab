// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_FILES_BAR (fp_files_bar_get_type ())

/* Above the list of files: how old it is and the way to read it again, or how far the reading is and the way to give it up.
 * The first reading begins when the bar is first shown. */
G_DECLARE_FINAL_TYPE (FpFilesBar, fp_files_bar, FP, FILES_BAR, GtkBox)

GtkWidget *fp_files_bar_new (FpSession *session);

G_END_DECLS
