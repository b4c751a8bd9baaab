// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FAKE_TYPE_SOURCE (fake_source_get_type ())

G_DECLARE_FINAL_TYPE (FakeSource, fake_source, FAKE, SOURCE, GObject)

/* One that does as it is told: what it collects is empty. */
struct _FakeSource
{
  GObject parent;

  FpSnapshotPool *pool;
  GError *problem;    /* NULL: it reads */
  gboolean is_slow;   /* groups are answered only when the test says so */
  GPtrArray *waiting; /* the GTasks of those */
  guint n_collections;
  guint n_details;
  guint n_maps;
  guint n_groups;
  guint n_kept;
  guint n_sums;
  guint n_unlocks;
  guint n_locks;
};

FakeSource *fake_source_new (void);
void fake_source_fail (FakeSource *self, GQuark domain, gint code, const char *message);
void fake_source_mend (FakeSource *self);
void fake_source_answer_groups (FakeSource *self);

G_END_DECLS
