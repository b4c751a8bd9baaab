// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-builder.h"
#include "fp-heap-modules.h"
#include "fp-heap-symbols.h"

G_BEGIN_DECLS

/* The call paths of a heaptrack file: its strings, instruction pointers and traces, which are numbered from 1. A raw file has
 * addresses instead of instruction pointers, and modules, whose symbols name the functions. */
typedef struct
{
  FpHeapBuilder *builder; /* not owned */
  guint64 format;
  gboolean is_raw;
  gboolean has_names; /* of functions, where it is raw */
  GArray *strings;    /* of guint32: numbers of texts */
  GArray *pointers;   /* of Pointer, as fp-heap-traces.c has it */
  GArray *frames;     /* of guint32: numbers of the builder's frames */
  GArray *nodes;      /* of guint32: numbers of the builder's nodes, by trace */
  GArray *places;     /* of Place: where each pointer of a raw file is */
  FpHeapIndex index;  /* of places */
  FpHeapModules modules;
  FpHeapSymbols *symbols; /* (nullable): until the first module */
  guint32 executable;
  guint32 new_names[4];
  guint32 stop_names[3];
} FpHeapTraces;

void fp_heap_traces_init (FpHeapTraces *self, FpHeapBuilder *builder);
void fp_heap_traces_clear (FpHeapTraces *self);
gboolean fp_heap_traces_get_text (const FpHeapTraces *self, const char **at, const char *end, gsize *length);
gboolean fp_heap_traces_read_string (FpHeapTraces *self, const char *at, const char *end);
gboolean fp_heap_traces_read_pointer (FpHeapTraces *self, const char *at);
gboolean fp_heap_traces_read_trace (FpHeapTraces *self, const char *at);
gboolean fp_heap_traces_read_executable (FpHeapTraces *self, const char *at, const char *end);
gboolean fp_heap_traces_read_module (FpHeapTraces *self, const char *at, const char *end);
guint64 fp_heap_traces_count (const FpHeapTraces *self);

/* Returns 0, the root, for a trace that is not there. */
static inline guint32
fp_heap_traces_get_node (const FpHeapTraces *self,
                         guint64 trace)
{
  return trace < self->nodes->len ? g_array_index (self->nodes, guint32, trace) : 0;
}

/* Numbers are hexadecimal, with blanks in front of them. */
static inline gboolean
fp_heap_read_number (const char **at,
                     guint64 *value)
{
  const char *c = *at;
  guint64 sum = 0;
  guint n = 0;

  while (*c == ' ')
    c++;
  for (;; c++, n++)
    {
      guint digit = (guint)(guchar)*c - '0';

      if (digit > 9)
        {
          digit = (guint)(guchar)*c - 'a' + 10;
          if (digit < 10 || digit > 15)
            break;
        }
      sum = sum << 4 | digit;
    }
  if (n == 0 || n > 16 || (*c != ' ' && *c != '\0'))
    return FALSE;
  *at = c;
  *value = sum;
  return TRUE;
}

G_END_DECLS
