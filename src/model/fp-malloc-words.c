// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-malloc-words.h"

const FpMallocLineInfo fp_malloc_line_infos[FP_N_MALLOC_LINES] = {
  [FP_MALLOC_LINE_USED] = { N_ ("In use"), N_ ("Blocks that the program has not freed, with what the heap itself needs") },
  [FP_MALLOC_LINE_MAPPED] = { N_ ("Large blocks in use"), N_ ("Blocks with a mapping each. They are returned as soon as they are freed") },
  [FP_MALLOC_LINE_FREE] = { N_ ("Free between blocks"), N_ ("Freed blocks with blocks in use behind them") },
  [FP_MALLOC_LINE_CACHED] = { N_ ("Free, kept at hand"), N_ ("Small blocks that were freed last, and are given out first") },
  [FP_MALLOC_LINE_TOP] = { N_ ("Free at the end"), N_ ("What is left behind the last block of each arena") },
};

/* Blocks in swap, of which some may be free, count as used. */
FpFigure
fp_malloc_get_line (const FpMalloc *self,
                    FpMallocLine line)
{
  switch (line)
    {
    case FP_MALLOC_LINE_MAPPED:
      return fp_figure_exact (self->mapped);
    case FP_MALLOC_LINE_FREE:
      return fp_figure_exact (self->total.free);
    case FP_MALLOC_LINE_CACHED:
      return fp_figure_exact (self->total.cached + self->total.fast);
    case FP_MALLOC_LINE_TOP:
      return fp_figure_exact (self->total.top);
    case FP_MALLOC_LINE_USED:
    case FP_N_MALLOC_LINES:
    default:
      return self->is_partial ? fp_figure_at_most (self->used_most) : fp_figure_between (self->used_least, self->used_most);
    }
}

/* "Of 512 MiB of heap, 180 MiB are in use." Free the text. */
char *
fp_malloc_describe (const FpMalloc *self,
                    const FpFormat *format)
{
  char whole[FP_FIGURE_TEXT_SIZE], least[FP_FIGURE_TEXT_SIZE], most[FP_FIGURE_TEXT_SIZE], freed[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, fp_figure_exact (fp_malloc_get_whole (self)), whole);
  fp_format_kept_memory (format, fp_figure_exact (self->used_least + self->mapped), least);
  fp_format_kept_memory (format, fp_figure_exact (self->used_most + self->mapped), most);
  fp_format_kept_memory (format, fp_figure_exact (fp_malloc_get_freed (self)), freed);
  if (self->is_partial)
    /* Translators: the size of a heap, and the part that is in use */
    return g_strdup_printf (_ ("Of %s of heap, at most %s is in use. Parts of it are in swap, and were not read."), whole, most);
  if (self->used_least != self->used_most)
    /* Translators: the size of a heap, and the least and the most that is in use */
    return g_strdup_printf (_ ("Of %s of heap, between %s and %s is in use. It changed while it was read."), whole, least, most);
  if (self->is_changing)
    /* Translators: the size of a heap, and the part that is in use */
    return g_strdup_printf (_ ("Of %s of heap, about %s is in use. It changed while it was read."), whole, least);
  /* Translators: the size of a heap, the part that is in use, and the part that is free */
  return g_strdup_printf (_ ("Of %s of heap, %s is in use. %s is free, but not returned to the system."), whole, least, freed);
}

static char *
describe_arenas (const FpMalloc *self,
                 const FpFormat *format)
{
  const FpMallocArena *main = &g_array_index (self->arenas, FpMallocArena, 0);
  guint n_others = self->arenas->len - 1;
  char others[FP_FIGURE_TEXT_SIZE];

  if (n_others == 0)
    return NULL;
  fp_format_kept_memory (format, fp_figure_exact (self->total.held - main->figures.held), others);
  /* Translators: memory, and the number of parts of the heap that glibc makes for threads */
  return g_strdup_printf (ngettext ("%s are in %u arena that threads have beside the main one.",
                                    "%s are in %u arenas that threads have beside the main one.", n_others),
                          others, n_others);
}

static char *
describe_returnable (const FpMalloc *self,
                     const FpFormat *format)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (self->total.returnable == 0)
    return NULL;
  fp_format_kept_memory (format, fp_figure_exact (self->total.returnable), size);
  return g_strdup_printf (_ ("Of what is free, %s is in whole pages, which the program could return."), size);
}

/* The rest of what is to be said. NULL: nothing. Free the text. */
char *
fp_malloc_describe_rest (const FpMalloc *self,
                         const FpFormat *format)
{
  g_autofree char *returnable = describe_returnable (self, format), *arenas = describe_arenas (self, format);
  const char *cut = self->is_cut ? _ ("The program also extended the heap by itself. Sizes of blocks behind that are not known.") : NULL;
  g_autoptr (GString) text = g_string_new (returnable);

  if (arenas)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", arenas);
  if (cut)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", cut);
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* "Up to 64 B". Free the text. */
char *
fp_malloc_describe_size (guint size,
                         const FpFormat *format)
{
  char most[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (G_GUINT64_CONSTANT (1) << size), FP_UNIT_BYTES,
                    format->style == FP_STYLE_PERCENT ? FP_STYLE_IEC : format->style, 0, most, sizeof most);
  return g_strdup_printf (_ ("Up to %s"), most);
}

gboolean
fp_malloc_has_size (const FpMalloc *self,
                    guint size)
{
  return self->used_sizes.n[size] > 0 || self->free_sizes.n[size] > 0;
}

static void
add_figures (FpJson *json,
             const FpMallocFigures *figures)
{
  fp_json_add_bytes (json, "held", figures->held);
  fp_json_add_bytes (json, "used", figures->used);
  fp_json_add_bytes (json, "cached", figures->cached);
  fp_json_add_bytes (json, "fast", figures->fast);
  fp_json_add_bytes (json, "free", figures->free);
  fp_json_add_bytes (json, "top", figures->top);
  fp_json_add_bytes (json, "returnable", figures->returnable);
}

static void
add_size (FpJson *json,
          const FpMalloc *self,
          guint size)
{
  fp_json_begin_object (json, NULL);
  fp_json_add_bytes (json, "up_to", G_GUINT64_CONSTANT (1) << size);
  fp_json_add_bytes (json, "used_blocks", self->used_sizes.n[size]);
  fp_json_add_bytes (json, "used", self->used_sizes.bytes[size]);
  fp_json_add_bytes (json, "free_blocks", self->free_sizes.n[size]);
  fp_json_add_bytes (json, "free", self->free_sizes.bytes[size]);
  fp_json_end_object (json);
}

/* Members of an object that is open */
void
fp_malloc_write_json (const FpMalloc *self,
                      FpJson *json)
{
  g_autofree char *version = g_strdup_printf ("2.%u", self->minor);

  fp_json_add_text (json, "glibc", version);
  fp_json_add_bytes (json, "whole", fp_malloc_get_whole (self));
  add_figures (json, &self->total);
  fp_json_add_bytes (json, "used_least", self->used_least);
  fp_json_add_bytes (json, "used_most", self->used_most);
  fp_json_add_number (json, "mapped_blocks", self->n_mapped);
  fp_json_add_bytes (json, "mapped", self->mapped);
  fp_json_add_number (json, "caches", self->n_caches);
  fp_json_add_flag (json, "partial", self->is_partial);
  fp_json_add_flag (json, "changing", self->is_changing);
  fp_json_add_flag (json, "sizes_are_cut", self->is_cut);
  fp_json_begin_array (json, "arenas");
  for (guint i = 0; i < self->arenas->len; i++)
    {
      fp_json_begin_object (json, NULL);
      add_figures (json, &g_array_index (self->arenas, FpMallocArena, i).figures);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
  fp_json_begin_array (json, "sizes");
  for (guint size = 0; size < FP_MALLOC_N_SIZES; size++)
    if (fp_malloc_has_size (self, size))
      add_size (json, self, size);
  fp_json_end_array (json);
}
