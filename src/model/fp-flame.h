// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"
#include "fp-heap-tree.h"

G_BEGIN_DECLS

/* A flame graph: the branches of a heap profile's tree, each with its cost. */
typedef struct
{
  FpHeapTree *tree;
  guint64 *sums; /* of its branches */
  FpHeapCost cost;
  FpFigureStyle style;
} FpFlame;

const char *fp_flame_get_colour (const FpFlame *self, guint32 branch);
char *fp_flame_name_branch (const FpFlame *self, guint32 branch);
char *fp_flame_describe_branch (const FpFlame *self, guint32 branch);
char *fp_flame_explain_branch (const FpFlame *self, guint32 branch);

G_END_DECLS
