// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-holding.h"

G_BEGIN_DECLS

/* A process that goes on. */
typedef struct
{
  gint pid;
  FpStat stat;
  gboolean is_readable;
} FpOutsider;

gboolean fp_family_may_have (const FpHolding *member, const FpOutsider *outsider);
gboolean fp_family_is_one_memory (const FpProcDir *proc, const FpProcessId *a, gint b);

/* Adds the pages of one family that belong to no object to the ending, private ones and those shared by fork. members:
 * FpHolding, each with an address space of its own; outsiders: FpOutsider. */
gboolean fp_family_add_to (FpEnding *ending,
                           const FpProcDir *proc,
                           const GPtrArray *members,
                           const GArray *outsiders,
                           FpPacer *pacer,
                           GError **error);

G_END_DECLS
