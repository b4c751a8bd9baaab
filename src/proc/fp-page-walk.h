// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-process-reader.h"

G_BEGIN_DECLS

/* The private memory of a giant, read from its page map in small pieces with pauses, over as many collections as it
 * takes: the giant is held up 1 ms at a time where a walk would hold it up 100. */
typedef struct
{
  FpProcessId id;
  int pagemap_fd;
  guint64 page_size;
  GArray *ranges;
  guint range;
  guint64 next_page;
  guint64 n_private_pages;
  gboolean is_running;
} FpPageWalk;

void fp_page_walk_init (FpPageWalk *self);
void fp_page_walk_clear (FpPageWalk *self);
gboolean fp_page_walk_begin (FpPageWalk *self, const FpProcDir *proc, const FpProcess *process, guint64 page_size);
gboolean fp_page_walk_step (FpPageWalk *self, gint64 deadline_us);

G_END_DECLS
