// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_FILE_OPENER (fp_file_opener_get_type ())

#define FP_HEAP_PROFILE_TYPE "application/x-footprint-heap-profile" /* in the list of recent files */

/* Snapshots and heap profiles in a window: those that are chosen in its menu or dropped on it open in windows of their own. */
G_DECLARE_FINAL_TYPE (FpFileOpener, fp_file_opener, FP, FILE_OPENER, GObject)

FpFileOpener *fp_file_opener_new (GtkApplicationWindow *window, GMenu *recent);
void fp_file_opener_list_recent (FpFileOpener *self);
void fp_file_opener_remember (GFile *file, const char *type);
void fp_file_opener_add_profile_filters (GtkFileChooser *chooser);

G_END_DECLS
