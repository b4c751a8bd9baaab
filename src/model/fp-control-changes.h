// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-history.h"

G_BEGIN_DECLS

/* How a control group differs from what it was at the start or the mark, and what it read back within the last minute. */
typedef struct
{
  FpFigure memory;     /* a difference of memory and swap */
  FpFigure reached;    /* times */
  FpFigure killed;     /* processes */
  FpFigure from_swap;  /* pages */
  FpFigure from_files; /* pages */
  guint64 over_us;     /* the time in which they were read back; 0: not known */
} FpControlChange;

extern const FpControlChange fp_control_change_unknown;

/* Remembers control groups from one reading to the next. A group is known by its id, so that one that is made again under
 * the same path begins anew. */
typedef struct _FpControlChanges FpControlChanges;

FpControlChanges *fp_control_changes_new (void);
void fp_control_changes_free (FpControlChanges *self);
void fp_control_changes_take (FpControlChanges *self, const FpControlGroups *groups, guint64 time_us, guint64 realtime_us);
void fp_control_changes_mark (FpControlChanges *self);
void fp_control_changes_mark_at (FpControlChanges *self, const FpHistory *history, guint64 realtime_us);
void fp_control_changes_unmark (FpControlChanges *self);
guint64 fp_control_changes_get_start (const FpControlChanges *self);
FpControlChange fp_control_changes_get (const FpControlChanges *self, guint64 id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpControlChanges, fp_control_changes_free)

G_END_DECLS
