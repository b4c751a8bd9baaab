// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-chart-scale.h"

#define LEAST_MINUTES 60  /* seconds from which minutes are said */
#define LEAST_HOURS   120 /* minutes from which hours are said */

/* The chart has words of its own for a screen reader. */
static GtkLabel *
make_label (const char *text)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  return GTK_LABEL (label);
}

/* plot: in a chart whose children stand below each other */
void
fp_chart_scale_init (FpChartScale *self,
                     GtkWidget *plot)
{
  GtkWidget *chart = gtk_widget_get_parent (plot);

  self->top = make_label (NULL);
  self->begin = make_label (NULL);
  self->end = make_label (NULL);
  self->times = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  /* Time runs to the right in all languages, as the plot has it. */
  gtk_widget_set_direction (self->times, GTK_TEXT_DIR_LTR);
  gtk_widget_set_direction (GTK_WIDGET (self->begin), GTK_TEXT_DIR_LTR);
  gtk_widget_set_hexpand (GTK_WIDGET (self->begin), TRUE);
  gtk_box_append (GTK_BOX (self->times), GTK_WIDGET (self->begin));
  gtk_box_append (GTK_BOX (self->times), GTK_WIDGET (self->end));
  gtk_widget_insert_before (GTK_WIDGET (self->top), chart, plot);
  gtk_widget_insert_after (self->times, chart, plot);
}

void
fp_chart_scale_clear (FpChartScale *self)
{
  if (!self->times)
    return;
  gtk_widget_unparent (GTK_WIDGET (self->top));
  gtk_widget_unparent (self->times);
  *self = (FpChartScale){ 0 };
}

/* A single moment has none. Free the text. */
static char *
describe_span (guint64 span_us)
{
  const guint seconds = (guint)(span_us / G_USEC_PER_SEC), minutes = (seconds + 30) / 60;

  if (seconds == 0)
    return g_strdup ("");
  /* Translators: how long ago a chart of time begins, in as few letters as possible */
  if (seconds < LEAST_MINUTES)
    return g_strdup_printf (_ ("%u s ago"), seconds);
  /* Translators: how long ago a chart of time begins, in as few letters as possible */
  if (minutes < LEAST_HOURS)
    return g_strdup_printf (_ ("%u min ago"), minutes);
  /* Translators: how long ago a chart of time begins, in as few letters as possible */
  return g_strdup_printf (_ ("%u h ago"), (minutes + 30) / 60);
}

static void
set_text (GtkLabel *label,
          const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

/* All of them in words */
void
fp_chart_scale_set_times (FpChartScale *self,
                          const char *top,
                          const char *begin,
                          const char *end)
{
  set_text (self->top, top);
  set_text (self->begin, begin);
  set_text (self->end, end);
}

/* It ends now. top: in words */
void
fp_chart_scale_set (FpChartScale *self,
                    const char *top,
                    guint64 span_us)
{
  g_autofree char *begin = describe_span (span_us);

  /* Translators: the right end of a chart of time */
  fp_chart_scale_set_times (self, top, begin, _ ("now"));
}
