// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-recording.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_WINDOW (fp_heap_window_get_type ())

/* A file with a heap profile in a window of its own: while it is read, what is in it, or why it can't be opened. */
G_DECLARE_FINAL_TYPE (FpHeapWindow, fp_heap_window, FP, HEAP_WINDOW, AdwApplicationWindow)

FpHeapWindow *fp_heap_window_new (GtkApplication *application, GSettings *settings, FpSource *source, GFile *file);
FpHeapWindow *fp_heap_window_new_recording (GtkApplication *application, GSettings *settings, FpSource *source, FpRecording *recording);
void fp_heap_window_search (FpHeapWindow *self, const char *text);
void fp_heap_window_take_picture (FpHeapWindow *self, const char *path, gboolean *failed);

G_END_DECLS
