// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-estimate.h"
#include "fp-roster.h"

G_BEGIN_DECLS

/* The processes that can share pages with one, and what they have done. Anonymous pages are shared with partners alone: a
 * fork shares them until one of the two execs or writes. */
typedef struct
{
  GArray *partners;
  guint64 bytes; /* anonymous and swapped, of all of them */
  guint64 lost[FP_N_PAGES];
  guint64 gained[FP_N_PAGES];
  guint64 strangers_lost; /* pages of files */
  guint64 strangers_gained;
} FpSharing;

/* The memory that a process has gained or given up since the last collection; all of it where it came or went. */
typedef struct
{
  const FpSnapshot *snapshot; /* in which it is */
  const FpProcess *process;
  const char *program;
  guint64 lost[FP_N_PAGES];
  guint64 gained[FP_N_PAGES];
} FpSharingChange;

void fp_sharing_init (FpSharing *self);
void fp_sharing_clear (FpSharing *self);
void fp_sharing_update (FpSharing *self, const FpRoster *roster, guint slot, guint64 fault_reach);
void fp_sharing_add_changes (FpSharing *self,
                             const GArray *changes,
                             const FpRoster *roster,
                             guint slot,
                             guint64 counted_ticks);

void fp_sharing_list_changes (const FpRoster *roster, GArray *changes);

G_END_DECLS
