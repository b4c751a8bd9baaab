// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"
#include "fp-flame.h"
#include "fp-heap-words.h"

/* Text is readable on all of them. Grey is for what belongs to no library, and to no library alone. */
static const char *const colours[] = {
  "#99c1f1",
  "#8ff0a4",
  "#f9f06b",
  "#ffbe6f",
  "#f0a8a0",
  "#dc8add",
  "#cdab8f",
  "#a7d8de",
  "#b5e26b",
};
#define NO_LIBRARY "#c0bfbc"

/* Comparisons have these, which people who see no red or green tell apart. */
#define GROWN     "#ffbe6f"
#define SHRUNK    "#99c1f1"
#define UNCHANGED "#c0bfbc"

void
fp_flame_init (FpFlame *self,
               const FpHeapExcerpt *excerpt,
               FpHeapCost cost,
               FpFigureStyle style)
{
  *self = (FpFlame){ .tree = fp_heap_tree_ref (excerpt->tree), .cost = cost, .style = style };
  if (!excerpt->before)
    {
      self->sums = fp_heap_tree_sum (self->tree, excerpt->stacks, cost);
      return;
    }
  self->sums = fp_heap_tree_sum_larger (self->tree, excerpt->before, excerpt->stacks, cost);
  self->before = fp_heap_tree_sum (self->tree, excerpt->before, cost);
  self->after = fp_heap_tree_sum (self->tree, excerpt->stacks, cost);
}

void
fp_flame_clear (FpFlame *self)
{
  g_clear_pointer (&self->tree, fp_heap_tree_unref);
  g_clear_pointer (&self->sums, g_free);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->after, g_free);
}

static guint32
get_node (const FpFlame *self,
          guint32 branch)
{
  return fp_heap_tree_get (self->tree, branch)->node;
}

static const char *
get_colour_of_change (const FpFlame *self,
                      guint32 branch)
{
  if (self->before[branch] == self->after[branch])
    return UNCHANGED;
  return self->before[branch] < self->after[branch] ? GROWN : SHRUNK;
}

/* Gives the same colour to all functions of a library, or of a comparison to all that went the same way. */
const char *
fp_flame_get_colour (const FpFlame *self,
                     guint32 branch)
{
  const FpHeapProfile *profile = self->tree->profile;
  const FpHeapFrame *frame = branch > 0 ? fp_heap_profile_get_frame (profile, get_node (self, branch)) : NULL;
  const char *library = frame && frame->module ? fp_heap_profile_get_text (profile, frame->module) : NULL;

  if (self->before)
    return get_colour_of_change (self, branch);
  return library ? colours[g_str_hash (library) % G_N_ELEMENTS (colours)] : NO_LIBRARY;
}

/* Free it. */
static char *
name_function (const FpFlame *self,
               guint32 branch)
{
  g_autofree char *name = branch > 0 ? fp_heap_name_function (self->tree->profile, get_node (self, branch)) : NULL;
  gsize size = name ? strlen (name) * 4 + 1 : 0;
  char *shown;

  if (!name)
    return g_strdup (_ ("All"));
  shown = g_malloc (size);
  fp_display_escape (name, shown, size);
  return shown;
}

/* "− parse_object": of a comparison there is a sign in front of what has changed. Free it. */
char *
fp_flame_name_branch (const FpFlame *self,
                      guint32 branch)
{
  g_autofree char *name = name_function (self, branch);

  if (!self->before || self->before[branch] == self->after[branch])
    return g_steal_pointer (&name);
  return g_strdup_printf ("%s %s", self->before[branch] < self->after[branch] ? "+" : "−", name);
}

static void
format_figure (const FpFlame *self,
               guint64 value,
               char *text)
{
  fp_figure_format (fp_figure_exact (value), fp_heap_cost_infos[self->cost].unit, self->style, 0, text, FP_FIGURE_TEXT_SIZE);
}

/* Free it. */
static char *
format_change (const FpFlame *self,
               guint32 branch)
{
  guint64 before = self->before[branch], after = self->after[branch];
  char old[FP_FIGURE_TEXT_SIZE], new[FP_FIGURE_TEXT_SIZE], change[FP_FIGURE_TEXT_SIZE];

  format_figure (self, before, old);
  format_figure (self, after, new);
  format_figure (self, MAX (before, after) - MIN (before, after), change);
  if (before == after)
    /* Translators: what a function had at two moments */
    return g_strdup_printf (_ ("unchanged, %s"), new);
  if (before == 0)
    /* Translators: a function that had nothing before, and what it has now */
    return g_strdup_printf (_ ("new, %s"), new);
  if (after == 0)
    /* Translators: a function that has nothing now, and what it had before */
    return g_strdup_printf (_ ("gone, %s before"), old);
  /* Translators: by how much, from what and to what the memory of a function has changed */
  return g_strdup_printf (before < after ? _ ("grown by %s, from %s to %s") : _ ("shrunk by %s, from %s to %s"), change, old, new);
}

/* Writes its cost, and that as a part of the whole. Free it. */
static char *
format_cost (const FpFlame *self,
             guint32 branch)
{
  double part = self->sums[0] > 0 ? (double)self->sums[branch] * 100 / (double)self->sums[0] : 0;
  char size[FP_FIGURE_TEXT_SIZE];

  if (self->before)
    return format_change (self, branch);
  format_figure (self, self->sums[branch], size);
  /* Translators: a cost, and that as a part of the whole */
  return g_strdup_printf (_ ("%s, %.1f %%"), size, part);
}

/* "read_rows, 3.0 MiB, 75.0 %". Free it. */
char *
fp_flame_describe_branch (const FpFlame *self,
                          guint32 branch)
{
  g_autofree char *name = name_function (self, branch), *cost = format_cost (self, branch);

  return g_strdup_printf ("%s, %s", name, cost);
}

/* Writes the name, the cost and the library, each in a line of its own. Free it. */
char *
fp_flame_explain_branch (const FpFlame *self,
                         guint32 branch)
{
  g_autofree char *name = name_function (self, branch), *cost = format_cost (self, branch);
  g_autofree char *library = branch > 0 ? fp_heap_name_library (self->tree->profile, get_node (self, branch)) : NULL;

  return library ? g_strdup_printf ("%s\n%s\n%s", name, cost, library) : g_strdup_printf ("%s\n%s", name, cost);
}
