// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

/* A snapshot made by hand. Add processes in the order of their pids. */
typedef struct
{
  FpSnapshotPool *pool;
  FpSnapshot *snapshot;
  FpStrings strings;
} FixtureSnapshot;

void fixture_snapshot_init (FixtureSnapshot *self, guint capacity);
FpProcess *fixture_snapshot_add (FixtureSnapshot *self, gint pid, const char *program);
FpProcess *fixture_snapshot_add_reason (FixtureSnapshot *self, gint pid, const char *program, FpReason reason);
void fixture_snapshot_set_text (FixtureSnapshot *self, FpProcess *process, FpText text, const char *value);
FpRecords *fixture_snapshot_make_records (FixtureSnapshot *self);
void fixture_snapshot_clear (FixtureSnapshot *self);

void fixture_set_figures (FpProcess *process, guint64 pss, guint64 rss, guint64 swap_pss);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FixtureSnapshot, fixture_snapshot_clear)

G_END_DECLS
