// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-objects.h"
#include "fp-pacer.h"
#include "fp-stat.h"

G_BEGIN_DECLS

/* Pages of one process that belong to no object: its own, and those that it shares with its family by fork. */
typedef struct
{
  FpProcessId id;
  FpStat stat;
  FpSpan own;        /* pages that it alone has */
  FpSpan part;       /* these, and its part of what it shares */
  guint64 anonymous; /* all pages of either kind */
  FpSpan own_swap;
  FpSpan part_swap;
  guint64 swapped;
  guint64 pool_own;
  guint64 pool_shared; /* private mappings of huge pages that came by fork */
  guint64 page_tables;
  guint64 n_threads;
} FpHolding;

/* objects: NULL where only the pages by fork are wanted */
gboolean fp_holding_read (FpHolding *self,
                          const FpProcDir *proc,
                          const FpProcessId *id,
                          FpObjects *objects,
                          FpPacer *pacer,
                          GError **error);

G_END_DECLS
