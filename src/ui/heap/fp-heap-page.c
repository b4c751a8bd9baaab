// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-drop-down.h"
#include "fp-flame-graph.h"
#include "fp-heap-chart.h"
#include "fp-heap-functions.h"
#include "fp-heap-page.h"
#include "fp-heap-size-records.h"
#include "fp-heap-steps.h"
#include "fp-heap-words.h"
#include "fp-rows-export.h"
#include "fp-shrinker.h"
#include "fp-text-width.h"

#define WIDE   860 /* pixels: the tools have room side by side */
#define NARROW 720 /* and the names of all parts, and more than one figure */

struct _FpHeapPage
{
  GtkWidget parent;

  /* Template widgets */
  GtkLabel *condition;
  GtkLabel *sentence;
  FpHeapChart *chart;
  GtkWidget *range;
  AdwButtonContent *range_words;
  GtkBox *tools;
  GtkWidget *switcher;
  GtkDropDown *chooser; /* in place of the switcher, where that has no room */
  GtkWidget *moments;
  GtkToggleButton *peak;
  GtkToggleButton *rss;
  GtkToggleButton *end;
  GtkDropDown *costs;
  GtkStack *parts;

  FpHeapTable *libraries;
  FpHeapFunctions *functions;
  FpHeapSteps *steps;
  FpHeapTable *sizes;
  FpFlameGraph *graph;
  GtkStack *graph_stack;
  AdwStatusPage *no_graph;
  GtkStringList *titles;     /* of the costs that are known, in their order */
  FpHeapScene *scene;        /* (nullable) */
  GCancellable *cancellable; /* while another one is made */
  FpHeapSpan span;           /* the one that was chosen last */
  GHashTable *found;         /* (nullable): keys of the functions that a search finds */
  FpRecords *searched;       /* (nullable): the functions that were searched for them */
  FpHeapCost cost;           /* the one that was chosen last; a range may not have it */
  FpFigureStyle style;
  gboolean is_outdated; /* another scene is wanted than the one that is made */
  gboolean is_filling;  /* the choice of costs */
  gboolean is_searching;
};

G_DEFINE_FINAL_TYPE (FpHeapPage, fp_heap_page, GTK_TYPE_WIDGET)

static guint64
get_end_ms (FpHeapPage *self)
{
  const GArray *intervals = self->scene->profile->states.intervals;

  return intervals->len > 0 ? g_array_index (intervals, FpHeapInterval, intervals->len - 1).time_ms : 0;
}

/* The moment at which the process had the most memory; 0: the file does not tell it */
static guint64
get_rss_ms (FpHeapPage *self)
{
  const GArray *intervals = self->scene->profile->states.intervals;
  guint64 highest = 0, time_ms = 0;

  for (guint i = 0; i < intervals->len; i++)
    if (g_array_index (intervals, FpHeapInterval, i).rss > highest)
      {
        highest = g_array_index (intervals, FpHeapInterval, i).rss;
        time_ms = g_array_index (intervals, FpHeapInterval, i).time_ms;
      }
  return time_ms;
}

static gboolean
is_known (FpHeapPage *self,
          FpHeapCost cost)
{
  return (self->scene->excerpt.known & 1 << cost) != 0;
}

/* FP_HEAP_N_COSTS: none is known */
static FpHeapCost
get_cost (FpHeapPage *self)
{
  guint place = gtk_drop_down_get_selected (self->costs), n = 0;

  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (is_known (self, cost) && n++ == place)
      return cost;
  return FP_HEAP_N_COSTS;
}

/* Where a moment can be chosen, the buttons and the chart say which one it is. */
static const char *
get_title (FpHeapPage *self,
           FpHeapCost cost)
{
  if (cost == FP_HEAP_PEAK && fp_heap_span_is_range (&self->scene->span))
    return _ ("Growth");
  if (cost == FP_HEAP_PEAK && fp_heap_scene_has_moments (self->scene))
    return _ ("In Use");
  return fp_heap_get_cost_title (self->scene->profile, cost);
}

static void
fill_costs (FpHeapPage *self)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  guint place = 0;

  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (is_known (self, cost))
      {
        place = cost == self->cost ? titles->len : place;
        g_ptr_array_add (titles, (gpointer)get_title (self, cost));
      }
  g_ptr_array_add (titles, NULL);
  self->is_filling = TRUE;
  gtk_string_list_splice (self->titles, 0, g_list_model_get_n_items (G_LIST_MODEL (self->titles)), (const char *const *)titles->pdata);
  gtk_drop_down_set_selected (self->costs, place);
  self->is_filling = FALSE;
}

/* NULL: the graph is shown */
static FpHeapTable *
get_table (FpHeapPage *self)
{
  GtkWidget *shown = gtk_stack_get_visible_child (self->parts);

  if (FP_IS_HEAP_FUNCTIONS (shown))
    return fp_heap_functions_get_table (self->functions);
  if (FP_IS_HEAP_STEPS (shown))
    return fp_heap_steps_get_table (self->steps);
  return FP_IS_HEAP_TABLE (shown) ? FP_HEAP_TABLE (shown) : NULL;
}

static const char *
describe_nothing (FpHeapPage *self,
                  FpHeapCost cost)
{
  const FpHeapProfile *profile = self->scene->profile;

  switch (cost)
    {
    case FP_HEAP_LEAKED:
      return profile->is_snapshot || profile->condition != FP_HEAP_COMPLETE ? _ ("Nothing was in use at this moment.") : _ ("All of it was freed.");
    case FP_HEAP_TEMPORARY:
      return _ ("No allocation was temporary.");
    case FP_HEAP_CALLS:
      return _ ("Nothing was allocated.");
    case FP_HEAP_PEAK:
    case FP_HEAP_N_COSTS:
    default:
      return fp_heap_span_is_range (&self->scene->span) ? _ ("Nothing grew in this range.") : _ ("Nothing was in use at this moment.");
    }
}

/* The list of functions tells the tree and the graph what a search finds. */
static void
find_functions (FpHeapPage *self,
                const FpHeapChoice *choice)
{
  if (self->searched == self->scene->functions)
    return;
  g_clear_pointer (&self->searched, fp_records_unref);
  g_clear_pointer (&self->found, g_hash_table_unref);
  self->searched = fp_records_ref (self->scene->functions);
  if (!self->is_searching)
    return;
  fp_heap_functions_show (self->functions, self->scene, choice);
  self->found = fp_heap_table_list_found (fp_heap_functions_get_table (self->functions));
}

static void
show_graph (FpHeapPage *self,
            const FpHeapChoice *choice)
{
  find_functions (self, choice);
  fp_flame_graph_set_found (self->graph, self->found ? g_hash_table_ref (self->found) : NULL);
  if (fp_flame_graph_show (self->graph, self->scene->excerpt.tree, self->scene->excerpt.stacks, choice))
    gtk_stack_set_visible_child_name (self->graph_stack, "graph");
  else
    {
      adw_status_page_set_description (self->no_graph, describe_nothing (self, choice->cost));
      gtk_stack_set_visible_child_name (self->graph_stack, "nothing");
    }
}

static void make_scene (FpHeapPage *self);

/* Steps are made when they are to be seen. */
static void
show_steps (FpHeapPage *self,
            const FpHeapChoice *choice)
{
  const FpHeapWish *made = &self->scene->wish;

  find_functions (self, choice);
  if (self->scene->steps && made->direction == fp_heap_steps_get_direction (self->steps) && made->found == self->found)
    fp_heap_table_show (fp_heap_steps_get_table (self->steps), self->scene->steps, choice);
  else
    make_scene (self);
}

/* They are of the whole recording. */
static void
show_sizes (FpHeapPage *self)
{
  g_autoptr (FpRecords) records = fp_heap_size_records_new (self->scene->profile);

  fp_heap_table_show_sizes (self->sizes, records, self->style);
}

/* Hidden parts catch up when they are shown. */
static void
show_part (FpHeapPage *self)
{
  GtkWidget *shown = gtk_stack_get_visible_child (self->parts);
  FpHeapCost cost = get_cost (self);
  const FpHeapChoice choice = { .cost = cost, .title = cost < FP_HEAP_N_COSTS ? get_title (self, cost) : "", .style = self->style };

  if (cost == FP_HEAP_N_COSTS)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->costs), shown != GTK_WIDGET (self->sizes));
  if (shown == GTK_WIDGET (self->sizes))
    show_sizes (self);
  else if (FP_IS_HEAP_FUNCTIONS (shown))
    fp_heap_functions_show (self->functions, self->scene, &choice);
  else if (FP_IS_HEAP_STEPS (shown))
    show_steps (self, &choice);
  else if (FP_IS_HEAP_TABLE (shown))
    fp_heap_table_show (self->libraries, self->scene->libraries, &choice);
  else
    show_graph (self, &choice);
}

static gboolean
is_at (FpHeapPage *self,
       guint64 time_ms)
{
  return !fp_heap_span_is_range (&self->span) && self->span.to_ms == time_ms;
}

static void
show_span (FpHeapPage *self)
{
  gboolean has_moments = fp_heap_scene_has_moments (self->scene), is_range = fp_heap_span_is_range (&self->span);
  guint64 rss_ms = get_rss_ms (self);

  gtk_widget_set_visible (GTK_WIDGET (self->chart), has_moments);
  gtk_widget_set_visible (self->moments, has_moments);
  gtk_widget_set_visible (GTK_WIDGET (self->rss), rss_ms > 0);
  gtk_toggle_button_set_active (self->peak, is_at (self, FP_HEAP_AT_PEAK));
  gtk_toggle_button_set_active (self->rss, has_moments && is_at (self, rss_ms));
  gtk_toggle_button_set_active (self->end, has_moments && is_at (self, get_end_ms (self)));
  gtk_widget_set_visible (self->range, is_range);
  if (is_range)
    {
      g_autofree char *words = fp_heap_format_range (self->span.from_ms, self->span.to_ms);

      adw_button_content_set_label (self->range_words, words);
    }
}

static void
show_scene (FpHeapPage *self)
{
  gtk_label_set_text (self->sentence, self->scene->sentence);
  gtk_label_set_text (self->condition, self->scene->condition ? self->scene->condition : "");
  gtk_widget_set_visible (GTK_WIDGET (self->condition), self->scene->condition != NULL);
  fill_costs (self);
  show_span (self);
  show_part (self);
}

static void
made_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  g_autoptr (FpHeapPage) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapScene) scene = fp_heap_scene_finish (result, &error);

  if (!scene)
    return;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);
  self->scene = g_steal_pointer (&scene);
  if (self->is_outdated)
    make_scene (self);
  show_scene (self);
}

/* One at a time: who drags along the course gets those that can be made meanwhile, and the last one. */
static void
make_scene (FpHeapPage *self)
{
  FpHeapWish wish;

  self->is_outdated = self->cancellable != NULL;
  if (self->is_outdated)
    return;
  self->cancellable = g_cancellable_new ();
  wish = (FpHeapWish){
    .span = self->span,
    .style = self->style,
    .has_steps = FP_IS_HEAP_STEPS (gtk_stack_get_visible_child (self->parts)),
    .direction = fp_heap_steps_get_direction (self->steps),
    .found = self->found,
  };
  fp_heap_scene_move_async (self->scene, &wish, self->cancellable, made_cb, g_object_ref (self));
}

static void
choose_span (FpHeapPage *self,
             guint64 from_ms,
             guint64 to_ms)
{
  self->span = (FpHeapSpan){ from_ms, to_ms };
  show_span (self);
  make_scene (self);
}

static void
choose_moment (FpHeapPage *self,
               guint64 time_ms)
{
  fp_heap_chart_set_span (self->chart, &(FpHeapSpan){ FP_HEAP_NO_RANGE, time_ms });
  choose_span (self, FP_HEAP_NO_RANGE, time_ms);
}

static void
span_cb (FpHeapPage *self,
         guint64 from_ms,
         guint64 to_ms)
{
  choose_span (self, from_ms, to_ms);
}

static void
peak_cb (FpHeapPage *self)
{
  choose_moment (self, FP_HEAP_AT_PEAK);
}

static void
rss_cb (FpHeapPage *self)
{
  choose_moment (self, get_rss_ms (self));
}

static void
end_cb (FpHeapPage *self)
{
  choose_moment (self, get_end_ms (self));
}

/* The end of the range stays. The focus would go away with the button. */
static void
range_cb (FpHeapPage *self)
{
  choose_moment (self, self->span.to_ms);
  gtk_widget_grab_focus (GTK_WIDGET (self->chart));
}

static void
direction_cb (FpHeapPage *self)
{
  if (self->scene)
    show_part (self);
}

static void
cost_cb (FpHeapPage *self)
{
  if (!self->scene || self->is_filling)
    return;
  self->cost = get_cost (self);
  show_part (self);
}

/* Lists can be copied and exported, the graph can be saved. */
static void
part_cb (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);
  g_autoptr (GtkBitset) shown = gtk_selection_model_get_selection (pages);

  gtk_drop_down_set_selected (self->chooser, gtk_bitset_get_minimum (shown));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "heap.copy", get_table (self) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "heap.export", get_table (self) != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "heap.save-graph", get_table (self) == NULL);
  if (self->scene)
    show_part (self);
}

static void
chosen_cb (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);

  guint chosen = gtk_drop_down_get_selected (self->chooser);

  if (chosen != GTK_INVALID_LIST_POSITION)
    gtk_selection_model_select_item (pages, chosen, TRUE);
}

static void
copy_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  fp_heap_table_copy (get_table (FP_HEAP_PAGE (widget)));
}

static void
export_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  FpHeapPage *self = FP_HEAP_PAGE (widget);
  g_autofree char *file = g_strdup_printf ("%s.csv", gtk_stack_get_visible_child_name (self->parts));

  fp_heap_table_export (get_table (self), file);
}

/* The sentence of the window is about the whole recording. Free the text. */
static char *
describe_graph (FpHeapPage *self)
{
  const FpHeapSpan *span = &self->scene->span;
  const GArray *stacks = self->scene->excerpt.stacks;

  if (fp_heap_span_is_range (span))
    return fp_heap_describe_range (stacks, span->from_ms, span->to_ms, self->style);
  if (span->to_ms != FP_HEAP_AT_PEAK)
    return fp_heap_describe_moment (stacks, span->to_ms, self->style);
  return g_strdup (self->scene->sentence);
}

static void
save_graph_cb (GtkWidget *widget,
               const char *name,
               GVariant *parameter)
{
  FpHeapPage *self = FP_HEAP_PAGE (widget);
  g_autofree char *title = describe_graph (self);

  fp_rows_export_ask_text (widget, fp_flame_graph_write_svg (self->graph, title), _ ("Save Flame Graph (.svg)"),
                           "flame-graph.svg");
}

static void
fp_heap_page_dispose (GObject *object)
{
  FpHeapPage *self = FP_HEAP_PAGE (object);
  GtkWidget *child;

  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->titles);
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->searched, fp_records_unref);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);

  G_OBJECT_CLASS (fp_heap_page_parent_class)->dispose (object);
}

static void
fp_heap_page_class_init (FpHeapPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_heap_page_dispose;

  g_type_ensure (FP_TYPE_HEAP_CHART);
  g_type_ensure (FP_TYPE_SHRINKER);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-heap-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, condition);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, sentence);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, chart);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, range);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, range_words);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, tools);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, switcher);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, chooser);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, moments);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, peak);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, rss);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, end);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, costs);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, parts);
  gtk_widget_class_bind_template_callback (widget_class, span_cb);
  gtk_widget_class_bind_template_callback (widget_class, range_cb);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, peak_cb);
  gtk_widget_class_bind_template_callback (widget_class, rss_cb);
  gtk_widget_class_bind_template_callback (widget_class, end_cb);
  gtk_widget_class_bind_template_callback (widget_class, cost_cb);
  gtk_widget_class_install_action (widget_class, "heap.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "heap.export", NULL, export_cb);
  gtk_widget_class_install_action (widget_class, "heap.save-graph", NULL, save_graph_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "heap.copy", NULL);
}

static void
add_graph (FpHeapPage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *back = gtk_button_new_with_mnemonic (_ ("Show _All"));

  self->graph = g_object_new (FP_TYPE_FLAME_GRAPH, NULL);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->graph));
  gtk_widget_set_margin_start (scroller, 12);
  gtk_widget_set_margin_end (scroller, 12);
  gtk_widget_set_vexpand (scroller, TRUE);
  /* The graph scrolls to its frames by itself. */
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroller))), FALSE);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_widget_set_halign (back, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (back, 6);
  gtk_widget_set_margin_bottom (back, 12);
  g_object_bind_property (self->graph, "is-zoomed", back, "visible", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (back, "clicked", G_CALLBACK (fp_flame_graph_show_all), self->graph, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), back);
  self->no_graph = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_title (self->no_graph, _ ("Nothing to Show"));
  gtk_widget_add_css_class (GTK_WIDGET (self->no_graph), "compact");
  self->graph_stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->graph_stack, box, "graph");
  gtk_stack_add_named (self->graph_stack, GTK_WIDGET (self->no_graph), "nothing");
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->graph_stack), "graph", _ ("Flame Graph"));
}

/* The names of the parts, for windows that are too narrow for a switcher. Only the last one may be hidden. */
static void
fill_chooser (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      if (gtk_stack_page_get_visible (GTK_STACK_PAGE (page)))
        gtk_string_list_append (titles, gtk_stack_page_get_title (GTK_STACK_PAGE (page)));
    }
  gtk_drop_down_set_model (self->chooser, G_LIST_MODEL (titles));
}

static void
fp_heap_page_init (FpHeapPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->span = (FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK };
  self->titles = gtk_string_list_new (NULL);
  gtk_drop_down_set_model (self->costs, G_LIST_MODEL (self->titles));
  /* Translators: the action: what to show is chosen behind it */
  fp_drop_down_set_name (self->costs, _ ("Show"));
  fp_drop_down_set_name (self->chooser, _ ("View"));
  self->functions = g_object_new (FP_TYPE_HEAP_FUNCTIONS, NULL);
  /* Translators: a list of libraries */
  self->libraries = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_LIBRARIES, _ ("Libraries")));
  self->steps = g_object_new (FP_TYPE_HEAP_STEPS, NULL);
  g_signal_connect_object (self->steps, "direction-chosen", G_CALLBACK (direction_cb), self, G_CONNECT_SWAPPED);
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->functions), "functions", _ ("Functions"));
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->libraries), "libraries", _ ("Libraries"));
  /* Translators: a list of functions, with those below them that they call */
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->steps), "tree", _ ("Tree"));
  add_graph (self);
  /* Translators: a list of the sizes of blocks of memory */
  self->sizes = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_SIZES, _ ("Sizes")));
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->sizes), "sizes", _ ("Sizes"));
  g_signal_connect_object (self->parts, "notify::visible-child", G_CALLBACK (part_cb), self, G_CONNECT_SWAPPED);
  part_cb (self);
}

/* scene: that of the peak */
void
fp_heap_page_show (FpHeapPage *self,
                   FpHeapScene *scene)
{
  g_autoptr (FpRecords) records = NULL;

  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  fp_heap_scene_ref (scene);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);
  self->scene = scene;
  fp_heap_chart_set_profile (self->chart, scene->profile);
  records = fp_heap_size_records_new (scene->profile);
  gtk_stack_page_set_visible (gtk_stack_get_page (self->parts, GTK_WIDGET (self->sizes)), records->n > 0);
  fill_chooser (self);
  show_scene (self);
}

void
fp_heap_page_set_style (FpHeapPage *self,
                        FpFigureStyle style)
{
  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  if (self->style == style)
    return;
  self->style = style;
  fp_heap_chart_set_style (self->chart, style);
  if (self->scene)
    make_scene (self);
}

void
fp_heap_page_set_search (FpHeapPage *self,
                         const char *text)
{
  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  self->is_searching = *text != '\0';
  g_clear_pointer (&self->searched, fp_records_unref);
  fp_heap_table_set_search (self->libraries, text);
  fp_heap_table_set_search (fp_heap_functions_get_table (self->functions), text);
  fp_heap_table_set_search (fp_heap_steps_get_table (self->steps), text);
  if (self->scene)
    show_part (self);
}

/* The part that is shown gets it. */
void
fp_heap_page_focus (FpHeapPage *self)
{
  FpHeapTable *table;

  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  table = get_table (self);
  if (table)
    fp_heap_table_focus (table);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}

/* Words are longer in some languages than the usual width has room for. Side by side or not, each tool says what it needs. */
static double
measure_tools (FpHeapPage *self)
{
  GtkWidget *tools = GTK_WIDGET (self->tools);
  int sum = gtk_widget_get_margin_start (tools) + gtk_widget_get_margin_end (tools);

  for (GtkWidget *tool = gtk_widget_get_first_child (tools); tool; tool = gtk_widget_get_next_sibling (tool))
    {
      int width;

      gtk_widget_measure (tool, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      sum += width + gtk_box_get_spacing (self->tools);
    }
  return sum / fp_text_width_get_scale (GTK_WIDGET (self));
}

/* The tools stand below each other where there is no room for all of them side by side. width: in pixels at the usual text
 * size */
void
fp_heap_page_set_width (FpHeapPage *self,
                        double width)
{
  gboolean is_narrow = width < NARROW;

  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->tools), width < MAX (WIDE, measure_tools (self)) ? GTK_ORIENTATION_VERTICAL
                                                                                                         : GTK_ORIENTATION_HORIZONTAL);
  if (is_narrow)
    gtk_widget_add_css_class (self->moments, "narrow");
  else
    gtk_widget_remove_css_class (self->moments, "narrow");
  gtk_widget_set_visible (self->switcher, !is_narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->chooser), is_narrow);
  fp_heap_table_set_narrow (self->libraries, is_narrow);
  fp_heap_functions_set_narrow (self->functions, is_narrow);
  fp_heap_table_set_narrow (fp_heap_steps_get_table (self->steps), is_narrow);
  fp_heap_table_set_narrow (self->sizes, is_narrow);
}
