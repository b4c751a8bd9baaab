// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-memory.h"

G_BEGIN_DECLS

/* The kinds of pages whose sharing is followed; status counts each kind exactly and cheaply. */
typedef enum
{
  FP_PAGES_ANON,
  FP_PAGES_FILE,
  FP_PAGES_SHMEM,
  FP_PAGES_SWAP, /* without swapped-out shared memory, as VmSwap and SwapPss */
  FP_N_PAGES,
} FpPages;

#define FP_N_RESIDENT_PAGES FP_PAGES_SWAP

typedef struct
{
  guint64 low;
  guint64 high;
} FpEnds;

/* The figures of a process that can be read at any time without holding it up. */
typedef struct
{
  guint64 faults_before; /* faults counted before the other figures were read, and after */
  guint64 faults_after;
  guint64 whole[FP_N_PAGES];
  /* Bytes that relatives have given up or gained since the sweep began, as far as they may be the same pages */
  guint64 lost[FP_N_PAGES];
  guint64 gained[FP_N_PAGES];
  /* Bytes of files that all other processes have given up or gained: libraries, whose pages are shared already */
  guint64 strangers_lost;
  guint64 strangers_gained;
  guint64 partners; /* anonymous and swapped bytes of all processes that can share any with this one */
} FpMoment;

/* A measurement of a process, carried on to a later moment. A page that n processes share counts 1/n in PSS, so RSS has
 * (n - 1)/n of it more: that is its deficit. PSS is RSS without the deficits, and RSS is known exactly. */
typedef struct
{
  FpMoment moment;
  FpEnds deficit[FP_N_PAGES];
  FpEnds shared;          /* resident and mapped more than once, in full */
  guint64 strangers_lost; /* since it was measured */
  guint64 strangers_gained;
} FpEstimate;

void fp_estimate_init_unknown (FpEstimate *self, const FpMoment *moment);
void fp_estimate_init_measured (FpEstimate *self, const FpMoment *moment, const FpMemory *memory);
gboolean fp_estimate_advance (FpEstimate *self, const FpMoment *now, guint64 fault_reach);
void fp_estimate_intersect (FpEstimate *self, const FpEstimate *other);
FpEnds fp_estimate_get_pss (const FpEstimate *self);
void fp_estimate_write (const FpEstimate *self, FpMemory *memory);

G_END_DECLS
