// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-table.h"

G_BEGIN_DECLS

#define FP_TYPE_FLAME_GRAPH (fp_flame_graph_get_type ())

/* The paths of a heap profile from top to bottom, each function as wide as its cost with all that it calls. A click or Enter
 * gives one of them the whole width, Escape gives it back; the arrow keys go from one to another.
 *
 * :is-zoomed says that one of them has the whole width. */
G_DECLARE_FINAL_TYPE (FpFlameGraph, fp_flame_graph, FP, FLAME_GRAPH, GtkWidget)

gboolean fp_flame_graph_show (FpFlameGraph *self, const FpHeapExcerpt *excerpt, const FpHeapChoice *choice);
void fp_flame_graph_show_all (FpFlameGraph *self);
char *fp_flame_graph_write_svg (FpFlameGraph *self, const char *title);
void fp_flame_graph_set_found (FpFlameGraph *self, GHashTable *found);

G_END_DECLS
