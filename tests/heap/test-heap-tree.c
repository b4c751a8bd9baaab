// SPDX-License-Identifier: GPL-3.0-or-later
/* The paths of profiles of known content as a tree, and its sums at each moment. */
#include <glib/gstdio.h>
#include <string.h>

#include "fp-heap-tree.h"
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

static void
test_empty (void)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (FpHeapTree) tree = NULL;
  g_autofree guint64 *sums = NULL;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  heap_writer_finish (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  tree = fp_heap_tree_new (profile);
  sums = fp_heap_tree_sum (tree, profile->stacks, FP_HEAP_PEAK);
  g_assert_cmpuint (tree->branches->len, ==, 1);
  g_assert_cmpuint (sums[0], ==, 0);
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
  g_test_add_func ("/heap-tree/empty", test_empty);
  g_test_add_func ("/heap-tree/recognized", test_recognized);
  return g_test_run ();
}
