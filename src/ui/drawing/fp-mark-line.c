// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-mark-line.h"

#define FLAG  5 /* pixels */
#define FAINT 0.75f

/* mark: (nullable) */
FpMarkLine
fp_mark_line_make (const FpMachineMoment *mark)
{
  return mark ? (FpMarkLine){ mark->time_us, mark->realtime_us } : (FpMarkLine){ 0 };
}

/* A chart that begins later does not show it. */
static gboolean
is_within (const FpMarkLine *self,
           const FpTimeSpan *span)
{
  return self->time_us > 0 && self->time_us >= span->first_us;
}

/* It can be younger than the last point, when what the chart shows was not read anew since. */
static double
find_x (const FpMarkLine *self,
        const FpTimeSpan *span,
        int width)
{
  double part = 1;

  if (self->time_us < span->last_us)
    part = (double)(self->time_us - span->first_us) / (double)(span->last_us - span->first_us);
  return CLAMP (round (part * width) - 0.5, 0.5, width - 0.5);
}

/* The flag at its top tells it from the line at the chosen moment. */
void
fp_mark_line_draw (const FpMarkLine *self,
                   cairo_t *cr,
                   const FpTimeSpan *span,
                   int width,
                   int height,
                   const GdkRGBA *ink)
{
  const double dashes[] = { 3, 3 };
  GdkRGBA colour = *ink;
  double x, flag;

  if (!is_within (self, span))
    return;
  x = find_x (self, span, width);
  flag = x + 2 * FLAG > width ? -FLAG : FLAG;
  colour.alpha *= FAINT;
  cairo_save (cr);
  gdk_cairo_set_source_rgba (cr, &colour);
  cairo_set_line_width (cr, 1);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x, height);
  cairo_stroke (cr);
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x + flag, FLAG);
  cairo_line_to (cr, x, 2 * FLAG);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_restore (cr);
}

/* plain: for a screen reader; markup: for the label below the chart */
void
fp_mark_line_append_words (const FpMarkLine *self,
                           const FpTimeSpan *span,
                           GString *plain,
                           GString *markup)
{
  g_autofree char *words = NULL, *escaped = NULL;
  char since[FP_FIGURE_TEXT_SIZE];

  if (!is_within (self, span))
    return;
  fp_figure_format (fp_figure_exact (self->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, since, sizeof since);
  words = g_strdup_printf (_ ("compared since %s"), since);
  escaped = g_markup_escape_text (words, -1);
  g_string_append_printf (plain, ", %s", words);
  g_string_append_printf (markup, "   ┊\u00a0%s", escaped);
}
