// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-turns.h"

#define ADA 1000 /* and Ben the next */

/* Each text's first letter is its user's: "b3" is Ben's and takes 3 µs. */
static void
add (FpTurns *turns,
     const char *words)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  for (char **word = list; *word; word++)
    fp_turns_add (turns, ADA + (guint32)(**word - 'a'), (gpointer)g_intern_string (*word));
}

static void
expect (FpTurns *turns,
        const char *words,
        guint n)
{
  g_autoptr (GString) order = g_string_new (NULL);
  const char *word;

  while (n-- > 0 && (word = fp_turns_next (turns)))
    {
      g_string_append_printf (order, "%s%s", order->len > 0 ? " " : "", word);
      fp_turns_spend (turns, g_ascii_strtoull (word + 1, NULL, 10));
    }
  g_assert_cmpstr (order->str, ==, words);
}

/* Users with slow things have as much time as others, and fewer turns. */
static void
test_shares (void)
{
  g_autoptr (FpTurns) turns = fp_turns_new ();

  add (turns, "a9 a8 a7 b1 b2 b3 b4 c5");
  expect (turns, "a9 b1 c5 b2 b3 b4 a8 a7", G_MAXUINT);
  g_assert_null (fp_turns_next (turns));
}

/* A list that was begun goes on where it was, at somebody else. */
static void
test_rounds (void)
{
  g_autoptr (FpTurns) turns = fp_turns_new ();
  static const char *const expected[] = { "a5", "b1", "b1", "b1", "b1", "b1", "a5" };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      fp_turns_clear (turns);
      add (turns, "a5 a5 b1 b1");
      expect (turns, expected[i], 1);
    }
}

/* Time is not saved up: who comes late has no more of it than those who were there. */
static void
test_late (void)
{
  g_autoptr (FpTurns) turns = fp_turns_new ();

  add (turns, "a5 a5 a5 a5 a5 a5");
  expect (turns, "a5 a5 a5 a5", 4);
  add (turns, "b5 b5 b5 b5 b5");
  expect (turns, "b5 a5 b5 a5 b5 b5 b5", G_MAXUINT);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/turns/shares", test_shares);
  g_test_add_func ("/turns/rounds", test_rounds);
  g_test_add_func ("/turns/late", test_late);
  return g_test_run ();
}
