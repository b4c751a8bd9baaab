// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-builder.h"
#include "fp-heap-pointers.h"
#include "fp-heap-traces.h"

G_BEGIN_DECLS

/* Reads the lines of a heaptrack file as far as there are any, and goes on where it was when there are more. */
typedef struct
{
  FpHeapInput *input;     /* not owned */
  FpHeapBuilder *builder; /* not owned */
  FpHeapProfile *profile; /* the builder's */
  FpHeapTraces traces;
  gboolean is_growing; /* a line without an end waits for the rest of it */
  gboolean has_trailer;
  GArray *infos; /* of Info, as fp-heaptrack-reader.c has it */
  GArray *big;   /* of BigSize: sizes that do not fit, in the order of infos */
  GPtrArray *suppressions;
  FpHeapPointers blocks;
  guint64 last; /* allocated by the event before: an info or an address */
  guint64 page_size;
} FpHeaptrackReader;

void fp_heaptrack_reader_init (FpHeaptrackReader *self, FpHeapInput *input, FpHeapBuilder *builder);
void fp_heaptrack_reader_clear (FpHeaptrackReader *self);
gboolean fp_heaptrack_reader_read (FpHeaptrackReader *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpHeaptrackReader, fp_heaptrack_reader_clear)

G_END_DECLS
