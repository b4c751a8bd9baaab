// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A point of a line over time, in parts of the width and the height. */
typedef struct
{
  double x;
  double low; /* below 0: not known */
  double high;
  gboolean follows_gap;
} FpLinePoint;

void fp_line_draw (cairo_t *cr,
                   const graphene_rect_t *area,
                   const FpLinePoint *points,
                   guint n,
                   const char *colour,
                   double thickness);
void fp_line_draw_straight (cairo_t *cr, double from_x, double from_y, double to_x, double to_y);

G_END_DECLS
