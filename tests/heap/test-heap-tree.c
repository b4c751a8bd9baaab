// SPDX-License-Identifier: GPL-3.0-or-later
/* The paths of profiles of known content as a tree, and its sums at each moment. */
#include <glib/gstdio.h>
#include <string.h>

#include "fp-heap-outline.h"
#include "heap-writer.h"

static guint32
find_child (const FpHeapTree *tree,
            guint32 parent,
            const char *name)
{
  for (guint32 child = fp_heap_tree_get (tree, parent)->first_child; child; child = fp_heap_tree_get (tree, child)->next_sibling)
    {
      const FpHeapFrame *frame = fp_heap_profile_get_frame (tree->profile, fp_heap_tree_get (tree, child)->node);

      if (g_str_equal (fp_heap_profile_get_text (tree->profile, frame->function), name))
        return child;
    }
  g_assert_not_reached ();
}

static FpHeapTree *
make_tree (const char *text)
{
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), NULL);

  return fp_heap_tree_new (profile);
}

/* A branch has what is below it, and the root has all; recursion is as deep as it was. */
static void
test_sums (void)
{
  g_autoptr (FpHeapTree) tree = make_tree ("main;a;b 10\nmain;a 5\nmain;a;a;b 3\nother 2\n");
  g_autofree guint64 *sums = fp_heap_tree_sum (tree, tree->profile->stacks, FP_HEAP_PEAK);
  guint32 main_branch = find_child (tree, 0, "main"), a = find_child (tree, main_branch, "a"), inner = find_child (tree, a, "a");

  g_assert_cmpuint (tree->branches->len, ==, 1 + 6);
  g_assert_cmpuint (sums[0], ==, 20);
  g_assert_cmpuint (sums[main_branch], ==, 18);
  g_assert_cmpuint (sums[a], ==, 18);
  g_assert_cmpuint (sums[inner], ==, 3);
  g_assert_cmpuint (sums[find_child (tree, a, "b")], ==, 10);
  g_assert_cmpuint (sums[find_child (tree, inner, "b")], ==, 3);
  g_assert_cmpuint (sums[find_child (tree, 0, "other")], ==, 2);
  g_assert_cmpuint (fp_heap_tree_get (tree, inner)->depth, ==, 3);
  g_assert_cmpuint (fp_heap_tree_get (tree, inner)->parent, ==, a);
}

/* Two places in one function with the same caller are one branch, whatever their lines and addresses are. */
static void
test_lines (void)
{
  static const char text[] = "v 10400 3\nX ./program\nI 1000 10\ns c /bin/program\ns 4 main\ns 4 work\ns 6 file.c\n"
                             "i 1000 1 2 4 a\nt 1 0\ni 1001 1 3 4 b\nt 2 1\ni 1002 1 3 4 c\nt 3 1\n"
                             "a 1e 2\n+ 0\nc 3e8\na 46 3\n+ 1\nc 7d0\n";
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), NULL);
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (profile);
  g_autofree guint64 *sums = NULL, *calls = NULL, *then = NULL;
  g_autoptr (GArray) stacks = NULL;
  guint64 found_ms;

  g_assert_cmpuint (profile->nodes->len, ==, 4);
  g_assert_cmpuint (tree->branches->len, ==, 3);
  sums = fp_heap_tree_sum (tree, profile->stacks, FP_HEAP_PEAK);
  calls = fp_heap_tree_sum (tree, profile->stacks, FP_HEAP_CALLS);
  stacks = fp_heap_profile_dup_stacks_at (profile, 1000, &found_ms);
  then = fp_heap_tree_sum (tree, stacks, FP_HEAP_PEAK);
  g_assert_cmpuint (sums[find_child (tree, 1, "work")], ==, 100);
  g_assert_cmpuint (calls[find_child (tree, 1, "work")], ==, 2);
  g_assert_cmpuint (then[find_child (tree, 1, "work")], ==, 30);
}

/* "0 work 70, 1 main 70": the depth, the function and what it had at the peak */
static char *
describe_outline (const FpHeapTree *tree,
                  FpHeapDirection direction)
{
  g_autoptr (GArray) steps = fp_heap_outline_new (tree, tree->profile->stacks, NULL, direction, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < steps->len; i++)
    {
      const FpHeapStep *step = &g_array_index (steps, FpHeapStep, i);
      const FpHeapFrame *frame = fp_heap_profile_get_frame (tree->profile, step->node);

      g_assert_true (step->depth == 0 ? step->parent == FP_HEAP_NO_STEP
                                      : g_array_index (steps, FpHeapStep, step->parent).depth == step->depth - 1);
      g_string_append_printf (text, "%s%u %s %" G_GUINT64_FORMAT, i > 0 ? ", " : "", step->depth,
                              fp_heap_profile_get_text (tree->profile, frame->function), step->sums.peak.bytes);
    }
  return g_string_free (text, FALSE);
}

/* From either end, the largest first. What allocates for others is no place where a way begins. */
static void
test_outline (void)
{
  g_autoptr (FpHeapTree) tree = make_tree ("main;work;strdup 70\nmain;strdup 10\nmain;work 5\nother;work;malloc 20\n");
  g_autofree char *up = describe_outline (tree, FP_HEAP_BOTTOM_UP), *down = describe_outline (tree, FP_HEAP_TOP_DOWN);

  g_assert_cmpstr (up, ==, "0 work 95, 1 main 75, 1 other 20, 0 main 10");
  g_assert_cmpstr (down, ==, "0 main 85, 1 work 75, 2 strdup 70, 1 strdup 10, 0 other 20, 1 work 20, 2 malloc 20");
}

/* A function that calls itself is on its way as often as it was. Steps of less than 1/20,000 of all are left out. */
static void
test_outline_ends (void)
{
  g_autoptr (FpHeapTree) recursion = make_tree ("main;a;a;a 9\n"), small = make_tree ("main;large 40000\nmain;small 1\nmain;enough 2\n");
  g_autofree char *up = describe_outline (recursion, FP_HEAP_BOTTOM_UP);
  g_autofree char *small_up = describe_outline (small, FP_HEAP_BOTTOM_UP), *small_down = describe_outline (small, FP_HEAP_TOP_DOWN);

  g_assert_cmpstr (up, ==, "0 a 9, 1 a 9, 2 a 9, 3 main 9");
  g_assert_cmpstr (small_up, ==, "0 large 40000, 1 main 40000, 0 enough 2, 1 main 2");
  g_assert_cmpstr (small_down, ==, "0 main 40003, 1 large 40000, 1 enough 2");
}

static guint64
get_beside (const FpHeapTree *tree,
            guint32 node,
            FpHeapSide side,
            const char *name)
{
  g_autoptr (GArray) places = fp_heap_places_new_beside (tree->profile, tree->profile->stacks, node, side);

  for (guint i = 0; i < places->len; i++)
    {
      const FpHeapPlace *place = &g_array_index (places, FpHeapPlace, i);
      const FpHeapFrame *frame = place->node ? fp_heap_profile_get_frame (tree->profile, place->node) : NULL;

      if (frame && g_str_equal (fp_heap_profile_get_text (tree->profile, frame->function), name))
        return place->all.peak.bytes;
    }
  return 0;
}

/* Each caller and callee has what is allocated where the two follow each other; recursion counts once. */
static void
test_beside (void)
{
  g_autoptr (FpHeapTree) tree = make_tree ("main;work;strdup 70\nmain;strdup 10\nother;work 5\nother;work;work;malloc 20\n");
  guint32 work = fp_heap_tree_get (tree, find_child (tree, find_child (tree, 0, "main"), "work"))->node;

  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLERS, "main"), ==, 70);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLERS, "other"), ==, 25);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLERS, "work"), ==, 20);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLERS, "strdup"), ==, 0);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLEES, "strdup"), ==, 70);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLEES, "malloc"), ==, 20);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLEES, "work"), ==, 20);
  g_assert_cmpuint (get_beside (tree, work, FP_HEAP_CALLEES, "main"), ==, 0);
}

static void
test_empty (void)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (FpHeapTree) tree = NULL;
  g_autofree guint64 *sums = NULL;
  g_autofree char *outline = NULL;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  heap_writer_finish (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  tree = fp_heap_tree_new (profile);
  sums = fp_heap_tree_sum (tree, profile->stacks, FP_HEAP_PEAK);
  g_assert_cmpuint (tree->branches->len, ==, 1);
  g_assert_cmpuint (sums[0], ==, 0);
  outline = describe_outline (tree, FP_HEAP_BOTTOM_UP);
  g_assert_cmpstr (outline, ==, "");
}

/* The beginning says it; other files are none. */
static void
test_recognized (void)
{
  static const struct
  {
    const char *text;
    gboolean is_profile;
  } cases[] = {
    { "main;a 10\n", TRUE },
    { "v 10400 3\n", TRUE },
    { "#\n[bashrc]\n", FALSE },
    { "%PDF-1.7\n", FALSE },
    { "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      int fd = heap_open_bytes (cases[i].text, strlen (cases[i].text));

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (fp_heap_profile_recognizes (fd), ==, cases[i].is_profile);
      g_assert_true (g_close (fd, NULL));
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-tree/sums", test_sums);
  g_test_add_func ("/heap-tree/lines", test_lines);
  g_test_add_func ("/heap-tree/outline", test_outline);
  g_test_add_func ("/heap-tree/outline-ends", test_outline_ends);
  g_test_add_func ("/heap-tree/beside", test_beside);
  g_test_add_func ("/heap-tree/empty", test_empty);
  g_test_add_func ("/heap-tree/recognized", test_recognized);
  return g_test_run ();
}
