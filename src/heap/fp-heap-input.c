// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "fp-heap-input.h"

#define PIECE       (64 * 1024)
#define WINDOW      (256 * 1024)
#define MAX_LINE    (4 * 1024 * 1024)
#define STEP_PIECES 16

typedef enum
{
  PLAIN,
  GZIP,
  ZSTD,
} Packing;

typedef struct _FpHeapSource
{
  int fd;
  FpHeapStepFunc step;
  gpointer data;
  guint64 whole;
  guint n_pieces;
  gboolean is_over; /* the file is read */
  Packing packing;
  z_stream gzip;
  ZSTD_DStream *zstd;
  gboolean is_inside; /* of a compressed piece that is not complete */
  gsize at, end;
  guint8 piece[PIECE];
} FpHeapSource;

/* Returns FALSE at the end of the file, and on an error. */
static gboolean
read_piece (FpHeapInput *self)
{
  FpHeapSource *source = self->source;
  gssize n;

  if (source->is_over)
    return FALSE;
  if (source->step && source->n_pieces++ % STEP_PIECES == 0 && !source->step (self->position, source->whole, source->data))
    {
      self->state = FP_HEAP_END_CANCELLED;
      return FALSE;
    }
  do
    n = read (source->fd, source->piece + source->end, PIECE - source->end);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      self->error_number = errno;
      self->state = FP_HEAP_END_FAILED;
      return FALSE;
    }
  source->is_over = n == 0;
  source->end += (gsize)n;
  self->position += (guint64)n;
  return n > 0;
}

static gboolean
starts_with (const FpHeapSource *source,
             const char *magic,
             gsize length)
{
  return source->end - source->at >= length && memcmp (source->piece + source->at, magic, length) == 0;
}

/* A pipe may give the first bytes one by one. */
static void
recognize (FpHeapInput *self)
{
  FpHeapSource *source = self->source;

  while (source->end < 4 && read_piece (self))
    ;
  if (starts_with (source, "\x1f\x8b", 2) && inflateInit2 (&source->gzip, 16 + MAX_WBITS) == Z_OK)
    source->packing = GZIP;
  else if (starts_with (source, "\x28\xb5\x2f\xfd", 4))
    {
      source->packing = ZSTD;
      source->zstd = ZSTD_createDStream ();
    }
}

void
fp_heap_input_init (FpHeapInput *self,
                    int fd,
                    FpHeapStepFunc step,
                    gpointer data)
{
  struct stat status;

  *self = (FpHeapInput){ .text = g_malloc (WINDOW), .size = WINDOW, .source = g_new0 (FpHeapSource, 1) };
  self->source->fd = fd;
  self->source->step = step;
  self->source->data = data;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    self->source->whole = (guint64)status.st_size;
  recognize (self);
}

void
fp_heap_input_clear (FpHeapInput *self)
{
  if (!self->source)
    return;
  if (self->source->packing == GZIP)
    inflateEnd (&self->source->gzip);
  g_clear_pointer (&self->source->zstd, ZSTD_freeDStream);
  g_clear_pointer (&self->source, g_free);
  g_clear_pointer (&self->text, g_free);
}

static void
take_plain (FpHeapInput *self)
{
  FpHeapSource *source = self->source;
  gsize n = MIN (source->end - source->at, self->size - self->end);

  memcpy (self->text + self->end, source->piece + source->at, n);
  source->at += n;
  self->end += n;
}

/* Several members may follow each other. What follows the last and is none is padding. */
static void
take_gzip (FpHeapInput *self)
{
  FpHeapSource *source = self->source;
  z_stream *gzip = &source->gzip;
  int result;

  if (!source->is_inside && source->piece[source->at] != 0x1f)
    {
      source->at = source->end;
      return;
    }
  gzip->next_in = source->piece + source->at;
  gzip->avail_in = (uInt)(source->end - source->at);
  gzip->next_out = (Bytef *)self->text + self->end;
  gzip->avail_out = (uInt)(self->size - self->end);
  result = inflate (gzip, Z_NO_FLUSH);
  source->at = source->end - gzip->avail_in;
  self->end = self->size - gzip->avail_out;
  source->is_inside = result != Z_STREAM_END;
  if (result == Z_STREAM_END)
    inflateReset (gzip);
  else if (result != Z_OK && result != Z_BUF_ERROR)
    self->state = FP_HEAP_END_DAMAGED;
}

static void
take_zstd (FpHeapInput *self)
{
  FpHeapSource *source = self->source;
  ZSTD_inBuffer in = { source->piece, source->end, source->at };
  ZSTD_outBuffer out = { self->text, self->size, self->end };
  gsize result = ZSTD_decompressStream (source->zstd, &out, &in);

  source->at = in.pos;
  self->end = out.pos;
  source->is_inside = result != 0;
  if (ZSTD_isError (result))
    self->state = FP_HEAP_END_DAMAGED;
}

static void
take (FpHeapInput *self)
{
  switch (self->source->packing)
    {
    case GZIP:
      take_gzip (self);
      break;
    case ZSTD:
      take_zstd (self);
      break;
    case PLAIN:
    default:
      take_plain (self);
      break;
    }
}

static void
make_room (FpHeapInput *self)
{
  if (self->at > 0)
    {
      memmove (self->text, self->text + self->at, self->end - self->at);
      self->end -= self->at;
      self->at = 0;
    }
  if (self->end == self->size)
    {
      self->size *= 2;
      self->text = g_realloc (self->text, self->size);
    }
}

/* Adds to the text; FALSE: it has ended, and state says how. A decompressor may hold text back until it has room, so it is
 * asked once more after the file has ended. */
gboolean
fp_heap_input_fill (FpHeapInput *self)
{
  FpHeapSource *source = self->source;
  gsize before;

  if (self->state != FP_HEAP_END_NONE)
    return FALSE;
  make_room (self);
  before = self->end;
  while (self->end < self->size && self->state == FP_HEAP_END_NONE)
    {
      gsize end = self->end;

      if (source->at == source->end)
        {
          source->at = source->end = 0;
          if (!read_piece (self) && (self->state != FP_HEAP_END_NONE || !source->is_inside))
            break;
        }
      take (self);
      if (source->is_over && source->at == source->end && self->end == end)
        break;
    }
  if (self->state == FP_HEAP_END_NONE && self->end < self->size)
    self->state = source->is_inside ? FP_HEAP_END_CUT : FP_HEAP_END_WHOLE;
  return self->end > before;
}

/* Whether so much text is there. It grows only as far as there is text. */
gboolean
fp_heap_input_fill_to (FpHeapInput *self,
                       gsize length)
{
  while (self->end - self->at < length && fp_heap_input_fill (self))
    ;
  return self->end - self->at >= length;
}

/* Gets the next line, which ends with 0 instead of its line end. The last one may have had none, and one that is too long
 * comes in pieces. */
gboolean
fp_heap_input_get_line (FpHeapInput *self,
                        char **line,
                        gsize *length)
{
  char *line_end = NULL;
  gsize searched = 0;

  for (;;)
    {
      line_end = memchr (self->text + self->at + searched, '\n', self->end - self->at - searched);
      searched = self->end - self->at;
      if (line_end || searched >= MAX_LINE || !fp_heap_input_fill (self))
        break;
    }
  if (!line_end && self->at == self->end)
    return FALSE;
  if (!line_end && self->end == self->size)
    make_room (self);
  *line = self->text + self->at;
  *length = line_end ? (gsize)(line_end - *line) : self->end - self->at;
  self->is_line_whole = line_end != NULL;
  (*line)[*length] = '\0';
  self->at += *length + (line_end ? 1 : 0);
  return TRUE;
}

/* Lets a file be read on that has grown, or whose reading was cancelled. Compressed ones do not grow. */
void
fp_heap_input_resume (FpHeapInput *self)
{
  if (self->source->packing != PLAIN)
    return;
  if (self->state == FP_HEAP_END_WHOLE || self->state == FP_HEAP_END_CANCELLED)
    self->state = FP_HEAP_END_NONE;
  self->source->is_over = FALSE;
}

/* Says whether the file could be read, wherever its text ends. */
gboolean
fp_heap_input_check (const FpHeapInput *self,
                     GError **error)
{
  if (self->state == FP_HEAP_END_FAILED)
    g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (self->error_number), g_strerror (self->error_number));
  else if (self->state == FP_HEAP_END_CANCELLED)
    /* Translators: an error: the reading of a file was cancelled */
    g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, _ ("Cancelled"));
  return self->state != FP_HEAP_END_FAILED && self->state != FP_HEAP_END_CANCELLED;
}
