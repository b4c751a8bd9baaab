// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-ledger.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* How processes share in a part of the ledger: read of them, at most this much more of what they had when it was read,
 * at most this much of those that could not be read, and what no process maps (files in memory, cache), is hidden from
 * here, or the counters differ by. The less of what is only possible there is, the more of that. */
typedef struct
{
  FpPart part;
  FpField field;
  gint64 whole;
  guint64 read;
  guint64 more_at_most;
  guint64 unread_at_most;
  gint64 rest; /* at least */
  gint64 rest_at_most;
} FpShare;

#define FP_N_SHARES 3

void fp_shares_make (FpShare shares[FP_N_SHARES], const FpLedger *ledger, const FpTotal *all);
FpFigure fp_shares_get_swap_rest (const FpSystem *system, const FpTotal *all);

G_END_DECLS
