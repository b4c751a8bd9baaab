// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-helper-protocol.h"
#include "fp-owner.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

#define FP_NO_GROUP G_MAXUINT32

/* Who asks, as the bus says, and what was allowed. */
typedef struct
{
  FpAccess access;
  guint32 uid;
  guint32 gid;           /* FP_NO_GROUP: not known, which no process has */
  gboolean hides_others; /* some /proc of the machine hides processes */
} FpViewer;

gboolean fp_viewer_owns (const FpViewer *self, const FpOwner *owner);
gboolean fp_viewer_may_read (const FpViewer *self, const FpProcess *process);
gboolean fp_viewer_may_measure (const FpViewer *self, const FpProcess *process);
void fp_viewer_keep_measurable (const FpViewer *self, const FpSnapshot *snapshot, GArray *ids);
FpSnapshot *fp_viewer_filter (const FpViewer *self, FpSnapshot *snapshot);

G_END_DECLS
