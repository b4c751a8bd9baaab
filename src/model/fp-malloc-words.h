// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-json.h"
#include "fp-malloc.h"

G_BEGIN_DECLS

/* The lines of a heap come to the whole of it. */
typedef enum
{
  FP_MALLOC_LINE_USED,
  FP_MALLOC_LINE_MAPPED,
  FP_MALLOC_LINE_FREE,
  FP_MALLOC_LINE_CACHED,
  FP_MALLOC_LINE_TOP,
  FP_N_MALLOC_LINES,
} FpMallocLine;

typedef struct
{
  const char *title;
  const char *meaning;
} FpMallocLineInfo;

extern const FpMallocLineInfo fp_malloc_line_infos[FP_N_MALLOC_LINES];

FpFigure fp_malloc_get_line (const FpMalloc *self, FpMallocLine line);
char *fp_malloc_describe (const FpMalloc *self, const FpFormat *format);
char *fp_malloc_describe_rest (const FpMalloc *self, const FpFormat *format);
char *fp_malloc_describe_size (guint size, const FpFormat *format);
gboolean fp_malloc_has_size (const FpMalloc *self, guint size);
void fp_malloc_write_json (const FpMalloc *self, FpJson *json);

G_END_DECLS
