// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

#define HEAP_MODULE_BASE 0x560000000000

typedef enum
{
  HEAP_FORMAT_0,
  HEAP_FORMAT_1,
  HEAP_FORMAT_2,
  HEAP_FORMAT_3,
  HEAP_RAW, /* of format 3 */
  HEAP_N_FORMATS,
} HeapFormat;

/* The figures that a reader has to find for a trace, counted in the plainest way: a list of blocks, and a copy of all for each peak. */
typedef struct
{
  guint64 calls, temporary, live, live_blocks, peak, peak_blocks;
} HeapExpected;

typedef struct
{
  guint64 address, size;
  guint trace;
} HeapBlock;

/* Writes a recording, and knows what is in it. */
typedef struct
{
  GString *text;
  HeapFormat format;
  guint n_strings, n_pointers;
  guint64 n_infos;
  GHashTable *infos; /* "SIZE TRACE" → number + 1 */
  GArray *blocks;    /* of HeapBlock */
  GArray *traces;    /* of HeapExpected; 0 is no trace */
  GPtrArray *paths;  /* of each trace: "outer;inner" */
  guint64 live, peak, peak_ms, last_address, last_info;
  gboolean is_peak_new;
} HeapWriter;

void heap_writer_init (HeapWriter *self, HeapFormat format);
void heap_writer_clear (HeapWriter *self);
guint heap_writer_add_string (HeapWriter *self, const char *text);
guint heap_writer_add_trace (HeapWriter *self, const char *function, guint parent);
guint heap_writer_add_trace_in (HeapWriter *self, const char *module_path, const char *function, guint parent);
void heap_writer_allocate (HeapWriter *self, guint64 address, guint64 size, guint trace);
void heap_writer_release (HeapWriter *self, guint64 address);
void heap_writer_set_time (HeapWriter *self, guint64 time_ms);
void heap_writer_finish (HeapWriter *self);
void heap_writer_write_known (HeapWriter *self);
char *heap_writer_save_known (const char *folder, const char *name);
HeapExpected *heap_writer_get (const HeapWriter *self, guint trace);

GBytes *heap_compress_gzip (const char *text, gsize length);
GBytes *heap_compress_zstd (const char *text, gsize length);
int heap_open_bytes (const void *data, gsize length);
FpHeapProfile *heap_read (const void *data, gsize length, GError **error);
char *heap_get_path (const FpHeapProfile *profile, guint32 node);
const FpHeapStack *heap_find_stack (const FpHeapProfile *profile, const char *path);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HeapWriter, heap_writer_clear)

G_END_DECLS
