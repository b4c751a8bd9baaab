// SPDX-License-Identifier: GPL-3.0-or-later
/* The places of the frames of a flame graph: as wide as their cost, the largest first, and none that can't be seen. */
#include <string.h>

#include "fp-flame-layout.h"
#include "heap-writer.h"

typedef struct
{
  FpHeapTree *tree;
  guint64 *sums;
} Fixture;

static void
fixture_init (Fixture *self,
              const char *text)
{
  g_autoptr (FpHeapProfile) profile = heap_read (text, strlen (text), NULL);

  self->tree = fp_heap_tree_new (profile);
  self->sums = fp_heap_tree_sum (self->tree, profile->stacks, FP_HEAP_PEAK);
}

static void
fixture_clear (Fixture *self)
{
  fp_heap_tree_unref (self->tree);
  g_free (self->sums);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* "row name x width", one a line */
static char *
describe (const Fixture *self,
          const GArray *frames)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < frames->len; i++)
    {
      const FpFlameFrame *frame = &g_array_index (frames, FpFlameFrame, i);
      const FpHeapProfile *profile = self->tree->profile;
      guint32 node = fp_heap_tree_get (self->tree, frame->branch)->node;

      g_string_append_printf (text, "%u %s %.1f %.1f\n", frame->row,
                              frame->branch > 0 ? fp_heap_profile_get_text (profile, fp_heap_profile_get_frame (profile, node)->function) : "*",
                              (double)frame->x, (double)frame->width);
    }
  return g_string_free (text, FALSE);
}

static void
test_places (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GArray) frames = NULL;
  g_autofree char *text = NULL;

  fixture_init (&fixture, "main;small 10\nmain;large;leaf 60\nother 20\nmain 10\n");
  frames = fp_flame_layout_new (fixture.tree, fixture.sums, 0, 200);
  text = describe (&fixture, frames);
  g_assert_cmpstr (text, ==,
                   "0 * 0.0 200.0\n"
                   "1 main 0.0 160.0\n"
                   "1 other 160.0 40.0\n"
                   "2 large 0.0 120.0\n"
                   "2 small 120.0 20.0\n"
                   "3 leaf 0.0 120.0\n");
  g_assert_cmpuint (fp_flame_layout_pick (frames, 1, 159.9), ==, 1);
  g_assert_cmpuint (fp_flame_layout_pick (frames, 1, 160), ==, 2);
  g_assert_cmpuint (fp_flame_layout_pick (frames, 2, 140), ==, G_MAXUINT);
  g_assert_cmpuint (fp_flame_layout_pick (frames, 4, 0), ==, G_MAXUINT);
  g_assert_cmpuint (fp_flame_layout_find (frames, g_array_index (frames, FpFlameFrame, 4).branch), ==, 4);
}

/* The callers stay above it, and what is beside it is not there. */
static void
test_zoom (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GArray) whole = NULL, frames = NULL;
  g_autofree char *text = NULL;

  fixture_init (&fixture, "main;small 10\nmain;large;leaf 45\nmain;large;twig 15\nother 20\n");
  whole = fp_flame_layout_new (fixture.tree, fixture.sums, 0, 100);
  frames = fp_flame_layout_new (fixture.tree, fixture.sums, g_array_index (whole, FpFlameFrame, 3).branch, 100);
  text = describe (&fixture, frames);
  g_assert_cmpstr (text, ==,
                   "0 * 0.0 100.0\n"
                   "1 main 0.0 100.0\n"
                   "2 large 0.0 100.0\n"
                   "3 leaf 0.0 75.0\n"
                   "3 twig 75.0 25.0\n");
  g_assert_cmpuint (fp_flame_layout_find (frames, g_array_index (whole, FpFlameFrame, 2).branch), ==, G_MAXUINT);
}

/* Half a pixel is the least. Zoomed, the same function is there. */
static void
test_pruned (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GArray) narrow = NULL, wide = NULL;
  g_autofree char *text = NULL;

  fixture_init (&fixture, "main;seen 5\nmain;unseen;leaf 4\nmain 991\n");
  narrow = fp_flame_layout_new (fixture.tree, fixture.sums, 0, 100);
  text = describe (&fixture, narrow);
  g_assert_cmpstr (text, ==, "0 * 0.0 100.0\n1 main 0.0 100.0\n2 seen 0.0 0.5\n");
  wide = fp_flame_layout_new (fixture.tree, fixture.sums, 0, 1000);
  g_assert_cmpuint (wide->len, ==, 5);
}

static void
test_nothing (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GArray) frames = NULL;
  g_autofree guint64 *zero = NULL;

  fixture_init (&fixture, "main;work 5\n");
  zero = g_new0 (guint64, fixture.tree->branches->len);
  frames = fp_flame_layout_new (fixture.tree, zero, 0, 100);
  g_assert_cmpuint (frames->len, ==, 1);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/flame-layout/places", test_places);
  g_test_add_func ("/flame-layout/zoom", test_zoom);
  g_test_add_func ("/flame-layout/pruned", test_pruned);
  g_test_add_func ("/flame-layout/nothing", test_nothing);
  return g_test_run ();
}
