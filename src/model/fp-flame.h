// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-records.h"

G_BEGIN_DECLS

/* A flame graph: the branches of a heap profile's tree, each with its cost. Where two moments are compared, a branch is as wide as
 * the larger one of each path in it, and its colour and a sign say whether it has grown or shrunk. */
typedef struct
{
  FpHeapTree *tree; /* (nullable): there is nothing yet */
  guint64 *sums;    /* of its branches: how wide they are */
  guint64 *before;  /* (nullable): the costs that are compared */
  guint64 *after;   /* (nullable) */
  FpHeapCost cost;
  FpFigureStyle style;
} FpFlame;

void fp_flame_init (FpFlame *self, const FpHeapExcerpt *excerpt, FpHeapCost cost, FpFigureStyle style);
void fp_flame_clear (FpFlame *self);
const char *fp_flame_get_colour (const FpFlame *self, guint32 branch);
char *fp_flame_name_branch (const FpFlame *self, guint32 branch);
char *fp_flame_describe_branch (const FpFlame *self, guint32 branch);
char *fp_flame_explain_branch (const FpFlame *self, guint32 branch);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpFlame, fp_flame_clear)

G_END_DECLS
