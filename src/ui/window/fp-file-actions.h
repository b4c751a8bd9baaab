// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_FILE_ACTIONS (fp_file_actions_get_type ())

/* Saved snapshots in the menu of a window: save and compare. */
G_DECLARE_FINAL_TYPE (FpFileActions, fp_file_actions, FP, FILE_ACTIONS, GObject)

FpFileActions *fp_file_actions_new (GtkApplicationWindow *window, FpSession *session);

G_END_DECLS
