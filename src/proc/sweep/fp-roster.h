// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-errands.h"
#include "fp-process-reader.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

#define FP_ROSTER_NEWCOMER(number) ((FpProcess){ .pid = (number), .reason = FP_REASON_PENDING, .state = '?' })

/* The processes from one collection to the next: their records and the state kept beside them, in the order of PIDs. */
typedef struct
{
  FpProcessReader *reader;
  FpErrands *errands;
  guint64 now_us;
  FpSnapshotPool *pool;
  GArray *pids;
  GArray *newcomers; /* slots */
  GArray *silent;    /* those of them that kept who met them */
  GArray *carried;   /* FpCarried */
  FpTracked *tracked;
  FpTracked *former; /* the last collection's; an entry is empty once it is carried over */
  guint capacity;
  FpSnapshot *last;
  FpSnapshot *next;
  guint n_twins;
} FpRoster;

gboolean fp_roster_init (FpRoster *self, const char *proc_path, FpUserLookup lookup_user, GError **error);
void fp_roster_clear (FpRoster *self);
gboolean fp_roster_call (FpRoster *self, guint64 now_us, GError **error);
gboolean fp_roster_see (FpRoster *self, guint slot);
void fp_roster_drop_ended (FpRoster *self);
FpSnapshot *fp_roster_publish (FpRoster *self);

G_END_DECLS
