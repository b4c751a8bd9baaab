// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-history.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* When memory and swap are full if something goes on growing as it does. It holds still: a new estimate counts only where
 * the old one is wrong by a whole step, and a growth that comes or goes only after some time. */
typedef struct
{
  gboolean is_told;
  gboolean has_swap;
  guint earliest; /* minutes */
  guint latest;
  guint64 updated_us;
  guint64 differs_us; /* since when there is a growth and none is told, or the other way round; 0: they agree */
} FpFilling;

void fp_filling_update (FpFilling *self, FpGrowth growth, const FpSystem *system, guint64 now_us);
char *fp_filling_describe (const FpFilling *self);

G_END_DECLS
