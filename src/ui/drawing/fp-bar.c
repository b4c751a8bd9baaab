// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-bar.h"
#include "fp-display.h"
#include "fp-palette.h"

#define HEIGHT         14
#define RADIUS         5
#define STEP           6.0 /* between the lines of a pattern */
#define LEAST_WITH_GAP 4   /* pixels */

struct _FpBar
{
  GtkWidget parent;

  GArray *parts;
  GPtrArray *names;
  guint64 whole;
  FpFigureStyle style;
};

G_DEFINE_FINAL_TYPE (FpBar, fp_bar, GTK_TYPE_WIDGET)

static void
add_stripes (cairo_t *cr,
             const graphene_rect_t *area,
             gboolean is_rising)
{
  double x = (double)area->origin.x, top = (double)area->origin.y, height = (double)area->size.height;

  for (double at = floor (x / STEP) * STEP - height; at < x + (double)area->size.width; at += STEP)
    {
      cairo_move_to (cr, at, is_rising ? top + height : top);
      cairo_line_to (cr, at + height, is_rising ? top : top + height);
    }
}

static void
add_lines (cairo_t *cr,
           const graphene_rect_t *area)
{
  double x = (double)area->origin.x, bottom = (double)(area->origin.y + area->size.height);

  for (double y = (double)area->origin.y + STEP / 2; y < bottom; y += STEP)
    {
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + (double)area->size.width, y);
    }
}

static void
add_dots (cairo_t *cr,
          const graphene_rect_t *area)
{
  double x = (double)area->origin.x, bottom = (double)(area->origin.y + area->size.height);

  for (double at = floor (x / STEP) * STEP; at < x + (double)area->size.width; at += STEP)
    for (double y = (double)area->origin.y + 3.5; y < bottom; y += STEP)
      {
        cairo_new_sub_path (cr);
        cairo_arc (cr, at + STEP / 2, y, 1, 0, 2 * G_PI);
      }
}

void
fp_pattern_draw (FpPattern self,
                 cairo_t *cr,
                 const graphene_rect_t *area)
{
  GdkRGBA ink = { 1, 1, 1, 0.45f };

  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1.5);
  if (self == FP_PATTERN_DOTTED)
    {
      add_dots (cr, area);
      cairo_fill (cr);
      return;
    }
  if (self == FP_PATTERN_STRIPED || self == FP_PATTERN_CROSSED)
    add_stripes (cr, area, TRUE);
  if (self == FP_PATTERN_FALLING || self == FP_PATTERN_CROSSED)
    add_stripes (cr, area, FALSE);
  if (self == FP_PATTERN_LINED)
    add_lines (cr, area);
  cairo_stroke (cr);
}

static void
draw_part (GtkSnapshot *snapshot,
           const FpBarPart *part,
           const graphene_rect_t *area)
{
  GdkRGBA colour;
  cairo_t *cr;

  if (area->size.width < 0.5f || !gdk_rgba_parse (&colour, part->colour))
    return;
  gtk_snapshot_append_color (snapshot, &colour, area);
  if (part->pattern == FP_PATTERN_SOLID || area->size.width <= 2)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, area);
  fp_pattern_draw (part->pattern, cr, area);
  cairo_destroy (cr);
}

/* The parts side by side from the start, which is at the right if it is mirrored, in a rounded trough that stands for the whole.
 * Gaps tell neighbours apart for whoever does not see their colours. */
void
fp_bar_draw (GtkSnapshot *snapshot,
             const graphene_rect_t *area,
             gboolean is_mirrored,
             GdkRGBA ink,
             const FpBarPart *parts,
             guint n,
             guint64 whole)
{
  double width = (double)area->size.width, sum = 0;
  GskRoundedRect shape;

  ink.alpha *= 0.1f;
  gsk_rounded_rect_init_from_rect (&shape, area, RADIUS);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &ink, area);
  for (guint i = 0; i < n && whole > 0; i++)
    {
      double start = round (sum / (double)whole * width), end, x, gap;

      sum += (double)parts[i].value;
      end = MIN (round (sum / (double)whole * width), width);
      gap = end - start >= LEAST_WITH_GAP && end < width ? 1 : 0;
      x = is_mirrored ? width - end + gap : start;
      draw_part (snapshot, &parts[i],
                 &GRAPHENE_RECT_INIT (area->origin.x + (float)x, area->origin.y, (float)(end - start - gap),
                                      area->size.height));
    }
  gtk_snapshot_pop (snapshot);
}

static gboolean
is_right_to_left (FpBar *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

static void
fp_bar_snapshot (GtkWidget *widget,
                 GtkSnapshot *snapshot)
{
  FpBar *self = FP_BAR (widget);
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &ink);
  fp_bar_draw (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget), HEIGHT), is_right_to_left (self), ink,
               (const FpBarPart *)self->parts->data, self->parts->len, self->whole);
}

static void
fp_bar_measure (GtkWidget *widget,
                GtkOrientation orientation,
                int for_size,
                int *minimum,
                int *natural,
                int *minimum_baseline,
                int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 60 : HEIGHT;
}

static void
describe_part (FpBar *self,
               const FpBarPart *part,
               GString *text)
{
  char size[FP_FIGURE_TEXT_SIZE];

  /* The percentage follows anyhow. */
  fp_figure_format (fp_figure_exact (part->value), FP_UNIT_BYTES,
                    self->style == FP_STYLE_PERCENT ? FP_STYLE_IEC : self->style, 0, size, sizeof size);
  g_string_append_printf (text, "%s: %s (%.0f %%)", part->name, size, (double)part->value * 100 / (double)self->whole);
}

static gboolean
fp_bar_query_tooltip (GtkWidget *widget,
                      int x,
                      int y,
                      gboolean is_keyboard,
                      GtkTooltip *tooltip)
{
  FpBar *self = FP_BAR (widget);
  int width = gtk_widget_get_width (widget);
  double at = (double)self->whole * (is_right_to_left (self) ? width - x : x) / MAX (width, 1), sum = 0;
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->whole == 0)
    return FALSE;
  for (guint i = 0; i < self->parts->len; i++)
    {
      const FpBarPart *part = &g_array_index (self->parts, FpBarPart, i);

      sum += (double)part->value;
      if (!is_keyboard && at < sum)
        {
          describe_part (self, part, text);
          break;
        }
      if (is_keyboard && part->value > 0)
        {
          g_string_append (text, text->len ? "\n" : "");
          describe_part (self, part, text);
        }
    }
  gtk_tooltip_set_text (tooltip, text->len ? text->str : NULL);
  return text->len > 0;
}

static void
fp_bar_finalize (GObject *object)
{
  FpBar *self = FP_BAR (object);

  g_clear_pointer (&self->parts, g_array_unref);
  g_clear_pointer (&self->names, g_ptr_array_unref);

  G_OBJECT_CLASS (fp_bar_parent_class)->finalize (object);
}

static void
fp_bar_class_init (FpBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_bar_finalize;
  widget_class->snapshot = fp_bar_snapshot;
  widget_class->measure = fp_bar_measure;
  widget_class->query_tooltip = fp_bar_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "memory-bar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_METER);
}

static void
fp_bar_init (FpBar *self)
{
  self->parts = g_array_new (FALSE, FALSE, sizeof (FpBarPart));
  self->names = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

GtkWidget *
fp_bar_new (void)
{
  return g_object_new (FP_TYPE_BAR, NULL);
}

static gboolean
is_same (FpBar *self,
         const FpBarPart *parts,
         guint n,
         guint64 whole,
         FpFigureStyle style)
{
  if (self->parts->len != n || self->whole != whole || self->style != style)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const FpBarPart *old = &g_array_index (self->parts, FpBarPart, i);

      if (old->value != parts[i].value || !g_str_equal (old->name, parts[i].name))
        return FALSE;
    }
  return TRUE;
}

/* label: what the bar is of */
void
fp_bar_set_parts (FpBar *self,
                  const char *label,
                  const FpBarPart *parts,
                  guint n,
                  guint64 whole,
                  FpFigureStyle style)
{
  g_autoptr (GString) text = NULL;

  g_return_if_fail (FP_IS_BAR (self));

  if (is_same (self, parts, n, whole, style))
    return;
  text = g_string_new (NULL);
  g_ptr_array_set_size (self->names, 0);
  g_array_set_size (self->parts, 0);
  g_array_append_vals (self->parts, parts, n);
  self->whole = whole;
  self->style = style;
  for (guint i = 0; i < n; i++)
    {
      FpBarPart *part = &g_array_index (self->parts, FpBarPart, i);

      g_ptr_array_add (self->names, g_strdup (part->name));
      part->name = g_ptr_array_index (self->names, i);
      part->figure = NULL;
      if (part->value == 0 || whole == 0)
        continue;
      g_string_append (text, text->len ? _ (", ") : "");
      describe_part (self, part, text);
    }
  /* GTK 4.8 passes no text of a value on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text->str, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A figure in words after a dot of its colour, as markup. A line is not broken inside of it. */
void
fp_bar_append_legend (GString *text,
                      const char *colour,
                      const char *name,
                      const char *size)
{
  g_autofree char *isolated = fp_display_isolate (name), *item = NULL;
  g_autoptr (GString) words = g_string_new (NULL);

  g_string_printf (words, "%s %s", isolated, size);
  g_string_replace (words, "-", "\u2011", 0);
  g_string_replace (words, " ", "\u00a0", 0);
  g_string_replace (words, "–", "–\u2060", 0);
  item = g_markup_printf_escaped ("%s<span color='%s' alpha='%s'>●</span>\u00a0%s", text->len ? FP_BAR_LEGEND_GAP : "", colour,
                                  g_str_equal (colour, FP_COLOUR_TROUGH_DOT) ? FP_TROUGH_ALPHA : "100%", words->str);
  g_string_append (text, item);
}

/* The parts in words. Free the text. */
char *
fp_bar_make_legend (const FpBarPart *parts,
                    guint n,
                    guint64 whole,
                    FpFigureStyle style)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      const char *colour = g_str_has_prefix (parts[i].colour, "#") ? parts[i].colour : FP_COLOUR_TROUGH_DOT;
      char name[256], size[FP_FIGURE_TEXT_SIZE];

      fp_figure_format (fp_figure_exact (parts[i].value), FP_UNIT_BYTES, style, whole, size, sizeof size);
      fp_display_escape (parts[i].name, name, sizeof name);
      fp_bar_append_legend (text, colour, name, parts[i].figure ? parts[i].figure : size);
    }
  return g_string_free (text, FALSE);
}
