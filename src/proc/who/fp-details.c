// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-reading.h"
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

typedef struct
{
  FpReading reading;
  char *text;
} Command;

static void
command_free (gpointer data)
{
  Command *self = data;

  g_free (self->text);
  fp_reading_free (self);
}

static void
read_command (gpointer data)
{
  Command *self = data;
  const FpReading *reading = &self->reading;
  g_auto (FpFd) dir = fp_proc_dir_open_process (&reading->proc, reading->id.pid);
  FpStat stat;

  if (dir >= 0 && fp_stat_read (&stat, &reading->proc, &reading->id))
    self->text = fp_identity_read_command (dir, &stat);
}

FpDetails *
fp_details_read (const FpProcDir *proc,
                 const FpProcessId *id,
                 GError **error)
{
  g_autoptr (FpDetails) self = fp_details_new ();
  Command *command = fp_reading_new (sizeof *command, proc, id);

  if (fp_reading_await (command, read_command, command_free))
    {
      self->command = g_steal_pointer (&command->text);
      command_free (command);
    }
  return fp_limits_read (&self->limits, proc, id, error) ? g_steal_pointer (&self) : NULL;
}
