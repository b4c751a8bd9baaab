// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-machine-history.h"

FpMachineHistory *
fp_machine_history_new (void)
{
  FpMachineHistory *self = g_new0 (FpMachineHistory, 1);

  self->moments = g_array_new (FALSE, FALSE, sizeof (FpMachineMoment));
  self->used = fp_history_new ();
  return self;
}

void
fp_machine_history_free (FpMachineHistory *self)
{
  g_array_unref (self->moments);
  fp_history_unref (self->used);
  g_free (self);
}

static guint64
get_counter (const FpSystem *system,
             FpSystemField field)
{
  return fp_system_has (system, field) ? fp_system_get (system, field) : FP_MACHINE_UNKNOWN;
}

/* FALSE where the kernel does not tell */
gboolean
fp_machine_moment_make (FpMachineMoment *self,
                        const FpSnapshot *snapshot,
                        const FpTotal *all)
{
  *self = (FpMachineMoment){ .time_us = snapshot->info.boottime_us, .realtime_us = snapshot->info.realtime_us };
  self->swap_ins = get_counter (&snapshot->system, FP_SYSTEM_SWAP_INS);
  self->swap_outs = get_counter (&snapshot->system, FP_SYSTEM_SWAP_OUTS);
  self->oom_kills = get_counter (&snapshot->system, FP_SYSTEM_OOM_KILLS);
  self->waited_us = get_counter (&snapshot->system, FP_SYSTEM_PRESSURE_SOME_US);
  return fp_machine_state_make (&self->state, &snapshot->system, all, NULL);
}

static guint64
get_used (const FpSystem *system,
          FpSystemField whole,
          FpSystemField left)
{
  guint64 bytes = fp_system_get (system, left);

  return fp_system_get (system, whole) - MIN (bytes, fp_system_get (system, whole));
}

static void
take_used (FpMachineHistory *self,
           const FpSnapshot *snapshot,
           guint64 longest_us)
{
  const FpSystem *system = &snapshot->system;
  const guint64 now_us = snapshot->info.boottime_us;
  guint64 memory = get_used (system, FP_SYSTEM_MEM_TOTAL, FP_SYSTEM_MEM_AVAILABLE);
  guint64 swap = get_used (system, FP_SYSTEM_SWAP_TOTAL, FP_SYSTEM_SWAP_FREE);
  FpHistoryEntry entry = { .key = { 0, 0 } };

  if (!fp_system_has (system, FP_SYSTEM_MEM_AVAILABLE) || !fp_system_has (system, FP_SYSTEM_SWAP_FREE))
    return;
  for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
    entry.ends.low_kib[i] = entry.ends.high_kib[i] = FP_HISTORY_UNKNOWN;
  fp_history_ends_set (&entry.ends, FP_HISTORY_PSS, memory, memory);
  fp_history_ends_set (&entry.ends, FP_HISTORY_SWAP, swap, swap);
  fp_history_take_entries (self->used, &entry, 1, now_us, longest_us);
  fp_filling_update (&self->filling, fp_history_get_growth (self->used, entry.key), system, now_us);
}

/* Moments further apart than longest_us have a gap between them. Time goes back where a whole machine was set back: then the
 * history begins anew. */
void
fp_machine_history_take (FpMachineHistory *self,
                         const FpSnapshot *snapshot,
                         const FpTotal *all,
                         guint64 longest_us)
{
  FpMachineMoment moment;

  take_used (self, snapshot, longest_us);
  if (!fp_machine_moment_make (&moment, snapshot, all))
    return;
  if (self->moments->len > 0 && moment.time_us < g_array_index (self->moments, FpMachineMoment, self->moments->len - 1).time_us)
    g_array_set_size (self->moments, 0);
  if (self->moments->len > 0)
    moment.follows_gap =
        moment.time_us - g_array_index (self->moments, FpMachineMoment, self->moments->len - 1).time_us > longest_us;
  else
    self->first = moment;
  if (self->moments->len == FP_MACHINE_MOMENTS)
    g_array_remove_index (self->moments, 0);
  g_array_append_val (self->moments, moment);
}

/* NULL: there is none yet */
const FpMachineMoment *
fp_machine_history_get_first (const FpMachineHistory *self)
{
  return self->moments->len > 0 ? &self->first : NULL;
}

/* Returns the last moment before this time, or NULL. */
const FpMachineMoment *
fp_machine_history_get_before (const FpMachineHistory *self,
                               guint64 time_us)
{
  for (guint i = self->moments->len; i-- > 0;)
    if (g_array_index (self->moments, FpMachineMoment, i).time_us < time_us)
      return &g_array_index (self->moments, FpMachineMoment, i);
  return NULL;
}

/* Returns the last moment that is a minute before this time, or NULL. A snapshot may come some milliseconds early. */
const FpMachineMoment *
fp_machine_history_get_minute (const FpMachineHistory *self,
                               guint64 time_us)
{
  const guint64 minute_us = 59 * (guint64)G_USEC_PER_SEC;

  return time_us > minute_us ? fp_machine_history_get_before (self, time_us - minute_us) : NULL;
}
