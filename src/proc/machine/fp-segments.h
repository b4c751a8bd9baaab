// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* A System V segment, from the kernel's list, which is public. */
typedef struct
{
  guint64 id;
  guint64 size;
  gint32 creator_pid; /* its process may have ended */
  guint32 uid;
  guint64 n_attached;
  guint64 resident;
  guint64 swap;
  gboolean goes_with_last; /* it is marked for removal, or the kernel removes all unused segments */
} FpSegment;

typedef GArray FpSegments;

FpSegments *fp_segments_read (const FpProcDir *proc);
FpSegments *fp_segments_parse (const char *text, gboolean all_go);
gboolean fp_segment_is_of_pool (const FpSegment *self);
gboolean fp_segments_find (const FpSegments *self, guint64 id, FpSegment *segment);

G_END_DECLS
