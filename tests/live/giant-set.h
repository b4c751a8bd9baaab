// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workload.h"

G_BEGIN_DECLS

#define GIANT_SET_UNITS 21.5 /* of all of them together */

typedef struct
{
  const char *name;
  gint pid;
  guint64 step; /* what may move at once */
} Giant;

/* Big processes of every sort; $FOOTPRINT_GIANT and $FOOTPRINT_WORKLOAD are their programs. */
typedef struct
{
  guint64 unit; /* sizes are in these */
  Giant giants[16];
  guint n;
  GPtrArray *programs;
  Workload workloads[4];
  guint n_workloads;
} GiantSet;

void giant_set_init (GiantSet *self, guint64 unit);
void giant_set_start_programs (GiantSet *self, gboolean has_nobody);
void giant_set_start_workloads (GiantSet *self);
void giant_set_start_one (GiantSet *self, const char *mode, guint64 size, guint64 n, guint64 step);
void giant_set_stop (GiantSet *self);

G_END_DECLS
