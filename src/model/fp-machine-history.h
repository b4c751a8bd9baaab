// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-filling.h"
#include "fp-history.h"
#include "fp-machine-state.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

#define FP_MACHINE_MOMENTS 600
#define FP_MACHINE_UNKNOWN G_MAXUINT64

/* The machine's figures at one moment, and the counters that tell what happened since. A counter can be unknown. */
typedef struct
{
  guint64 time_us;     /* CLOCK_BOOTTIME */
  guint64 realtime_us; /* since 1970 */
  gboolean follows_gap;
  FpMachineState state; /* without graphics, which are not read all the time */
  guint64 swap_ins;     /* pages */
  guint64 swap_outs;
  guint64 oom_kills;
  guint64 waited_us; /* how long some program stood still for memory since the machine was started */
} FpMachineMoment;

/* The moments of a session, the oldest first. The first of all stays known. */
typedef struct
{
  GArray *moments;       /* FpMachineMoment */
  FpMachineMoment first; /* all zero before there is one */
  FpHistory *used;       /* of one record: what is not available of memory, and not free of swap */
  FpFilling filling;
} FpMachineHistory;

FpMachineHistory *fp_machine_history_new (void);
void fp_machine_history_free (FpMachineHistory *self);
void fp_machine_history_take (FpMachineHistory *self,
                              const FpSnapshot *snapshot,
                              const FpTotal *all,
                              guint64 longest_us);
const FpMachineMoment *fp_machine_history_get_first (const FpMachineHistory *self);
const FpMachineMoment *fp_machine_history_get_before (const FpMachineHistory *self, guint64 time_us);
const FpMachineMoment *fp_machine_history_get_minute (const FpMachineHistory *self, guint64 time_us);
gboolean fp_machine_moment_make (FpMachineMoment *self, const FpSnapshot *snapshot, const FpTotal *all);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMachineHistory, fp_machine_history_free)

G_END_DECLS
