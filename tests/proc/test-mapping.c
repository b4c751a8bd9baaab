// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "fp-mapping-scanner.h"
#include "fp-mapping-shortener.h"

#define KIB G_GUINT64_CONSTANT (1024)
#define FIGURES_1                                                                                \
  "Size: 8 kB\nKernelPageSize: 4 kB\nMMUPageSize: 4 kB\nRss: 7 kB\nPss: 3 kB\nPss_Dirty: 2 kB\n" \
  "Shared_Clean: 1 kB\nShared_Dirty: 0 kB\nPrivate_Clean: 2 kB\nPrivate_Dirty: 4 kB\n"

static FpMappings *
scan_in_pieces (const char *text,
                gsize length,
                gsize piece)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  gsize taken = 0;

  /* As a reader does: what was not taken comes again, in front of the next piece. */
  for (gsize end = MIN (piece, length);; end = MIN (end + piece, length))
    {
      g_autofree char *held = g_memdup2 (text + taken, MAX (end - taken, 1));
      gsize n = fp_mapping_scanner_feed (scanner, held, end - taken);

      g_assert_cmpuint (n, <=, end - taken);
      taken += n;
      if (end == length)
        break;
    }
  return fp_mapping_scanner_finish (scanner);
}

static FpMappings *
scan (const char *text)
{
  return scan_in_pieces (text, strlen (text), strlen (text) + 1);
}

static char *
read_recorded (gsize *length)
{
  g_autofree char *root = fixture_get_original ("smaps");
  g_autofree char *path = g_build_filename (root, "recorded-6.18", NULL);
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, length, NULL));
  return text;
}

static void
assert_same_mapping (const FpMapping *a,
                     const FpMapping *b)
{
  g_assert_cmphex (a->start, ==, b->start);
  g_assert_cmphex (a->end, ==, b->end);
  g_assert_cmphex (a->offset, ==, b->offset);
  g_assert_cmpuint (a->inode, ==, b->inode);
  g_assert_cmpuint (a->device_major, ==, b->device_major);
  g_assert_cmpuint (a->device_minor, ==, b->device_minor);
  g_assert_cmphex (a->flags, ==, b->flags);
  g_assert_cmpstr (a->permissions, ==, b->permissions);
  g_assert_cmpstr (a->name, ==, b->name);
  g_assert_cmphex (a->memory.present, ==, b->memory.present);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    g_assert_cmpuint (fp_memory_get (&a->memory, field), ==, fp_memory_get (&b->memory, field));
}

static void
assert_same (const FpMappings *a,
             const FpMappings *b)
{
  g_assert_cmpuint (fp_mappings_get_n (a), ==, fp_mappings_get_n (b));
  for (guint i = 0; i < fp_mappings_get_n (a); i++)
    {
      FpMapping x, y;

      fp_mappings_get (a, i, &x);
      fp_mappings_get (b, i, &y);
      assert_same_mapping (&x, &y);
    }
}

/* Against a reading of the text by other means. */
static void
test_recorded (void)
{
  gsize length = 0;
  g_autofree char *text = read_recorded (&length);
  g_autoptr (FpMappings) mappings = scan_in_pieces (text, length, length);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  FpMapping mapping = { 0 };
  guint n = 0;

  for (guint i = 0; lines[i] && *lines[i]; i++)
    {
      char key[64], permissions[8];
      guint64 kilobytes, start, end, offset;
      int name_at = 0;

      if (sscanf (lines[i], "%lx-%lx %4s %lx %*s %*u %n", &start, &end, permissions, &offset, &name_at) == 4)
        {
          fp_mappings_get (mappings, n++, &mapping);
          g_assert_cmphex (mapping.start, ==, start);
          g_assert_cmphex (mapping.end, ==, end);
          g_assert_cmphex (mapping.offset, ==, offset);
          g_assert_cmpstr (mapping.permissions, ==, permissions);
          g_assert_cmpstr (mapping.name, ==, g_strstrip (lines[i] + name_at));
        }
      else if (sscanf (lines[i], "%63[^:]: %lu kB", key, &kilobytes) == 2 && strcmp (key, "THPeligible") != 0)
        for (FpField field = 0; field < FP_N_FIELDS; field++)
          if ((fp_field_infos[field].origin & (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING)) &&
              strlen (key) == fp_field_infos[field].key_length &&
              strncmp (fp_field_infos[field].key, key, strlen (key)) == 0)
            {
              g_assert_true (fp_memory_has (&mapping.memory, field));
              g_assert_cmpuint (fp_memory_get (&mapping.memory, field), ==, kilobytes * KIB);
            }
    }
  g_assert_cmpuint (n, >, 10);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, n);
}

static void
test_pieces (void)
{
  gsize length = 0;
  g_autofree char *text = read_recorded (&length);
  g_autoptr (FpMappings) whole = scan_in_pieces (text, length, length);

  for (gsize piece = 1; piece <= 300; piece++)
    {
      g_autoptr (FpMappings) mappings = scan_in_pieces (text, length, piece);

      assert_same (whole, mappings);
    }
}

static void
test_truncated (void)
{
  gsize length = 0;
  g_autofree char *text = read_recorded (&length);
  g_autoptr (FpMappings) whole = scan_in_pieces (text, length, length);

  length = MIN (length, 4000);
  for (gsize cut = 0; cut < length; cut++)
    {
      g_autoptr (FpMappings) mappings = scan_in_pieces (text, cut, MAX (cut, 1));
      guint n = fp_mappings_get_n (mappings);

      g_assert_cmpuint (n, <=, fp_mappings_get_n (whole));
      for (guint i = 0; i < n; i++)
        {
          FpMapping mapping, full;

          fp_mappings_get (mappings, i, &mapping);
          fp_mappings_get (whole, i, &full);
          if (i + 1 < n)
            {
              assert_same_mapping (&mapping, &full);
              continue;
            }
          g_assert_cmpstr (mapping.name, ==, full.name);
          for (FpField field = 0; field < FP_N_FIELDS; field++)
            if (fp_memory_has (&mapping.memory, field))
              g_assert_cmpuint (fp_memory_get (&mapping.memory, field), ==, fp_memory_get (&full.memory, field));
        }
    }
}

static void
scan_one (const char *text,
          FpMapping *mapping,
          FpMappings **mappings)
{
  *mappings = scan (text);
  g_assert_cmpuint (fp_mappings_get_n (*mappings), ==, 1);
  fp_mappings_get (*mappings, 0, mapping);
}

static void
test_flags (void)
{
  static const char letters[] = "rd wr ex sh mr mw me ms gd pf dw lo io sr rr dc de ac nr ht sf ar wf dd sd mm hg nh mg "
                                "bt mt um uw ui ss sl lf dp gu nl mp";
  g_auto (GStrv) known = g_strsplit (letters, " ", -1);
  guint64 seen = 0;

  for (guint i = 0; known[i]; i++)
    {
      g_autofree char *text = g_strdup_printf ("1000-2000 rw-p 00000000 00:00 0 \nRss: 4 kB\nVmFlags: %s \n", known[i]);
      g_autoptr (FpMappings) mappings = NULL;
      FpMapping mapping;
      gint bit;

      scan_one (text, &mapping, &mappings);
      g_assert_cmpint (__builtin_popcountll (mapping.flags), ==, 1);
      g_assert_cmphex (mapping.flags & seen, ==, 0);
      seen |= mapping.flags;
      bit = __builtin_ctzll (mapping.flags);
      g_assert_cmpint (bit, <, FP_N_MAPPING_FLAGS - 1);
      g_assert_cmpstr (fp_mapping_flag_infos[bit].letters, ==, known[i]);
      g_assert_nonnull (fp_mapping_flag_infos[bit].meaning);
    }
}

static void
test_flags_described (void)
{
  g_autoptr (FpMappings) mappings = NULL;
  g_auto (GStrv) sentences = NULL, none = fp_mapping_describe_flags (0),
                 all = fp_mapping_describe_flags (G_MAXUINT64);
  FpMapping mapping;

  scan_one ("1000-2000 rw-p 00000000 00:00 0 \nVmFlags: rd ht zz \n", &mapping, &mappings);
  sentences = fp_mapping_describe_flags (mapping.flags);
  g_assert_cmpuint (g_strv_length (sentences), ==, 3);
  g_assert_cmpstr (sentences[0], ==, "Can be read");
  g_assert_cmpstr (sentences[1], ==, "Uses reserved huge pages");
  g_assert_cmpstr (sentences[2], ==, "Has a flag that this version does not know");
  g_assert_null (none[0]);
  g_assert_cmpuint (g_strv_length (all), ==, 42);
  for (guint i = 0; all[i]; i++)
    for (guint j = 0; j < i; j++)
      g_assert_cmpstr (all[i], !=, all[j]);
}

static void
test_flags_unknown (void)
{
  static const struct
  {
    const char *line;
    guint n_known;
    gboolean has_unknown;
  } cases[] = {
    { "VmFlags: rd mr me\n", 3, FALSE },
    { "VmFlags: rd mr me \n", 3, FALSE },
    { "VmFlags: rd ?? me \n", 2, TRUE },
    { "VmFlags: rd zz qq me \n", 2, TRUE },
    { "VmFlags:\n", 0, FALSE },
    { "VmFlags: \n", 0, FALSE },
    { "VmFlags: r\n", 0, FALSE },
    { "", 0, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("1000-2000 rw-p 00000000 00:00 0 \nRss: 4 kB\n%s", cases[i].line);
      g_autoptr (FpMappings) mappings = NULL;
      const guint64 unknown = G_GUINT64_CONSTANT (1) << (FP_N_MAPPING_FLAGS - 1);
      FpMapping mapping;

      scan_one (text, &mapping, &mappings);
      g_assert_cmpint ((mapping.flags & unknown) != 0, ==, cases[i].has_unknown);
      g_assert_cmpint (__builtin_popcountll (mapping.flags & ~unknown), ==, cases[i].n_known);
    }
}

static void
test_names (void)
{
  static const struct
  {
    const char *raw, *name;
  } cases[] = {
    { "", "" },
    { "                     /usr/bin/head", "/usr/bin/head" },
    { "/tmp/two  blanks here", "/tmp/two  blanks here" },
    { "/tmp/gone (deleted)", "/tmp/gone (deleted)" },
    { "/tmp//deleted", "/tmp//deleted" },
    { "/tmp/new\\012line\\x", "/tmp/new\\012line\\x" },
    { "/tmp/\xff\xc3", "/tmp/\\xff\\xc3" },
    { "/tmp/\xc3\xa9t\xc3\xa9", "/tmp/\xc3\xa9t\xc3\xa9" },
    { "[anon: glibc malloc]", "[anon: glibc malloc]" },
    { "/memfd:a b (deleted)", "/memfd:a b (deleted)" },
    { "anon_inode:[io_uring]", "anon_inode:[io_uring]" },
    { "/SYSV00000000 (deleted)", "/SYSV00000000 (deleted)" },
    { "[heap]", "[heap]" },
    { "/tmp/Rss: 99 kB", "/tmp/Rss: 99 kB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("1000-2000 rw-s 0000a000 103:0f 18446744073709551615 %s\n"
                                               "Rss: 4 kB\n",
                                               cases[i].raw);
      g_autoptr (FpMappings) mappings = NULL;
      FpMapping mapping;

      scan_one (text, &mapping, &mappings);
      g_assert_cmpstr (mapping.name, ==, cases[i].name);
      g_assert_cmpstr (mapping.permissions, ==, "rw-s");
      g_assert_cmphex (mapping.offset, ==, 0xa000);
      g_assert_cmphex (mapping.device_major, ==, 0x103);
      g_assert_cmphex (mapping.device_minor, ==, 0x0f);
      g_assert_cmpuint (mapping.inode, ==, G_MAXUINT64);
    }
}

static void
test_long_names (void)
{
  static const gsize lengths[] = { 254, 255, 256, 257, 4095, 4096, 4105, 16000, 20000 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *name = g_strnfill (lengths[i], 'x');
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (FpMappings) mappings = NULL;
      FpMapping mapping;

      name[0] = '/';
      for (guint k = 0; k < 3; k++)
        g_string_append_printf (text, "%u000-%u800 rw-p 00000000 fd:00 9 %s%s\nRss: 4 kB\n", k + 1, k + 1,
                                name, k == 1 ? "y" : "");
      mappings = scan (text->str);
      g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 3);
      fp_mappings_get (mappings, 2, &mapping);
      g_assert_true (g_utf8_validate (mapping.name, -1, NULL));
      /* PATH_MAX and " (deleted)" are kept whole. */
      if (lengths[i] <= 4106)
        g_assert_cmpstr (mapping.name, ==, name);
      else
        g_assert_true (g_str_has_suffix (mapping.name, "…") && strncmp (mapping.name, name, 4100) == 0);
    }
}

/* The meaning that was found for names that can mean two things stands behind the text, and counts for all of that file. */
static void
test_answers (void)
{
  static const char text[] =
      "1000-2000 rw-p 0 8:1 1 /a\\012b\n" FIGURES_1 "2000-3000 rw-p 0 8:1 2 /a\\012b\n" FIGURES_1
      "3000-4000 rw-p 0 8:1 3 /x (deleted)\n" FIGURES_1 "4000-5000 rw-p 0 8:1 4 /x (deleted)\n" FIGURES_1
      "5000-6000 rw-p 0 8:1 5 /y\n" FIGURES_1 "6000-7000 rw-p 0 8:1 1 /a\\012b\n" FIGURES_1
      "7000-8000 rw-p 0 0:1 6 /memfd:z (deleted)\n" FIGURES_1 "8000-9000 rw-p 0 8:1 7 /n\\012 (deleted)\n" FIGURES_1;
  static const char answers[] = "#1000 0 /a\0b\n#3000 1 /x (deleted)\n#4000 2 /x (deleted)\n#5000 1 /no question\n"
                                "#7000 1 /nor this\n#9000 1 /nobody\n#8000 3 /wrong\n#8000 /wrong\n#8000\n#\n#x 1 /wrong\n";
  static const struct
  {
    const char *name, *shown;
    FpFileState state;
  } expected[] = {
    { "/a\nb", "/a\nb", FP_FILE_UNKNOWN },
    { "/a\\012b", "/a\\012b", FP_FILE_UNKNOWN },
    { "/x (deleted)", "/“x (deleted)”", FP_FILE_PRESENT },
    { "/x (deleted)", "/x (deleted)", FP_FILE_DELETED },
    { "/y", "/y", FP_FILE_UNKNOWN },
    { "/a\nb", "/a\nb", FP_FILE_UNKNOWN },
    { "/memfd:z (deleted)", "/memfd:z (deleted)", FP_FILE_UNKNOWN },
    { "/n\\012 (deleted)", "/n\\012 (deleted)", FP_FILE_UNKNOWN },
  };
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (FpMappings) mappings = NULL;

  fp_mapping_scanner_feed (scanner, text, strlen (text));
  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, answers, sizeof answers - 1), ==, sizeof answers - 1);
  mappings = fp_mapping_scanner_finish (scanner);
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpstr (mapping.name, ==, expected[i].name);
      g_assert_cmpstr (mapping.shown, ==, expected[i].shown);
      g_assert_cmpint (mapping.file_state, ==, expected[i].state);
    }
}

/* Btrfs and overlays have no device, as the kernel's own objects have none: the name tells which can be a deleted file. */
static void
test_doubtful_names (void)
{
  static const struct
  {
    const char *device, *raw;
    gboolean is_doubtful;
  } cases[] = {
    { "00:2c", "/foo (deleted)", TRUE },
    { "00:2c", "/i915-notes (deleted)", TRUE },
    { "00:2c", "/SYSVconfig (deleted)", TRUE },
    { "00:2c", "/SYSV000000000 (deleted)", TRUE },
    { "00:2c", "/[aio].txt (deleted)", TRUE },
    { "00:2c", "/zero (deleted)", TRUE },
    { "00:2c", "/usr/lib/libfoo.so (deleted)", TRUE },
    { "00:2c", "/a\\012b", TRUE },
    { "00:2c", "/foo", FALSE },
    { "00:2c", "/memfd:x", FALSE },
    { "00:01", "/memfd:x (deleted)", FALSE },
    { "00:01", "/memfd:../a/b (deleted)", FALSE },
    { "00:01", "/memfd:a\\012b (deleted)", TRUE },
    { "00:01", "/dev/zero (deleted)", FALSE },
    { "00:01", "/SYSV0052e2c1 (deleted)", FALSE },
    { "00:01", "/drm mm object (deleted)", FALSE },
    { "00:01", "/i915 (deleted)", FALSE },
    { "00:0e", "/secretmem (deleted)", FALSE },
    { "00:10", "/anon_hugepage (deleted)", FALSE },
    { "00:13", "/[aio] (deleted)", FALSE },
    { "08:01", "/i915 (deleted)", TRUE },
    { "08:01", "/memfd:x (deleted)", TRUE },
    { "00:00", "[anon:x (deleted)", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("1000-2000 rw-s 0 %s 7 %s\n" FIGURES_1, cases[i].device, cases[i].raw);
      g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
      g_autoptr (FpMappings) mappings = NULL;
      FpMapping mapping;
      guint index = 0;

      g_test_message ("%s %s", cases[i].device, cases[i].raw);
      fp_mapping_scanner_feed (scanner, text, strlen (text));
      g_assert_cmpint (fp_mapping_answers_next_open (fp_mapping_scanner_get_answers (scanner), &index, &mapping), ==,
                       cases[i].is_doubtful);
      mappings = fp_mapping_scanner_finish (scanner);
      fp_mappings_get (mappings, 0, &mapping);
      g_assert_cmpint (mapping.file_state, ==, FP_FILE_UNKNOWN);
    }
}

/* The text behind the first column must be kept apart from names that look like the next line's. */
static void
test_neighbours (void)
{
  static const char text[] =
      "1000-2000 r--p 0 0:0 1 /a\n" FIGURES_1 "2000-3000 rw-p 0 0:0 2 /a\n" FIGURES_1 "3000-4000 rw-p 0 0:0 0 \n" FIGURES_1
      "4000-5000 rw-p 0 0:0 3 /b\n" FIGURES_1 "5000-6000 rw-p 0 0:0 2 /a\n" FIGURES_1;
  g_autoptr (FpMappings) mappings = scan (text);
  static const char *const names[] = { "/a", "/a", "", "/b", "/a" };

  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      FpMapping mapping;

      fp_mappings_get (mappings, i, &mapping);
      g_assert_cmpstr (mapping.name, ==, names[i]);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_PSS), ==, 3 * KIB);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_USS), ==, 6 * KIB);
      g_assert_true (fp_memory_has (&mapping.memory, FP_FIELD_SHARED_DIRTY));
      g_assert_false (fp_memory_has (&mapping.memory, FP_FIELD_SWAP));
    }
}

static void
test_huge_figures (void)
{
  static const guint64 kilobytes[] = { 0,
                                       1,
                                       127,
                                       128,
                                       16383,
                                       16384,
                                       G_MAXUINT32,
                                       G_GUINT64_CONSTANT (4294967296),
                                       G_GUINT64_CONSTANT (137438953472),
                                       G_GUINT64_CONSTANT (18014398509481983) };

  for (guint i = 0; i < G_N_ELEMENTS (kilobytes); i++)
    {
      g_autofree char *text = g_strdup_printf ("7f0000000000-ffffffffffffffff ---p ffffffffffffffff 00:00 0 "
                                               "[x]\nSize: %" G_GUINT64_FORMAT " kB\nRss: 4 kB\nLocked: %" G_GUINT64_FORMAT " kB\nTHPeligible: 1\n"
                                               "ProtectionKey: 15\n",
                                               kilobytes[i], kilobytes[i]);
      g_autoptr (FpMappings) mappings = NULL;
      FpMapping mapping;

      scan_one (text, &mapping, &mappings);
      g_assert_cmphex (mapping.end, ==, G_MAXUINT64);
      g_assert_cmphex (mapping.offset, ==, G_MAXUINT64);
      g_assert_true (fp_memory_has (&mapping.memory, FP_FIELD_LOCKED));
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_SIZE), ==, kilobytes[i] * KIB);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_LOCKED), ==, kilobytes[i] * KIB);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_RSS), ==, 4 * KIB);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_THP_ELIGIBLE), ==, 1);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_PROTECTION_KEY), ==, 15);
    }
}

static void
test_unknown_lines (void)
{
  static const char *const lines[] = {
    "NewIn7: 12 kB\n",
    "Anon(new): 12 kB\n",
    "Dirty: 12\n",
    "\n",
    "Foo\n",
    "Extra-Key: 9 kB\n",
    ": \n",
    "VmNew: rd\n",
    "\xff\xfe\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = g_strdup_printf ("1000-2000 rw-p 0 0:0 0 [heap]\nRss: 8 kB\n%sPss: 6 kB\n"
                                               "VmFlags: rd\n2000-3000 rw-p 0 0:0 0 \nRss: 2 kB\n",
                                               lines[i]);
      g_autoptr (FpMappings) mappings = scan (text);
      FpMapping mapping;

      g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 2);
      fp_mappings_get (mappings, 0, &mapping);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_RSS), ==, 8 * KIB);
      g_assert_cmpuint (fp_memory_get (&mapping.memory, FP_FIELD_PSS), ==, 6 * KIB);
      g_assert_cmphex (mapping.flags, ==, 1);
    }
}

static void
test_garbage (void)
{
  static const char *const texts[] = {
    "\n",
    "Rss: 4 kB\n",
    "VmFlags: rd\n",
    "1000-2000 rw-p\nRss: 4 kB\n",
    "2000-1000 rw-p 0 0:0 0 \n",
    "1000-2000 rwzp 0 0:0 0 \n",
    "10000000000000000-2 rw-p 0 0:0 0 \n",
    "1000 2000 rw-p 0 0:0 0 \n",
    "-\n",
    "1000-2000 rw-p 0 0:0 x \n",
    "g000-2000 rw-p 0 0:0 0 \n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (FpMappings) mappings = scan (texts[i]);

      g_assert_cmpuint (fp_mappings_get_n (mappings), ==, 0);
    }
}

/* The mappings of a recorded process, 10,000 times over. */
static void
test_size (void)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (FpMappings) mappings = NULL;
  gsize length = 0;
  g_autofree char *recorded = read_recorded (&length);
  guint n = 0;

  for (const char *flags = recorded; (flags = strstr (flags, "VmFlags:")); flags++)
    n++;
  for (guint i = 0; i < 10000 / n + 1; i++)
    g_assert_cmpuint (fp_mapping_scanner_feed (scanner, recorded, length), ==, length);
  mappings = fp_mapping_scanner_finish (scanner);
  n = fp_mappings_get_n (mappings);
  g_assert_cmpuint (n, >=, 10000);
  g_test_message ("%.1f bytes a mapping", (double)fp_mappings_get_size (mappings) / n);
  g_assert_cmpuint (fp_mappings_get_size (mappings), <=, n * 100);
}

/* A figure that is asked for alone is the same as in the whole. */
static void
test_parts (void)
{
  gsize length;
  g_autofree char *text = read_recorded (&length);
  g_autoptr (FpMappings) mappings = scan_in_pieces (text, length, length);
  guint n_figures = 0;

  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping whole, facts;
      FpMemory memory;

      fp_mappings_get (mappings, i, &whole);
      fp_mappings_get_facts (mappings, i, &facts);
      fp_mappings_get_memory (mappings, i, &memory);
      facts.memory = memory;
      assert_same_mapping (&whole, &facts);
      for (guint64 left = fp_mappings_get_present (mappings, i); left; left &= left - 1)
        {
          FpField field = (FpField)__builtin_ctzll (left);

          g_assert_cmpuint (fp_mappings_get_figure (mappings, i, field), ==, fp_memory_get (&whole.memory, field));
          n_figures += fp_memory_get (&whole.memory, field) > 0;
        }
    }
  g_assert_cmpuint (n_figures, >, fp_mappings_get_n (mappings));
}

/* The kernel's layout with one line changed, for which the scanner has no short way. */
typedef enum
{
  CHANGE_NONE,
  CHANGE_WIDER,
  CHANGE_WIDEST,
  CHANGE_FULL_WIDTH,
  CHANGE_TWO_NUMBERS,
  CHANGE_NO_NUMBER,
  CHANGE_LETTER,
  CHANGE_NO_UNIT,
  CHANGE_OTHER_UNIT,
  CHANGE_MISSING,
  CHANGE_TWICE,
  CHANGE_NEW_LINE,
  CHANGE_LONG_LINE,
  CHANGE_SWAPPED,
  N_CHANGES,
} Change;

static void
append_changed (GString *text,
                char **line,
                Change change)
{
  static const char *const figures[N_CHANGES] = {
    [CHANGE_WIDER] = "123456789 kB",
    [CHANGE_WIDEST] = "123456789012345678901 kB",
    [CHANGE_FULL_WIDTH] = "12345678 kB",
    [CHANGE_TWO_NUMBERS] = "    12 4 kB",
    [CHANGE_NO_NUMBER] = "         kB",
    [CHANGE_LETTER] = "    1:34 kB",
    [CHANGE_NO_UNIT] = "      12",
    [CHANGE_OTHER_UNIT] = "      12 MB",
  };

  if (change == CHANGE_MISSING)
    return;
  if (change == CHANGE_NEW_LINE)
    g_string_append (text, "Newly_Counted:        16 kB\n");
  if (change == CHANGE_LONG_LINE)
    g_string_append (text, "A_Line_With_A_Very_Long_Key:        16 kB\n");
  if (change == CHANGE_SWAPPED)
    g_string_append_printf (text, "%s\n", line[1]);
  if (figures[change])
    g_string_append_printf (text, "%.16s%s\n", line[0], figures[change]);
  else
    g_string_append_printf (text, "%s\n", line[0]);
  if (change == CHANGE_TWICE)
    g_string_append_printf (text, "%.16s      48 kB\n", line[0]);
}

/* Four mappings of the recorded text, one of whose lines is changed in the second. at: where that is */
static GString *
make_changed (char **lines,
              guint line,
              Change change,
              gsize *at)
{
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; n < 5; i++)
    {
      n += g_ascii_isdigit (*lines[i]) || g_ascii_islower (*lines[i]);
      if (n == 5)
        break;
      if (i == line)
        *at = text->len;
      if (i == line)
        append_changed (text, &lines[i], change);
      else if (i != line + 1 || change != CHANGE_SWAPPED)
        g_string_append_printf (text, "%s\n", lines[i]);
    }
  return text;
}

/* A line without its blanks has no layout, so each figure is searched for. */
static FpMappings *
scan_without_layout (const char *text)
{
  g_autoptr (GString) line = g_string_new (NULL), shortened = g_string_new (NULL);

  fp_mapping_shorten (line, text, strlen (text), shortened);
  return scan (shortened->str);
}

static void
check_changed (const GString *text,
               gsize at)
{
  g_autoptr (FpMappings) expected = scan_without_layout (text->str), whole = scan (text->str);

  g_assert_cmpuint (fp_mappings_get_n (whole), ==, 4);
  assert_same (whole, expected);
  for (gsize cut = at - 30; cut < MIN (at + 60, text->len); cut++)
    {
      g_autoptr (FpMappings) pieces = scan_in_pieces (text->str, text->len, cut);

      assert_same (pieces, expected);
    }
}

/* Each line of figures is another one once, in the midst of mappings that look as usual. */
static void
test_layout (void)
{
  gsize length = 0, at = 0;
  g_autofree char *recorded = read_recorded (&length);
  g_auto (GStrv) lines = g_strsplit (recorded, "\n", -1);
  guint line = 1, n = 0;

  while (!g_ascii_isdigit (*lines[line]) && !g_ascii_islower (*lines[line]))
    line++;
  for (line++; g_ascii_isupper (*lines[line]) && !g_str_has_prefix (lines[line], "VmFlags"); line++, n++)
    for (Change change = CHANGE_NONE; change < N_CHANGES; change++)
      {
        g_autoptr (GString) text = make_changed (lines, line, change, &at);

        check_changed (text, at);
      }
  g_assert_cmpuint (n, >, 20);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/mapping/recorded", test_recorded);
  g_test_add_func ("/proc/mapping/pieces", test_pieces);
  g_test_add_func ("/proc/mapping/truncated", test_truncated);
  g_test_add_func ("/proc/mapping/flags", test_flags);
  g_test_add_func ("/proc/mapping/flags-described", test_flags_described);
  g_test_add_func ("/proc/mapping/flags-unknown", test_flags_unknown);
  g_test_add_func ("/proc/mapping/names", test_names);
  g_test_add_func ("/proc/mapping/long-names", test_long_names);
  g_test_add_func ("/proc/mapping/answers", test_answers);
  g_test_add_func ("/proc/mapping/doubtful-names", test_doubtful_names);
  g_test_add_func ("/proc/mapping/neighbours", test_neighbours);
  g_test_add_func ("/proc/mapping/huge-figures", test_huge_figures);
  g_test_add_func ("/proc/mapping/garbage", test_garbage);
  g_test_add_func ("/proc/mapping/layout", test_layout);
  g_test_add_func ("/proc/mapping/size", test_size);
  g_test_add_func ("/proc/mapping/unknown-lines", test_unknown_lines);
  g_test_add_func ("/mapping/parts", test_parts);
  return g_test_run ();
}
