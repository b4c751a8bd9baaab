// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-chart-parts.h"
#include "fp-chart-scale.h"
#include "fp-heap-chart.h"
#include "fp-heap-words.h"
#include "fp-line.h"
#include "fp-mark-line.h"
#include "fp-palette.h"

#define HEIGHT 96
#define LEAP   10 /* intervals of a page key */
#define FILL   0.2
#define SHADE  0.1 /* of a range */
#define DRAG   6   /* pixels: less is a click */

struct _FpHeapChart
{
  GtkWidget parent;

  GtkWidget *plot;
  GtkWidget *words;
  FpChartScale scale;
  FpHeapProfile *profile; /* (nullable) */
  FpFigureStyle style;
  FpHeapSpan span;
  guint64 mark_ms;   /* FP_HEAP_NO_MARK: none */
  guint64 anchor_ms; /* where a range was begun */
  guint64 cursor_ms; /* and where it goes to */
};

enum
{
  SPAN_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpHeapChart, fp_heap_chart, GTK_TYPE_WIDGET)

static guint
get_n (FpHeapChart *self)
{
  return self->profile ? self->profile->states.intervals->len : 0;
}

static const FpHeapInterval *
get_interval (FpHeapChart *self,
              guint i)
{
  return &g_array_index (self->profile->states.intervals, FpHeapInterval, i);
}

static double
get_top (FpHeapChart *self)
{
  guint64 top = MAX (self->profile->total.peak.bytes, 1024);

  for (guint i = 0; i < get_n (self); i++)
    top = MAX (top, MAX (get_interval (self, i)->held.bytes, get_interval (self, i)->highest));
  return (double)top * 1.05;
}

static guint64
get_end_ms (FpHeapChart *self)
{
  guint64 last = get_n (self) > 0 ? get_interval (self, get_n (self) - 1)->time_ms : 0;

  return MAX (MAX (last, self->profile->duration_ms), 1);
}

static guint64
find_ms (FpHeapChart *self,
         guint64 moment_ms)
{
  return moment_ms == FP_HEAP_AT_PEAK ? self->profile->peak_ms : moment_ms;
}

/* The moment, or the end of the range */
static guint64
get_shown_ms (FpHeapChart *self)
{
  return find_ms (self, self->span.to_ms);
}

static void
add_point (FpHeapChart *self,
           GArray *points,
           guint64 time_ms,
           guint64 bytes,
           double top)
{
  double y = (double)bytes / top;
  const FpLinePoint point = { (double)time_ms / (double)get_end_ms (self), y, y, FALSE };

  g_array_append_val (points, point);
}

/* Intervals have what was in use at their ends. What came and went within one is drawn in its middle; only the peak's own time is
 * known. */
static void
add_spike (FpHeapChart *self,
           GArray *points,
           guint i,
           double top)
{
  const FpHeapInterval *interval = get_interval (self, i);
  guint64 begin_ms = i > 0 ? get_interval (self, i - 1)->time_ms : 0, before = i > 0 ? get_interval (self, i - 1)->held.bytes : 0;

  if (interval->highest > MAX (before, interval->held.bytes))
    add_point (self, points, begin_ms + (interval->time_ms - begin_ms) / 2, interval->highest, top);
}

/* A recording begins with nothing. */
static GArray *
make_points (FpHeapChart *self)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (FpLinePoint));
  double top = get_top (self);
  gboolean has_peak = FALSE;

  add_point (self, points, 0, 0, top);
  for (guint i = 0; i < get_n (self); i++)
    {
      const FpHeapInterval *interval = get_interval (self, i);

      if (!has_peak && interval->time_ms >= self->profile->peak_ms)
        add_point (self, points, self->profile->peak_ms, self->profile->total.peak.bytes, top);
      else
        add_spike (self, points, i, top);
      has_peak |= interval->time_ms >= self->profile->peak_ms;
      add_point (self, points, interval->time_ms, interval->held.bytes, top);
    }
  return points;
}

static void
fill_below (cairo_t *cr,
            const GArray *points,
            double width,
            double height)
{
  GdkRGBA colour;

  gdk_rgba_parse (&colour, FP_COLOUR_BLUE);
  cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue, FILL);
  cairo_move_to (cr, 0, height);
  for (guint i = 0; i < points->len; i++)
    cairo_line_to (cr, g_array_index (points, FpLinePoint, i).x * width, (1 - g_array_index (points, FpLinePoint, i).low) * height);
  cairo_line_to (cr, g_array_index (points, FpLinePoint, points->len - 1).x * width, height);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
draw_moment (FpHeapChart *self,
             cairo_t *cr,
             guint64 time_ms,
             int width,
             int height)
{
  double x = round ((double)time_ms / (double)get_end_ms (self) * width);

  fp_line_draw_straight (cr, CLAMP (x, 1, width) - 0.5, 0, CLAMP (x, 1, width) - 0.5, height);
}

static void
draw_span (FpHeapChart *self,
           cairo_t *cr,
           int width,
           int height,
           const GdkRGBA *ink)
{
  double from, to;

  if (fp_heap_span_is_range (&self->span))
    {
      from = (double)self->span.from_ms / (double)get_end_ms (self) * width;
      to = (double)self->span.to_ms / (double)get_end_ms (self) * width;
      cairo_set_source_rgba (cr, (double)ink->red, (double)ink->green, (double)ink->blue, SHADE);
      cairo_rectangle (cr, from, 0, to - from, height);
      cairo_fill (cr);
      gdk_cairo_set_source_rgba (cr, ink);
      draw_moment (self, cr, self->span.from_ms, width, height);
    }
  gdk_cairo_set_source_rgba (cr, ink);
  draw_moment (self, cr, get_shown_ms (self), width, height);
}

/* A mark at the very beginning is drawn, too. */
static void
draw_mark (FpHeapChart *self,
           cairo_t *cr,
           int width,
           int height,
           const GdkRGBA *ink)
{
  const FpTimeSpan whole = { 0, get_end_ms (self) * 1000 };
  const FpMarkLine line = { .time_us = MAX (find_ms (self, self->mark_ms) * 1000, 1) };

  fp_mark_line_draw (&line, cr, &whole, width, height, ink);
}

static void
draw_cb (GtkDrawingArea *area,
         cairo_t *cr,
         int width,
         int height,
         gpointer data)
{
  FpHeapChart *self = data;
  const graphene_rect_t whole = GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height);
  g_autoptr (GArray) points = NULL;
  GdkRGBA ink, faint;

  if (get_n (self) == 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  faint = ink;
  faint.alpha *= 0.15f;
  gdk_cairo_set_source_rgba (cr, &faint);
  fp_line_draw_straight (cr, 0, 0.5, width, 0.5);
  fp_line_draw_straight (cr, 0, height - 0.5, width, height - 0.5);
  points = make_points (self);
  fill_below (cr, points, width, height);
  fp_line_draw (cr, &whole, (const FpLinePoint *)(void *)points->data, points->len, FP_COLOUR_BLUE, 2);
  draw_span (self, cr, width, height, &ink);
  if (self->mark_ms != FP_HEAP_NO_MARK)
    draw_mark (self, cr, width, height, &ink);
}

/* The last interval that ends until then; G_MAXUINT: none */
static guint
find_interval (FpHeapChart *self,
               guint64 time_ms)
{
  guint low = 0, high = get_n (self);

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_interval (self, middle)->time_ms <= time_ms)
        low = middle + 1;
      else
        high = middle;
    }
  return low > 0 ? low - 1 : G_MAXUINT;
}

static FpHeapHeld
get_held_at (FpHeapChart *self,
             guint64 time_ms)
{
  guint interval = find_interval (self, time_ms);

  return interval == G_MAXUINT ? (FpHeapHeld){ 0, 0 } : get_interval (self, interval)->held;
}

/* Free it. */
static char *
describe_range (FpHeapChart *self)
{
  guint64 before = get_held_at (self, self->span.from_ms).bytes, after = get_held_at (self, self->span.to_ms).bytes;
  g_autofree char *range = fp_heap_format_range (self->span.from_ms, self->span.to_ms);
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (MAX (before, after) - MIN (before, after)), FP_UNIT_BYTES, self->style, 0, size, sizeof size);
  if (before == after)
    /* Translators: a range of time: from its begin to its end */
    return g_strdup_printf (_ ("%s: as much in use as before"), range);
  /* Translators: a range of time, and memory */
  return g_strdup_printf (after > before ? _ ("%s: %s more in use") : _ ("%s: %s less in use"), range, size);
}

/* Free it. */
static char *
describe_moment (FpHeapChart *self)
{
  gboolean is_peak = self->span.to_ms == FP_HEAP_AT_PEAK;
  FpHeapHeld held = is_peak ? self->profile->total.peak : get_held_at (self, self->span.to_ms);
  g_autofree char *time = fp_heap_format_time (get_shown_ms (self)), *end = fp_heap_format_time (get_end_ms (self));
  g_autofree char *n = g_strdup_printf ("%'" G_GUINT64_FORMAT, held.blocks);
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (held.bytes), FP_UNIT_BYTES, self->style, 0, size, sizeof size);
  if (is_peak)
    /* Translators: the peak, at a time of a whole time: so much memory */
    return g_strdup_printf (ngettext ("Peak, after %s of %s: %s in %s block", "Peak, after %s of %s: %s in %s blocks", (gulong)held.blocks),
                            time, end, size, n);
  /* Translators: at a time of a whole time: so much memory */
  return g_strdup_printf (ngettext ("After %s of %s: %s in %s block", "After %s of %s: %s in %s blocks", (gulong)held.blocks),
                          time, end, size, n);
}

static void
update_words (FpHeapChart *self)
{
  g_autofree char *text = fp_heap_span_is_range (&self->span) ? describe_range (self) : describe_moment (self);

  gtk_label_set_text (GTK_LABEL (self->words), text);
  /* GTK 4.8 passes no text of a value on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void
update_scale (FpHeapChart *self)
{
  g_autofree char *end = fp_heap_format_time (get_end_ms (self));
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact ((guint64)get_top (self)), FP_UNIT_BYTES, self->style, 0, size, sizeof size);
  /* Translators: the begin of a recording, in seconds */
  fp_chart_scale_set_times (&self->scale, size, _ ("0 s"), end);
}

static void
update (FpHeapChart *self)
{
  if (self->profile)
    {
      update_words (self);
      update_scale (self);
    }
  gtk_widget_queue_draw (self->plot);
}

/* The line goes there at once, and the rest of the view when it is ready. */
static void
choose (FpHeapChart *self,
        guint64 anchor_ms,
        guint64 cursor_ms)
{
  FpHeapSpan span = { MIN (anchor_ms, cursor_ms), MAX (anchor_ms, cursor_ms) };

  if (anchor_ms == cursor_ms)
    span.from_ms = FP_HEAP_NO_RANGE;
  self->anchor_ms = anchor_ms;
  self->cursor_ms = cursor_ms;
  if (fp_heap_span_equal (&self->span, &span))
    return;
  self->span = span;
  update (self);
  g_signal_emit (self, signals[SPAN_CHOSEN], 0, span.from_ms, span.to_ms);
}

static guint64
find_time (FpHeapChart *self,
           double x)
{
  double part = CLAMP (x / MAX (gtk_widget_get_width (self->plot), 1), 0, 1);
  guint interval = find_interval (self, (guint64)(part * (double)get_end_ms (self) + 0.5));

  return interval == G_MAXUINT ? 0 : get_interval (self, interval)->time_ms;
}

static void
begin_cb (FpHeapChart *self,
          double x,
          double y,
          GtkGestureDrag *drag)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (get_n (self) > 0)
    choose (self, find_time (self, x), find_time (self, x));
}

static void
update_cb (FpHeapChart *self,
           double offset_x,
           double offset_y,
           GtkGestureDrag *drag)
{
  double x, y;

  if (get_n (self) > 0 && fabs (offset_x) >= DRAG && gtk_gesture_drag_get_start_point (drag, &x, &y))
    choose (self, self->anchor_ms, find_time (self, x + offset_x));
}

static void
go_to (FpHeapChart *self,
       gint64 interval,
       GdkModifierType state)
{
  guint64 time_ms = get_interval (self, (guint)CLAMP (interval, 0, (gint64)get_n (self) - 1))->time_ms;

  choose (self, state & GDK_SHIFT_MASK ? self->anchor_ms : time_ms, time_ms);
}

static gboolean
key_cb (FpHeapChart *self,
        guint key,
        guint code,
        GdkModifierType state)
{
  guint found = get_n (self) > 0 ? find_interval (self, self->cursor_ms) : G_MAXUINT;
  gint64 now = found == G_MAXUINT ? -1 : (gint64)found;

  if (get_n (self) == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
      go_to (self, now - 1, state);
      return TRUE;
    case GDK_KEY_Right:
      go_to (self, now + 1, state);
      return TRUE;
    case GDK_KEY_Page_Up:
      go_to (self, now - LEAP, state);
      return TRUE;
    case GDK_KEY_Page_Down:
      go_to (self, now + LEAP, state);
      return TRUE;
    case GDK_KEY_Home:
      go_to (self, 0, state);
      return TRUE;
    case GDK_KEY_End:
      go_to (self, (gint64)get_n (self) - 1, state);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
fp_heap_chart_dispose (GObject *object)
{
  FpHeapChart *self = FP_HEAP_CHART (object);

  fp_chart_scale_clear (&self->scale);
  g_clear_pointer (&self->plot, gtk_widget_unparent);
  g_clear_pointer (&self->words, gtk_widget_unparent);
  g_clear_pointer (&self->profile, fp_heap_profile_unref);

  G_OBJECT_CLASS (fp_heap_chart_parent_class)->dispose (object);
}

static void
fp_heap_chart_class_init (FpHeapChartClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_heap_chart_dispose;
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", FP_TYPE_HEAP_CHART, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  fp_chart_parts_init_class (GTK_WIDGET_CLASS (class));
}

static void
fp_heap_chart_init (FpHeapChart *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->span = (FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK };
  self->mark_ms = FP_HEAP_NO_MARK;
  fp_chart_parts_add (GTK_WIDGET (self), HEIGHT, draw_cb, G_CALLBACK (key_cb), &self->plot, &self->words);
  fp_chart_scale_init (&self->scale, self->plot);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (update_cb), self);
  gtk_widget_add_controller (self->plot, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_tooltip_text (self->plot, _ ("Click to See a Moment, Drag to See a Range"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Memory over time"), -1);
}

void
fp_heap_chart_set_profile (FpHeapChart *self,
                           FpHeapProfile *profile)
{
  g_return_if_fail (FP_IS_HEAP_CHART (self));

  g_clear_pointer (&self->profile, fp_heap_profile_unref);
  self->profile = fp_heap_profile_ref (profile);
  fp_heap_chart_set_span (self, &(FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK });
}

/* Nothing is emitted. */
void
fp_heap_chart_set_span (FpHeapChart *self,
                        const FpHeapSpan *span)
{
  g_return_if_fail (FP_IS_HEAP_CHART (self));
  g_return_if_fail (self->profile);

  self->span = *span;
  self->cursor_ms = get_shown_ms (self);
  self->anchor_ms = fp_heap_span_is_range (span) ? span->from_ms : self->cursor_ms;
  update (self);
}

/* The moment that others are compared with. mark_ms: FP_HEAP_NO_MARK: none */
void
fp_heap_chart_set_mark (FpHeapChart *self,
                        guint64 mark_ms)
{
  g_return_if_fail (FP_IS_HEAP_CHART (self));

  self->mark_ms = mark_ms;
  gtk_widget_queue_draw (self->plot);
}

void
fp_heap_chart_set_style (FpHeapChart *self,
                         FpFigureStyle style)
{
  g_return_if_fail (FP_IS_HEAP_CHART (self));

  self->style = style;
  update (self);
}
