// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-bar.h"
#include "fp-line.h"

G_BEGIN_DECLS

#define FP_TYPE_CELL (fp_cell_get_type ())

/* One cell of a table, drawn in one go: 205 rows of widgets are alive whatever the size of the window. */
G_DECLARE_FINAL_TYPE (FpCell, fp_cell, FP, CELL, GtkWidget)

typedef enum
{
  FP_CELL_PLAIN,
  FP_CELL_DIM,  /* not measured, or a bound only */
  FP_CELL_BOLD, /* a group */
} FpCellTone;

typedef enum
{
  FP_ARROW_NONE,
  FP_ARROW_BLANK, /* room for an arrow, so that names line up */
  FP_ARROW_CLOSED,
  FP_ARROW_OPEN,
} FpArrow;

GtkWidget *fp_cell_new (gboolean is_figure);
void fp_cell_set_map_func (FpCell *self, void (*func) (gpointer data), gpointer data);
void fp_cell_set_text (FpCell *self, const char *text, FpCellTone tone);
void fp_cell_set_is_path (FpCell *self, gboolean is_path);
void fp_cell_set_badge (FpCell *self, const char *badge);
void fp_cell_set_badge_colour (FpCell *self, const char *name);
void fp_cell_set_bar (FpCell *self, double part, const char *colour);
void fp_cell_set_parts (FpCell *self, const FpBarPart *parts, guint n, guint64 whole);
void fp_cell_set_line (FpCell *self, const FpLinePoint *points, guint n);
void fp_cell_set_tree (FpCell *self, guint depth, FpArrow arrow);
void fp_cell_set_icon (FpCell *self, GdkPaintable *icon);
gboolean fp_cell_is_on_arrow (FpCell *self, double x);

G_END_DECLS
