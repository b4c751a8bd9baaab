// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine-state.h"
#include "fp-total-history.h"

G_BEGIN_DECLS

/* Something that has more or less of the machine's memory than before: a program, or a line. */
typedef struct
{
  char *name;
  FpMachineLine line; /* which it is a part of */
  gint64 bytes;       /* the middle where only a range is known */
  char *search;       /* (nullable): for the processes behind it */
  gboolean is_program;
} FpMachineChange;

/* The changes from one state of the machine to another: what has more, then what has less, the largest of each first. They sum
 * to what the machine has more of memory, which is nothing unless some was added or taken away. */
typedef struct
{
  GPtrArray *changes; /* FpMachineChange */
  gint64 sum;
} FpMachineChanges;

FpMachineChanges *fp_machine_changes_new (const FpMachineState *before, const FpMachineState *now, const GArray *programs);
void fp_machine_changes_free (FpMachineChanges *self);
gboolean fp_machine_changes_are_shown (const FpMachineChanges *self, guint index);
char *fp_machine_changes_describe (const FpMachineChanges *self, const FpFormat *format);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMachineChanges, fp_machine_changes_free)

G_END_DECLS
