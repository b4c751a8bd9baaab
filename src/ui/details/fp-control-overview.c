// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-bar.h"
#include "fp-chart.h"
#include "fp-column-sets.h"
#include "fp-control-overview.h"
#include "fp-control-values.h"
#include "fp-control-words.h"
#include "fp-display.h"
#include "fp-facts.h"
#include "fp-palette.h"

struct _FpControlOverview
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *scroller;
  GtkLabel *use;
  GtkWidget *parts;
  FpBar *bar;
  GtkLabel *legend;
  GtkLabel *limits;
  GtkLabel *wait;
  GtkLabel *read_back;
  GtkWidget *history;
  FpChart *chart;
  GtkGrid *facts;
  GtkWidget *difference;

  char *search; /* for its processes */
};

static guint processes_requested_signal;

G_DEFINE_FINAL_TYPE (FpControlOverview, fp_control_overview, GTK_TYPE_WIDGET)

static const FpColumnSet *const facts = &fp_column_sets[FP_COLUMN_SET_CONTROL_FACTS];

/* The parts add up to the memory, but for what the kernel gives no name. */
static const struct
{
  const char *name;
  FpFigureFunc *get_figure;
  const char *colour;
  FpPattern pattern;
} part_infos[] = {
  { N_ ("Own memory"), fp_value_control_own, FP_COLOUR_BLUE, FP_PATTERN_SOLID },
  { N_ ("Shared memory"), fp_value_control_shared, FP_COLOUR_GREEN, FP_PATTERN_SOLID },
  { N_ ("Cache"), fp_value_control_cache, FP_COLOUR_CYAN, FP_PATTERN_SOLID },
  { N_ ("Kernel"), fp_value_control_kernel, FP_COLOUR_GREY, FP_PATTERN_SOLID },
  { N_ ("In swap"), fp_value_control_swap, FP_COLOUR_PINK, FP_PATTERN_SOLID },
};

static void
show_parts (FpControlOverview *self,
            const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  FpBarPart parts[G_N_ELEMENTS (part_infos)];
  g_autofree char *legend = NULL;
  guint64 whole = 0;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (part_infos); i++)
    {
      FpFigure figure = part_infos[i].get_figure (records, index);

      if (!fp_figure_is_known (figure) || figure.low == 0)
        continue;
      parts[n++] = (FpBarPart){ _ (part_infos[i].name), figure.low, part_infos[i].colour, part_infos[i].pattern };
      whole += figure.low;
    }
  legend = fp_bar_make_legend (parts, n, format->memory_total, format->style);
  gtk_widget_set_visible (self->parts, n > 0);
  gtk_label_set_markup (self->legend, legend);
  fp_bar_set_parts (self->bar, _ ("What it is made of"), parts, n, whole, format->style);
}

/* text: (nullable): NULL hides it */
static void
show_text (GtkLabel *label,
           const char *text)
{
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
  if (text && g_strcmp0 (gtk_label_get_text (label), text) != 0)
    gtk_label_set_text (label, text);
}

/* A fact that is not known is hidden. */
static void
show_facts (FpControlOverview *self,
            const FpRecords *records,
            guint index,
            const FpFormat *format)
{
  const FpColumn *column;

  for (guint i = 0; (column = fp_column_set_get (facts, i)); i++)
    {
      g_autofree char *change = column->role == FP_ROLE_CHANGE ? fp_control_words_describe_change (records, index, format) : NULL;
      char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];

      fp_column_format (column, records, index, format, text, sizeof text);
      fp_display_escape (change ? change : text, shown, sizeof shown);
      fp_facts_show (self->facts, i, g_str_equal (shown, "—") ? "" : shown);
    }
}

/* A group without the memory controller has no line to draw, and a saved one has a single moment. */
static void
show_history (FpControlOverview *self,
              const FpRecords *records,
              guint index,
              const FpSessionState *state)
{
  guint n;
  const FpHistoryPoint *points = fp_history_get (fp_session_find_history (state, records, index), fp_records_get_key (records, index), &n);

  gtk_widget_set_visible (self->history, state->is_live && fp_control_records_get_groups (records)->has_memory && n > 0);
  fp_chart_set_points (self->chart, points, n, state->mark, &state->format);
}

void
fp_control_overview_update (FpControlOverview *self,
                            const FpRecords *records,
                            guint index,
                            const FpSessionState *state)
{
  const FpFormat *format = &state->format;
  g_autofree char *use = NULL, *limits = NULL, *wait = NULL, *read_back = NULL;

  g_return_if_fail (FP_IS_CONTROL_OVERVIEW (self));

  use = fp_control_words_describe_use (records, index, format);
  limits = fp_control_words_describe_limits (records, index, format);
  wait = fp_control_words_describe_wait (records, index, format);
  read_back = fp_control_words_describe_read_back (records, index, format);
  show_text (self->use, use);
  show_text (self->limits, limits);
  show_text (self->wait, wait);
  show_text (self->read_back, read_back);
  show_parts (self, records, index, format);
  show_history (self, records, index, state);
  show_facts (self, records, index, format);
  gtk_widget_set_visible (self->difference, fp_figure_is_known (fp_value_control_memory (records, index)));
  g_free (self->search);
  self->search = fp_control_words_make_search (records, index);
}

static void
show_processes_cb (FpControlOverview *self)
{
  if (self->search)
    g_signal_emit (self, processes_requested_signal, 0, self->search);
}

static void
fp_control_overview_dispose (GObject *object)
{
  g_clear_pointer (&FP_CONTROL_OVERVIEW (object)->scroller, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_control_overview_parent_class)->dispose (object);
}

static void
fp_control_overview_finalize (GObject *object)
{
  g_free (FP_CONTROL_OVERVIEW (object)->search);

  G_OBJECT_CLASS (fp_control_overview_parent_class)->finalize (object);
}

static void
fp_control_overview_class_init (FpControlOverviewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_control_overview_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_control_overview_finalize;

  processes_requested_signal = g_signal_new ("processes-requested", FP_TYPE_CONTROL_OVERVIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (FP_TYPE_BAR);
  g_type_ensure (FP_TYPE_CHART);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-control-overview.ui");
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, scroller);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, use);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, parts);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, bar);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, legend);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, limits);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, wait);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, read_back);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, history);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, chart);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, facts);
  gtk_widget_class_bind_template_child (widget_class, FpControlOverview, difference);
  gtk_widget_class_bind_template_callback (widget_class, show_processes_cb);
}

static void
fp_control_overview_init (FpControlOverview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_chart_set_kind (self->chart, FP_RECORD_CONTROL_GROUP);
  fp_facts_add (self->facts, facts);
}
