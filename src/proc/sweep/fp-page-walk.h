// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-estimate.h"
#include "fp-process-reader.h"

G_BEGIN_DECLS

/* The private and shared pages of a process, read from its page map in small pieces with pauses, over as many collections
 * as it takes: the process is held up 1 ms at a time where a walk of one big mapping would hold it up 100. */
typedef struct
{
  FpProcessId id;
  int pagemap_fd;
  guint64 page_size;
  GArray *ranges;
  guint range;
  guint64 next_page;
  guint64 n_private_pages;
  guint64 n_shared_anon_pages; /* pages of zeroes included, which are not resident */
  guint64 n_shared_file_pages; /* shared memory included */
  guint64 n_huge_pages;        /* part of all of these; 0 before Linux 6.7, where the kernel can't tell */
  gboolean is_running;
} FpPageWalk;

void fp_page_walk_init (FpPageWalk *self);
void fp_page_walk_clear (FpPageWalk *self);
void fp_page_walk_stop (FpPageWalk *self);
gboolean fp_page_walk_begin (FpPageWalk *self, const FpProcDir *proc, const FpProcess *process, guint64 page_size);
gboolean fp_page_walk_step (FpPageWalk *self, gint64 deadline_us);
void fp_page_walk_get_parts (const FpPageWalk *self, FpEstimate *estimate);

G_END_DECLS
