// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_SNAPSHOT_TYPE   "application/x-footprint"
#define FP_SNAPSHOT_SUFFIX ".footprint"

void fp_snapshot_saver_ask (
    GtkWidget *widget, FpSnapshot *snapshot, FpMappedFiles *files, FpSource *source, FpControlGroups *groups);
void fp_snapshot_saver_add_filters (GtkFileChooser *chooser);

G_END_DECLS
