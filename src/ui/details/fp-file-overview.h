// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_FILE_OVERVIEW (fp_file_overview_get_type ())

/* A file that processes map: its figures, and each of these processes as a link.
 *
 * ::process-requested (int pid) */
G_DECLARE_FINAL_TYPE (FpFileOverview, fp_file_overview, FP, FILE_OVERVIEW, GtkWidget)

void fp_file_overview_update (FpFileOverview *self, FpRecords *records, guint index, const FpSessionState *state);

G_END_DECLS
