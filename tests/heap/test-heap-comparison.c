// SPDX-License-Identifier: GPL-3.0-or-later
/* Two profiles of known content on the paths of both, and two moments of one. */
#include <string.h>

#include "fp-heap-comparison.h"
#include "fp-heap-outline.h"
#include "heap-writer.h"

typedef struct
{
  FpHeapProfile *before;
  FpHeapProfile *after;
  FpHeapComparison comparison;
} Fixture;

static void
fixture_init (Fixture *self,
              const char *before,
              const char *after)
{
  self->before = heap_read (before, strlen (before), NULL);
  self->after = heap_read (after, strlen (after), NULL);
  fp_heap_comparison_init (&self->comparison, self->before, self->after);
}

static void
fixture_clear (Fixture *self)
{
  fp_heap_comparison_clear (&self->comparison);
  fp_heap_profile_unref (self->before);
  fp_heap_profile_unref (self->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* "work 10 30, other 5 0": a function or a library, before and after */
static char *
describe_pairs (const FpHeapProfile *profile,
                const GArray *before,
                const GArray *after,
                FpHeapBy by,
                FpHeapCost cost)
{
  g_autoptr (GArray) pairs = fp_heap_pairs_new (profile, before, after, by, cost);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < pairs->len; i++)
    {
      const FpHeapPair *pair = &g_array_index (pairs, FpHeapPair, i);
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, pair->node);

      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, i > 0 ? ", " : "",
                              fp_heap_profile_get_text (profile, by == FP_HEAP_BY_LIBRARY ? frame->module : frame->function), pair->before,
                              pair->after);
    }
  return g_string_free (text, FALSE);
}

static char *
describe (const Fixture *self,
          FpHeapBy by,
          FpHeapCost cost)
{
  const FpHeapComparison *comparison = &self->comparison;

  return describe_pairs (comparison->profile, comparison->before, comparison->after, by, cost);
}

#define BEFORE "main;load;strdup 30\nmain;parse 20\nmain;old 5\nmain;same 9\n"
#define AFTER  "main;load;strdup 50\nmain;parse 12\nmain;young 7\nmain;same 9\n"

/* The largest change comes first, whichever way it went. What has not changed is left out. */
static void
test_pairs (void)
{
  g_auto (Fixture) fixture = { 0 }, none = { 0 };
  g_autofree char *text = NULL, *nothing = NULL;

  fixture_init (&fixture, BEFORE, AFTER);
  text = describe (&fixture, FP_HEAP_BY_FUNCTION, FP_HEAP_PEAK);
  g_assert_cmpstr (text, ==, "load 30 50, parse 20 12, young 0 7, old 5 0");
  g_assert_cmpuint (fixture.comparison.known, ==, 1 << FP_HEAP_PEAK);
  fixture_init (&none, AFTER, AFTER);
  nothing = describe (&none, FP_HEAP_BY_FUNCTION, FP_HEAP_PEAK);
  g_assert_cmpstr (nothing, ==, "");
}

/* A path that one of them does not have is there with nothing. */
static void
test_paths (void)
{
  g_auto (Fixture) fixture = { 0 };
  const FpHeapComparison *comparison = &fixture.comparison;

  fixture_init (&fixture, "main;a 5\n", "main;a;b 7\nmain;a 2\n");
  g_assert_cmpuint (comparison->before->len, ==, 2);
  g_assert_cmpuint (comparison->after->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const FpHeapStack *before = &g_array_index (comparison->before, FpHeapStack, i);
      const FpHeapStack *after = &g_array_index (comparison->after, FpHeapStack, i);
      g_autofree char *path = heap_get_path (comparison->profile, before->node);
      gboolean is_inner = g_str_equal (path, "main;a;b");

      g_assert_true (is_inner || g_str_equal (path, "main;a"));
      g_assert_cmpuint (before->node, ==, after->node);
      g_assert_cmpuint (before->peak.bytes, ==, is_inner ? 0 : 5);
      g_assert_cmpuint (after->peak.bytes, ==, is_inner ? 7 : 2);
    }
}

static FpHeapProfile *
record (const char *folder,
        guint n)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autofree char *library = g_build_filename (folder, "libparse.so", NULL);
  guint work;

  heap_writer_init (&writer, HEAP_FORMAT_3);
  /* Another build has other addresses: each trace has the next one. */
  for (guint i = 0; i < n; i++)
    heap_writer_add_trace (&writer, "unused", 0);
  work = heap_writer_add_trace (&writer, "work", heap_writer_add_trace (&writer, "main", 0));
  heap_writer_allocate (&writer, 0x10, 100 * (n + 1), heap_writer_add_trace_in (&writer, library, "parse", work));
  heap_writer_set_time (&writer, 10);
  heap_writer_finish (&writer);
  return heap_read (writer.text->str, writer.text->len, NULL);
}

/* Libraries are known by the names of their files, and functions by their names, wherever they are. */
static void
test_builds (void)
{
  g_auto (Fixture) fixture = { .before = record ("/opt/old", 0), .after = record ("/usr/lib", 3) };
  g_autofree char *functions = NULL, *libraries = NULL, *calls = NULL;

  fp_heap_comparison_init (&fixture.comparison, fixture.before, fixture.after);
  functions = describe (&fixture, FP_HEAP_BY_FUNCTION, FP_HEAP_PEAK);
  libraries = describe (&fixture, FP_HEAP_BY_LIBRARY, FP_HEAP_LEAKED);
  calls = describe (&fixture, FP_HEAP_BY_FUNCTION, FP_HEAP_CALLS);
  g_assert_cmpstr (functions, ==, "parse 100 400");
  g_assert_cmpstr (libraries, ==, "/usr/lib/libparse.so 100 400");
  g_assert_cmpstr (calls, ==, "");
  g_assert_cmpuint (fixture.comparison.before->len, ==, 1);
  /* The later one's texts have their numbers. */
  for (guint32 i = 0; i < fixture.after->texts.offsets->len; i++)
    g_assert_cmpstr (fp_heap_profile_get_text (fixture.comparison.profile, i), ==, fp_heap_profile_get_text (fixture.after, i));
}

/* Moments of one recording have its paths already. */
static void
test_moments (void)
{
  g_auto (HeapWriter) writer = { 0 };
  g_autoptr (FpHeapProfile) profile = NULL;
  g_autoptr (GArray) first = NULL, last = NULL;
  g_autofree char *text = NULL;
  guint64 first_ms, last_ms;

  heap_writer_write_known (&writer);
  profile = heap_read (writer.text->str, writer.text->len, NULL);
  first = fp_heap_profile_dup_stacks_at (profile, 1000, &first_ms);
  last = fp_heap_profile_dup_stacks_at (profile, 4000, &last_ms);
  text = describe_pairs (profile, first, last, FP_HEAP_BY_FUNCTION, FP_HEAP_PEAK);
  g_assert_cmpstr (text, ==, "read_rows 1048576 0, parse_object 0 262144");
  g_assert_cmpuint (fp_heap_stacks_sum (last).peak.bytes, ==, 1 << 18);
}

static guint32
find_branch (const FpHeapTree *tree,
             const char *path)
{
  for (guint32 branch = 1; branch < tree->branches->len; branch++)
    {
      g_autofree char *own = heap_get_path (tree->profile, fp_heap_tree_get (tree, branch)->node);

      if (g_str_equal (own, path))
        return branch;
    }
  g_assert_not_reached ();
}

/* A branch holds all that is below it: what shrank has room beside what grew. */
static void
test_larger (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpHeapTree) tree = NULL;
  g_autofree guint64 *sums = NULL;

  fixture_init (&fixture, BEFORE, AFTER);
  tree = fp_heap_tree_new (fixture.comparison.profile);
  sums = fp_heap_tree_sum_larger (tree, fixture.comparison.before, fixture.comparison.after, FP_HEAP_PEAK);
  g_assert_cmpuint (sums[0], ==, 50 + 20 + 5 + 7 + 9);
  g_assert_cmpuint (sums[find_branch (tree, "main")], ==, sums[0]);
  g_assert_cmpuint (sums[find_branch (tree, "main;load")], ==, 50);
  g_assert_cmpuint (sums[find_branch (tree, "main;parse")], ==, 20);
  g_assert_cmpuint (sums[find_branch (tree, "main;old")], ==, 5);
}

/* "0 main 64 78": the depth, the function, before and after */
static char *
describe_outline (const Fixture *self,
                  FpHeapDirection direction)
{
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (self->comparison.profile);
  g_autoptr (GArray) steps = fp_heap_outline_new (tree, self->comparison.after, self->comparison.before, direction, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < steps->len; i++)
    {
      const FpHeapStep *step = &g_array_index (steps, FpHeapStep, i);
      const FpHeapFrame *frame = fp_heap_profile_get_frame (tree->profile, step->node);

      g_string_append_printf (text, "%s%u %s %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, i > 0 ? ", " : "", step->depth,
                              fp_heap_profile_get_text (tree->profile, frame->function), step->before.peak.bytes, step->sums.peak.bytes);
    }
  return g_string_free (text, FALSE);
}

static void
test_outline (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *down = NULL, *up = NULL;

  fixture_init (&fixture, BEFORE, AFTER);
  down = describe_outline (&fixture, FP_HEAP_TOP_DOWN);
  up = describe_outline (&fixture, FP_HEAP_BOTTOM_UP);
  g_assert_cmpstr (down, ==, "0 main 64 78, 1 load 30 50, 2 strdup 30 50, 1 parse 20 12, 1 same 9 9, 1 young 0 7, 1 old 5 0");
  g_assert_cmpstr (up, ==,
                   "0 load 30 50, 1 main 30 50, 0 parse 20 12, 1 main 20 12, 0 same 9 9, 1 main 9 9, 0 young 0 7, 1 main 0 7, "
                   "0 old 5 0, 1 main 5 0");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/heap-comparison/pairs", test_pairs);
  g_test_add_func ("/heap-comparison/paths", test_paths);
  g_test_add_func ("/heap-comparison/builds", test_builds);
  g_test_add_func ("/heap-comparison/moments", test_moments);
  g_test_add_func ("/heap-comparison/larger", test_larger);
  g_test_add_func ("/heap-comparison/outline", test_outline);
  return g_test_run ();
}
