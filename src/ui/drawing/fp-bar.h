// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-figure.h"

G_BEGIN_DECLS

#define FP_TYPE_BAR (fp_bar_get_type ())

#define FP_BAR_LEGEND_GAP "   " /* between the parts of a legend */

/* A bar of parts that stand for a whole, each with colour, pattern and words. */
G_DECLARE_FINAL_TYPE (FpBar, fp_bar, FP, BAR, GtkWidget)

typedef enum
{
  FP_PATTERN_SOLID,
  FP_PATTERN_STRIPED, /* not known for sure */
  FP_PATTERN_DOTTED,
  FP_PATTERN_CROSSED,
  FP_PATTERN_FALLING, /* stripes the other way */
  FP_PATTERN_LINED,
} FpPattern;

typedef struct
{
  const char *name;
  guint64 value;
  const char *colour; /* a CSS colour */
  FpPattern pattern;
  const char *figure; /* (nullable): stands in the legend instead of the value, which may be a bound */
} FpBarPart;

void fp_pattern_draw (FpPattern self, cairo_t *cr, const graphene_rect_t *area);
void fp_bar_draw (GtkSnapshot *snapshot,
                  const graphene_rect_t *area,
                  gboolean is_mirrored,
                  GdkRGBA ink,
                  const FpBarPart *parts,
                  guint n,
                  guint64 whole);

GtkWidget *fp_bar_new (void);
void fp_bar_set_parts (
    FpBar *self, const char *label, const FpBarPart *parts, guint n, guint64 whole, FpFigureStyle style);
void fp_bar_append_legend (GString *text, const char *colour, const char *name, const char *size);
char *fp_bar_make_legend (const FpBarPart *parts, guint n, guint64 whole, FpFigureStyle style);

G_END_DECLS
