// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Memory that is in use at some moment. */
typedef struct
{
  guint64 bytes;
  guint64 blocks;
} FpHeapHeld;

/* A stack since the beginning of the recording, at some moment. */
typedef struct
{
  FpHeapHeld held;
  guint64 calls;
  guint64 temporary;
} FpHeapMoment;

typedef struct
{
  guint64 time_ms; /* at its end */
  FpHeapHeld held;
  guint64 highest; /* bytes in use within it */
  guint64 rss;     /* bytes of the process; 0: not known */
  guint32 first_change;
  guint32 n_changes;
} FpHeapInterval;

typedef struct
{
  FpHeapMoment moment;
  guint32 stack;
} FpHeapChange;

/* The past of a recording: for each interval, the stacks that changed in it with what they had at its end. There is an interval
 * for each time stamp at first; two become one whenever there are too many of them, or of changes. */
typedef struct
{
  GArray *intervals; /* of FpHeapInterval */
  GArray *changes;   /* of FpHeapChange */
  guint64 step_ms;
  gboolean is_without_changes; /* more stacks than there is room for: the course alone is known */
} FpHeapStates;

void fp_heap_states_init (FpHeapStates *self);
void fp_heap_states_clear (FpHeapStates *self);
void fp_heap_states_copy (const FpHeapStates *self, FpHeapStates *copy);
gboolean fp_heap_states_is_due (const FpHeapStates *self, guint64 time_ms);
void fp_heap_states_begin (FpHeapStates *self, const FpHeapInterval *interval, guint32 n_changes);
void fp_heap_states_add (FpHeapStates *self, guint32 stack, const FpHeapMoment *moment);
guint64 fp_heap_states_look_up (const FpHeapStates *self, guint64 time_ms, FpHeapMoment *moments, guint32 n_stacks);

G_END_DECLS
