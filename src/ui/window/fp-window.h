// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_WINDOW (fp_window_get_type ())

G_DECLARE_FINAL_TYPE (FpWindow, fp_window, FP, WINDOW, AdwApplicationWindow)

FpWindow *fp_window_new (GtkApplication *application, GSettings *settings, FpSource *source);
FpSource *fp_window_get_source (FpWindow *self);
gboolean fp_window_is_live (FpWindow *self);
gboolean fp_window_show_view (FpWindow *self, const char *id);
void fp_window_show_details (FpWindow *self, gint pid);
void fp_window_take_picture (FpWindow *self, const char *path, gboolean *failed);
GVariant *fp_window_get_columns (FpWindow *self);
void fp_window_set_columns (FpWindow *self, GVariant *columns);
void fp_window_search (FpWindow *self, const char *text);

G_END_DECLS
