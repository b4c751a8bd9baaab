// SPDX-License-Identifier: GPL-3.0-or-later
/* No line of a tooltip is longer than can be read at a glance. */
#include <string.h>

#include "fp-tooltip.h"

#define LONGEST 60

static void
assert_wrapped (const char *text,
                guint n_lines)
{
  g_autofree char *wrapped = fp_tooltip_wrap (text);
  g_auto (GStrv) lines = g_strsplit (wrapped, "\n", -1);
  g_autofree char *joined = g_strjoinv (" ", lines), *expected = g_strdelimit (g_strdup (text), "\n", ' ');

  g_assert_cmpuint (g_strv_length (lines), ==, n_lines);
  for (guint i = 0; lines[i]; i++)
    g_assert_true (g_utf8_strlen (lines[i], -1) <= LONGEST || !strchr (lines[i], ' '));
  g_assert_cmpstr (joined, ==, expected);
}

static void
test_wrap (void)
{
  assert_wrapped ("", 0);
  assert_wrapped ("Memory: 3.0 MiB\nMeasured 12 s ago", 2);
  assert_wrapped ("Change in Memory and Swap: 0 B\nHow much more or less memory and swap it has than at the moment that you chose to "
                  "compare from; without a mark, than at the start",
                  4);
  assert_wrapped ("ééééééééé ééééééééé ééééééééé ééééééééé ééééééééé ééééééééé ééééééééé", 2);
  assert_wrapped ("/a/path/that/has/no/blank/and/is/longer/than/a/line/of/a/tooltip/may/be", 1);
  assert_wrapped ("/a/path/that/has/no/blank/and/is/longer/than/a/line/of/a/tooltip/may/be and more", 2);
}

/* A path can be longer than the screen. */
static void
test_long_word (void)
{
  g_autofree char *path = g_strnfill (400, 'x'), *wrapped = NULL;
  g_auto (GStrv) lines = NULL;
  g_autofree char *joined = NULL;

  wrapped = fp_tooltip_wrap (path);
  lines = g_strsplit (wrapped, "\n", -1);
  joined = g_strjoinv ("", lines);
  g_assert_cmpstr (joined, ==, path);
  for (guint i = 0; lines[i]; i++)
    g_assert_cmpuint (strlen (lines[i]), <=, 90);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tooltip/wrap", test_wrap);
  g_test_add_func ("/tooltip/long-word", test_long_word);
  return g_test_run ();
}
