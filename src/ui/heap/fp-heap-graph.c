// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-flame-graph.h"
#include "fp-heap-graph.h"
#include "fp-heap-words.h"
#include "fp-text-saver.h"

struct _FpHeapGraph
{
  GtkWidget parent;

  GtkStack *stack;
  FpFlameGraph *graph;
  AdwStatusPage *nothing;
  FpHeapScene *scene; /* (nullable) */
  FpFigureStyle style;
};

G_DEFINE_FINAL_TYPE (FpHeapGraph, fp_heap_graph, GTK_TYPE_WIDGET)

static const char *
describe_nothing (FpHeapGraph *self,
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

/* The sentence of the window is about the whole recording, or about the comparison. Free the text. */
static char *
describe (FpHeapGraph *self)
{
  const FpHeapSpan *span = &self->scene->span;
  const GArray *stacks = self->scene->excerpt.stacks;

  if (fp_heap_wish_is_compared (&self->scene->wish))
    return g_strdup (self->scene->sentence);
  if (fp_heap_span_is_range (span))
    return fp_heap_describe_range (stacks, span->from_ms, span->to_ms, self->style);
  if (span->to_ms != FP_HEAP_AT_PEAK)
    return fp_heap_describe_moment (stacks, span->to_ms, self->style);
  return g_strdup (self->scene->sentence);
}

static void
fp_heap_graph_dispose (GObject *object)
{
  FpHeapGraph *self = FP_HEAP_GRAPH (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);

  G_OBJECT_CLASS (fp_heap_graph_parent_class)->dispose (object);
}

static void
fp_heap_graph_class_init (FpHeapGraphClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_heap_graph_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_scroller (FpHeapGraph *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->graph));
  gtk_widget_set_margin_start (scroller, 12);
  gtk_widget_set_margin_end (scroller, 12);
  gtk_widget_set_vexpand (scroller, TRUE);
  /* The graph scrolls to its frames by itself. */
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroller))), FALSE);
  return scroller;
}

static GtkWidget *
make_way_back (FpHeapGraph *self)
{
  GtkWidget *back = gtk_button_new_with_mnemonic (_ ("Show _All"));

  gtk_widget_set_halign (back, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (back, 6);
  gtk_widget_set_margin_bottom (back, 12);
  g_object_bind_property (self->graph, "is-zoomed", back, "visible", G_BINDING_SYNC_CREATE);
  g_signal_connect_object (back, "clicked", G_CALLBACK (fp_flame_graph_show_all), self->graph, G_CONNECT_SWAPPED);
  return back;
}

static void
fp_heap_graph_init (FpHeapGraph *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->graph = g_object_new (FP_TYPE_FLAME_GRAPH, NULL);
  gtk_box_append (GTK_BOX (box), make_scroller (self));
  gtk_box_append (GTK_BOX (box), make_way_back (self));
  self->nothing = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_title (self->nothing, _ ("Nothing to Show"));
  gtk_widget_add_css_class (GTK_WIDGET (self->nothing), "compact");
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, box, "graph");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->nothing), "nothing");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

/* found: (nullable): the keys of the functions that a search finds */
void
fp_heap_graph_show (FpHeapGraph *self,
                    FpHeapScene *scene,
                    GHashTable *found,
                    const FpHeapChoice *choice)
{
  g_return_if_fail (FP_IS_HEAP_GRAPH (self));

  fp_heap_scene_ref (scene);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);
  self->scene = scene;
  self->style = choice->style;
  fp_flame_graph_set_found (self->graph, found ? g_hash_table_ref (found) : NULL);
  if (fp_flame_graph_show (self->graph, &scene->excerpt, choice))
    gtk_stack_set_visible_child_name (self->stack, "graph");
  else
    {
      adw_status_page_set_description (self->nothing, describe_nothing (self, choice->cost));
      gtk_stack_set_visible_child_name (self->stack, "nothing");
    }
}

/* Asks for a file, and writes what is shown as an image. */
void
fp_heap_graph_ask_to_save (FpHeapGraph *self)
{
  g_autofree char *title = NULL;

  g_return_if_fail (FP_IS_HEAP_GRAPH (self));
  g_return_if_fail (self->scene);

  title = describe (self);
  fp_text_saver_ask (GTK_WIDGET (self), &fp_ready_text, fp_flame_graph_write_svg (self->graph, title),
                     _ ("Save Flame Graph (.svg)"), "flame-graph.svg");
}

void
fp_heap_graph_focus (FpHeapGraph *self)
{
  g_return_if_fail (FP_IS_HEAP_GRAPH (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->graph));
}
