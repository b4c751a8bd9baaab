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

/* Where all memory is, in few parts; they sum to it. */
typedef struct
{
  gint64 processes;      /* the known part of it: they have at least this much */
  gint64 more_at_most;   /* they may have gained this since they were read */
  gint64 unread_at_most; /* of processes that could not be read; the rest of it is in files */
  gint64 files;          /* not mapped by any process, and the like */
  gint64 kernel;
  gint64 huge_pages;
  gint64 free;
} FpOutline;

void fp_shares_make (FpShare shares[FP_N_SHARES], const FpLedger *ledger, const FpTotal *all);
const char *fp_outline_get_files_title (const FpSystem *system);
void fp_outline_make (FpOutline *self, const FpLedger *ledger, const FpTotal *all);
FpFigure fp_shares_get_swap_rest (const FpSystem *system, const FpTotal *all);

G_END_DECLS
