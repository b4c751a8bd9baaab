// SPDX-License-Identifier: GPL-3.0-or-later
/* Recordings of exactly known content, in each format of heaptrack. */
#include <string.h>
#include <unistd.h>

#include "heap-writer.h"

#define N_EVENTS 4000
#define N_TRACES 40

/* A path of a raw recording is made of addresses in the module. */
static char *
get_expected_path (const HeapWriter *writer,
                   guint trace)
{
  const char *path = writer->paths->pdata[trace];
  g_auto (GStrv) names = g_strsplit (path, ";", -1);
  GString *addresses = g_string_new (NULL);

  if (writer->format != HEAP_RAW)
    {
      g_string_append (addresses, path);
      return g_string_free (addresses, FALSE);
    }
  for (guint i = 0; names[i]; i++)
    g_string_append_printf (addresses, "%s%" G_GINT64_MODIFIER "x", i > 0 ? ";" : "", g_ascii_strtoull (names[i] + 1, NULL, 10));
  return g_string_free (addresses, FALSE);
}

static void
assert_equal (const HeapWriter *writer,
              const FpHeapProfile *profile)
{
  FpHeapStack sum = { 0 };
  guint n = 0;

  for (guint i = 1; i < writer->traces->len; i++)
    {
      const HeapExpected *expected = heap_writer_get (writer, i);
      g_autofree char *path = get_expected_path (writer, i);
      const FpHeapStack *stack = heap_find_stack (profile, path);

      if (expected->calls == 0)
        continue;
      n++;
      g_assert_nonnull (stack);
      g_assert_cmpuint (stack->calls, ==, expected->calls);
      g_assert_cmpuint (stack->temporary, ==, expected->temporary);
      g_assert_cmpuint (stack->leaked.bytes, ==, expected->live);
      g_assert_cmpuint (stack->leaked.blocks, ==, expected->live_blocks);
      g_assert_cmpuint (stack->peak.bytes, ==, expected->peak);
      g_assert_cmpuint (stack->peak.blocks, ==, expected->peak_blocks);
      sum.calls += stack->calls;
      sum.temporary += stack->temporary;
      sum.peak.bytes += stack->peak.bytes;
      sum.leaked.bytes += stack->leaked.bytes;
    }
  g_assert_cmpuint (profile->stacks->len, ==, n);
  g_assert_cmpuint (profile->total.calls, ==, sum.calls);
  g_assert_cmpuint (profile->total.temporary, ==, sum.temporary);
  g_assert_cmpuint (profile->total.peak.bytes, ==, sum.peak.bytes);
  g_assert_cmpuint (profile->total.peak.bytes, ==, writer->peak);
  g_assert_cmpuint (profile->total.leaked.bytes, ==, sum.leaked.bytes);
  g_assert_cmpuint (profile->peak_ms, ==, writer->peak_ms);
}

/* Traces in a random tree, whose functions are called f1, f2, … */
static void
write_random (HeapWriter *writer,
              guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint64 address = 0x1000;

  for (guint i = 1; i <= N_TRACES; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%u", i);

      heap_writer_add_trace (writer, name, (guint)g_rand_int_range (random, 0, (gint)i));
    }
  for (guint i = 0; i < N_EVENTS; i++)
    {
      guint n_blocks = writer->blocks->len;

      if (i % 50 == 49)
        heap_writer_set_time (writer, i / 5);
      if (n_blocks > 0 && g_rand_int_range (random, 0, 100) < (i < N_EVENTS / 2 ? 40 : 60))
        {
          guint which = g_rand_boolean (random) ? n_blocks - 1 : (guint)g_rand_int_range (random, 0, (gint)n_blocks);

          heap_writer_release (writer, g_array_index (writer->blocks, HeapBlock, which).address);
        }
      else
        {
          guint64 size = (guint64)g_rand_int_range (random, 0, 400);

          heap_writer_allocate (writer, address += 16, size, (guint)g_rand_int_range (random, 1, N_TRACES + 1));
        }
    }
  heap_writer_set_time (writer, N_EVENTS / 5);
  heap_writer_finish (writer);
}

static void
test_random (gconstpointer data)
{
  for (guint32 seed = 0; seed < 4; seed++)
    {
      g_auto (HeapWriter) writer = { 0 };
      g_autoptr (FpHeapProfile) profile = NULL;
      g_autoptr (GError) error = NULL;

      heap_writer_init (&writer, (HeapFormat)GPOINTER_TO_INT (data));
      write_random (&writer, seed);
      profile = heap_read (writer.text->str, writer.text->len, &error);
      g_assert_no_error (error);
      assert_equal (&writer, profile);
      g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
      g_assert_cmpuint (profile->n_bad_lines, ==, 0);
      g_assert_cmpstr (profile->command, ==, "./program with arguments");
      g_assert_cmpuint (profile->duration_ms, ==, N_EVENTS / 5);
      g_assert_cmpuint (profile->peak_rss, ==, (N_EVENTS / 5 + 1) * 4096);
      g_assert_cmpint (profile->is_raw, ==, writer.format == HEAP_RAW);
    }
}

/* At each time stamp, what is in use by stack is what a recording that ends there leaks. */
static void
test_moments (gconstpointer data)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) whole = NULL;
  const char *text, *stamp;
  guint n = 0;

  heap_writer_init (&writer, (HeapFormat)GPOINTER_TO_INT (data));
  write_random (&writer, 11);
  text = writer.text->str;
  whole = heap_read (text, writer.text->len, NULL);
  for (stamp = strstr (text, "\nc "); stamp; stamp = strstr (stamp + 1, "\nc "), n++)
    {
      const char *end = strchr (stamp + 1, '\n') + 1;
      guint64 time_ms = g_ascii_strtoull (stamp + 3, NULL, 16), found_ms;
      g_autoptr (FpHeapProfile) begin = heap_read (text, (gsize)(end - text), NULL);
      g_autoptr (GArray) stacks = fp_heap_profile_dup_stacks_at (whole, time_ms, &found_ms);

      g_assert_cmpuint (found_ms, ==, time_ms);
      for (guint i = 0; i < begin->stacks->len; i++)
        {
          const FpHeapStack *expected = fp_heap_profile_get_stack (begin, i), *stack = &g_array_index (stacks, FpHeapStack, i);

          g_assert_cmpuint (stack->node, ==, expected->node);
          g_assert_cmpuint (stack->calls, ==, expected->calls);
          g_assert_cmpuint (stack->temporary, ==, expected->temporary);
          g_assert_cmpuint (stack->leaked.bytes, ==, expected->leaked.bytes);
          g_assert_cmpuint (stack->leaked.blocks, ==, expected->leaked.blocks);
        }
    }
  g_assert_cmpuint (n, ==, N_EVENTS / 50 + 1);
}

/* More time stamps than are kept: what is kept is exact. */
static void
test_long_recording (void)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  guint trace;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  trace = heap_writer_add_trace (&writer, "fill", 0);
  for (guint i = 1; i <= 5000; i++)
    {
      heap_writer_allocate (&writer, i * 16, 10, trace);
      heap_writer_set_time (&writer, i * 10);
    }
  heap_writer_finish (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  g_assert_cmpuint (profile->states.intervals->len, >=, 500);
  g_assert_cmpuint (profile->states.intervals->len, <=, 1024);
  g_assert_cmpuint (profile->states.changes->len, <=, 1024);
  for (guint time_ms = 500; time_ms <= 50000; time_ms += 500)
    {
      guint64 found_ms;
      g_autoptr (GArray) stacks = fp_heap_profile_dup_stacks_at (profile, time_ms, &found_ms);

      g_assert_cmpuint (found_ms, <=, time_ms);
      g_assert_cmpuint (found_ms, >=, time_ms - 100);
      g_assert_cmpuint (g_array_index (stacks, FpHeapStack, 0).leaked.bytes, ==, found_ms);
    }
}

static void
test_compressed (gconstpointer data)
{
  gboolean is_zstd = GPOINTER_TO_INT (data);
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (GBytes) first = NULL, second = NULL;
  g_autoptr (GByteArray) both = g_byte_array_new ();
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  gsize middle;

  heap_writer_init (&writer, HEAP_FORMAT_2);
  write_random (&writer, 5);
  middle = writer.text->len / 3;
  first = is_zstd ? heap_compress_zstd (writer.text->str, middle) : heap_compress_gzip (writer.text->str, middle);
  second = is_zstd ? heap_compress_zstd (writer.text->str + middle, writer.text->len - middle)
                   : heap_compress_gzip (writer.text->str + middle, writer.text->len - middle);
  g_byte_array_append (both, g_bytes_get_data (first, NULL), (guint)g_bytes_get_size (first));
  g_byte_array_append (both, g_bytes_get_data (second, NULL), (guint)g_bytes_get_size (second));
  profile = heap_read (both->data, both->len, &error);
  g_assert_no_error (error);
  assert_equal (&writer, profile);
  g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
}

/* Inlined functions are frames of their own; operator new and what called main() are left out. */
static void
test_inlined (void)
{
  static const char text[] = "v 10400 3\n"
                             "s 3 lib\ns 5 inner\ns 5 outer\ns 3 a.c\ns 1b operator new(unsigned long)\ns 4 main\ns 6 _start\n"
                             "i 100 1 7\ni 101 1 6 4 9\ni 102 1 2 4 b 3 4 c\ni 103 1 5\ni 104 1\n"
                             "t 1 0\nt 2 1\nt 3 2\nt 4 3\nt 5 2\n"
                             "a 100000001 4\na a 3\na 5 5\na 7 0\n"
                             "+ 0\n+ 1\n+ 2\n- 1\n+ 3\nc 14\n"
                             "# strings: 7\n# ips: 5\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), &error);
  const FpHeapStack *stack, *unresolved, *none;

  g_assert_no_error (error);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (profile->stacks->len, ==, 3);
  stack = heap_find_stack (profile, "main;outer;inner");
  g_assert_nonnull (stack);
  g_assert_cmpuint (stack->leaked.bytes, ==, 0x100000001);
  g_assert_cmpuint (stack->peak.bytes, ==, 0x100000001 + 0xa);
  g_assert_cmpuint (stack->calls, ==, 2);
  g_assert_cmpuint (fp_heap_profile_get_frame (profile, stack->node)->line, ==, 0xb);
  unresolved = heap_find_stack (profile, "main;104");
  g_assert_nonnull (unresolved);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, fp_heap_profile_get_frame (profile, unresolved->node)->module), ==, "lib");
  none = heap_find_stack (profile, "");
  g_assert_nonnull (none);
  g_assert_cmpuint (none->leaked.bytes, ==, 7);
}

/* Freed, though nothing allocated it, or allocated twice at one address: other recorders' functions were at work. */
static void
test_unknown_blocks (void)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  const FpHeapStack *stack;
  guint trace;

  heap_writer_init (&writer, HEAP_FORMAT_0);
  trace = heap_writer_add_trace (&writer, "f1", 0);
  heap_writer_release (&writer, 0x40);
  heap_writer_allocate (&writer, 0x50, 100, trace);
  heap_writer_allocate (&writer, 0x50, 30, trace);
  heap_writer_finish (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  stack = heap_find_stack (profile, "f1");
  g_assert_cmpuint (stack->calls, ==, 2);
  g_assert_cmpuint (stack->leaked.bytes, ==, 30);
  g_assert_cmpuint (stack->peak.bytes, ==, 100);
  g_assert_cmpuint (stack->temporary, ==, 0);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
}

/* Suppressions of both ways to write them, and one that is built in. */
static void
test_suppressions (void)
{
  static const struct
  {
    const char *pattern, *function;
    gboolean is_match;
  } cases[] = {
    { "leak:cache", "fill_cache_once", TRUE },
    { "leak:^fill*once$", "fill_cache_once", TRUE },
    { "leak:^fill*once$", "refill_cache_once", FALSE },
    { "leak:^fill$", "fill_cache_once", FALSE },
    { "leak:once$", "fill_cache_once", TRUE },
    { "leak:once$", "once_more", FALSE },
    { "leak:program", "any", TRUE },
    { "leak:a file.c", "any", TRUE },
    { "leak:", "any", FALSE },
    { "thread:any", "any", FALSE },
    { "leak:nothing", "g_main_context_new", TRUE },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const char *pattern = cases[i / 2].pattern;
      g_auto (HeapWriter) writer = { 0 };
      g_autoptr (FpHeapProfile) profile = NULL;
      gboolean is_match = cases[i / 2].is_match;

      heap_writer_init (&writer, i % 2 ? HEAP_FORMAT_3 : HEAP_FORMAT_2);
      if (i % 2)
        g_string_append_printf (writer.text, "S %x %s\n", (guint)strlen (pattern), pattern);
      else
        g_string_append_printf (writer.text, "S %s\n", pattern);
      heap_writer_allocate (&writer, 0x10, 50, heap_writer_add_trace (&writer, "malloc", heap_writer_add_trace (&writer, cases[i / 2].function, 0)));
      heap_writer_finish (&writer);
      profile = heap_read (writer.text->str, writer.text->len, NULL);
      g_assert_cmpuint (profile->total.leaked.bytes, ==, is_match ? 0 : 50);
      g_assert_cmpuint (profile->suppressed.bytes, ==, is_match ? 50 : 0);
      g_assert_cmpuint (fp_heap_profile_get_stack (profile, 0)->leaked.blocks, ==, is_match ? 0 : 1);
      g_assert_cmpuint (profile->total.peak.bytes, ==, 50);
    }
}

/* A damaged line takes its number; a time that goes back, and events of what is not there, are left out. */
static void
test_damaged (void)
{
  static const char text[] = "v 10400 3\n"
                             "s 4 good\ns 99 short\ns x\ns 4 last\n"
                             "i 100 0 1\ni zz\ni 102 0 4\n"
                             "t 1 0\nt 99 0\nt 3 1\nt 1 99\n"
                             "a 10 1\na nothing\na 20 3\n"
                             "+ 0\n+ 99\n+ 2\n- 7\n- 1\nc a\nc 5\n? what\n+ 2\nc c\n"
                             "# strings: 4\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (profile->n_bad_lines, ==, 11);
  g_assert_cmpuint (profile->total.leaked.bytes, ==, 0x50);
  g_assert_cmpuint (heap_find_stack (profile, "good")->leaked.bytes, ==, 0x10);
  g_assert_cmpuint (heap_find_stack (profile, "good;last")->leaked.bytes, ==, 0x40);
  g_assert_cmpuint (profile->duration_ms, ==, 0xc);
}

/* A command of several lines, which look like lines of the format */
static void
test_long_command (void)
{
  static const char text[] = "v 10400 3\nX python3 -c import json\nimport sys\ns 1 x\nI wonder\n\nt 1 1\nI 1000 5e27ec\n"
                             "s 1 f\ni 100 0 1\nt 1 0\na 10 1\n+ 0\nc 1\n# strings: 1\n";
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), NULL);
  static const char older[] = "v 10200\nX ./a\ns f\ni 100 0 1\nt 1 0\na 10 1\n+ 0\nc 1\n# strings: 1\n";
  g_autoptr (FpHeapProfile) without = heap_read (older, strlen (older), NULL);

  g_assert_cmpstr (profile->command, ==, "python3 -c import json\nimport sys\ns 1 x\nI wonder\n\nt 1 1");
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  g_assert_cmpuint (heap_find_stack (profile, "f")->leaked.bytes, ==, 16);
  g_assert_cmpstr (without->command, ==, "./a");
  g_assert_cmpuint (heap_find_stack (without, "f")->leaked.bytes, ==, 16);
}

static void
test_refused (void)
{
  static const struct
  {
    const char *text, *part;
  } cases[] = {
    { "", "empty" },
    { "v 20000 4\ns 1 a\n", "newer" },
    { "hello world, this is a letter\n", "not a heap profile that Footprint knows" },
    { "\x7f"
      "ELF",
      "not a heap profile that Footprint knows" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpHeapProfile) profile = heap_read (cases[i].text, strlen (cases[i].text), &error);

      g_assert_null (profile);
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
      g_assert_nonnull (strstr (error->message, cases[i].part));
    }
}

typedef struct
{
  guint n;
  guint64 last;
  guint64 whole;
} Steps;

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  Steps *self = data;

  g_assert_cmpuint (position, >=, self->last);
  self->last = position;
  self->whole = whole;
  return ++self->n < 3;
}

static void
test_cancel (void)
{
  g_autofree char *text = g_strnfill (8 * 1024 * 1024, '\n');
  Steps steps = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapProfile) profile = NULL;
  int fd;

  memcpy (text, "v 10400 3\n", 10);
  fd = heap_open_bytes (text, 8 * 1024 * 1024);
  profile = fp_heap_profile_read (fd, step_cb, &steps, &error);
  g_assert_null (profile);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INTR);
  g_assert_cmpuint (steps.n, ==, 3);
  g_assert_cmpuint (steps.whole, ==, 8 * 1024 * 1024);
  g_assert_cmpuint (steps.last, <=, 3 * 1024 * 1024);
  close (fd);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (gint format = 0; format < HEAP_N_FORMATS; format++)
    {
      g_autofree char *random = g_strdup_printf ("/heaptrack/random/%d", format), *moments = g_strdup_printf ("/heaptrack/moments/%d", format);

      g_test_add_data_func (random, GINT_TO_POINTER (format), test_random);
      g_test_add_data_func (moments, GINT_TO_POINTER (format), test_moments);
    }
  g_test_add_data_func ("/heaptrack/compressed/gzip", GINT_TO_POINTER (FALSE), test_compressed);
  g_test_add_data_func ("/heaptrack/compressed/zstd", GINT_TO_POINTER (TRUE), test_compressed);
  g_test_add_func ("/heaptrack/long-recording", test_long_recording);
  g_test_add_func ("/heaptrack/inlined", test_inlined);
  g_test_add_func ("/heaptrack/unknown-blocks", test_unknown_blocks);
  g_test_add_func ("/heaptrack/suppressions", test_suppressions);
  g_test_add_func ("/heaptrack/damaged", test_damaged);
  g_test_add_func ("/heaptrack/long-command", test_long_command);
  g_test_add_func ("/heaptrack/refused", test_refused);
  g_test_add_func ("/heaptrack/cancel", test_cancel);
  return g_test_run ();
}
