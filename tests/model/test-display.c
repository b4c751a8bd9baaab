// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-display.h"

static void
assert_escape (const char *text,
               const char *expected)
{
  char shown[256];

  fp_display_escape (text, shown, sizeof shown);
  g_assert_cmpstr (shown, ==, expected);
}

static void
test_plain (void)
{
  assert_escape ("", "");
  assert_escape ("firefox --new \"x\" 'y' \\ <b>&amp;", "firefox --new \"x\" 'y' \\ <b>&amp;");
  assert_escape ("Größe 字 한 ё", "Größe 字 한 ё");
  assert_escape ("e\xcc\x81", "e\xcc\x81");
}

static void
test_control (void)
{
  assert_escape ("a\nb\tc", "a\\nb\\tc");
  assert_escape ("\r", "\\x0d");
  assert_escape ("\033[2J", "\\x1b[2J");
  assert_escape ("\001\177", "\\x01\\x7f");
  assert_escape ("\xc2\x80\xc2\x9b\xc2\x9f", "\\x80\\x9b\\x9f");
}

static void
test_bidi (void)
{
  static const gunichar characters[] = { 0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
                                         0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069 };

  for (guint i = 0; i < G_N_ELEMENTS (characters); i++)
    {
      char text[16] = { 0 }, expected[16];

      g_unichar_to_utf8 (characters[i], text);
      g_snprintf (expected, sizeof expected, "\\u%04x", characters[i]);
      assert_escape (text, expected);
    }
}

/* Characters that take no room or show nothing make two names look like one. */
static void
test_invisible (void)
{
  static const gunichar characters[] = { 0x00ad, 0x034f, 0x180e, 0x200b, 0x200c, 0x200d, 0x2028,
                                         0x2029, 0x2060, 0x2061, 0x2064, 0x206a, 0x206f, 0x3164,
                                         0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xe0001, 0xe007f };

  for (guint i = 0; i < G_N_ELEMENTS (characters); i++)
    {
      char text[16] = { 0 }, shown[32];

      g_unichar_to_utf8 (characters[i], text);
      fp_display_escape (text, shown, sizeof shown);
      g_test_message ("U+%04X is shown as %s", characters[i], shown);
      g_assert_cmpint (shown[0], ==, '\\');
    }
}

static void
test_small_buffers (void)
{
  static const char text[] = "a\n字\033é\xe2\x80\xaez";

  for (gsize size = 1; size < 40; size++)
    {
      g_autofree char *shown = g_malloc (size);

      fp_display_escape (text, shown, size);
      g_assert_cmpuint (strlen (shown), <, size);
      g_assert_true (g_utf8_validate (shown, -1, NULL));
    }
}

static void
test_width (void)
{
  g_assert_cmpuint (fp_display_width (""), ==, 0);
  g_assert_cmpuint (fp_display_width ("abc"), ==, 3);
  g_assert_cmpuint (fp_display_width ("é≤—…–"), ==, 5);
  g_assert_cmpuint (fp_display_width ("字"), ==, 2);
  g_assert_cmpuint (fp_display_width ("字a한"), ==, 5);
  g_assert_cmpuint (fp_display_width ("e\xcc\x81"), ==, 1);
  g_assert_cmpuint (fp_display_width ("\xcc\x81"), ==, 0);
  g_assert_cmpuint (fp_display_width ("ＡＢ"), ==, 4);
  g_assert_cmpuint (fp_display_width ("😀"), ==, 2);
}

static void
test_fit (void)
{
  g_assert_cmpuint (fp_display_fit ("abc", 0), ==, 0);
  g_assert_cmpuint (fp_display_fit ("abc", 2), ==, 2);
  g_assert_cmpuint (fp_display_fit ("abc", 3), ==, 3);
  g_assert_cmpuint (fp_display_fit ("abc", 9), ==, 3);
  g_assert_cmpuint (fp_display_fit ("", 9), ==, 0);
  g_assert_cmpuint (fp_display_fit ("字字", 1), ==, 0);
  g_assert_cmpuint (fp_display_fit ("字字", 2), ==, 3);
  g_assert_cmpuint (fp_display_fit ("字字", 3), ==, 3);
  g_assert_cmpuint (fp_display_fit ("a字", 2), ==, 1);
  g_assert_cmpuint (fp_display_fit ("e\xcc\x81x", 1), ==, 3);
}

/* A text that fits is no wider than the width, and with a character more would be. */
static void
test_fit_all (void)
{
  static const char text[] = "a字e\xcc\x81😀z한";

  for (guint width = 0; width <= fp_display_width (text); width++)
    {
      gsize length = fp_display_fit (text, width);
      g_autofree char *fitting = g_strndup (text, length);

      g_assert_true (g_utf8_validate (fitting, -1, NULL));
      g_assert_cmpuint (fp_display_width (fitting), <=, width);
      if (text[length])
        {
          g_autofree char *longer = g_strndup (text, (gsize)(g_utf8_next_char (text + length) - text));

          g_assert_cmpuint (fp_display_width (longer), >, width);
        }
    }
}

static void
assert_name (const char *name,
             const char *expected)
{
  g_autoptr (GString) text = g_string_new ("Restart: ");

  fp_display_append_name (text, name);
  g_assert_true (g_str_has_prefix (text->str, "Restart: "));
  g_assert_cmpstr (text->str + strlen ("Restart: "), ==, expected);
}

/* A name can't end its quotes, nor look like several. */
static void
test_names (void)
{
  assert_name ("ssh.service", "ssh.service");
  assert_name ("getty@tty1.service", "getty@tty1.service");
  assert_name ("", "“”");
  assert_name ("x, dbus.service", "“x, dbus.service”");
  assert_name ("x” (user root), dbus.service, “y", "“x\\u201d (user root), dbus.service, \\u201cy”");
  assert_name ("a\nb", "“a\\nb”");
}

/* A number alone is no name. */
static void
test_user (void)
{
  static const char *const names[][2] = { { "anna", "anna" }, { "1001", "user 1001" }, { "1c", "1c" }, { "", "" } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *shown = fp_display_make_user (names[i][0]);

      g_assert_cmpstr (shown, ==, names[i][1]);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/display/plain", test_plain);
  g_test_add_func ("/display/user", test_user);
  g_test_add_func ("/display/control", test_control);
  g_test_add_func ("/display/bidi", test_bidi);
  g_test_add_func ("/display/invisible", test_invisible);
  g_test_add_func ("/display/small-buffers", test_small_buffers);
  g_test_add_func ("/display/width", test_width);
  g_test_add_func ("/display/fit", test_fit);
  g_test_add_func ("/display/fit-all", test_fit_all);
  g_test_add_func ("/display/names", test_names);
  return g_test_run ();
}
