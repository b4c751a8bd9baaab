// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <math.h>
#include <string.h>

#include "fp-cell.h"
#include "fp-icon-cache.h"
#include "fp-palette.h"

#define STEP                18 /* for each level of depth */
#define GAP                 6
#define TEXT_PART           0.3f /* of the colour of a text in that of a badge */
#define LINE_MARGIN         3
#define LINE_WIDTH          1.5
#define MAX_STEPS           12
#define BAR_HEIGHT          3
#define LEAST_BAR           8
#define PARTS_HEIGHT        10
#define PARTS_WIDTH_MINIMUM 40
#define FIGURE_LINES        4     /* width of a figure beside parts, in heights of a line */
#define SMALLEST            0.75f /* scale of a figure that is too long */
#define DIM                 0.7f  /* lower opacity is too faint to read on white */
#define MIN_BADGE_LETTERS   4
#define SYMBOL              0.55f /* opacity of a symbolic icon, which says less than the name behind it */

struct _FpCell
{
  GtkWidget parent;

  PangoLayout *layout;
  PangoLayout *badge;
  const char *badge_colour; /* (nullable): its name in the theme; static */
  GdkPaintable *icon;
  char *text;
  FpCellTone tone;
  FpArrow arrow;
  guint depth;
  double bar;             /* below 0: none */
  const char *bar_colour; /* its name in the theme; static */
  FpBarPart *parts;
  guint n_parts;
  guint64 whole;
  FpLinePoint *line; /* drawn in place of the text, which says the same in words */
  guint n_points;
  void (*map_func) (gpointer data);
  gpointer map_data;
  gboolean is_figure;
  gboolean is_path;
  int fitted_width; /* the layout's path fits this width; 0: not fitted yet */
  gboolean has_icon_room;
};

G_DEFINE_FINAL_TYPE (FpCell, fp_cell, GTK_TYPE_WIDGET)

static PangoAttrList *
make_attributes (FpCell *self)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  if (self->is_figure)
    pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (self->tone == FP_CELL_BOLD)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  return attributes;
}

static void
set_attributes (FpCell *self)
{
  PangoAttrList *attributes = make_attributes (self);

  pango_layout_set_attributes (self->layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
make_layout (FpCell *self)
{
  self->layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), self->text);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  self->fitted_width = 0;
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  /* Else “12 %” would be turned round where words are read from the right. */
  if (self->is_figure)
    pango_context_set_base_dir (pango_layout_get_context (self->layout), PANGO_DIRECTION_LTR);
  set_attributes (self);
}

static gboolean
is_right_to_left (FpCell *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* Mirrors x for something of this length where text is read from the right. Names and bars begin at the right there; figures
 * stay where they are. */
static double
mirror (FpCell *self,
        double x,
        double length)
{
  return is_right_to_left (self) ? gtk_widget_get_width (GTK_WIDGET (self)) - x - length : x;
}

static gboolean
is_empty (FpCell *self)
{
  return self->text && *self->text == '\0';
}

/* The name of a group has the room of the columns behind it in which a group has nothing. */
static int
get_empty_room (FpCell *self)
{
  GtkWidget *slot = gtk_widget_get_parent (GTK_WIDGET (self));
  int room = 0;

  if (self->arrow <= FP_ARROW_BLANK || !slot)
    return 0;
  while ((slot = gtk_widget_get_next_sibling (slot)))
    {
      GtkWidget *cell = gtk_widget_get_first_child (slot);

      if (!FP_IS_CELL (cell) || !is_empty (FP_CELL (cell)))
        break;
      room += gtk_widget_get_width (slot);
    }
  return room;
}

/* It has more room or less, as what stands behind it comes, goes or is filled. */
static void
redraw_name (FpCell *self)
{
  GtkWidget *slot = gtk_widget_get_parent (GTK_WIDGET (self));

  while (slot && (slot = gtk_widget_get_prev_sibling (slot)))
    {
      GtkWidget *cell = gtk_widget_get_first_child (slot);

      if (FP_IS_CELL (cell) && FP_CELL (cell)->arrow > FP_ARROW_BLANK)
        gtk_widget_queue_draw (cell);
    }
}

static int
get_text_start (FpCell *self)
{
  int x = 0;

  if (self->arrow != FP_ARROW_NONE)
    x += (int)MIN (self->depth, MAX_STEPS) * STEP + STEP;
  if (self->has_icon_room)
    x += FP_ICON_SIZE + GAP;
  return x;
}

static void
draw_arrow (FpCell *self,
            GtkSnapshot *snapshot,
            int height,
            const GdkRGBA *colour)
{
  double x = mirror (self, MIN (self->depth, MAX_STEPS) * STEP, STEP);
  graphene_rect_t area = GRAPHENE_RECT_INIT ((float)x, 0, STEP, (float)height);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &area);

  cairo_translate (cr, x + STEP / 2.0 + (is_right_to_left (self) ? 2 : -2), height / 2.0);
  if (self->arrow == FP_ARROW_OPEN)
    cairo_rotate (cr, G_PI / 2);
  else if (is_right_to_left (self))
    cairo_rotate (cr, G_PI);
  cairo_move_to (cr, -2, -4);
  cairo_line_to (cr, 2, 0);
  cairo_line_to (cr, -2, 4);
  gdk_cairo_set_source_rgba (cr, colour);
  cairo_set_line_width (cr, 1.8);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_strip (GtkSnapshot *snapshot,
            float x,
            float length,
            int height,
            const GdkRGBA *fill)
{
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape, &GRAPHENE_RECT_INIT (x, (float)(height - BAR_HEIGHT), length, BAR_HEIGHT),
                                   BAR_HEIGHT / 2.0f);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, fill, &shape.bounds);
  gtk_snapshot_pop (snapshot);
}

/* Below the digits, which stay legible, on a pale ground that says what it is a part of. */
static void
draw_bar (FpCell *self,
          GtkSnapshot *snapshot,
          int width,
          int height,
          const GdkRGBA *colour)
{
  float length = (float)MIN (self->bar, 1.0) * (float)width;
  GdkRGBA fill, ground = *colour;

  /* A shorter one looks like dust. */
  if (length < LEAST_BAR ||
      !gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), self->bar_colour, &fill))
    return;
  ground.alpha *= 0.08f;
  draw_strip (snapshot, 0, (float)width, height, &ground);
  fill.alpha *= 0.7f;
  draw_strip (snapshot, (float)mirror (self, 0, (double)length), length, height, &fill);
}

static void
draw_parts (FpCell *self,
            GtkSnapshot *snapshot,
            int width,
            int height,
            GdkRGBA colour)
{
  int line_height;

  pango_layout_get_pixel_size (self->layout, NULL, &line_height);
  width -= FIGURE_LINES * line_height;
  if (width < PARTS_WIDTH_MINIMUM)
    return;
  fp_bar_draw (snapshot, &GRAPHENE_RECT_INIT (0, (float)((height - PARTS_HEIGHT) / 2), (float)width, PARTS_HEIGHT),
               is_right_to_left (self), colour, self->parts, self->n_parts, self->whole);
}

static void
draw_line (FpCell *self,
           GtkSnapshot *snapshot,
           int width,
           int height)
{
  const graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height);
  const graphene_rect_t area = GRAPHENE_RECT_INIT (0, LINE_MARGIN, (float)width, (float)(height - 2 * LINE_MARGIN));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &bounds);

  fp_line_draw (cr, &area, self->line, self->n_points, FP_COLOUR_BLUE, LINE_WIDTH);
  cairo_destroy (cr);
}

/* On a ground of its own colour a text has less contrast than on that of the window. */
static GdkRGBA
mix (const GdkRGBA *named,
     const GdkRGBA *text)
{
  return (GdkRGBA){
    named->red * (1 - TEXT_PART) + text->red * TEXT_PART,
    named->green * (1 - TEXT_PART) + text->green * TEXT_PART,
    named->blue * (1 - TEXT_PART) + text->blue * TEXT_PART,
    1,
  };
}

/* A name needs its room more than a badge, whose meaning the tooltip tells, too. A number and a warning stay, and a path is
 * shortened. Of a badge some letters have to be left. FALSE: there is no room for it */
static gboolean
fit_badge (FpCell *self,
           int room)
{
  int name_width, badge_width, badge_height, left;

  pango_layout_set_width (self->badge, -1);
  pango_layout_get_pixel_size (self->badge, &badge_width, &badge_height);
  if (self->is_path || badge_width < 2 * badge_height || (self->badge_colour && badge_width < room / 2))
    return TRUE;
  pango_layout_set_width (self->layout, -1);
  pango_layout_get_pixel_size (self->layout, &name_width, NULL);
  left = room - name_width - 3 * GAP;
  if (left >= badge_width)
    return TRUE;
  pango_layout_set_width (self->badge, left * PANGO_SCALE);
  return left >= MIN_BADGE_LETTERS * badge_height / 2;
}

/* At the end of the cell, where it is seen however long the name is. */
static int
draw_badge (FpCell *self,
            GtkSnapshot *snapshot,
            int width,
            int height,
            const GdkRGBA *colour)
{
  int text_width, text_height;
  GdkRGBA ground = *colour, words;
  GskRoundedRect shape;
  float x;

  if (!self->badge || !fit_badge (self, width - get_text_start (self)))
    return 0;
  if (self->badge_colour && self->tone != FP_CELL_DIM &&
      gtk_style_context_lookup_color (gtk_widget_get_style_context (GTK_WIDGET (self)), self->badge_colour, &ground))
    {
      words = mix (&ground, colour);
      colour = &words;
    }
  pango_layout_get_pixel_size (self->badge, &text_width, &text_height);
  ground.alpha *= 0.12f;
  x = (float)mirror (self, width - text_width - 2 * GAP, text_width + 2 * GAP);
  gsk_rounded_rect_init_from_rect (&shape,
                                   &GRAPHENE_RECT_INIT (x, (float)(height - text_height - 2) / 2,
                                                        (float)(text_width + 2 * GAP), (float)(text_height + 2)),
                                   6);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &ground, &shape.bounds);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + GAP, (float)(height - text_height) / 2));
  gtk_snapshot_append_layout (snapshot, self->badge, colour);
  gtk_snapshot_restore (snapshot);
  return text_width + 3 * GAP;
}

/* Pango exchanges left and right for a text that is read the other way than its surroundings. */
static PangoAlignment
get_alignment (FpCell *self)
{
  PangoDirection around = pango_context_get_base_dir (pango_layout_get_context (self->layout));
  PangoLayoutLine *line = pango_layout_get_line_readonly (self->layout, 0);
  gboolean is_reversed = line && pango_layout_line_get_resolved_direction (line) != around;

  return (self->is_figure || is_right_to_left (self)) != is_reversed ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT;
}

/* A figure without its unit would be another one: where it is a little too long it is drawn smaller. */
static float
fit_figure (FpCell *self,
            int width)
{
  float scale;
  int text_width;

  pango_layout_set_width (self->layout, -1);
  pango_layout_get_pixel_size (self->layout, &text_width, NULL);
  scale = CLAMP ((float)width / (float)MAX (text_width, 1), SMALLEST, 1);
  pango_layout_set_width (self->layout, (int)ceilf ((float)width / scale) * PANGO_SCALE);
  return scale;
}

/* The last part of a path tells the most, so it stands for all of it where the path is too long; a sign says that folders
 * are left out, as long as there is room for that. */
static void
fit_path (FpCell *self,
          int width)
{
  const char *last = strrchr (self->text, '/');
  g_autofree char *shortened = NULL;

  if (self->fitted_width == width)
    return;
  self->fitted_width = width;
  pango_layout_set_text (self->layout, self->text, -1);
  if (!last || !last[1] || !pango_layout_is_ellipsized (self->layout))
    return;
  shortened = g_strconcat ("…", last, NULL);
  pango_layout_set_text (self->layout, shortened, -1);
  if (pango_layout_is_ellipsized (self->layout))
    pango_layout_set_text (self->layout, last + 1, -1);
}

static void
draw_text (FpCell *self,
           GtkSnapshot *snapshot,
           int start,
           int width,
           int height,
           GdkRGBA colour)
{
  int text_width, text_height;
  float y, scale = 1;

  if (self->tone == FP_CELL_DIM)
    colour.alpha *= DIM;
  pango_layout_set_width (self->layout, MAX (width, 0) * PANGO_SCALE);
  if (self->is_figure && width > 0 && pango_layout_is_ellipsized (self->layout))
    scale = fit_figure (self, width);
  if (self->is_path)
    fit_path (self, width);
  pango_layout_set_alignment (self->layout, get_alignment (self));
  pango_layout_get_pixel_size (self->layout, &text_width, &text_height);
  y = floorf (((float)height - (float)text_height * scale) / 2);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)mirror (self, start, width), y));
  if (scale < 1)
    gtk_snapshot_scale (snapshot, scale, scale);
  gtk_snapshot_append_layout (snapshot, self->layout, &colour);
  gtk_snapshot_restore (snapshot);
}

static void
draw_icon (FpCell *self,
           GtkSnapshot *snapshot,
           int x,
           int height,
           GdkRGBA colour)
{
  colour.alpha *= SYMBOL;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float)mirror (self, x, FP_ICON_SIZE),
                                                          floorf ((float)(height - FP_ICON_SIZE) / 2)));
  if (self->tone == FP_CELL_DIM)
    gtk_snapshot_push_opacity (snapshot, DIM);
  if (GTK_IS_SYMBOLIC_PAINTABLE (self->icon))
    gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (self->icon), snapshot, FP_ICON_SIZE,
                                              FP_ICON_SIZE, &colour, 1);
  else
    gdk_paintable_snapshot (self->icon, snapshot, FP_ICON_SIZE, FP_ICON_SIZE);
  if (self->tone == FP_CELL_DIM)
    gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
fp_cell_snapshot (GtkWidget *widget,
                  GtkSnapshot *snapshot)
{
  FpCell *self = FP_CELL (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  int start = get_text_start (self), room, badge;
  GdkRGBA colour;

  if (!self->text || width <= 0)
    return;
  if (!self->layout)
    make_layout (self);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  if (self->bar > 0)
    draw_bar (self, snapshot, width, height, &colour);
  if (self->arrow > FP_ARROW_BLANK)
    draw_arrow (self, snapshot, height, &colour);
  if (self->icon)
    draw_icon (self, snapshot, start - FP_ICON_SIZE - GAP, height, colour);
  room = width + get_empty_room (self);
  badge = draw_badge (self, snapshot, room, height, &colour);
  if (self->n_points > 0)
    draw_line (self, snapshot, width, height);
  else
    draw_text (self, snapshot, start, room - start - badge, height, colour);
  if (self->n_parts > 0)
    draw_parts (self, snapshot, width, height, colour);
}

/* As pango_context_get_metrics () has it, which shapes a sample of text every time. 0: there is no font */
static int
get_line_height (PangoContext *context)
{
  g_autoptr (PangoFont) font = pango_context_load_font (context, pango_context_get_font_description (context));
  PangoFontMetrics *metrics = font ? pango_font_get_metrics (font, pango_context_get_language (context)) : NULL;
  int height = metrics ? pango_font_metrics_get_height (metrics) : 0;

  g_clear_pointer (&metrics, pango_font_metrics_unref);
  return height;
}

static void
fp_cell_measure (GtkWidget *widget,
                 GtkOrientation orientation,
                 int for_size,
                 int *minimum,
                 int *natural,
                 int *minimum_baseline,
                 int *natural_baseline)
{
  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = PANGO_PIXELS_CEIL (get_line_height (gtk_widget_get_pango_context (widget))) + 2;
}

static void
fp_cell_map (GtkWidget *widget)
{
  FpCell *self = FP_CELL (widget);

  GTK_WIDGET_CLASS (fp_cell_parent_class)->map (widget);
  if (self->map_func)
    self->map_func (self->map_data);
  if (is_empty (self))
    redraw_name (self);
}

static void
fp_cell_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fp_cell_parent_class)->unmap (widget);
  if (is_empty (FP_CELL (widget)))
    redraw_name (FP_CELL (widget));
}

static void
fp_cell_size_allocate (GtkWidget *widget,
                       int width,
                       int height,
                       int baseline)
{
  GTK_WIDGET_CLASS (fp_cell_parent_class)->size_allocate (widget, width, height, baseline);
  if (is_empty (FP_CELL (widget)))
    redraw_name (FP_CELL (widget));
}

/* The font may be another one. */
static void
fp_cell_css_changed (GtkWidget *widget,
                     GtkCssStyleChange *change)
{
  FpCell *self = FP_CELL (widget);

  GTK_WIDGET_CLASS (fp_cell_parent_class)->css_changed (widget, change);
  g_clear_object (&self->layout);
  gtk_widget_queue_draw (widget);
}

static void
fp_cell_finalize (GObject *object)
{
  FpCell *self = FP_CELL (object);

  g_clear_object (&self->layout);
  g_clear_object (&self->badge);
  g_clear_object (&self->icon);
  g_free (self->line);
  g_free (self->text);
  g_free (self->parts);

  G_OBJECT_CLASS (fp_cell_parent_class)->finalize (object);
}

static void
fp_cell_class_init (FpCellClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_cell_finalize;
  widget_class->snapshot = fp_cell_snapshot;
  widget_class->map = fp_cell_map;
  widget_class->unmap = fp_cell_unmap;
  widget_class->size_allocate = fp_cell_size_allocate;
  widget_class->measure = fp_cell_measure;
  widget_class->css_changed = fp_cell_css_changed;
  gtk_widget_class_set_css_name (widget_class, "cell-text");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
fp_cell_init (FpCell *self)
{
  self->bar = -1;
  self->bar_colour = "purple_2";
}

GtkWidget *
fp_cell_new (gboolean is_figure)
{
  FpCell *self = g_object_new (FP_TYPE_CELL, NULL);

  self->is_figure = is_figure;
  return GTK_WIDGET (self);
}

/* Called when it comes into sight. A signal handler for each cell would cost as much as the rest of it. */
void
fp_cell_set_map_func (FpCell *self,
                      void (*func) (gpointer data),
                      gpointer data)
{
  self->map_func = func;
  self->map_data = data;
}

void
fp_cell_set_text (FpCell *self,
                  const char *text,
                  FpCellTone tone)
{
  gboolean has_tone_changed = self->tone != tone;

  if (!has_tone_changed && g_strcmp0 (self->text, text) == 0)
    return;
  self->tone = tone;
  if (g_strcmp0 (self->text, text) != 0)
    {
      if (is_empty (self) || *text == '\0')
        redraw_name (self);
      g_free (self->text);
      self->text = g_strdup (text);
      self->fitted_width = 0;
      if (self->layout)
        pango_layout_set_text (self->layout, text, -1);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
    }
  if (has_tone_changed && self->layout)
    set_attributes (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fp_cell_set_is_path (FpCell *self,
                     gboolean is_path)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (self->is_path == is_path)
    return;
  self->is_path = is_path;
  g_clear_object (&self->layout);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* name: (nullable): a static name of the theme, which knows it for dark looks and high contrast; NULL: as the text */
void
fp_cell_set_badge_colour (FpCell *self,
                          const char *name)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (g_strcmp0 (self->badge_colour, name) == 0)
    return;
  self->badge_colour = name;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* NULL: none */
void
fp_cell_set_badge (FpCell *self,
                   const char *badge)
{
  PangoAttrList *attributes;

  g_return_if_fail (FP_IS_CELL (self));

  if (g_strcmp0 (self->badge ? pango_layout_get_text (self->badge) : NULL, badge) == 0)
    return;
  g_clear_object (&self->badge);
  if (badge)
    {
      self->badge = gtk_widget_create_pango_layout (GTK_WIDGET (self), badge);
      pango_layout_set_ellipsize (self->badge, PANGO_ELLIPSIZE_END);
      attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_scale_new (0.8));
      pango_layout_set_attributes (self->badge, attributes);
      pango_attr_list_unref (attributes);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* part: of the whole width, from 0 to 1; below 0: no bar. colour: a static name of the theme */
void
fp_cell_set_bar (FpCell *self,
                 double part,
                 const char *colour)
{
  g_return_if_fail (FP_IS_CELL (self));

  /* A change below a pixel is none. */
  if (fabs (self->bar - part) < 1e-3 && strcmp (self->bar_colour, colour) == 0)
    return;
  self->bar = part;
  self->bar_colour = colour;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
has_parts (FpCell *self,
           const FpBarPart *parts,
           guint n,
           guint64 whole)
{
  if (self->n_parts != n || self->whole != whole)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (self->parts[i].value != parts[i].value || self->parts[i].colour != parts[i].colour)
      return FALSE;
  return TRUE;
}

/* The names and colours must stay. */
void
fp_cell_set_parts (FpCell *self,
                   const FpBarPart *parts,
                   guint n,
                   guint64 whole)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (has_parts (self, parts, n, whole))
    return;
  g_free (self->parts);
  self->parts = g_memdup2 (parts, n * sizeof *parts);
  self->n_parts = n;
  self->whole = whole;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fp_cell_set_line (FpCell *self,
                  const FpLinePoint *points,
                  guint n)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (n == 0 && self->n_points == 0)
    return;
  g_free (self->line);
  self->line = g_memdup2 (points, n * sizeof *points);
  self->n_points = n;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fp_cell_set_tree (FpCell *self,
                  guint depth,
                  FpArrow arrow)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (self->depth == depth && self->arrow == arrow)
    return;
  self->depth = depth;
  self->arrow = arrow;
  /* Else GTK cuts it off where its column ends. */
  if (arrow > FP_ARROW_BLANK && gtk_widget_get_parent (GTK_WIDGET (self)))
    gtk_widget_set_overflow (gtk_widget_get_parent (GTK_WIDGET (self)), GTK_OVERFLOW_VISIBLE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* NULL: none, but room for one, so that texts are in line. Where it was never called there is no room. */
void
fp_cell_set_icon (FpCell *self,
                  GdkPaintable *icon)
{
  g_return_if_fail (FP_IS_CELL (self));

  if (!g_set_object (&self->icon, icon) && self->has_icon_room)
    return;
  self->has_icon_room = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
fp_cell_is_on_arrow (FpCell *self,
                     double x)
{
  double start = mirror (self, MIN (self->depth, MAX_STEPS) * STEP, STEP);

  return self->arrow > FP_ARROW_BLANK && x >= start && x < start + STEP;
}
