// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-bar.h"
#include "fp-chart-parts.h"
#include "fp-chart-scale.h"
#include "fp-line.h"
#include "fp-machine-chart.h"
#include "fp-machine-colours.h"
#include "fp-mark-line.h"
#include "fp-palette.h"

#define HEIGHT    140
#define STEP      2 /* pixels: points that are closer are left out */
#define NO_MOMENT G_MAXUINT
#define N_LAYERS  (FP_N_MACHINE_LINES + 2)

struct _FpMachineChart
{
  GtkWidget parent;

  GtkWidget *plot;
  GtkWidget *words;
  FpChartScale scale;
  const FpMachineHistory *history; /* (nullable) */
  FpFormat format;
  FpMarkLine mark;
  guint moment; /* the chosen moment, counted from the newest, so that it moves with time; NO_MOMENT: the newest */
};

typedef struct
{
  double width;
  double height;
} Size;

/* From the bottom up. What is kept and the cache stand side by side, with what may belong to either between them. */
static const FpMachineLine order[] = {
  FP_MACHINE_PROGRAMS,
  FP_MACHINE_GRAPHICS,
  FP_MACHINE_KEPT,
  FP_MACHINE_CACHE,
  FP_MACHINE_SWAP,
  FP_MACHINE_KERNEL,
  FP_MACHINE_HUGE_PAGES,
  FP_MACHINE_UNEXPLAINED,
  FP_MACHINE_FREE,
};

G_STATIC_ASSERT (G_N_ELEMENTS (order) == FP_N_MACHINE_LINES);

G_DEFINE_FINAL_TYPE (FpMachineChart, fp_machine_chart, GTK_TYPE_WIDGET)

static guint
get_n (FpMachineChart *self)
{
  return self->history ? self->history->moments->len : 0;
}

static const FpMachineMoment *
get_moment (FpMachineChart *self,
            guint i)
{
  return &g_array_index (self->history->moments, FpMachineMoment, i);
}

static guint
get_chosen (FpMachineChart *self)
{
  guint last = get_n (self) - 1;

  return self->moment == NO_MOMENT ? last : last - MIN (self->moment, last);
}

static FpTimeSpan
get_span (FpMachineChart *self)
{
  return (FpTimeSpan){ get_moment (self, 0)->time_us, get_moment (self, get_n (self) - 1)->time_us };
}

static double
get_x (FpMachineChart *self,
       guint i,
       double width)
{
  FpTimeSpan span = get_span (self);

  if (span.last_us == span.first_us)
    return width;
  return (double)(get_moment (self, i)->time_us - span.first_us) / (double)(span.last_us - span.first_us) * width;
}

/* A layer of its own has what may be kept or cache, and another one what may be swap's or is not explained. */
static gboolean
has_range_above (FpMachineLine line)
{
  return line == FP_MACHINE_KEPT || line == FP_MACHINE_SWAP;
}

/* Writes the edges of all layers, as parts of the whole; a layer is between its edge and the one before it. */
static void
find_edges (const FpMachineMoment *moment,
            double edges[N_LAYERS + 1])
{
  const FpMachineState *state = &moment->state;
  double sum = 0, whole = (double)MAX (state->total, 1);
  guint layer = 0;

  edges[layer++] = 0;
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      const FpMachineEnds *ends = &state->lines[order[i]];

      sum += (double)MAX (ends->low, 0);
      edges[layer++] = MIN (sum / whole, 1);
      if (!has_range_above (order[i]))
        continue;
      sum += (double)(ends->high - ends->low);
      edges[layer++] = MIN (sum / whole, 1);
    }
}

/* Chooses the moments that are drawn, from one on to the next gap: all, or where they are dense one each STEP pixels. */
static guint
find_run (FpMachineChart *self,
          double width,
          guint first,
          GArray *run)
{
  guint end = first;

  g_array_set_size (run, 0);
  while (end < get_n (self) && (end == first || !get_moment (self, end)->follows_gap))
    end++;
  for (guint i = first; i < end; i++)
    {
      double last = run->len > 0 ? get_x (self, g_array_index (run, guint, run->len - 1), width) : -STEP;

      if (i + 1 == end || get_x (self, i, width) - last >= STEP)
        g_array_append_val (run, i);
    }
  return end - first;
}

/* A single moment, which has no length, is a short bar. */
static void
fill_layer (FpMachineChart *self,
            cairo_t *cr,
            const Size *size,
            const GArray *run,
            const double *edges,
            guint layer)
{
  double more = run->len == 1 ? 4 : 0;

  cairo_new_path (cr);
  for (guint k = 0; k < run->len; k++)
    {
      double x = get_x (self, g_array_index (run, guint, k), size->width), y = edges[k * (N_LAYERS + 1) + layer + 1];

      if (k == 0 && more > 0)
        cairo_line_to (cr, x - more, size->height * (1 - y));
      cairo_line_to (cr, x, size->height * (1 - y));
    }
  for (guint k = run->len; k-- > 0;)
    {
      double x = get_x (self, g_array_index (run, guint, k), size->width), y = edges[k * (N_LAYERS + 1) + layer];

      cairo_line_to (cr, x, size->height * (1 - y));
      if (k == 0 && more > 0)
        cairo_line_to (cr, x - more, size->height * (1 - y));
    }
  cairo_close_path (cr);
  cairo_fill (cr);
}

/* Free memory is left empty. A layer that may be of either of two lines has the colour of the one below it, faintly. */
static void
draw_run (FpMachineChart *self,
          cairo_t *cr,
          const Size *size,
          const GArray *run)
{
  g_autofree double *edges = g_new (double, run->len *(N_LAYERS + 1));
  guint layer = 0;

  for (guint k = 0; k < run->len; k++)
    find_edges (get_moment (self, g_array_index (run, guint, k)), edges + k * (N_LAYERS + 1));
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      GdkRGBA colour;

      gdk_rgba_parse (&colour, fp_machine_colours[order[i]]);
      gdk_cairo_set_source_rgba (cr, &colour);
      if (order[i] != FP_MACHINE_FREE)
        fill_layer (self, cr, size, run, edges, layer);
      layer++;
      if (!has_range_above (order[i]))
        continue;
      cairo_set_source_rgba (cr, colour.red, colour.green, colour.blue, 0.45);
      fill_layer (self, cr, size, run, edges, layer++);
    }
}

static void
draw_cb (GtkDrawingArea *area,
         cairo_t *cr,
         int width,
         int height,
         gpointer data)
{
  FpMachineChart *self = data;
  g_autoptr (GArray) run = g_array_new (FALSE, FALSE, sizeof (guint));
  const Size size = { width, height };
  GdkRGBA ink, faint;
  FpTimeSpan span;
  double x;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  faint = ink;
  faint.alpha *= 0.06f;
  gdk_cairo_set_source_rgba (cr, &faint);
  cairo_paint (cr);
  for (guint first = 0; first < get_n (self);)
    {
      first += find_run (self, width, first, run);
      draw_run (self, cr, &size, run);
    }
  faint.alpha = ink.alpha * 0.2f;
  gdk_cairo_set_source_rgba (cr, &faint);
  fp_line_draw_straight (cr, 0, 0.5, width, 0.5);
  fp_line_draw_straight (cr, 0, height - 0.5, width, height - 0.5);
  if (get_n (self) == 0)
    return;
  span = get_span (self);
  fp_mark_line_draw (&self->mark, cr, &span, width, height, &ink);
  if (self->moment == NO_MOMENT)
    return;
  x = round (get_x (self, get_chosen (self), width)) - 0.5;
  gdk_cairo_set_source_rgba (cr, &ink);
  fp_line_draw_straight (cr, x, 0, x, height);
}

/* Free the text. */
static char *
describe_time (FpMachineChart *self)
{
  guint seconds;

  if (self->moment == NO_MOMENT || get_chosen (self) + 1 == get_n (self))
    return g_strdup (_ ("Now"));
  seconds = (guint)((get_moment (self, get_n (self) - 1)->time_us - get_moment (self, get_chosen (self))->time_us) / G_USEC_PER_SEC);
  if (seconds < 60)
    return g_strdup_printf (ngettext ("%u second ago", "%u seconds ago", seconds), seconds);
  return g_strdup_printf (ngettext ("%u minute ago", "%u minutes ago", seconds / 60), seconds / 60);
}

static void
update_words (FpMachineChart *self)
{
  g_autoptr (GString) plain = g_string_new (NULL), marked = g_string_new (NULL);
  g_autofree char *time = NULL;
  FpTimeSpan span;

  if (get_n (self) == 0)
    return;
  time = describe_time (self);
  g_string_append (plain, time);
  g_string_append (marked, time);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      FpMachineEnds ends = get_moment (self, get_chosen (self))->state.lines[order[i]];
      const char *title = _ (fp_machine_line_infos[order[i]].title);
      char size[2 * FP_FIGURE_TEXT_SIZE];

      if (ends.low == 0 && ends.high == 0)
        continue;
      fp_machine_ends_format (ends, &self->format, FALSE, size, sizeof size);
      g_string_append_printf (plain, ", %s %s", title, size);
      fp_bar_append_legend (marked, fp_machine_colours[order[i]], title, size);
    }
  span = get_span (self);
  fp_mark_line_append_words (&self->mark, &span, plain, marked);
  if (g_strcmp0 (gtk_label_get_label (GTK_LABEL (self->words)), marked->str) == 0)
    return;
  gtk_label_set_markup (GTK_LABEL (self->words), marked->str);
  /* GTK 4.8 passes no text of a value on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, plain->str,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, plain->str, -1);
}

/* Its upper edge is all memory. */
static void
update_scale (FpMachineChart *self)
{
  FpTimeSpan span = { 0 };
  char size[FP_FIGURE_TEXT_SIZE] = "";

  if (get_n (self) > 0)
    {
      span = get_span (self);
      fp_format_memory (&self->format, fp_figure_exact ((guint64)MAX (get_moment (self, get_n (self) - 1)->state.total, 0)), size);
    }
  fp_chart_scale_set (&self->scale, size, span.last_us - span.first_us);
}

static void
choose (FpMachineChart *self,
        guint moment)
{
  if (get_n (self) == 0 || self->moment == moment)
    return;
  self->moment = moment;
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}

static void
motion_cb (FpMachineChart *self,
           double x)
{
  double width = gtk_widget_get_width (self->plot), best = G_MAXDOUBLE;
  guint nearest = 0;

  for (guint i = 0; i < get_n (self); i++)
    if (fabs (get_x (self, i, width) - x) < best)
      {
        best = fabs (get_x (self, i, width) - x);
        nearest = i;
      }
  if (get_n (self) > 0)
    choose (self, get_n (self) - 1 - nearest);
}

static void
leave_cb (FpMachineChart *self)
{
  choose (self, NO_MOMENT);
}

/* Changes count from the chosen moment on. */
static void
mark (FpMachineChart *self)
{
  if (get_n (self) > 0)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.mark-at", "t", get_moment (self, get_chosen (self))->time_us);
}

static gboolean
key_cb (FpMachineChart *self,
        guint key)
{
  guint now = self->moment == NO_MOMENT ? 0 : self->moment;
  guint last = get_n (self) > 0 ? get_n (self) - 1 : 0;

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
fp_machine_chart_dispose (GObject *object)
{
  FpMachineChart *self = FP_MACHINE_CHART (object);

  fp_chart_scale_clear (&self->scale);
  g_clear_pointer (&self->plot, gtk_widget_unparent);
  g_clear_pointer (&self->words, gtk_widget_unparent);
  self->history = NULL;

  G_OBJECT_CLASS (fp_machine_chart_parent_class)->dispose (object);
}

static void
fp_machine_chart_class_init (FpMachineChartClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_machine_chart_dispose;
  fp_chart_parts_init_class (GTK_WIDGET_CLASS (class));
}

static void
fp_machine_chart_init (FpMachineChart *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->moment = NO_MOMENT;
  fp_chart_parts_add (GTK_WIDGET (self), HEIGHT, draw_cb, G_CALLBACK (key_cb), &self->plot, &self->words);
  fp_chart_scale_init (&self->scale, self->plot);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (motion_cb), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (leave_cb), self);
  gtk_widget_add_controller (self->plot, motion);
  g_signal_connect_swapped (click, "released", G_CALLBACK (mark), self);
  gtk_widget_add_controller (self->plot, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_tooltip_text (self->plot, _ ("Click to Compare From Then"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("History of memory"), -1);
}

/* The history must live longer. mark: (nullable): the moment from which changes count */
void
fp_machine_chart_set_history (FpMachineChart *self,
                              const FpMachineHistory *history,
                              const FpMachineMoment *mark,
                              const FpFormat *format)
{
  g_return_if_fail (FP_IS_MACHINE_CHART (self));

  self->history = history;
  self->mark = fp_mark_line_make (mark);
  self->format = *format;
  if (self->moment != NO_MOMENT && self->moment >= get_n (self))
    self->moment = NO_MOMENT;
  update_scale (self);
  update_words (self);
  gtk_widget_queue_draw (self->plot);
}
