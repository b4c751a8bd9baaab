// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-pairing.h"

G_BEGIN_DECLS

struct _FpCompared
{
  FpRecords *before;
  guint32 *places;   /* of each record among those before, or FP_COMPARED_NOWHERE */
  guint8 *pairs;     /* FpPair of each */
  guint8 *are_ended; /* whether each is only there before */
};

FpCompared *fp_compared_new (FpRecords *before, guint n);

G_END_DECLS
