// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-segments.h"

/* clang-format off */
#define TITLES "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime      dtime      ctime                   rss                  swap\n"
#define REMOVED "         0     360473  1600              33554432  4776  4764      2     0     0     0     0 1795319835          0 1795319835               2719744                  4096\n"
#define KEPT "-559038737          5   600              33554432  4776  4764      0     0     0     0     0 1795319835          0 1795319835               8192                     0\n"

static void
test_parse (void)
{
  g_autoptr (GArray) segments = fp_segments_parse (TITLES REMOVED KEPT "         0  7", FALSE);
  FpSegment segment;

  g_assert_cmpuint (segments->len, ==, 2);
  g_assert_true (fp_segments_find (segments, 360473, &segment));
  g_assert_true (segment.goes_with_last);
  g_assert_cmpuint (segment.n_attached, ==, 2);
  g_assert_cmpuint (segment.resident, ==, 2719744);
  g_assert_cmpuint (segment.swap, ==, 4096);
  g_assert_cmpuint (segment.size, ==, 33554432);
  g_assert_cmpint (segment.creator_pid, ==, 4776);
  g_assert_cmpuint (segment.uid, ==, 0);
  g_assert_true (fp_segments_find (segments, 5, &segment));
  g_assert_false (segment.goes_with_last);
  g_assert_false (fp_segments_find (segments, 7, &segment));
}

/* As kernel.shm_rmid_forced has it */
static void
test_all_go (void)
{
  g_autoptr (GArray) segments = fp_segments_parse (TITLES KEPT, TRUE);
  FpSegment segment;

  g_assert_true (fp_segments_find (segments, 5, &segment));
  g_assert_true (segment.goes_with_last);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/segments/parse", test_parse);
  g_test_add_func ("/segments/all-go", test_all_go);
  return g_test_run ();
}
