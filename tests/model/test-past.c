// SPDX-License-Identifier: GPL-3.0-or-later
/* The history gives back what was put in, whatever it is and wherever one begins to forget. */
#include <string.h>

#include "fp-past.h"

#define N_COLLECTIONS 900

/* Idle for long, then small and large steps, ranges that open and close, and what becomes unknown */
static void
change (FpHistoryEnds *ends)
{
  guint i = (guint)g_test_rand_int_range (0, FP_N_HISTORY_FIGURES);
  gboolean was_exact = ends->low_kib[i] == ends->high_kib[i];

  switch (g_test_rand_int_range (0, 6))
    {
    case 0:
      ends->low_kib[i] += (guint32)g_test_rand_int_range (-100, 100);
      break;
    case 1:
      ends->low_kib[i] = (guint32)g_test_rand_int ();
      break;
    case 2:
      ends->low_kib[i] = FP_HISTORY_UNKNOWN;
      break;
    case 3:
      ends->high_kib[i] = FP_HISTORY_UNKNOWN;
      return;
    case 4:
      ends->high_kib[i] += (guint32)g_test_rand_int_range (-5000, 5000);
      return;
    default:
      ends->high_kib[i] = ends->low_kib[i];
      return;
    }
  if (was_exact)
    ends->high_kib[i] = ends->low_kib[i];
}

static void
assert_same (const FpPast *past,
             const FpHistoryEnds *expected,
             guint from,
             guint to)
{
  FpPastWalk walk;

  fp_past_walk_init (&walk, past);
  for (guint c = from; c < to; c++)
    {
      fp_past_walk_to (&walk, c);
      g_assert_cmpmem (&walk.ends, sizeof walk.ends, &expected[c], sizeof *expected);
    }
}

static void
test_same (void)
{
  g_autofree FpHistoryEnds *expected = g_new0 (FpHistoryEnds, N_COLLECTIONS);

  for (guint round = 0; round < 40; round++)
    {
      guint first = (guint)g_test_rand_int_range (0, 300), oldest = first;
      int busy = g_test_rand_int_range (1, 20);
      FpPast past;

      memset (&expected[first], 0, sizeof *expected);
      fp_past_begin (&past, first, &expected[first]);
      for (guint c = first + 1; c < N_COLLECTIONS; c++)
        {
          expected[c] = expected[c - 1];
          for (int n = g_test_rand_int_range (0, 20); n < busy; n += 5)
            change (&expected[c]);
          fp_past_add (&past, c, &expected[c]);
          if (c % 40 == 0)
            assert_same (&past, expected, oldest, c + 1);
          if (g_test_rand_int_range (0, 10) != 0)
            continue;
          oldest = (guint)g_test_rand_int_range ((gint32)oldest, (gint32)c + 1);
          fp_past_forget (&past, oldest);
        }
      assert_same (&past, expected, oldest, N_COLLECTIONS);
      fp_past_clear (&past);
    }
}

/* An idle process costs nothing more as time goes by, and a busy one some bytes a collection. */
static void
test_size (void)
{
  FpHistoryEnds ends = { { 0 }, { 0 } };
  FpPast past;

  fp_past_begin (&past, 0, &ends);
  for (guint c = 1; c < 10000; c++)
    fp_past_add (&past, c, &ends);
  g_assert_cmpuint (past.capacity, ==, 0);
  g_assert_true (fp_past_is_calm (&past));
  for (guint c = 10000; c < 20000; c++)
    {
      for (guint i = 0; i < FP_N_HISTORY_FIGURES; i++)
        ends.low_kib[i] = ends.high_kib[i] = c * 40;
      fp_past_add (&past, c, &ends);
      fp_past_forget (&past, c - MIN (c, 600));
    }
  g_test_message ("%u bytes for 600 collections", past.capacity);
  g_assert_cmpuint (past.end - past.start, <=, 601 * 6);
  g_assert_cmpuint (past.capacity, <=, 601 * 6 * 2);
  fp_past_clear (&past);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/past/same", test_same);
  g_test_add_func ("/past/size", test_size);
  return g_test_run ();
}
