// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-flame-layout.h"

#define MIN_WIDTH 0.5 /* pixels: what is narrower can't be seen */

static const FpFlameFrame *
get_frame (const GArray *frames,
           guint i)
{
  return &g_array_index (frames, FpFlameFrame, i);
}

static int
compare_sums (gconstpointer a,
              gconstpointer b,
              gpointer data)
{
  guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
  const guint64 *sums = data;

  if (sums[x] != sums[y])
    return sums[x] < sums[y] ? 1 : -1;
  return (x > y) - (x < y);
}

/* The callers of the branch have the whole width, so that each of them can be gone back to. */
static void
add_callers (GArray *frames,
             const FpHeapTree *tree,
             guint32 zoomed,
             double width)
{
  guint32 depth = fp_heap_tree_get (tree, zoomed)->depth;

  g_array_set_size (frames, depth + 1);
  for (guint32 row = depth + 1, branch = zoomed; row-- > 0; branch = fp_heap_tree_get (tree, branch)->parent)
    g_array_index (frames, FpFlameFrame, row) = (FpFlameFrame){ branch, row, 0, (float)width };
}

/* The largest first. They begin where their caller begins. */
static void
add_callees (GArray *frames,
             const FpHeapTree *tree,
             const guint64 *sums,
             const FpFlameFrame *caller,
             double scale,
             GArray *callees)
{
  double x = (double)caller->x;

  g_array_set_size (callees, 0);
  for (guint32 child = fp_heap_tree_get (tree, caller->branch)->first_child; child; child = fp_heap_tree_get (tree, child)->next_sibling)
    if ((double)sums[child] * scale >= MIN_WIDTH)
      g_array_append_val (callees, child);
  g_array_sort_with_data (callees, compare_sums, (gpointer)sums);
  for (guint i = 0; i < callees->len; i++)
    {
      guint32 branch = g_array_index (callees, guint32, i);
      double width = (double)sums[branch] * scale;
      const FpFlameFrame frame = { branch, caller->row + 1, (float)x, (float)width };

      g_array_append_val (frames, frame);
      x += width;
    }
}

/* Returns FpFlameFrame, row by row and each from the left. sums: of the branches of the tree */
GArray *
fp_flame_layout_new (const FpHeapTree *tree,
                     const guint64 *sums,
                     guint32 zoomed,
                     double width)
{
  GArray *frames = g_array_new (FALSE, FALSE, sizeof (FpFlameFrame));
  g_autoptr (GArray) callees = g_array_new (FALSE, FALSE, sizeof (guint32));
  double scale = sums[zoomed] > 0 ? width / (double)sums[zoomed] : 0;

  add_callers (frames, tree, zoomed, width);
  for (guint i = frames->len - 1; i < frames->len; i++)
    {
      const FpFlameFrame caller = *get_frame (frames, i);

      add_callees (frames, tree, sums, &caller, scale, callees);
    }
  return frames;
}

/* G_MAXUINT: it is not shown */
guint
fp_flame_layout_find (const GArray *frames,
                      guint32 branch)
{
  for (guint i = 0; i < frames->len; i++)
    if (get_frame (frames, i)->branch == branch)
      return i;
  return G_MAXUINT;
}

/* G_MAXUINT: there is none */
guint
fp_flame_layout_pick (const GArray *frames,
                      guint32 row,
                      double x)
{
  for (guint i = 0; i < frames->len; i++)
    {
      const FpFlameFrame *frame = get_frame (frames, i);

      if (frame->row == row && x >= (double)frame->x && x < (double)(frame->x + frame->width))
        return i;
    }
  return G_MAXUINT;
}
