// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-line.h"

#define BAND        0.3 /* opacity, relative to its edges */
#define POINT_WIDTH 4   /* a single point, which has no length, is a short line */

static double
get_x (const graphene_rect_t *area,
       const FpLinePoint *point)
{
  return (double)area->origin.x + point->x * (double)area->size.width;
}

static double
get_y (const graphene_rect_t *area,
       double part)
{
  return (double)area->origin.y + (1 - part) * (double)area->size.height;
}

/* From a point on, as many as follow each other without a gap; 0: it is not known. */
static guint
find_run (const FpLinePoint *points,
          guint n,
          guint first)
{
  guint end = first;

  while (end < n && points[end].low >= 0 && (end == first || !points[end].follows_gap))
    end++;
  return end - first;
}

static void
add_edge (cairo_t *cr,
          const graphene_rect_t *area,
          const FpLinePoint *points,
          guint n,
          gboolean is_high)
{
  for (guint i = 0; i < n; i++)
    {
      double x = get_x (area, &points[i]), y = get_y (area, is_high ? points[i].high : points[i].low);

      if (i == 0)
        cairo_move_to (cr, x - (n == 1 ? POINT_WIDTH : 0), y);
      cairo_line_to (cr, x, y);
    }
}

static gboolean
is_exact (const FpLinePoint *points,
          guint n)
{
  for (guint i = 0; i < n; i++)
    if (points[i].high > points[i].low)
      return FALSE;
  return TRUE;
}

/* Fills the area between the lower and the upper ends, without an outline. */
static void
fill_band (cairo_t *cr,
           const graphene_rect_t *area,
           const FpLinePoint *points,
           guint n)
{
  cairo_new_path (cr);
  for (guint i = 0; i < n; i++)
    cairo_line_to (cr, get_x (area, &points[i]), get_y (area, points[i].high));
  for (guint i = n; i-- > 0;)
    cairo_line_to (cr, get_x (area, &points[i]), get_y (area, points[i].low));
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* A line where a figure is exact, which becomes two, with a band between them, where it is a range. Nothing is drawn across
 * what is not known. */
void
fp_line_draw (cairo_t *cr,
              const graphene_rect_t *area,
              const FpLinePoint *points,
              guint n,
              const char *colour,
              double thickness)
{
  GdkRGBA ink;
  guint length;

  gdk_rgba_parse (&ink, colour);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, thickness);
  for (guint first = 0; first < n; first += MAX (length, 1))
    {
      length = find_run (points, n, first);
      if (length == 0)
        continue;
      gdk_cairo_set_source_rgba (cr, &ink);
      add_edge (cr, area, points + first, length, FALSE);
      if (!is_exact (points + first, length))
        add_edge (cr, area, points + first, length, TRUE);
      cairo_stroke (cr);
      cairo_set_source_rgba (cr, ink.red, ink.green, ink.blue, BAND);
      if (!is_exact (points + first, length))
        fill_band (cr, area, points + first, length);
    }
}

/* A pixel wide, in the colour that is set. */
void
fp_line_draw_straight (cairo_t *cr,
                       double from_x,
                       double from_y,
                       double to_x,
                       double to_y)
{
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, from_x, from_y);
  cairo_line_to (cr, to_x, to_y);
  cairo_stroke (cr);
}
