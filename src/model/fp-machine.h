// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine-items.h"
#include "fp-shortage.h"

G_BEGIN_DECLS

/* The view of the machine is made of this. */
typedef struct
{
  FpRecords *processes;
  FpRecords *users;              /* totals of the processes by user */
  FpRecords *sum;                /* one total of every process */
  FpControlGroups *groups;       /* (nullable) */
  FpControlGroups *old_groups;   /* (nullable): at the start */
  FpKept *kept;                  /* (nullable) */
  FpKept *old_kept;              /* (nullable): at the start */
  const char *missing;           /* (nullable): why kept is not there, and never will be */
  const FpMachineMoment *start;  /* (nullable): changes are counted since then */
  const FpMachineMoment *before; /* (nullable): rates are counted since then */
  const FpMachineMoment *minute; /* (nullable): about a minute ago */
  FpFilling filling;
  FpFormat format;
  gboolean is_sandboxed; /* the files of file systems in memory can't be listed from here */
} FpMachineInput;

/* One line: how much it has, what has changed, who is behind it. */
typedef struct
{
  FpMachineEnds ends;
  FpMachineEnds change;
  gboolean has_change;
  gboolean is_used;    /* it is not nothing, or belongs to every machine */
  gboolean knows_who;  /* else it could not be read, or the line is nobody's */
  char *remark;        /* (nullable) */
  char *limits;        /* (nullable): why there may be more behind it than is known */
  FpMachineItems *who; /* the biggest first, and not all */
} FpMachineLineState;

/* The machine in some lines, in words for the window and the terminal alike. */
typedef struct
{
  FpMachineInput input; /* with a reference to each of its lists */
  const FpSnapshot *snapshot;
  const FpTotal *all; /* the total of every process */
  FpMachineMoment start;
  FpMachineMoment before;
  FpMachineMoment minute;
  gboolean is_known; /* else the kernel does not tell, and there are no lines */
  FpMachineMoment now;
  FpMachineState state;
  FpMachineLineState lines[FP_N_MACHINE_LINES];
  FpRecords *programs; /* totals of the processes by program */
  FpShortage shortage;
} FpMachine;

FpMachine *fp_machine_new (const FpMachineInput *input);
void fp_machine_free (FpMachine *self);
char *fp_machine_describe_line (const FpMachine *self, FpMachineLine line);
char *fp_machine_describe_waiting (const FpMachine *self);
char *fp_machine_describe_available (const FpMachine *self);
gboolean fp_machine_is_swap_nearly_full (guint64 used, guint64 size);
char *fp_machine_describe_limits (const FpMachine *self);
char *fp_machine_describe_killed (const FpMachine *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMachine, fp_machine_free)

G_END_DECLS
