// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-roster.h"

G_BEGIN_DECLS

/* A process that was carried over from the last collection. */
typedef struct
{
  guint slot;
  guint former;
} FpCarried;

void fp_looks_take (FpRoster *roster);

G_END_DECLS
