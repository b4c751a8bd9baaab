// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

/* A stack while it is counted: 64 bytes. */
typedef struct
{
  FpHeapHeld live;
  FpHeapHeld kept; /* live bytes at the peak, where it changed since; see epoch */
  guint64 calls;
  guint64 temporary;
  guint64 epoch;
  guint32 node;
  guint32 interval; /* in which it changed last */
} FpHeapCounter;

/* Makes a profile out of the events of a recording, in one pass and with memory for each stack, not for each event. The
 * peak is exact: its epoch goes up with each new peak, and a counter keeps what it had before its first change in an epoch.
 * At the end those that did not change since the peak have what they had at it. */
typedef struct
{
  FpHeapProfile *profile;
  FpHeapIndex frames, nodes;
  GArray *counters; /* of FpHeapCounter */
  GArray *stacks;   /* of guint32, by node; G_MAXUINT32: none */
  GArray *changed;  /* of guint32: the stacks that changed in this interval */
  FpHeapHeld live, peak;
  guint64 epoch;
  guint64 highest, rss;
  guint32 interval;
  gboolean is_peak_new; /* and gets the time of the next stamp */
} FpHeapBuilder;

void fp_heap_builder_init (FpHeapBuilder *self);
void fp_heap_builder_clear (FpHeapBuilder *self);
guint32 fp_heap_builder_add_text (FpHeapBuilder *self, const char *text, gsize length);
guint32 fp_heap_builder_add_function (FpHeapBuilder *self, const char *name, gsize length);
guint32 fp_heap_builder_add_frame (FpHeapBuilder *self, const FpHeapFrame *frame);
guint32 fp_heap_builder_add_node (FpHeapBuilder *self, guint32 frame, guint32 parent);
guint32 fp_heap_builder_add_stack (FpHeapBuilder *self, guint32 node);
gboolean fp_heap_builder_allocate (FpHeapBuilder *self, guint32 stack, guint64 size);
gboolean fp_heap_builder_release (FpHeapBuilder *self, guint32 stack, guint64 size, gboolean is_temporary);
void fp_heap_builder_add_sums (FpHeapBuilder *self, const FpHeapStack *sums);
void fp_heap_builder_set_time (FpHeapBuilder *self, guint64 time_ms);
void fp_heap_builder_set_rss (FpHeapBuilder *self, guint64 rss);
void fp_heap_builder_finish_stacks (FpHeapBuilder *self);
FpHeapProfile *fp_heap_builder_copy_profile (FpHeapBuilder *self);
FpHeapProfile *fp_heap_builder_take_profile (FpHeapBuilder *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpHeapBuilder, fp_heap_builder_clear)

G_END_DECLS
