// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-format.h"

/* Gives the amount that stands for 100 %. */
guint64
fp_format_get_whole (const FpFormat *self,
                     FpField field)
{
  return field == FP_FIELD_SWAP || field == FP_FIELD_SWAP_PSS || field == FP_FIELD_VM_SWAP ? self->swap_total
                                                                                           : self->memory_total;
}

/* Writes bytes that are a part of the machine's memory. text: of FP_FIGURE_TEXT_SIZE */
void
fp_format_memory (const FpFormat *self,
                  FpFigure figure,
                  char *text)
{
  fp_figure_format (figure, FP_UNIT_BYTES, self->style, self->memory_total, text, FP_FIGURE_TEXT_SIZE);
}

/* Keeps the figure and its unit on one line of a sentence. */
void
fp_format_kept_memory (const FpFormat *self,
                       FpFigure figure,
                       char *text)
{
  fp_format_memory (self, figure, text);
  fp_figure_keep_together (text);
}

/* The text stands beside a bar and is short: of a range, and of a sum that could not all be read, it has the lower end. */
void
fp_format_share (const FpFormat *self,
                 FpFigure figure,
                 char *text,
                 gsize size)
{
  double whole = (double)MAX (self->memory_total, 1);
  double low = (double)figure.low * 100 / whole, high = (double)figure.high * 100 / whole;
  const double least = 0.05; /* less would be written as nothing */

  if (!fp_figure_is_known (figure) || self->memory_total == 0)
    g_strlcpy (text, "—", size);
  else if (figure.kind == FP_FIGURE_AT_MOST)
    g_snprintf (text, size, "≤ %.1f %%", high > 0 ? MAX (high, 0.1) : 0);
  else if ((figure.kind == FP_FIGURE_RANGE || figure.kind == FP_FIGURE_PARTIAL) && high - low >= 0.1)
    g_snprintf (text, size, "≥ %.1f %%", low);
  else if (low > 0 && low < least)
    g_snprintf (text, size, "< %.1f %%", 0.1);
  else
    g_snprintf (text, size, "%.1f %%", low);
}
