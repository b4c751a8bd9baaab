// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FP_HEAP_END_NONE, /* there is more to come */
  FP_HEAP_END_WHOLE,
  FP_HEAP_END_CUT,     /* the compressed data stops in the middle */
  FP_HEAP_END_DAMAGED, /* it cannot be decompressed from here on */
  FP_HEAP_END_CANCELLED,
  FP_HEAP_END_FAILED, /* error_number says why */
} FpHeapEnd;

/* position, whole: bytes of the file. Returns FALSE to cancel. */
typedef gboolean (*FpHeapStepFunc) (guint64 position, guint64 whole, gpointer data);

/* The text of a file, which may be compressed with gzip or zstd. It passes through a window: the text between `at` and
 * `end` is there, and fp_heap_input_fill() moves what was not used to the front and adds to it. */
typedef struct
{
  char *text;
  gsize at, end, size;
  FpHeapEnd state;
  gboolean is_line_whole; /* the line had its end */
  int error_number;
  guint64 position; /* in the file */
  struct _FpHeapSource *source;
} FpHeapInput;

void fp_heap_input_init (FpHeapInput *self, int fd, FpHeapStepFunc step, gpointer data);
void fp_heap_input_clear (FpHeapInput *self);
gboolean fp_heap_input_fill (FpHeapInput *self);
gboolean fp_heap_input_fill_to (FpHeapInput *self, gsize length);
gboolean fp_heap_input_get_line (FpHeapInput *self, char **line, gsize *length);
void fp_heap_input_resume (FpHeapInput *self);
gboolean fp_heap_input_check (const FpHeapInput *self, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpHeapInput, fp_heap_input_clear)

G_END_DECLS
