// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-answer.h"
#include "fp-details.h"
#include "fp-identity.h"

FpDetails *
fp_details_new (void)
{
  FpDetails *self = g_new0 (FpDetails, 1);

  fp_limits_init (&self->limits);
  return self;
}

void
fp_details_free (FpDetails *self)
{
  g_free (self->command);
  g_free (self);
}

FpDetails *
fp_details_read (const FpProcDir *proc,
                 const FpProcessId *id,
                 GError **error)
{
  g_autoptr (FpDetails) self = fp_details_new ();
  g_auto (FpFd) dir = fp_proc_dir_open_process (proc, id->pid);
  FpStat stat;

  if (dir >= 0 && fp_stat_read (&stat, proc, id) && (!proc->is_live || fp_answer_await (dir)))
    self->command = fp_identity_read_command (dir, &stat);
  return fp_limits_read (&self->limits, proc, id, error) ? g_steal_pointer (&self) : NULL;
}
