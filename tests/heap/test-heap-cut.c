// SPDX-License-Identifier: GPL-3.0-or-later
/* Recordings that are cut off, or claim more than there is. */
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "heap-writer.h"
#include "test-length.h"

/* A sanitizer keeps what was freed, and surrounds every block. */
#ifdef __SANITIZE_ADDRESS__
#define BOMB_BYTES (1024 * 1024 * 1024)
#else
#define BOMB_BYTES (160 * 1024 * 1024)
#endif

static void
write_some (HeapWriter *writer,
            guint n_events,
            guint n_traces)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 1; i <= n_traces; i++)
    {
      g_autofree char *name = g_strdup_printf ("function_%u", i);

      heap_writer_add_trace (writer, name, (guint)g_rand_int_range (random, 0, (gint)i));
    }
  for (guint i = 1; i <= n_events; i++)
    {
      guint64 size = 0x123456 + (guint64)g_rand_int_range (random, 0, 4096);

      heap_writer_allocate (writer, i * 32, size, (guint)g_rand_int_range (random, 1, (gint)n_traces + 1));
      if (i % 3 == 0)
        heap_writer_release (writer, (i - 1) * 32);
      if (i % 10 == 0)
        heap_writer_set_time (writer, i);
    }
  heap_writer_finish (writer);
}

static GBytes *
compress (const HeapWriter *writer,
          gboolean is_zstd)
{
  return is_zstd ? heap_compress_zstd (writer->text->str, writer->text->len) : heap_compress_gzip (writer->text->str, writer->text->len);
}

static void
assert_sums (const FpHeapProfile *profile)
{
  FpHeapStack sum = { 0 };

  for (guint i = 0; i < profile->stacks->len; i++)
    {
      const FpHeapStack *stack = fp_heap_profile_get_stack (profile, i);

      sum.calls += stack->calls;
      sum.peak.bytes += stack->peak.bytes;
      sum.leaked.bytes += stack->leaked.bytes;
    }
  g_assert_cmpuint (sum.calls, ==, profile->total.calls);
  g_assert_cmpuint (sum.peak.bytes, ==, profile->total.peak.bytes);
  g_assert_cmpuint (sum.leaked.bytes, ==, profile->total.leaked.bytes);
}

/* A part of a file is either refused or read as a part, and never as more than the whole. Returns the calls. */
static guint64
read_cut (const char *data,
          gsize length,
          gsize cut,
          guint64 whole)
{
  g_autofree char *exact = g_memdup2 (data, MAX (cut, 1));
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapProfile) profile = heap_read (exact, cut, &error);

  if (!profile)
    {
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
      return 0;
    }
  g_assert_no_error (error);
  assert_sums (profile);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->total.calls, <=, whole);
  if (cut < length)
    g_assert_cmpint (profile->condition, !=, FP_HEAP_COMPLETE);
  else
    g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
  return profile->total.calls;
}

/* The last bytes of a compressed file are a checksum or its like, so that all text may be there already. */
static void
cut_everywhere (const char *data,
                gsize length,
                gsize step,
                guint64 whole)
{
  guint64 last = 0;

  for (gsize cut = 0; cut < length; cut += step)
    {
      guint64 n = read_cut (data, length, cut, whole);

      g_assert_cmpuint (n, >=, last);
      last = n;
    }
  g_assert_cmpuint (last, >, 0);
  g_assert_cmpuint (read_cut (data, length, length, whole), ==, whole);
}

/* The trailer says that an interpreted file is whole; a cut within it leaves nothing but its own text out. */
static void
test_every_byte (gconstpointer data)
{
  g_auto (HeapWriter) writer = { 0 };
  gsize length;

  heap_writer_init (&writer, (HeapFormat)GPOINTER_TO_INT (data));
  write_some (&writer, 60, 8);
  length = (gsize)(strstr (writer.text->str, "\n# strings:") + 1 - writer.text->str);
  for (gsize cut = 0; cut < length; cut += test_takes_all () ? 1 : 7)
    read_cut (writer.text->str, writer.text->len, cut, 60);
  g_assert_cmpuint (read_cut (writer.text->str, length - 1, length - 2, 60), ==, 60);
  g_assert_cmpuint (read_cut (writer.text->str, writer.text->len, writer.text->len, 60), ==, 60);
}

static void
test_compressed_small (gconstpointer data)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (GBytes) bytes = NULL;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  write_some (&writer, 2000, 8);
  bytes = compress (&writer, GPOINTER_TO_INT (data));
  for (gsize cut = 0; cut < g_bytes_get_size (bytes); cut += test_takes_all () ? 1 : 29)
    read_cut (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), cut, 2000);
  g_assert_cmpuint (read_cut (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), g_bytes_get_size (bytes), 2000), ==, 2000);
}

static void
test_compressed_large (gconstpointer data)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (GBytes) bytes = NULL;
  gsize size;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  write_some (&writer, 50000, 100);
  bytes = compress (&writer, GPOINTER_TO_INT (data));
  size = g_bytes_get_size (bytes);
  cut_everywhere (g_bytes_get_data (bytes, NULL), size, size / (test_takes_all () ? 1000 : 25), 50000);
}

/* Every third bit of a compressed file is turned: what is read is the part before, or refused. */
static void
test_turned_bits (gconstpointer data)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (GBytes) bytes = NULL;
  g_autofree guint8 *copy = NULL;
  gsize length;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  write_some (&writer, 500, 8);
  bytes = compress (&writer, GPOINTER_TO_INT (data));
  length = g_bytes_get_size (bytes);
  copy = g_memdup2 (g_bytes_get_data (bytes, NULL), length);
  for (gsize bit = 0; bit < length * 8; bit += test_takes_all () ? 3 : 101)
    {
      g_autoptr (FpHeapProfile) profile = NULL;

      copy[bit / 8] ^= (guint8)(1 << bit % 8);
      profile = heap_read (copy, length, NULL);
      if (profile)
        assert_sums (profile);
      copy[bit / 8] ^= (guint8)(1 << bit % 8);
    }
}

static gsize
read_resident_peak (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, "VmHWM:");
  return g_ascii_strtoull (line + strlen ("VmHWM:"), NULL, 10) * 1024;
}

/* 1.5 GiB of lines that each ask for memory, in a file of some kilobytes */
static void
test_bomb (void)
{
  static const char *const lines[] = { "s 1 a\n", "t 1 0\n", "a 1 1\n", "i 1 1 1\n", "i 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", "m 1 a 1 1 1 1 1 1 1 1 1\n", "a 100000000000 1\n" };
  gsize before = read_resident_peak ();

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GByteArray) file = g_byte_array_new ();
      g_autoptr (GString) text = g_string_new ("v 10400 3\ns 1 a\ni 1 1 1\nt 1 0\n");
      g_autoptr (GBytes) head = heap_compress_zstd (text->str, text->len), piece = NULL;
      g_autoptr (FpHeapProfile) profile = NULL;
      g_autoptr (GError) error = NULL;

      g_string_truncate (text, 0);
      while (text->len < 1 << 20)
        g_string_append (text, lines[i]);
      piece = heap_compress_zstd (text->str, text->len);
      g_byte_array_append (file, g_bytes_get_data (head, NULL), (guint)g_bytes_get_size (head));
      for (guint n = 0; n < 256; n++)
        g_byte_array_append (file, g_bytes_get_data (piece, NULL), (guint)g_bytes_get_size (piece));
      g_assert_cmpuint (file->len, <, 1 << 20);
      profile = heap_read (file->data, file->len, &error);
      g_assert_no_error (error);
    }
  g_assert_cmpuint (read_resident_peak () - before, <, BOMB_BYTES);
}

/* Numbers that claim billions in a file of some bytes */
static void
test_claims (void)
{
  static const char *const texts[] = {
    "v 10400 3\ns ffffffff a\n",
    "v 10400 3\ns ffffffffffffffff a\n",
    "v 10400 3\ns fffffffffffffffff a\n",
    "v 10400 3\ns 1 a\ni 1 ffffffff ffffffff ffffffff ffffffff\n",
    "v 10400 3\nt ffffffff ffffffff\n",
    "v 10400 3\na ffffffffffffffff ffffffff\n+ 0\n+ 0\n",
    "v 10400 3\na ffffffffffffffff 0\n+ 0\n+ 0\n- 0\n- 0\n- 0\n",
    "v 10400 3\n+ ffffffff\n- ffffffff\nc ffffffffffffffff\nR ffffffffffffffff\n",
    "v 10400 3\nI ffffffff 1\nR ffffffffffff\n",
    "v 10400 3\nx ffff a\nm 1 a ffffffffffffffff ffffffffffffffff ffffffffffffffff\nt ffffffffffffffff 0\n+ 1 1 ffffffffffffffff\n",
    "+ ffffffffffffffff 0 1\n+ 1 ffffffff 1\n- 1\n",
  };
  gsize before = read_resident_peak ();

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpHeapProfile) profile = heap_read (texts[i], strlen (texts[i]), &error);

      g_assert_no_error (error);
      assert_sums (profile);
    }
  g_assert_cmpuint (read_resident_peak () - before, <, 16 * 1024 * 1024);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/heap/cut/every-byte/1", GINT_TO_POINTER (HEAP_FORMAT_1), test_every_byte);
  g_test_add_data_func ("/heap/cut/every-byte/2", GINT_TO_POINTER (HEAP_FORMAT_2), test_every_byte);
  g_test_add_data_func ("/heap/cut/every-byte/3", GINT_TO_POINTER (HEAP_FORMAT_3), test_every_byte);
  g_test_add_func ("/heap/cut/claims", test_claims);
  g_test_add_data_func ("/heap/cut/small/gzip", GINT_TO_POINTER (FALSE), test_compressed_small);
  g_test_add_data_func ("/heap/cut/small/zstd", GINT_TO_POINTER (TRUE), test_compressed_small);
  g_test_add_data_func ("/heap/cut/large/gzip", GINT_TO_POINTER (FALSE), test_compressed_large);
  g_test_add_data_func ("/heap/cut/large/zstd", GINT_TO_POINTER (TRUE), test_compressed_large);
  g_test_add_data_func ("/heap/cut/turned-bits/gzip", GINT_TO_POINTER (FALSE), test_turned_bits);
  g_test_add_data_func ("/heap/cut/turned-bits/zstd", GINT_TO_POINTER (TRUE), test_turned_bits);
  g_test_add_func ("/heap/cut/bomb", test_bomb);
  return g_test_run ();
}
