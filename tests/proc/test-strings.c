// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-strings.h"

static void
test_intern (void)
{
  FpStrings strings;
  guint32 a, b;

  fp_strings_init (&strings, 16);
  g_assert_cmpuint (fp_strings_intern (&strings, ""), ==, 0);
  g_assert_cmpstr (fp_strings_get (&strings, 0), ==, "");
  a = fp_strings_intern (&strings, "firefox");
  b = fp_strings_intern (&strings, "fire");
  g_assert_cmpuint (a, ==, 1);
  g_assert_cmpuint (b, ==, 9);
  g_assert_cmpuint (fp_strings_intern (&strings, "firefox"), ==, a);
  g_assert_cmpuint (fp_strings_intern (&strings, "fire"), ==, b);
  g_assert_cmpuint (fp_strings_intern (&strings, "fox"), !=, a + 4);
  g_assert_cmpuint (strings.block->used, ==, 1 + 8 + 5 + 4);
  fp_strings_clear (&strings);
}

static void
test_growth (void)
{
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  FpStrings strings;
  FpStringBlock *held;
  g_autofree char *before = NULL;
  gsize used;

  fp_strings_init (&strings, 1);
  fp_strings_intern (&strings, "held");
  held = fp_string_block_ref (strings.block);
  used = held->used;
  before = g_memdup2 (held->data, used);
  for (guint i = 0; i < 5000; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);
      guint32 offset = fp_strings_intern (&strings, text);

      g_array_append_val (offsets, offset);
    }
  g_assert_true (strings.block != held);
  g_assert_cmpuint (held->used, ==, used);
  g_assert_cmpmem (held->data, held->used, before, used);
  fp_string_block_unref (held);
  g_assert_cmpstr (fp_strings_get (&strings, 1), ==, "held");

  used = strings.block->used;
  for (guint i = 0; i < offsets->len; i++)
    {
      g_autofree char *text = g_strdup_printf ("text %u", i);

      g_assert_cmpstr (fp_strings_get (&strings, g_array_index (offsets, guint32, i)), ==, text);
      g_assert_cmpuint (fp_strings_intern (&strings, text), ==, g_array_index (offsets, guint32, i));
    }
  g_assert_cmpuint (strings.block->used, ==, used);
  fp_strings_clear (&strings);
}

static void
test_large_text (void)
{
  g_autofree char *large = g_strnfill (100000, 'x');
  FpStrings strings;
  guint32 offset;

  fp_strings_init (&strings, 8);
  offset = fp_strings_intern (&strings, large);
  g_assert_cmpstr (fp_strings_get (&strings, offset), ==, large);
  fp_strings_clear (&strings);
}

static void
test_clean (void)
{
  static const struct
  {
    const char *raw, *clean;
  } cases[] = {
    { "", "" },
    { "plain", "plain" },
    { "a\nb\tc\x1b", "a\nb\tc\x1b" },
    { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
    { "\xff", "\\xff" },
    { "a\xc3", "a\\xc3" },
    { "\xe2\x82", "\\xe2\\x82" },
    { "\xe2\x82x", "\\xe2\\x82x" },
    { "\xf0\x9f\x98", "\\xf0\\x9f\\x98" },
    { "\xc0\xaf", "\\xc0\\xaf" },
    { "\xed\xa0\x80", "\\xed\\xa0\\x80" },
    { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
    { "\x80\xc3\xa9\xbf", "\\x80\xc3\xa9\\xbf" },
    { "\xe2\x80\xae", "\xe2\x80\xae" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize length = strlen (cases[i].raw);
      g_autofree char *exact = g_memdup2 (cases[i].raw, MAX (length, 1));
      char clean[64];

      memset (clean, 'x', sizeof clean);
      fp_text_clean (clean, sizeof clean, exact, length);
      g_assert_cmpstr (clean, ==, cases[i].clean);
    }
}

static void
test_clean_stops_at_0 (void)
{
  char clean[16];

  fp_text_clean (clean, sizeof clean, "ab\0cd", 5);
  g_assert_cmpstr (clean, ==, "ab");
  fp_text_clean (clean, sizeof clean, "abcd", 2);
  g_assert_cmpstr (clean, ==, "ab");
}

/* In every size there is: inside its array, valid, and a beginning of the text with an ellipsis where it was cut. */
static void
check_sizes (const char *raw,
             const char *whole,
             gsize first_size)
{
  for (gsize size = first_size; size < 60; size++)
    {
      char clean[400];
      gsize length;

      memset (clean, '#', sizeof clean);
      fp_text_clean (clean, size, raw, strlen (raw));
      for (gsize i = size; i < sizeof clean; i++)
        g_assert_cmpint (clean[i], ==, '#');
      g_assert_nonnull (memchr (clean, '\0', size));
      g_assert_true (g_utf8_validate (clean, -1, NULL));
      length = strlen (clean);
      if (strcmp (clean, whole) == 0)
        continue;
      if (size < sizeof "…")
        {
          g_assert_cmpstr (clean, ==, "");
          continue;
        }
      g_assert_true (g_str_has_suffix (clean, "…"));
      g_assert_cmpint (strncmp (clean, whole, length - strlen ("…")), ==, 0);
    }
}

static void
test_clean_sizes (void)
{
  check_sizes ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz", 4);
  check_sizes ("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9",
               "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 4);
  check_sizes ("\xf0\x9f\x98\x80 a \xf0\x9f\x98\x80\xf0\x9f\x98\x80",
               "\xf0\x9f\x98\x80 a \xf0\x9f\x98\x80\xf0\x9f\x98\x80", 4);
  check_sizes ("\xff\xfe\xe2\x82\xff", "\\xff\\xfe\\xe2\\x82\\xff", 4);
}

static void
test_clean_smallest_sizes (void)
{
  check_sizes ("abcdefghij", "abcdefghij", 1);
}

/* A text that fits is whole. */
static void
test_clean_exact_fit (void)
{
  static const char *const texts[] = { "a", "abc", "abcdefghi", "\xc3\xa9\xc3\xa9", "\xf0\x9f\x98\x80" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (gsize size = MAX (strlen (texts[i]) + 1, 4); size < 20; size++)
      {
        char clean[32];

        fp_text_clean (clean, size, texts[i], strlen (texts[i]));
        g_assert_cmpstr (clean, ==, texts[i]);
      }
}

/* Whoever names a process cannot end the quotation marks that its name stands in, nor the line. */
static void
test_plain (void)
{
  g_autofree char *quoted = fp_text_make_plain ("sh” (root) “"), *other = fp_text_make_plain ("a\"b„c«d’e″f<g&h\ni");
  g_autofree char *plain = fp_text_make_plain ("(sd-pam) größer");

  g_assert_cmpstr (quoted, ==, "sh? (root) ?");
  g_assert_cmpstr (other, ==, "a?b?c?d?e?f?g?h?i");
  g_assert_cmpstr (plain, ==, "(sd-pam) größer");
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/proc/strings/intern", test_intern);
  g_test_add_func ("/proc/strings/growth", test_growth);
  g_test_add_func ("/proc/strings/large-text", test_large_text);
  g_test_add_func ("/proc/strings/clean", test_clean);
  g_test_add_func ("/proc/strings/clean-stops-at-0", test_clean_stops_at_0);
  g_test_add_func ("/proc/strings/clean-sizes", test_clean_sizes);
  g_test_add_func ("/proc/strings/clean-exact-fit", test_clean_exact_fit);
  g_test_add_func ("/proc/strings/clean-smallest-sizes", test_clean_smallest_sizes);
  g_test_add_func ("/proc/strings/plain", test_plain);
  return g_test_run ();
}
