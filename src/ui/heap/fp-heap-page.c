// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-drop-down.h"
#include "fp-heap-chart.h"
#include "fp-heap-functions.h"
#include "fp-heap-graph.h"
#include "fp-heap-page.h"
#include "fp-heap-process.h"
#include "fp-heap-size-records.h"
#include "fp-heap-steps.h"
#include "fp-heap-words.h"
#include "fp-names-label.h"
#include "fp-shrinker.h"
#include "fp-text-saver.h"
#include "fp-text-width.h"

#define WIDE       860 /* pixels: the tools have room side by side */
#define NARROW     720 /* and the names of all parts */
#define ONE_FIGURE 480 /* a list has room for no more beside names */
#define LOW        400

struct _FpHeapPage
{
  GtkWidget parent;

  /* Template widgets */
  GtkLabel *condition;
  GtkLabel *sentence;
  GtkLabel *process_words;
  FpHeapChart *chart;
  GtkWidget *range;
  AdwButtonContent *range_words;
  GtkWidget *compared;
  GtkLabel *compared_words;
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
  FpHeapGraph *graph;
  FpHeapScene *scene;        /* (nullable) */
  FpHeapProcess *process;    /* (nullable): that was recorded, where it still lives */
  GCancellable *cancellable; /* while another one is made */
  FpHeapSpan span;           /* the one that was chosen last */
  guint64 mark_ms;           /* the moment to compare with; FP_HEAP_NO_MARK: none */
  FpHeapProfile *earlier;    /* (nullable): the file to compare with */
  char *names[2];            /* of that file and of this one */
  GHashTable *found;         /* (nullable): keys of the functions that a search finds */
  FpRecords *searched;       /* (nullable): the functions that were searched for them */
  FpHeapCost cost;           /* the one that was chosen last; a range may not have it */
  FpFigureStyle style;
  gboolean is_outdated; /* another scene is wanted than the one that is made */
  gboolean is_filling;  /* the choices of costs and of parts */
  gboolean is_searching;
};

G_DEFINE_FINAL_TYPE (FpHeapPage, fp_heap_page, GTK_TYPE_WIDGET)

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

static void
fill_costs (FpHeapPage *self)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  guint place = 0;

  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (is_known (self, cost))
      {
        place = cost == self->cost ? titles->len : place;
        g_ptr_array_add (titles, (gpointer)fp_heap_scene_get_cost_title (self->scene, cost));
      }
  g_ptr_array_add (titles, NULL);
  self->is_filling = TRUE;
  fp_drop_down_set_titles (self->costs, (const char *const *)titles->pdata);
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

static void make_scene (FpHeapPage *self);

/* Steps are made when they are to be seen. */
static void
show_steps (FpHeapPage *self,
            const FpHeapChoice *choice)
{
  FpHeapScene *scene = self->scene;

  find_functions (self, choice);
  if (scene->steps && scene->wish.direction == fp_heap_steps_get_direction (self->steps) && scene->wish.found == self->found)
    fp_heap_table_show (fp_heap_steps_get_table (self->steps), self->scene->steps, choice);
  else
    make_scene (self);
}

/* Hidden parts catch up when they are shown. */
static void
show_part (FpHeapPage *self)
{
  GtkWidget *shown = gtk_stack_get_visible_child (self->parts);
  FpHeapCost cost = get_cost (self);
  const FpHeapChoice choice = { .cost = cost, .title = cost < FP_HEAP_N_COSTS ? fp_heap_scene_get_cost_title (self->scene, cost) : "", .style = self->style };

  if (cost == FP_HEAP_N_COSTS)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self->costs), shown != GTK_WIDGET (self->sizes));
  if (shown == GTK_WIDGET (self->sizes))
    {
      g_autoptr (FpRecords) records = fp_heap_size_records_new (self->scene->profile);

      fp_heap_table_show_sizes (self->sizes, records, self->style);
    }
  else if (FP_IS_HEAP_FUNCTIONS (shown))
    fp_heap_functions_show (self->functions, self->scene, &choice);
  else if (FP_IS_HEAP_STEPS (shown))
    show_steps (self, &choice);
  else if (FP_IS_HEAP_TABLE (shown))
    fp_heap_table_show (self->libraries, self->scene->libraries, &choice);
  else
    {
      find_functions (self, &choice);
      fp_heap_graph_show (self->graph, self->scene, self->found, &choice);
    }
}

static gboolean
is_at (FpHeapPage *self,
       guint64 time_ms)
{
  return !fp_heap_span_is_range (&self->span) && self->span.to_ms == time_ms;
}

static gboolean
is_at_end (FpHeapPage *self)
{
  return fp_heap_scene_has_moments (self->scene) && is_at (self, fp_heap_scene_get_end_ms (self->scene));
}

static void
show_span (FpHeapPage *self)
{
  gboolean has_moments = !self->earlier && fp_heap_scene_has_moments (self->scene);
  gboolean is_range = !self->earlier && fp_heap_span_is_range (&self->span);
  guint64 rss_ms = fp_heap_scene_get_rss_ms (self->scene);

  gtk_widget_set_visible (GTK_WIDGET (self->chart), has_moments);
  gtk_widget_set_visible (self->moments, has_moments);
  gtk_widget_set_visible (GTK_WIDGET (self->rss), rss_ms > 0);
  gtk_toggle_button_set_active (self->peak, is_at (self, FP_HEAP_AT_PEAK));
  gtk_toggle_button_set_active (self->rss, has_moments && is_at (self, rss_ms));
  gtk_toggle_button_set_active (self->end, has_moments && is_at_end (self));
  gtk_widget_set_visible (self->range, is_range);
  if (is_range)
    {
      g_autofree char *words = fp_heap_format_range (self->span.from_ms, self->span.to_ms);

      adw_button_content_set_label (self->range_words, words);
    }
}

static void
show_comparison (FpHeapPage *self)
{
  g_autofree char *words = NULL;

  gtk_widget_set_visible (self->compared, self->earlier || self->mark_ms != FP_HEAP_NO_MARK);
  fp_heap_chart_set_mark (self->chart, self->mark_ms);
  if (self->earlier)
    words = g_strdup_printf (_ ("Compared with %s"), self->names[0]);
  else if (self->mark_ms == FP_HEAP_AT_PEAK)
    words = g_strdup (_ ("Since the peak"));
  else if (self->mark_ms != FP_HEAP_NO_MARK)
    {
      g_autofree char *time = fp_heap_format_time (self->mark_ms);

      /* Translators: a time of a recording, such as “2.5 s” */
      words = g_strdup_printf (C_ ("recording", "Since %s"), time);
    }
  if (!words)
    return;
  gtk_label_set_text (self->compared_words, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->compared), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

/* The names of the parts, for windows that are too narrow for a switcher. Only the last one may be hidden. */
static void
fill_chooser (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);
  g_autoptr (GtkBitset) shown = gtk_selection_model_get_selection (pages);
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)); i++)
    {
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      if (gtk_stack_page_get_visible (GTK_STACK_PAGE (page)))
        gtk_string_list_append (titles, gtk_stack_page_get_title (GTK_STACK_PAGE (page)));
    }
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->chooser, G_LIST_MODEL (titles));
  gtk_drop_down_set_selected (self->chooser, gtk_bitset_get_minimum (shown));
  self->is_filling = FALSE;
}

/* Sizes are of one recording as a whole. */
static void
offer_sizes (FpHeapPage *self)
{
  GtkStackPage *page = gtk_stack_get_page (self->parts, GTK_WIDGET (self->sizes));
  g_autoptr (FpRecords) records = fp_heap_size_records_new (self->scene->profile);
  gboolean is_offered = records->n > 0 && !fp_heap_wish_is_compared (&self->scene->wish);

  if (!is_offered && gtk_stack_get_visible_child (self->parts) == GTK_WIDGET (self->sizes))
    gtk_stack_set_visible_child (self->parts, GTK_WIDGET (self->functions));
  if (gtk_stack_page_get_visible (page) != is_offered)
    {
      gtk_stack_page_set_visible (page, is_offered);
      fill_chooser (self);
    }
}

/* Lists can be copied and exported, the graph can be saved. */
static void
update_actions (FpHeapPage *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean has_table = get_table (self) != NULL, has_cost = self->scene && get_cost (self) < FP_HEAP_N_COSTS;

  gtk_widget_action_set_enabled (widget, "heap.copy", has_table);
  gtk_widget_action_set_enabled (widget, "heap.export", has_table);
  gtk_widget_action_set_enabled (widget, "heap.save-graph", !has_table && has_cost);
  gtk_widget_action_set_enabled (widget, "heap.mark", self->scene && !self->earlier && fp_heap_scene_has_moments (self->scene));
}

/* A comparison is about two recordings. */
static void
show_process (FpHeapPage *self)
{
  g_autofree char *words = NULL;

  if (self->process && !fp_heap_wish_is_compared (&self->scene->wish))
    words = fp_heap_process_describe (self->scene->profile, self->process->pid, self->process->mappings, self->style);
  gtk_label_set_text (self->process_words, words ? words : "");
  gtk_widget_set_visible (GTK_WIDGET (self->process_words), words != NULL);
}

static void
show_scene (FpHeapPage *self)
{
  gtk_label_set_text (self->sentence, self->scene->sentence);
  gtk_label_set_text (self->condition, self->scene->condition ? self->scene->condition : "");
  gtk_widget_set_visible (GTK_WIDGET (self->condition), self->scene->condition != NULL);
  show_process (self);
  offer_sizes (self);
  fill_costs (self);
  show_span (self);
  show_comparison (self);
  show_part (self);
  update_actions (self);
}

/* The end of a recording that grows moves on, and takes along who looks at it. scene: (transfer full) */
static void
take_scene (FpHeapPage *self,
            FpHeapScene *scene)
{
  gboolean has_grown = self->scene->profile != scene->profile;

  if (has_grown && is_at_end (self))
    self->span.to_ms = fp_heap_scene_get_end_ms (scene);
  fp_heap_scene_unref (self->scene);
  self->scene = scene;
  if (!has_grown)
    return;
  fp_heap_chart_set_profile (self->chart, scene->profile);
  fp_heap_chart_set_span (self->chart, &self->span);
}

/* A comparison that was chosen or ended meanwhile is not shown before its scene is there. */
static gboolean
is_wanted (FpHeapPage *self)
{
  const FpHeapWish *wish = &self->scene->wish;

  return wish->earlier == self->earlier && wish->mark_ms == self->mark_ms;
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
  take_scene (self, g_steal_pointer (&scene));
  if (self->is_outdated)
    make_scene (self);
  if (!self->cancellable || is_wanted (self))
    show_scene (self);
}

static void
make_scene_from (FpHeapPage *self,
                 FpHeapScene *from,
                 const FpHeapSpan *span)
{
  const FpHeapWish wish = {
    .span = *span,
    .mark_ms = self->mark_ms,
    .earlier = self->earlier,
    .names = { self->names[0], self->names[1] },
    .style = self->style,
    .has_steps = FP_IS_HEAP_STEPS (gtk_stack_get_visible_child (self->parts)),
    .direction = fp_heap_steps_get_direction (self->steps),
    .found = self->found,
  };

  self->cancellable = g_cancellable_new ();
  fp_heap_scene_move_async (from, &wish, self->cancellable, made_cb, g_object_ref (self));
}

/* One at a time: who drags along the course gets those that can be made meanwhile, and the last one. */
static void
make_scene (FpHeapPage *self)
{
  self->is_outdated = self->cancellable != NULL;
  if (!self->is_outdated)
    make_scene_from (self, self->scene, &self->span);
}

static void
drop_comparison (FpHeapPage *self)
{
  self->mark_ms = FP_HEAP_NO_MARK;
  g_clear_pointer (&self->earlier, fp_heap_profile_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_clear_pointer (&self->names[i], g_free);
}

static void
choose_span (FpHeapPage *self,
             guint64 from_ms,
             guint64 to_ms)
{
  self->span = (FpHeapSpan){ from_ms, to_ms };
  /* A range tells by itself what has changed within. */
  if (fp_heap_span_is_range (&self->span))
    drop_comparison (self);
  show_span (self);
  show_comparison (self);
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
  choose_moment (self, fp_heap_scene_get_rss_ms (self->scene));
}

static void
end_cb (FpHeapPage *self)
{
  choose_moment (self, fp_heap_scene_get_end_ms (self->scene));
}

static void
show_compared (FpHeapPage *self)
{
  show_span (self);
  show_comparison (self);
  update_actions (self);
  make_scene (self);
}

/* The focus would go away with the button. */
static void
compared_cb (FpHeapPage *self)
{
  drop_comparison (self);
  show_compared (self);
  fp_heap_page_focus (self);
}

/* The end of a range is marked. */
static void
mark_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  FpHeapPage *self = FP_HEAP_PAGE (widget);

  self->mark_ms = self->span.to_ms;
  self->span.from_ms = FP_HEAP_NO_RANGE;
  fp_heap_chart_set_span (self->chart, &self->span);
  show_compared (self);
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

static void
part_cb (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);
  g_autoptr (GtkBitset) shown = gtk_selection_model_get_selection (pages);

  gtk_drop_down_set_selected (self->chooser, gtk_bitset_get_minimum (shown));
  update_actions (self);
  if (self->scene)
    show_part (self);
}

static void
chosen_cb (FpHeapPage *self)
{
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (self->parts);

  guint chosen = gtk_drop_down_get_selected (self->chooser);

  if (chosen != GTK_INVALID_LIST_POSITION && !self->is_filling)
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

static void
save_graph_cb (GtkWidget *widget,
               const char *name,
               GVariant *parameter)
{
  fp_heap_graph_ask_to_save (FP_HEAP_PAGE (widget)->graph);
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
  g_clear_pointer (&self->found, g_hash_table_unref);
  g_clear_pointer (&self->searched, fp_records_unref);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);
  drop_comparison (self);
  g_clear_pointer (&self->process, fp_heap_process_free);

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
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, process_words);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, chart);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, range);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, range_words);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, compared);
  gtk_widget_class_bind_template_child (widget_class, FpHeapPage, compared_words);
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
  gtk_widget_class_bind_template_callback (widget_class, compared_cb);
  gtk_widget_class_bind_template_callback (widget_class, chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, peak_cb);
  gtk_widget_class_bind_template_callback (widget_class, rss_cb);
  gtk_widget_class_bind_template_callback (widget_class, end_cb);
  gtk_widget_class_bind_template_callback (widget_class, cost_cb);
  gtk_widget_class_install_action (widget_class, "heap.mark", NULL, mark_cb);
  gtk_widget_class_install_action (widget_class, "heap.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "heap.export", NULL, export_cb);
  gtk_widget_class_install_action (widget_class, "heap.save-graph", NULL, save_graph_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "heap.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_m, GDK_CONTROL_MASK, "heap.mark", NULL);
}

static void
fp_heap_page_init (FpHeapPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->sentence);
  fp_names_label_wrap (self->process_words);
  self->span = (FpHeapSpan){ FP_HEAP_NO_RANGE, FP_HEAP_AT_PEAK };
  self->mark_ms = FP_HEAP_NO_MARK;
  /* Translators: the action: what to show is chosen behind it */
  fp_drop_down_set_name (self->costs, _ ("Show"));
  fp_drop_down_set_name (self->chooser, C_ ("heap", "View"));
  self->functions = g_object_new (FP_TYPE_HEAP_FUNCTIONS, NULL);
  /* Translators: a list of libraries */
  self->libraries = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_LIBRARIES, _ ("Libraries")));
  self->steps = g_object_new (FP_TYPE_HEAP_STEPS, NULL);
  g_signal_connect_object (self->steps, "direction-chosen", G_CALLBACK (direction_cb), self, G_CONNECT_SWAPPED);
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->functions), "functions", _ ("Functions"));
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->libraries), "libraries", _ ("Libraries"));
  /* Translators: a list of functions, with those below them that they call */
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->steps), "tree", _ ("Tree"));
  self->graph = g_object_new (FP_TYPE_HEAP_GRAPH, NULL);
  gtk_stack_add_titled (self->parts, GTK_WIDGET (self->graph), "graph", _ ("Flame Graph"));
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
  g_return_if_fail (FP_IS_HEAP_PAGE (self));
  g_return_if_fail (!self->scene);

  self->scene = fp_heap_scene_ref (scene);
  fp_heap_chart_set_profile (self->chart, scene->profile);
  fill_chooser (self);
  show_scene (self);
}

/* Shows what has changed since an earlier profile. names: of its file and of this one. FALSE: they have no cost in common */
gboolean
fp_heap_page_compare (FpHeapPage *self,
                      FpHeapProfile *earlier,
                      const char *const names[2])
{
  g_return_val_if_fail (FP_IS_HEAP_PAGE (self), FALSE);
  g_return_val_if_fail (self->scene, FALSE);

  if (!(earlier->known & self->scene->profile->known))
    return FALSE;
  drop_comparison (self);
  self->earlier = fp_heap_profile_ref (earlier);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    self->names[i] = g_strdup (names[i]);
  show_compared (self);
  return TRUE;
}

/* process: (transfer full) */
void
fp_heap_page_set_process (FpHeapPage *self,
                          FpHeapProcess *process)
{
  g_return_if_fail (FP_IS_HEAP_PAGE (self));
  g_return_if_fail (self->scene);

  g_clear_pointer (&self->process, fp_heap_process_free);
  self->process = process;
  show_process (self);
}

gboolean
fp_heap_page_has_scene (FpHeapPage *self)
{
  g_return_val_if_fail (FP_IS_HEAP_PAGE (self), FALSE);

  return self->scene != NULL;
}

/* The page keeps its scene until the same one of the whole recording is made. scene: that of the peak of the same recording, which has
 * grown. FALSE: another moment is being made, and this is not taken */
gboolean
fp_heap_page_grow (FpHeapPage *self,
                   FpHeapScene *scene)
{
  FpHeapSpan span;

  g_return_val_if_fail (FP_IS_HEAP_PAGE (self), FALSE);
  g_return_val_if_fail (self->scene, FALSE);

  if (self->cancellable)
    return FALSE;
  span = self->span;
  if (is_at_end (self))
    span.to_ms = fp_heap_scene_get_end_ms (scene);
  if (is_at (self, FP_HEAP_AT_PEAK) && !self->earlier && self->mark_ms == FP_HEAP_NO_MARK)
    {
      take_scene (self, fp_heap_scene_ref (scene));
      show_scene (self);
    }
  else
    make_scene_from (self, scene, &span);
  return TRUE;
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
    fp_heap_graph_focus (self->graph);
}

/* A narrow window has the tools below each other, and a low one has no chart. In pixels at the usual text size */
void
fp_heap_page_set_size (FpHeapPage *self,
                       double width,
                       double height)
{
  gboolean is_narrow = width < NARROW, has_one_figure = width < ONE_FIGURE, is_wide;

  g_return_if_fail (FP_IS_HEAP_PAGE (self));

  /* Words are longer in some languages than the usual width has room for. */
  is_wide = width >= MAX (WIDE, fp_text_width_measure_box (self->tools));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->tools), is_wide ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  if (is_narrow)
    gtk_widget_add_css_class (self->moments, "narrow");
  else
    gtk_widget_remove_css_class (self->moments, "narrow");
  gtk_widget_set_visible (self->switcher, !is_narrow);
  gtk_widget_set_visible (GTK_WIDGET (self->chooser), is_narrow);
  gtk_widget_set_visible (gtk_widget_get_parent (GTK_WIDGET (self->chart)), height >= LOW);
  fp_heap_table_set_narrow (self->libraries, has_one_figure);
  fp_heap_functions_set_narrow (self->functions, is_narrow, has_one_figure);
  fp_heap_table_set_narrow (fp_heap_steps_get_table (self->steps), has_one_figure);
  fp_heap_table_set_narrow (self->sizes, has_one_figure);
}
