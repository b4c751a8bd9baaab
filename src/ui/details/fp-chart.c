// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-bar.h"
#include "fp-chart-parts.h"
#include "fp-chart-scale.h"
#include "fp-chart.h"
#include "fp-line.h"
#include "fp-mark-line.h"
#include "fp-palette.h"
#include "fp-trend.h"

#define HEIGHT    110
#define NO_MOMENT G_MAXUINT

typedef struct
{
  const char *title;
  const char *colour;
  FpHistoryFigure figure;
  gboolean is_dashed;
} Line;

struct _FpChart
{
  GtkWidget parent;

  GtkWidget *plot;
  GtkWidget *words;
  FpChartScale scale;
  GArray *points;
  FpFormat format;
  FpMarkLine mark;
  const Line *lines; /* the last one has no title */
  guint moment;      /* the chosen point, counted from the newest, so that it moves with time; NO_MOMENT: the newest */
};

/* From the lowest to the uppermost */
static const Line process_lines[] = {
  { N_ ("Resident"), FP_COLOUR_GREY, FP_HISTORY_RSS, TRUE },
  { N_ ("Swap"), FP_COLOUR_PINK, FP_HISTORY_SWAP, FALSE },
  { N_ ("Private"), FP_COLOUR_GREEN, FP_HISTORY_USS, TRUE },
  { N_ ("Memory"), FP_COLOUR_BLUE, FP_HISTORY_PSS, FALSE },
  { NULL },
};

/* The sum of what processes have resident counts shared pages many times, and can be more than there is of memory. */
static const Line *const total_lines = process_lines + 1;

static const Line control_lines[] = {
  { N_ ("Swap"), FP_COLOUR_PINK, FP_HISTORY_SWAP, FALSE },
  { N_ ("Own memory"), FP_COLOUR_GREEN, FP_HISTORY_USS, TRUE },
  { N_ ("Memory"), FP_COLOUR_BLUE, FP_HISTORY_PSS, FALSE },
  { NULL },
};

typedef struct
{
  cairo_t *cr;
  double width;
  double height;
  double top; /* KiB at the upper edge */
} Plot;

G_DEFINE_FINAL_TYPE (FpChart, fp_chart, GTK_TYPE_WIDGET)

static const FpHistoryPoint *
get_point (FpChart *self,
           guint i)
{
  return &g_array_index (self->points, FpHistoryPoint, i);
}

static guint
get_chosen (FpChart *self)
{
  guint last = self->points->len - 1;

  return self->moment == NO_MOMENT ? last : last - MIN (self->moment, last);
}

/* Where there is no upper end, a line is drawn along the lower. */
static guint32
get_high (const FpHistoryPoint *point,
          FpHistoryFigure figure)
{
  return point->ends.high_kib[figure] == FP_HISTORY_UNKNOWN ? point->ends.low_kib[figure] : point->ends.high_kib[figure];
}

static double
find_top (FpChart *self)
{
  guint32 top = 1024;

  for (guint i = 0; i < self->points->len; i++)
    for (const Line *line = self->lines; line->title; line++)
      if (get_point (self, i)->ends.low_kib[line->figure] != FP_HISTORY_UNKNOWN)
        top = MAX (top, get_high (get_point (self, i), line->figure));
  return top * 1.08;
}

/* A line along the lower edge says nothing, and neither does its name; one of which nothing is known has no line. Memory is
 * what the chart is about, so that not to know it is said. */
static gboolean
is_shown (FpChart *self,
          const Line *line)
{
  for (guint i = 0; i < self->points->len; i++)
    {
      const FpHistoryPoint *point = get_point (self, i);
      guint32 low = point->ends.low_kib[line->figure], high = point->ends.high_kib[line->figure];

      /* The unknown swap of a machine without swap is nothing. */
      if (line->figure == FP_HISTORY_SWAP && self->format.swap_total == 0 && low == 0)
        continue;
      if ((low != FP_HISTORY_UNKNOWN || line->figure == FP_HISTORY_PSS) && (low > 0 || high > 0))
        return TRUE;
    }
  return FALSE;
}

static FpTimeSpan
get_span (FpChart *self)
{
  return (FpTimeSpan){ get_point (self, 0)->time_us, get_point (self, self->points->len - 1)->time_us };
}

static double
get_x (FpChart *self,
       guint i,
       double width)
{
  FpTimeSpan span = get_span (self);

  if (span.last_us == span.first_us)
    return width;
  return (double)(get_point (self, i)->time_us - span.first_us) / (double)(span.last_us - span.first_us) * width;
}

static void
draw_line (FpChart *self,
           const Plot *plot,
           const Line *line)
{
  const graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, (float)plot->width, (float)plot->height);
  g_autofree FpLinePoint *points = g_new (FpLinePoint, self->points->len);
  const double dashes[] = { 4, 3 };

  for (guint i = 0; i < self->points->len; i++)
    {
      const FpHistoryPoint *point = get_point (self, i);
      gboolean is_known = point->ends.low_kib[line->figure] != FP_HISTORY_UNKNOWN;

      points[i] = (FpLinePoint){ get_x (self, i, 1), is_known ? point->ends.low_kib[line->figure] / plot->top : -1,
                                 get_high (point, line->figure) / plot->top, point->follows_gap };
    }
  cairo_set_dash (plot->cr, dashes, line->is_dashed ? 2 : 0, 0);
  fp_line_draw (plot->cr, &area, points, self->points->len, line->colour, 2);
}

/* Dashed lines are drawn last, so that both are seen where one lies on another. */
static void
draw_lines (FpChart *self,
            const Plot *plot,
            gboolean is_dashed)
{
  for (const Line *line = self->lines; line->title; line++)
    if (line->is_dashed == is_dashed && is_shown (self, line))
      draw_line (self, plot, line);
}

static void
draw_grid (cairo_t *cr,
           double width,
           double height,
           GdkRGBA ink)
{
  ink.alpha *= 0.12f;
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1);
  for (guint i = 0; i <= 4; i++)
    {
      double y = round (height * i / 4.0) + (i == 4 ? -0.5 : 0.5);

      cairo_move_to (cr, 0, y);
      cairo_line_to (cr, width, y);
    }
  cairo_stroke (cr);
}

static void
draw_cb (GtkDrawingArea *area,
         cairo_t *cr,
         int width,
         int height,
         gpointer data)
{
  FpChart *self = data;
  Plot plot = { cr, width, height, 0 };
  FpTimeSpan span;
  GdkRGBA ink;
  double x;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  draw_grid (cr, width, height, ink);
  if (self->points->len == 0)
    return;
  plot.top = find_top (self);
  draw_lines (self, &plot, FALSE);
  draw_lines (self, &plot, TRUE);
  span = get_span (self);
  fp_mark_line_draw (&self->mark, cr, &span, width, height, &ink);
  if (self->moment == NO_MOMENT)
    return;
  x = round (get_x (self, get_chosen (self), width)) - 0.5;
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, x, 0);
  cairo_line_to (cr, x, height);
  cairo_stroke (cr);
}

static char *
describe_ago (guint64 ago_us)
{
  guint seconds = (guint)(ago_us / G_USEC_PER_SEC);

  if (seconds < 60)
    return g_strdup_printf (ngettext ("%u second ago", "%u seconds ago", seconds), seconds);
  return g_strdup_printf (ngettext ("%u minute ago", "%u minutes ago", seconds / 60), seconds / 60);
}

static char *
describe_span (guint64 span_us)
{
  guint seconds = (guint)(span_us / G_USEC_PER_SEC);

  if (seconds < 90)
    return g_strdup_printf (ngettext ("seen for %u second", "seen for %u seconds", seconds), seconds);
  return g_strdup_printf (ngettext ("seen for %u minute", "seen for %u minutes", seconds / 60), seconds / 60);
}

static void
append_time (FpChart *self,
             GString *text)
{
  g_autofree char *ago = NULL;

  if (self->moment != NO_MOMENT && get_chosen (self) + 1 < self->points->len)
    ago = describe_ago (get_point (self, self->points->len - 1)->time_us - get_point (self, get_chosen (self))->time_us);
  /* Translators: the present figure, at the right end of a chart */
  g_string_append (text, ago ? ago : _ ("Now"));
}

static void
append_trend_in_words (GString *text,
                       FpTrend trend,
                       const char *size)
{
  gboolean is_past = trend.kind == FP_TREND_ROSE || trend.kind == FP_TREND_FELL;
  g_autofree char *time = is_past ? describe_ago (trend.ago_us) : describe_span (trend.span_us);

  if (trend.kind == FP_TREND_VARIES)
    /* Translators: a range of memory, and a time, such as “seen for 3 minutes” */
    g_string_append_printf (text, _ ("Goes up and down within %s, %s"), size, time);
  else if (trend.kind == FP_TREND_GROWS)
    /* Translators: an amount of memory, and a time, such as “seen for 3 minutes” */
    g_string_append_printf (text, _ ("Grows by %s a minute, %s"), size, time);
  else if (trend.kind == FP_TREND_SHRINKS)
    /* Translators: an amount of memory, and a time, such as “seen for 3 minutes” */
    g_string_append_printf (text, _ ("Shrinks by %s a minute, %s"), size, time);
  else if (trend.kind == FP_TREND_ROSE)
    /* Translators: an amount of memory, and a time, such as “3 minutes ago” */
    g_string_append_printf (text, _ ("Rose by %s, %s"), size, time);
  else
    /* Translators: an amount of memory, and a time, such as “3 minutes ago” */
    g_string_append_printf (text, _ ("Fell by %s, %s"), size, time);
}

static void
append_trend (FpChart *self,
              GString *text)
{
  FpTrend trend = fp_trend_find ((const FpHistoryPoint *)self->points->data, self->points->len);
  char size[FP_FIGURE_TEXT_SIZE];

  if (trend.kind == FP_TREND_UNKNOWN)
    return;
  g_string_append_c (text, '\n');
  if (trend.kind == FP_TREND_STEADY)
    {
      /* Translators: said of memory that neither grows nor shrinks */
      g_string_append (text, _ ("Steady"));
      return;
    }
  fp_format_memory (&self->format, fp_figure_between (trend.low, trend.high), size);
  append_trend_in_words (text, trend, size);
}

static FpFigure
get_figure (const FpHistoryPoint *point,
            FpHistoryFigure figure)
{
  guint64 low = point->ends.low_kib[figure], high = point->ends.high_kib[figure];

  if (low == FP_HISTORY_UNKNOWN)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_between (low * 1024, high == FP_HISTORY_UNKNOWN ? G_MAXUINT64 : high * 1024);
}

static void
append_mark (FpChart *self,
             GString *plain,
             GString *marked)
{
  FpTimeSpan span;

  if (self->points->len == 0)
    return;
  span = get_span (self);
  fp_mark_line_append_words (&self->mark, &span, plain, marked);
}

static void
update_words (FpChart *self)
{
  g_autoptr (GString) plain = g_string_new (NULL), marked = g_string_new (NULL);
  guint n_lines = 0;

  while (self->lines[n_lines].title)
    n_lines++;
  if (self->points->len > 0)
    append_time (self, plain);
  g_string_append (marked, plain->str);
  for (guint i = n_lines; i-- > 0 && self->points->len > 0;)
    {
      const Line *line = &self->lines[i];
      char size[FP_FIGURE_TEXT_SIZE];

      if (!is_shown (self, line))
        continue;
      fp_format_memory (&self->format, get_figure (get_point (self, get_chosen (self)), line->figure), size);
      g_string_append_printf (plain, ", %s %s", _ (line->title), size);
      fp_bar_append_legend (marked, line->colour, _ (line->title), size);
    }
  if (self->moment == NO_MOMENT)
    append_trend (self, marked);
  append_mark (self, plain, marked);
  gtk_label_set_markup (GTK_LABEL (self->words), marked->str);
  /* GTK 4.8 passes no text of a value on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, plain->str,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, plain->str, -1);
}

static void
update_scale (FpChart *self)
{
  FpTimeSpan span = { 0 };
  char size[FP_FIGURE_TEXT_SIZE] = "";

  if (self->points->len > 0)
    {
      span = get_span (self);
      fp_format_memory (&self->format, fp_figure_exact ((guint64)(find_top (self) * 1024)), size);
    }
  fp_chart_scale_set (&self->scale, size, span.last_us - span.first_us);
}

static void
choose (FpChart *self,
        guint moment)
{
  if (self->points->len == 0 || self->moment == moment)
    return;
  self->moment = moment;
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}

static void
motion_cb (FpChart *self,
           double x)
{
  double width = gtk_widget_get_width (self->plot), best = G_MAXDOUBLE;
  guint nearest = 0;

  for (guint i = 0; i < self->points->len; i++)
    if (fabs (get_x (self, i, width) - x) < best)
      {
        best = fabs (get_x (self, i, width) - x);
        nearest = i;
      }
  if (self->points->len > 0)
    choose (self, self->points->len - 1 - nearest);
}

static void
leave_cb (FpChart *self)
{
  choose (self, NO_MOMENT);
}

/* Changes count from the chosen moment on. */
static void
mark (FpChart *self)
{
  if (self->points->len > 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.mark-at", "t", get_point (self, get_chosen (self))->time_us);
}

static gboolean
key_cb (FpChart *self,
        guint key)
{
  guint now = self->moment == NO_MOMENT ? 0 : self->moment;
  guint last = self->points->len > 0 ? self->points->len - 1 : 0;

  switch (key)
    {
    case GDK_KEY_Left:
      choose (self, MIN (now + 1, last));
      return TRUE;
    case GDK_KEY_Right:
      choose (self, now > 1 ? now - 1 : NO_MOMENT);
      return TRUE;
    case GDK_KEY_Home:
      choose (self, last);
      return TRUE;
    case GDK_KEY_End:
      choose (self, NO_MOMENT);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      mark (self);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
fp_chart_dispose (GObject *object)
{
  FpChart *self = FP_CHART (object);

  fp_chart_scale_clear (&self->scale);
  g_clear_pointer (&self->plot, gtk_widget_unparent);
  g_clear_pointer (&self->words, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_chart_parent_class)->dispose (object);
}

static void
fp_chart_finalize (GObject *object)
{
  g_array_unref (FP_CHART (object)->points);

  G_OBJECT_CLASS (fp_chart_parent_class)->finalize (object);
}

static void
fp_chart_class_init (FpChartClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_chart_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_chart_finalize;
  fp_chart_parts_init_class (GTK_WIDGET_CLASS (class));
}

static void
fp_chart_init (FpChart *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->points = g_array_new (FALSE, FALSE, sizeof (FpHistoryPoint));
  self->lines = process_lines;
  self->moment = NO_MOMENT;
  fp_chart_parts_add (GTK_WIDGET (self), HEIGHT, draw_cb, G_CALLBACK (key_cb), &self->plot, &self->words);
  fp_chart_scale_init (&self->scale, self->plot);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->plot, motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (mark), self);
  gtk_widget_add_controller (self->plot, GTK_EVENT_CONTROLLER (click));
  /* Translators: a chart of the memory of the last minutes */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("History"), -1);
}

/* kind: of the record whose history it is */
void
fp_chart_set_kind (FpChart *self,
                   FpRecordKind kind)
{
  g_return_if_fail (FP_IS_CHART (self));

  self->lines = kind == FP_RECORD_CONTROL_GROUP ? control_lines : kind == FP_RECORD_TOTAL ? total_lines
                                                                                          : process_lines;
}

/* mark: (nullable): the moment from which changes count */
void
fp_chart_set_points (FpChart *self,
                     const FpHistoryPoint *points,
                     guint n,
                     const FpMachineMoment *mark,
                     const FpFormat *format)
{
  g_return_if_fail (FP_IS_CHART (self));

  self->format = *format;
  self->mark = fp_mark_line_make (mark);
  g_array_set_size (self->points, 0);
  g_array_append_vals (self->points, points, n);
  if (self->moment != NO_MOMENT && self->moment >= n)
    self->moment = NO_MOMENT;
  update_scale (self);
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}
