// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-tree.h"

G_BEGIN_DECLS

/* The place of a branch in a flame graph, in pixels. */
typedef struct
{
  guint32 branch;
  guint32 row;
  float x;
  float width;
} FpFlameFrame;

GArray *fp_flame_layout_new (const FpHeapTree *tree, const guint64 *sums, guint32 zoomed, double width);
guint fp_flame_layout_find (const GArray *frames, guint32 branch);
guint fp_flame_layout_pick (const GArray *frames, guint32 row, double x);

G_END_DECLS
