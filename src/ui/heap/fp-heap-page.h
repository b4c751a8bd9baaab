// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-heap-process-reader.h"
#include "fp-heap-scene.h"

G_BEGIN_DECLS

#define FP_TYPE_HEAP_PAGE (fp_heap_page_get_type ())

/* A heap profile: what it says in a sentence, its course over time, and who allocated what. A cost and a moment are chosen for
 * all of it. */
G_DECLARE_FINAL_TYPE (FpHeapPage, fp_heap_page, FP, HEAP_PAGE, GtkWidget)

void fp_heap_page_show (FpHeapPage *self, FpHeapScene *scene);
gboolean fp_heap_page_compare (FpHeapPage *self, FpHeapProfile *earlier, const char *const names[2]);
void fp_heap_page_set_process (FpHeapPage *self, FpHeapProcess *process);
gboolean fp_heap_page_has_scene (FpHeapPage *self);
gboolean fp_heap_page_grow (FpHeapPage *self, FpHeapScene *scene);
void fp_heap_page_set_style (FpHeapPage *self, FpFigureStyle style);
void fp_heap_page_set_search (FpHeapPage *self, const char *text);
void fp_heap_page_focus (FpHeapPage *self);
void fp_heap_page_set_size (FpHeapPage *self, double width, double height);

G_END_DECLS
