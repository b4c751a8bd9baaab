// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "heap-writer.h"

#define HEX G_GINT64_MODIFIER "x"
#define NO  G_MAXUINT64

HeapExpected *
heap_writer_get (const HeapWriter *self,
                 guint trace)
{
  return &g_array_index (self->traces, HeapExpected, trace);
}

static gboolean
has_blocks (const HeapWriter *self)
{
  return self->format == HEAP_FORMAT_0 || self->format == HEAP_RAW;
}

static void
write_head (HeapWriter *self)
{
  if (self->format == HEAP_FORMAT_1)
    g_string_append (self->text, "v 10200\n");
  else if (self->format > HEAP_FORMAT_1)
    g_string_append_printf (self->text, "v 10400 %x\n", MIN (self->format, 3));
  if (self->format == HEAP_RAW)
    g_string_append (self->text, "x c /bin/program\n");
  g_string_append (self->text, "X ./program with arguments\nI 1000 5e27ec\n");
  if (self->format == HEAP_RAW)
    g_string_append_printf (self->text, "m 1 x %lx 0 10000\nm e /lib/libc.so.6 7f0000000000 0 1000 2000 1000\n", (gulong)HEAP_MODULE_BASE);
}

void
heap_writer_init (HeapWriter *self,
                  HeapFormat format)
{
  *self = (HeapWriter){ .text = g_string_new (NULL), .format = format, .last_address = NO, .last_info = NO };
  self->infos = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->blocks = g_array_new (FALSE, FALSE, sizeof (HeapBlock));
  self->traces = g_array_new (FALSE, TRUE, sizeof (HeapExpected));
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_array_set_size (self->traces, 1);
  g_ptr_array_add (self->paths, g_strdup (""));
  write_head (self);
}

void
heap_writer_clear (HeapWriter *self)
{
  g_string_free (self->text, TRUE);
  g_hash_table_unref (self->infos);
  g_array_unref (self->blocks);
  g_array_unref (self->traces);
  g_ptr_array_unref (self->paths);
}

guint
heap_writer_add_string (HeapWriter *self,
                        const char *text)
{
  if (self->format >= HEAP_FORMAT_3)
    g_string_append_printf (self->text, "s %x %s\n", (guint)strlen (text), text);
  else
    g_string_append_printf (self->text, "s %s\n", text);
  return ++self->n_strings;
}

/* Each trace has a function of its own, in line 0x20 of a file; in raw recordings an address of its own. */
guint
heap_writer_add_trace (HeapWriter *self,
                       const char *function,
                       guint parent)
{
  return heap_writer_add_trace_in (self, "/bin/program", function, parent);
}

guint
heap_writer_add_trace_in (HeapWriter *self,
                          const char *module_path,
                          const char *function,
                          guint parent)
{
  const HeapExpected none = { 0 };
  const char *outer = self->paths->pdata[parent];
  guint trace = self->traces->len;

  if (self->format == HEAP_RAW)
    g_string_append_printf (self->text, "t %" HEX " %x\n", (guint64)HEAP_MODULE_BASE + trace, parent);
  else
    {
      guint module = heap_writer_add_string (self, module_path), name = heap_writer_add_string (self, function);
      guint file = heap_writer_add_string (self, "/src/a file.c");

      g_string_append_printf (self->text, "i %" HEX " %x %x %x 20\n", (guint64)HEAP_MODULE_BASE + trace, module, name, file);
      g_string_append_printf (self->text, "t %x %x\n", ++self->n_pointers, parent);
    }
  g_array_append_val (self->traces, none);
  g_ptr_array_add (self->paths, g_strconcat (outer, *outer ? ";" : "", function, NULL));
  return trace;
}

static guint64
find_info (HeapWriter *self,
           guint64 size,
           guint trace)
{
  g_autofree char *key = g_strdup_printf ("%" HEX " %x", size, trace);
  guint64 *known = g_hash_table_lookup (self->infos, key);

  if (known)
    return *known;
  g_string_append_printf (self->text, "a %s\n", key);
  g_hash_table_insert (self->infos, g_steal_pointer (&key), g_memdup2 (&self->n_infos, sizeof self->n_infos));
  return self->n_infos++;
}

static void
keep_peak (HeapWriter *self)
{
  self->peak = self->live;
  self->is_peak_new = TRUE;
  for (guint i = 0; i < self->traces->len; i++)
    {
      HeapExpected *expected = heap_writer_get (self, i);

      expected->peak = expected->live;
      expected->peak_blocks = expected->live_blocks;
    }
}

void
heap_writer_allocate (HeapWriter *self,
                      guint64 address,
                      guint64 size,
                      guint trace)
{
  const HeapBlock block = { address, size, trace };
  HeapExpected *expected = heap_writer_get (self, trace);

  if (has_blocks (self))
    g_string_append_printf (self->text, "+ %" HEX " %x %" HEX "\n", size, trace, address);
  else
    {
      self->last_info = find_info (self, size, trace);
      g_string_append_printf (self->text, "+ %" HEX "\n", self->last_info);
    }
  self->last_address = address;
  g_array_append_val (self->blocks, block);
  expected->calls++;
  expected->live += size;
  expected->live_blocks++;
  self->live += size;
  if (self->live > self->peak)
    keep_peak (self);
}

/* An address that is not known is written all the same, where a format has addresses. */
void
heap_writer_release (HeapWriter *self,
                     guint64 address)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const HeapBlock block = g_array_index (self->blocks, HeapBlock, i);
      HeapExpected *expected = heap_writer_get (self, block.trace);
      guint64 info;

      if (block.address != address)
        continue;
      info = has_blocks (self) ? 0 : find_info (self, block.size, block.trace);
      if (!has_blocks (self))
        g_string_append_printf (self->text, "- %" HEX "\n", info);
      expected->temporary += has_blocks (self) ? self->last_address == address : self->last_info == info;
      expected->live -= block.size;
      expected->live_blocks--;
      self->live -= block.size;
      g_array_remove_index (self->blocks, i);
      break;
    }
  if (has_blocks (self))
    g_string_append_printf (self->text, "- %" HEX "\n", address);
  self->last_address = self->last_info = NO;
}

void
heap_writer_set_time (HeapWriter *self,
                      guint64 time_ms)
{
  g_string_append_printf (self->text, "c %" HEX "\nR %" HEX "\n", time_ms, time_ms + 1);
  if (self->is_peak_new)
    self->peak_ms = time_ms;
  self->is_peak_new = FALSE;
}

void
heap_writer_finish (HeapWriter *self)
{
  if (self->format != HEAP_RAW)
    g_string_append_printf (self->text, "# strings: %x\n# ips: %x\n", self->n_strings, self->n_pointers);
}

/* 3 MiB by read_rows() in three blocks of strdup(), 1 MiB by a library that it calls, of which 256 KiB stay; at the peak
 * after 2.5 s, of 4 s, when the process has the most memory, too. After 1 s one of the blocks is there. */
void
heap_writer_write_known (HeapWriter *self)
{
  guint rows, duplicate, parse;

  heap_writer_init (self, HEAP_FORMAT_3);
  rows = heap_writer_add_trace_in (self, "/usr/bin/reader", "read_rows", heap_writer_add_trace_in (self, "/usr/bin/reader", "main", 0));
  duplicate = heap_writer_add_trace_in (self, "/usr/lib/libc.so.6", "strdup", rows);
  parse = heap_writer_add_trace_in (self, "/usr/lib/libjson.so.5", "parse_object", rows);
  heap_writer_allocate (self, 0x10, 1 << 20, duplicate);
  heap_writer_set_time (self, 1000);
  for (guint64 i = 2; i <= 3; i++)
    heap_writer_allocate (self, i << 4, 1 << 20, duplicate);
  for (guint64 i = 4; i < 8; i++)
    heap_writer_allocate (self, i << 4, 1 << 18, parse);
  g_string_append (self->text, "R ffff\n");
  heap_writer_set_time (self, 2500);
  for (guint64 i = 1; i < 7; i++)
    heap_writer_release (self, i << 4);
  heap_writer_set_time (self, 4000);
  heap_writer_finish (self);
}

/* Free the path. */
char *
heap_writer_save_known (const char *folder,
                        const char *name)
{
  g_auto (HeapWriter) writer = { 0 };
  char *path = g_build_filename (folder, name, NULL);

  heap_writer_write_known (&writer);
  g_assert_true (g_file_set_contents (path, writer.text->str, (gssize)writer.text->len, NULL));
  return path;
}

GBytes *
heap_compress_gzip (const char *text,
                    gsize length)
{
  z_stream stream = { .next_in = (Bytef *)(gpointer)text, .avail_in = (uInt)length };
  gsize bound;
  guint8 *data;

  g_assert_cmpint (deflateInit2 (&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  bound = deflateBound (&stream, length);
  data = g_malloc (bound);
  stream.next_out = data;
  stream.avail_out = (uInt)bound;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  bound -= stream.avail_out;
  deflateEnd (&stream);
  return g_bytes_new_take (data, bound);
}

GBytes *
heap_compress_zstd (const char *text,
                    gsize length)
{
  gsize bound = ZSTD_compressBound (length);
  guint8 *data = g_malloc (bound);
  gsize size = ZSTD_compress (data, bound, text, length, 3);

  g_assert_false (ZSTD_isError (size));
  return g_bytes_new_take (data, size);
}

/* Close it. */
int
heap_open_bytes (const void *data,
                 gsize length)
{
  int fd = memfd_create ("heap-profile", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  for (gsize done = 0; done < length;)
    {
      gssize n = write (fd, (const char *)data + done, length - done);

      g_assert_cmpint (n, >, 0);
      done += (gsize)n;
    }
  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  return fd;
}

FpHeapProfile *
heap_read (const void *data,
           gsize length,
           GError **error)
{
  int fd = heap_open_bytes (data, length);
  FpHeapProfile *profile = fp_heap_profile_read (fd, NULL, NULL, error);

  close (fd);
  return profile;
}

/* "outer;inner"; of a function that is not known its address */
char *
heap_get_path (const FpHeapProfile *profile,
               guint32 node)
{
  GString *path = g_string_new (NULL);

  for (; node; node = fp_heap_profile_get_parent (profile, node))
    {
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);
      g_autofree char *address = g_strdup_printf ("%" HEX, frame->address);

      g_string_prepend (path, path->len > 0 ? ";" : "");
      g_string_prepend (path, frame->function ? fp_heap_profile_get_text (profile, frame->function) : address);
    }
  return g_string_free (path, FALSE);
}

const FpHeapStack *
heap_find_stack (const FpHeapProfile *profile,
                 const char *path)
{
  for (guint i = 0; i < profile->stacks->len; i++)
    {
      const FpHeapStack *stack = fp_heap_profile_get_stack (profile, i);
      g_autofree char *own = heap_get_path (profile, stack->node);

      if (strcmp (own, path) == 0)
        return stack;
    }
  return NULL;
}
