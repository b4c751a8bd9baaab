// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-wishes.h"

#define ADA 1001
#define BEN 1002

static void
add (FpWishes *wishes,
     guint32 uid,
     gint first,
     guint n)
{
  for (guint i = 0; i < n; i++)
    fp_wishes_add (wishes, uid, &(FpProcessId){ first + (gint)i, 7 }, 1);
}

/* pids: ends with 0 */
static void
check_taken (FpWishes *wishes,
             const gint *pids)
{
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  guint n = 0;

  fp_wishes_take (wishes, taken);
  for (; pids[n] != 0; n++)
    {
      g_assert_cmpuint (taken->len, >, n);
      g_assert_cmpint (g_array_index (taken, FpProcessId, n).pid, ==, pids[n]);
      g_assert_cmpuint (g_array_index (taken, FpProcessId, n).start_ticks, ==, 7);
    }
  g_assert_cmpuint (taken->len, ==, n);
}

static void
test_turns (void)
{
  g_autoptr (FpWishes) wishes = fp_wishes_new (64, 4);

  add (wishes, ADA, 10, 5);
  add (wishes, BEN, 20, 2);
  check_taken (wishes, (gint[]){ 10, 20, 11, 21, 0 });
  g_assert_true (fp_wishes_has_of (wishes, ADA));
  g_assert_false (fp_wishes_has_of (wishes, BEN));
  add (wishes, BEN, 22, 1);
  check_taken (wishes, (gint[]){ 12, 22, 13, 14, 0 });
  g_assert_false (fp_wishes_has_of (wishes, ADA));
  check_taken (wishes, (gint[]){ 0 });
}

/* A user waits for a turn of others at most, however many wishes these have. */
static void
test_next (void)
{
  g_autoptr (FpWishes) wishes = fp_wishes_new (64, 1);

  add (wishes, ADA, 10, 60);
  check_taken (wishes, (gint[]){ 10, 0 });
  add (wishes, BEN, 90, 2);
  check_taken (wishes, (gint[]){ 11, 0 });
  check_taken (wishes, (gint[]){ 90, 0 });
  check_taken (wishes, (gint[]){ 12, 0 });
  check_taken (wishes, (gint[]){ 91, 0 });
}

static void
test_duplicates (void)
{
  g_autoptr (FpWishes) wishes = fp_wishes_new (3, 64);
  const FpProcessId later = { 10, 8 };

  for (guint i = 0; i < 100; i++)
    add (wishes, ADA, 10, 2);
  add (wishes, BEN, 11, 2);
  check_taken (wishes, (gint[]){ 10, 11, 12, 0 });
  add (wishes, ADA, 10, 1);
  check_taken (wishes, (gint[]){ 10, 0 });
  /* Another process that has the same number is another one. */
  fp_wishes_add (wishes, ADA, &later, 1);
  g_assert_true (fp_wishes_has_of (wishes, ADA));
}

static void
test_limit (void)
{
  g_autoptr (FpWishes) wishes = fp_wishes_new (3, 64);

  add (wishes, ADA, 10, 1000);
  add (wishes, BEN, 20, 1);
  check_taken (wishes, (gint[]){ 10, 20, 11, 12, 0 });
  add (wishes, ADA, 30, 1);
  fp_wishes_clear (wishes);
  check_taken (wishes, (gint[]){ 0 });
  add (wishes, ADA, 30, 1);
  check_taken (wishes, (gint[]){ 30, 0 });
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wishes/turns", test_turns);
  g_test_add_func ("/wishes/next", test_next);
  g_test_add_func ("/wishes/duplicates", test_duplicates);
  g_test_add_func ("/wishes/limit", test_limit);
  return g_test_run ();
}
