// SPDX-License-Identifier: GPL-3.0-or-later
/* Files of other recorders, of exactly known content; each cut off at every byte. */
#include <string.h>

#include "heap-writer.h"

/* As massif of Valgrind 3.19 writes it, with a snapshot behind the peak */
static const char massif[] =
    "desc: --time-unit=ms\ncmd: ./known --fast\ntime_unit: ms\n#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=0\nmem_heap_extra_B=0\n"
    "mem_stacks_B=0\nheap_tree=empty\n#-----------\nsnapshot=1\n#-----------\ntime=1500\nmem_heap_B=10164\nmem_heap_extra_B=8\nmem_stacks_B=0\n"
    "heap_tree=peak\nn3: 10164 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n2: 10000 0x10918E: fill (known.c:12)\n"
    "  n0: 6000 0x1091F4: main (known.c:40)\n"
    "  n1: 4000 0x109200: again(int) (known.c:30)\n"
    "   n0: 4000 0x1091F4: main (known.c:41)\n"
    " n0: 100 0x4A5C3B: ??? (in /usr/lib/libc.so.6)\n"
    " n0: 64 in 3 places, all below massif's threshold (1.00%)\n"
    "#-----------\nsnapshot=2\n#-----------\ntime=2600\nmem_heap_B=500\nmem_heap_extra_B=8\nmem_stacks_B=0\n"
    "heap_tree=detailed\nn1: 500 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n0: 500 0x1091F4: main (known.c:40)\n";

static const char dhat[] =
    "{\"dhatFileVersion\":2,\"mode\":\"heap\",\"verb\":\"Allocated\"\n,\"bklt\":true,\"bkacc\":true\n,\"tu\":\"ms\",\"Mtu\":\"s\",\"tuth\":500\n"
    ",\"cmd\":\"./known \\\"a b\\\"\"\n,\"pid\":42\n,\"te\":4000,\"tg\":2500\n,\"pps\":\n"
    " [{\"tb\":3000,\"tbk\":3,\"tl\":9,\"mb\":3000,\"mbk\":3,\"gb\":2000,\"gbk\":2,\"eb\":1000,\"ebk\":1,\"rb\":1,\"wb\":2,\"acc\":[1,2,-3],\"fs\":[1,2]}\n"
    " ,{\"tb\":50,\"tbk\":5,\"tl\":9,\"mb\":10,\"mbk\":1,\"gb\":10,\"gbk\":1,\"eb\":0,\"ebk\":0,\"rb\":0,\"wb\":0,\"fs\":[3,1,2]}\n ]\n"
    ",\"ftbl\":\n [\"[root]\"\n ,\"0x10918E: leak (known.c:10)\"\n ,\"0x1091F4: main (known.c:20)\"\n ,\"0x48455EF: malloc (in /usr/lib/vgpreload_dhat.so)\"\n ]\n}\n";

static FpHeapProfile *
read_text (const char *text,
           gsize length)
{
  g_autoptr (GError) error = NULL;
  FpHeapProfile *profile = heap_read (text, length, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (profile->n_bad_lines, ==, 0);
  return profile;
}

/* A file that is cut off gives a message or a part. */
static void
cut_everywhere (const char *text,
                gsize length)
{
  g_autoptr (FpHeapProfile) whole = read_text (text, length);

  for (gsize cut = 0; cut < length; cut++)
    {
      g_autofree char *exact = g_memdup2 (text, MAX (cut, 1));
      g_autoptr (GError) error = NULL;
      g_autoptr (FpHeapProfile) profile = heap_read (exact, cut, &error);

      g_assert_true ((profile == NULL) == (error != NULL));
      if (profile)
        {
          g_assert_cmpuint (profile->total.peak.bytes, <=, whole->total.peak.bytes);
          g_assert_cmpuint (profile->total.leaked.bytes, <=, whole->total.leaked.bytes);
        }
    }
}

static const FpHeapFrame *
get_frame (const FpHeapProfile *profile,
           const FpHeapStack *stack)
{
  return fp_heap_profile_get_frame (profile, stack->node);
}

static void
test_massif (void)
{
  g_autoptr (FpHeapProfile) profile = read_text (massif, strlen (massif));
  const FpHeapStack *stack;

  g_assert_cmpstr (profile->format, ==, "massif");
  g_assert_cmpstr (profile->command, ==, "./known --fast");
  g_assert_cmpuint (profile->known, ==, 1 << FP_HEAP_PEAK);
  g_assert_true (profile->has_times);
  g_assert_cmpuint (profile->peak_ms, ==, 1500);
  g_assert_cmpuint (profile->duration_ms, ==, 2600);
  g_assert_cmpuint (profile->total.peak.bytes, ==, 10164);
  g_assert_false (profile->is_whole_known);
  g_assert_cmpuint (profile->stacks->len, ==, 4);
  stack = heap_find_stack (profile, "main;fill");
  g_assert_cmpuint (stack->peak.bytes, ==, 6000);
  g_assert_cmpuint (get_frame (profile, stack)->line, ==, 12);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, get_frame (profile, stack)->file), ==, "known.c");
  g_assert_cmpuint (heap_find_stack (profile, "main;again(int);fill")->peak.bytes, ==, 4000);
  stack = heap_find_stack (profile, "4a5c3b");
  g_assert_cmpuint (stack->peak.bytes, ==, 100);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, get_frame (profile, stack)->module), ==, "/usr/lib/libc.so.6");
  g_assert_cmpuint (heap_find_stack (profile, "")->peak.bytes, ==, 64);
  cut_everywhere (massif, strlen (massif));
}

static void
test_dhat (void)
{
  g_autoptr (FpHeapProfile) profile = read_text (dhat, strlen (dhat));
  const FpHeapStack *leak = heap_find_stack (profile, "main;leak"), *inner = heap_find_stack (profile, "main;leak;malloc");

  g_assert_cmpstr (profile->format, ==, "dhat");
  g_assert_cmpstr (profile->command, ==, "./known \"a b\"");
  g_assert_cmpint (profile->condition, ==, FP_HEAP_COMPLETE);
  g_assert_cmpuint (profile->peak_ms, ==, 2500);
  g_assert_cmpuint (profile->duration_ms, ==, 4000);
  g_assert_cmpuint (profile->total.calls, ==, 8);
  g_assert_cmpuint (profile->total.peak.bytes, ==, 2010);
  g_assert_cmpuint (profile->total.peak.blocks, ==, 3);
  g_assert_cmpuint (profile->total.leaked.bytes, ==, 1000);
  g_assert_cmpuint (leak->peak.bytes, ==, 2000);
  g_assert_cmpuint (leak->leaked.blocks, ==, 1);
  g_assert_cmpuint (inner->calls, ==, 5);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, get_frame (profile, inner)->module), ==, "/usr/lib/vgpreload_dhat.so");
  cut_everywhere (dhat, strlen (dhat));
}

static void
put_number (GByteArray *out,
            guint64 value)
{
  do
    {
      guint8 byte = (guint8)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));

      g_byte_array_append (out, &byte, 1);
      value >>= 7;
    }
  while (value > 0);
}

static void
put_field (GByteArray *out,
           guint field,
           guint64 value)
{
  put_number (out, field << 3);
  put_number (out, value);
}

static void
put_piece (GByteArray *out,
           guint field,
           const void *data,
           gsize length)
{
  put_number (out, field << 3 | 2);
  put_number (out, length);
  g_byte_array_append (out, data, (guint)length);
}

static void
put_message (GByteArray *out,
             guint field,
             GByteArray *message)
{
  put_piece (out, field, message->data, message->len);
  g_byte_array_set_size (message, 0);
}

/* As Go writes it: four values a sample; strings and what samples refer to come last; a location with an inlined function. */
static GByteArray *
write_pprof (void)
{
  static const char *const strings[] = { "", "alloc_objects", "count", "alloc_space", "bytes", "inuse_objects", "inuse_space",
                                         "main.main", "main.fill", "main.inner", "/src/main.go", "/bin/program" };
  static const guint values[2][4] = { { 100, 5000, 40, 2000 }, { 7, 70, 0, 0 } };
  static const guint locations[2][2] = { { 1, 2 }, { 3, 2 } };
  GByteArray *out = g_byte_array_new ();
  g_autoptr (GByteArray) message = g_byte_array_new (), inner = g_byte_array_new ();

  for (guint i = 0; i < 4; i++)
    {
      put_field (message, 1, i < 2 ? 1 + 2 * i : 3 + i);
      put_field (message, 2, i % 2 ? 4 : 2);
      put_message (out, 1, message);
    }
  for (guint i = 0; i < 2; i++)
    {
      for (guint j = 0; j < 2; j++)
        if (i == 0)
          put_number (inner, locations[i][j]);
        else
          put_field (message, 1, locations[i][j]);
      if (i == 0)
        put_message (message, 1, inner);
      for (guint j = 0; j < 4; j++)
        put_number (inner, values[i][j]);
      put_message (message, 2, inner);
      put_message (out, 2, message);
    }
  put_field (message, 1, 1);
  put_field (message, 5, 11);
  put_message (out, 3, message);
  for (guint i = 1; i <= 3; i++)
    {
      put_field (message, 1, i);
      put_field (message, 2, 1);
      put_field (message, 3, 0x1000 + i);
      /* The first has main.inner, which is inlined into main.fill; the second main.main; the third is not known. */
      for (guint line = i == 1 ? 3 : i == 2 ? 1
                                            : 0;
           line >= (i == 1 ? 2 : 1) && i < 3; line--)
        {
          put_field (inner, 1, line);
          put_field (inner, 2, 10 * line);
          put_message (message, 4, inner);
        }
      put_message (out, 4, message);
      put_field (message, 1, i);
      put_field (message, 2, 6 + i);
      put_field (message, 4, 10);
      put_message (out, 5, message);
    }
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    put_piece (out, 6, strings[i], strlen (strings[i]));
  put_field (out, 12, 524288);
  return out;
}

static void
test_pprof (void)
{
  g_autoptr (GByteArray) data = write_pprof ();
  g_autoptr (GBytes) packed = heap_compress_gzip ((const char *)data->data, data->len);
  g_autoptr (FpHeapProfile) profile = read_text (g_bytes_get_data (packed, NULL), g_bytes_get_size (packed));
  const FpHeapStack *inner = heap_find_stack (profile, "main.main;main.fill;main.inner"), *unknown = heap_find_stack (profile, "main.main;1003");

  g_assert_cmpstr (profile->format, ==, "pprof");
  g_assert_true (profile->is_snapshot);
  g_assert_cmpuint (profile->known, ==, 1 << FP_HEAP_LEAKED | 1 << FP_HEAP_CALLS);
  g_assert_cmpuint (profile->total.calls, ==, 107);
  g_assert_cmpuint (profile->total.leaked.bytes, ==, 2000);
  g_assert_nonnull (inner);
  g_assert_cmpuint (inner->calls, ==, 100);
  g_assert_cmpuint (inner->leaked.blocks, ==, 40);
  g_assert_cmpuint (inner->leaked.bytes, ==, 2000);
  g_assert_cmpuint (get_frame (profile, inner)->line, ==, 30);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, get_frame (profile, inner)->file), ==, "/src/main.go");
  g_assert_nonnull (unknown);
  g_assert_cmpuint (unknown->calls, ==, 7);
  g_assert_cmpstr (fp_heap_profile_get_text (profile, get_frame (profile, unknown)->module), ==, "/bin/program");
  cut_everywhere ((const char *)data->data, data->len);
}

/* A profile of time is not one of memory. */
static void
test_other_pprof (void)
{
  static const char *const strings[] = { "", "cpu", "nanoseconds" };
  g_autoptr (GByteArray) data = g_byte_array_new (), type = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  put_field (type, 1, 1);
  put_field (type, 2, 2);
  put_message (data, 1, type);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    put_piece (data, 6, strings[i], strlen (strings[i]));
  g_assert_null (heap_read (data->data, data->len, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  g_assert_nonnull (strstr (error->message, "not about memory"));
}

static void
test_folded (void)
{
  static const char text[] = "main;read rows;strdup 300\nmain;parse 20\nmain;parse 5\n";
  g_autoptr (FpHeapProfile) profile = read_text (text, strlen (text));

  g_assert_cmpstr (profile->format, ==, "folded");
  g_assert_cmpuint (profile->known, ==, 1 << FP_HEAP_PEAK);
  g_assert_cmpuint (profile->stacks->len, ==, 2);
  g_assert_cmpuint (heap_find_stack (profile, "main;read rows;strdup")->peak.bytes, ==, 300);
  g_assert_cmpuint (heap_find_stack (profile, "main;parse")->peak.bytes, ==, 25);
  cut_everywhere (text, strlen (text));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap/massif", test_massif);
  g_test_add_func ("/heap/dhat", test_dhat);
  g_test_add_func ("/heap/pprof", test_pprof);
  g_test_add_func ("/heap/pprof/other", test_other_pprof);
  g_test_add_func ("/heap/folded", test_folded);
  return g_test_run ();
}
