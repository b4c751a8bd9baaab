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

static guint32
get_node (const FpFlame *self,
          guint32 branch)
{
  return fp_heap_tree_get (self->tree, branch)->node;
}

/* Gives the same colour to all functions of a library. */
const char *
fp_flame_get_colour (const FpFlame *self,
                     guint32 branch)
{
  const FpHeapProfile *profile = self->tree->profile;
  const FpHeapFrame *frame = branch > 0 ? fp_heap_profile_get_frame (profile, get_node (self, branch)) : NULL;
  const char *library = frame && frame->module ? fp_heap_profile_get_text (profile, frame->module) : NULL;

  return library ? colours[g_str_hash (library) % G_N_ELEMENTS (colours)] : NO_LIBRARY;
}

/* Free it. */
char *
fp_flame_name_branch (const FpFlame *self,
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

/* Writes its cost, and that as a part of the whole. Free it. */
static char *
format_cost (const FpFlame *self,
             guint32 branch)
{
  double part = self->sums[0] > 0 ? (double)self->sums[branch] * 100 / (double)self->sums[0] : 0;
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (self->sums[branch]), fp_heap_cost_infos[self->cost].unit, self->style, 0, size, sizeof size);
  /* Translators: a cost, and that as a part of the whole */
  return g_strdup_printf (_ ("%s, %.1f %%"), size, part);
}

/* "read_rows, 3.0 MiB, 75.0 %". Free it. */
char *
fp_flame_describe_branch (const FpFlame *self,
                          guint32 branch)
{
  g_autofree char *name = fp_flame_name_branch (self, branch), *cost = format_cost (self, branch);

  return g_strdup_printf ("%s, %s", name, cost);
}

/* Writes the name, the cost and the library, each in a line of its own. Free it. */
char *
fp_flame_explain_branch (const FpFlame *self,
                         guint32 branch)
{
  g_autofree char *name = fp_flame_name_branch (self, branch), *cost = format_cost (self, branch);
  g_autofree char *library = branch > 0 ? fp_heap_name_library (self->tree->profile, get_node (self, branch)) : NULL;

  return library ? g_strdup_printf ("%s\n%s\n%s", name, cost, library) : g_strdup_printf ("%s\n%s", name, cost);
}
