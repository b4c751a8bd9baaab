// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture.h"
#include "fp-mapping-scanner.h"
#include "fp-mapping-shortener.h"

#define HEADER  "7f0000000000-7f0000002000 r--p 00001000 fd:01 77                         "
#define FIGURES "Size:                  8 kB\nRss:                   7 kB\nPss:                   3 kB\nVmFlags: rd mr mw me \n"

static char *
shorten_in_pieces (const char *text,
                   gsize length,
                   gsize piece)
{
  g_autoptr (GString) line = g_string_new (NULL);
  GString *output = g_string_new (NULL);

  for (gsize at = 0; at < length; at += piece)
    {
      gsize n = MIN (piece, length - at);
      g_autofree char *copy = g_memdup2 (text + at, n);

      fp_mapping_shorten (line, copy, n, output);
    }
  return g_string_free (output, FALSE);
}

static char *
shorten (const char *text)
{
  return shorten_in_pieces (text, strlen (text), strlen (text));
}

static FpMappings *
scan (const char *text)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();

  g_assert_cmpuint (fp_mapping_scanner_feed (scanner, text, strlen (text)), ==, strlen (text));
  return fp_mapping_scanner_finish (scanner);
}

/* A name is as it was, or its two ends with an ellipsis between them. */
static void
assert_same_name (const char *whole,
                  const char *name)
{
  const char *ellipsis = strstr (name, "…");

  if (strlen (whole) <= FP_MAPPING_MAX_SHORT_PATH)
    {
      g_assert_cmpstr (name, ==, whole);
      return;
    }
  g_assert_nonnull (ellipsis);
  g_assert_cmpuint (strlen (name), <=, FP_MAPPING_MAX_SHORT_PATH + strlen ("…"));
  g_assert_true (strncmp (whole, name, (gsize)(ellipsis - name)) == 0);
  g_assert_true (g_str_has_suffix (whole, ellipsis + strlen ("…")));
}

static void
assert_same (const FpMappings *whole,
             const FpMappings *mappings)
{
  g_assert_cmpuint (fp_mappings_get_n (mappings), ==, fp_mappings_get_n (whole));
  for (guint i = 0; i < fp_mappings_get_n (whole); i++)
    {
      FpMapping a, b;

      fp_mappings_get (whole, i, &a);
      fp_mappings_get (mappings, i, &b);
      g_assert_cmphex (a.start, ==, b.start);
      g_assert_cmphex (a.end, ==, b.end);
      g_assert_cmphex (a.offset, ==, b.offset);
      g_assert_cmpuint (a.inode, ==, b.inode);
      g_assert_cmpuint (a.device_major, ==, b.device_major);
      g_assert_cmpuint (a.device_minor, ==, b.device_minor);
      g_assert_cmphex (a.flags, ==, b.flags);
      g_assert_cmpstr (a.permissions, ==, b.permissions);
      g_assert_cmphex (a.memory.present, ==, b.memory.present);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        g_assert_cmpuint (fp_memory_get (&a.memory, field), ==, fp_memory_get (&b.memory, field));
      assert_same_name (a.name, b.name);
    }
}

static void
test_blanks (void)
{
  g_autofree char *text = shorten ("Rss:                   4 kB\nVmFlags: rd mr mw me \nProtectionKey:         0\n");

  g_assert_cmpstr (text, ==, "Rss: 4 kB\nVmFlags: rd mr mw me \nProtectionKey: 0\n");
}

static void
test_paths (void)
{
  static const guint lengths[] = { 1, 71, 72, 73, 74, 75, 76, 200, 4095 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (GString) path = g_string_new ("/");
      g_autofree char *text = NULL, *short_text = NULL;
      g_autoptr (FpMappings) whole = NULL, mappings = NULL;

      while (path->len < lengths[i])
        g_string_append_c (path, path->len % 50 ? (char)('a' + path->len % 26) : ' ');
      text = g_strdup_printf (HEADER "%s\n" FIGURES HEADER "\n" FIGURES, path->str);
      short_text = shorten (text);
      whole = scan (text);
      mappings = scan (short_text);
      assert_same (whole, mappings);
      g_assert_cmpuint (strlen (short_text), <, strlen (text));
    }
}

/* The mark of a removed file stands at the end of its path. */
static void
test_deleted (void)
{
  g_autofree char *folder = g_strnfill (300, 'd');
  g_autofree char *text = g_strdup_printf (HEADER "/%s/lib.so (deleted)\n" FIGURES, folder);
  g_autofree char *short_text = shorten (text);
  g_autoptr (FpMappings) mappings = scan (short_text);
  FpMapping mapping;

  fp_mappings_get (mappings, 0, &mapping);
  g_assert_true (g_str_has_suffix (mapping.name, "/lib.so (deleted)"));
}

static void
test_recorded (void)
{
  g_autofree char *root = fixture_get_original ("smaps");
  g_autofree char *file = g_build_filename (root, "recorded-6.18", NULL);
  g_autofree char *text = NULL, *short_text = NULL;
  g_autoptr (FpMappings) whole = NULL, mappings = NULL;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  short_text = shorten (text);
  whole = scan (text);
  mappings = scan (short_text);
  g_assert_cmpuint (strlen (short_text), <, strlen (text) * 3 / 4);
  g_assert_cmpuint (fp_mappings_get_n (whole), >, 1);
  assert_same (whole, mappings);
}

/* Wherever a piece ends, and without a last line that has no end. */
static void
test_pieces (void)
{
  g_autofree char *name = g_strnfill (100, 'n');
  g_autofree char *text = g_strdup_printf (HEADER "/%s\n" FIGURES "Rss: no end", name);
  g_autofree char *expected = shorten (text);

  g_assert_true (g_str_has_suffix (expected, "me \n"));
  for (gsize piece = 1; piece < strlen (text); piece++)
    {
      g_autofree char *short_text = shorten_in_pieces (text, strlen (text), piece);

      g_assert_cmpstr (short_text, ==, expected);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mapping-shortener/blanks", test_blanks);
  g_test_add_func ("/mapping-shortener/paths", test_paths);
  g_test_add_func ("/mapping-shortener/deleted", test_deleted);
  g_test_add_func ("/mapping-shortener/recorded", test_recorded);
  g_test_add_func ("/mapping-shortener/pieces", test_pieces);
  return g_test_run ();
}
