// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-builder.h"

G_BEGIN_DECLS

/* A kind of file. recognizes: by the first bytes, of which there are at most as many as FP_HEAP_MAGIC */
typedef struct
{
  const char *name;
  gboolean (*recognizes) (const char *text, gsize length);
  gboolean (*read) (FpHeapInput *input, FpHeapBuilder *builder, GError **error);
} FpHeapFormat;

#define FP_HEAP_MAGIC    4096
#define FP_HEAP_MAX_TEXT (256 * 1024 * 1024) /* of formats that are read as a whole */

extern const FpHeapFormat fp_heap_dhat;
extern const FpHeapFormat fp_heap_folded;
extern const FpHeapFormat fp_heap_heaptrack;
extern const FpHeapFormat fp_heap_massif;
extern const FpHeapFormat fp_heap_pprof;

gboolean fp_heap_refuse (GError **error, const char *why);

G_END_DECLS
