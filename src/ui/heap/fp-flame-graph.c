// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-flame-graph.h"
#include "fp-flame-layout.h"
#include "fp-flame-svg.h"
#include "fp-tooltip.h"

#define ROW       20 /* pixels at the usual text size */
#define ROW_ROOM  6  /* above and below the text */
#define TEXT_ROOM 4
#define MIN_TEXT  28 /* narrower frames have no text */
#define MIN_WIDTH 120
#define MAX_ITEMS 250 /* frames that a screen reader is told of */
#define FAINT     0.3f
#define NO_BRANCH G_MAXUINT32

struct _FpFlameGraph
{
  GtkWidget parent;

  FpFlame flame;     /* tree: (nullable) */
  GHashTable *found; /* (nullable): keys of the functions that a search finds */
  guint32 zoomed;
  guint32 focused;
  guint32 pressed; /* NO_BRANCH: none */

  GArray *frames;     /* (nullable): of FpFlameFrame */
  GPtrArray *texts;   /* of PangoLayout, for each frame; NULL: it has none, or was not drawn yet */
  GPtrArray *names;   /* of each frame */
  GByteArray *misses; /* of each frame: a search does not find it */
  GPtrArray *items;   /* of GtkWidget: what a screen reader finds of the frames with a text */
  int width;          /* of the frames */
  int row_height;
};

enum
{
  PROP_0,
  PROP_IS_ZOOMED,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FpFlameGraph, fp_flame_graph, GTK_TYPE_WIDGET)

static const FpFlameFrame *
get_frame (FpFlameGraph *self,
           guint i)
{
  return &g_array_index (self->frames, FpFlameFrame, i);
}

static FpKey
get_key (const FpHeapTree *tree,
         guint32 branch)
{
  return fp_heap_get_function_key (tree->profile, fp_heap_profile_get_frame (tree->profile, fp_heap_tree_get (tree, branch)->node));
}

static gboolean
is_miss (FpFlameGraph *self,
         guint32 branch)
{
  const FpHeapTree *tree = self->flame.tree;
  FpKey key = { 0, 0 };

  if (branch > 0)
    key = get_key (tree, branch);
  return self->found && !g_hash_table_contains (self->found, &key);
}

static void
find_misses (FpFlameGraph *self)
{
  g_byte_array_set_size (self->misses, 0);
  for (guint i = 0; self->frames && i < self->frames->len; i++)
    g_byte_array_append (self->misses, &(guint8){ is_miss (self, get_frame (self, i)->branch) }, 1);
}

static void
lay_out (FpFlameGraph *self,
         int width)
{
  if (self->frames && self->width == width)
    return;
  self->width = width;
  g_clear_pointer (&self->frames, g_array_unref);
  g_ptr_array_set_size (self->texts, 0);
  g_ptr_array_set_size (self->names, 0);
  if (!self->flame.tree)
    return;
  self->frames = fp_flame_layout_new (self->flame.tree, self->flame.sums, self->zoomed, width);
  g_ptr_array_set_size (self->texts, (gint)self->frames->len);
  for (guint i = 0; i < self->frames->len; i++)
    g_ptr_array_add (self->names, fp_flame_name_branch (&self->flame, get_frame (self, i)->branch));
  find_misses (self);
}

static guint
count_rows (FpFlameGraph *self)
{
  return self->frames && self->frames->len > 0 ? get_frame (self, self->frames->len - 1)->row + 1 : 1;
}

static GtkWidget *
get_item (FpFlameGraph *self,
          guint n)
{
  if (n == self->items->len)
    {
      GtkWidget *item = g_object_new (GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_TREE_ITEM, NULL);

      gtk_widget_set_parent (item, GTK_WIDGET (self));
      g_ptr_array_add (self->items, item);
    }
  return g_ptr_array_index (self->items, n);
}

/* GTK 4.8 tells screen readers of widgets alone, so the frames that have a text also have an empty one. */
static void
place_items (FpFlameGraph *self)
{
  guint n = 0;

  for (guint i = 0; i < self->frames->len && n < MAX_ITEMS; i++)
    {
      const FpFlameFrame *frame = get_frame (self, i);
      const GtkAllocation area = { (int)frame->x, (int)frame->row * self->row_height, (int)frame->width, self->row_height };
      g_autofree char *label = NULL;
      GtkWidget *item;

      if (frame->width < MIN_TEXT)
        continue;
      item = get_item (self, n++);
      label = fp_flame_describe_branch (&self->flame, frame->branch);
      gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                      GTK_ACCESSIBLE_PROPERTY_LEVEL, (int)frame->row + 1, -1);
      gtk_widget_set_child_visible (item, TRUE);
      gtk_widget_measure (item, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (item, &area, -1);
    }
  for (; n < self->items->len; n++)
    gtk_widget_set_child_visible (g_ptr_array_index (self->items, n), FALSE);
}

static void
tell_focus (FpFlameGraph *self)
{
  g_autofree char *text = self->flame.tree ? fp_flame_describe_branch (&self->flame, self->focused) : g_strdup ("");

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* Everything is laid out anew. */
static void
change (FpFlameGraph *self)
{
  g_clear_pointer (&self->frames, g_array_unref);
  tell_focus (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
reveal (FpFlameGraph *self,
        guint row)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  double y = (double)row * self->row_height;

  if (scroller)
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller)), y, y + self->row_height);
}

static void
focus (FpFlameGraph *self,
       guint i)
{
  if (i >= self->frames->len)
    return;
  self->focused = get_frame (self, i)->branch;
  reveal (self, get_frame (self, i)->row);
  tell_focus (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoom (FpFlameGraph *self,
      guint32 branch)
{
  if (self->zoomed == branch)
    return;
  self->zoomed = branch;
  self->focused = branch;
  change (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_ZOOMED]);
}

static guint
find_focused (FpFlameGraph *self)
{
  guint found = fp_flame_layout_find (self->frames, self->focused);

  return found == G_MAXUINT ? fp_flame_layout_find (self->frames, self->zoomed) : found;
}

/* The largest of those that it calls is the first one. */
static guint
find_callee (FpFlameGraph *self,
             guint32 branch)
{
  for (guint i = 0; i < self->frames->len; i++)
    if (get_frame (self, i)->branch > 0 && fp_heap_tree_get (self->flame.tree, get_frame (self, i)->branch)->parent == branch)
      return i;
  return G_MAXUINT;
}

static void
go_beside (FpFlameGraph *self,
           guint from,
           guint to)
{
  if (to < self->frames->len && get_frame (self, to)->row == get_frame (self, from)->row)
    focus (self, to);
}

static gboolean
zoom_out (FpFlameGraph *self)
{
  if (self->zoomed == 0)
    return FALSE;
  zoom (self, fp_heap_tree_get (self->flame.tree, self->zoomed)->parent);
  return TRUE;
}

static gboolean
key_cb (FpFlameGraph *self,
        guint key,
        guint code,
        GdkModifierType state)
{
  guint now;

  if (!self->frames || (state & gtk_accelerator_get_default_mod_mask ()))
    return FALSE;
  now = find_focused (self);
  switch (key)
    {
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      focus (self, fp_flame_layout_find (self->frames, fp_heap_tree_get (self->flame.tree, get_frame (self, now)->branch)->parent));
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      focus (self, find_callee (self, get_frame (self, now)->branch));
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      go_beside (self, now, now - 1);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      go_beside (self, now, now + 1);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      focus (self, 0);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_space:
      zoom (self, get_frame (self, now)->branch);
      return TRUE;
    case GDK_KEY_Escape:
    case GDK_KEY_BackSpace:
      return zoom_out (self);
    default:
      return FALSE;
    }
}

static guint
pick (FpFlameGraph *self,
      double x,
      double y)
{
  return self->frames && y >= 0 ? fp_flame_layout_pick (self->frames, (guint32)(y / self->row_height), x) : G_MAXUINT;
}

static void
pressed_cb (FpFlameGraph *self,
            int n_press,
            double x,
            double y)
{
  guint i = pick (self, x, y);

  self->pressed = i == G_MAXUINT ? NO_BRANCH : get_frame (self, i)->branch;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* A press that ends elsewhere was not meant. */
static void
released_cb (FpFlameGraph *self,
             int n_press,
             double x,
             double y)
{
  guint i = pick (self, x, y);

  if (i == G_MAXUINT || get_frame (self, i)->branch != self->pressed)
    return;
  focus (self, i);
  zoom (self, get_frame (self, i)->branch);
}

static gboolean
fp_flame_graph_query_tooltip (GtkWidget *widget,
                              int x,
                              int y,
                              gboolean is_keyboard,
                              GtkTooltip *tooltip)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (widget);
  guint i = is_keyboard ? G_MAXUINT : pick (self, x, y);
  g_autofree char *text = i == G_MAXUINT ? NULL : fp_flame_explain_branch (&self->flame, get_frame (self, i)->branch);

  return fp_tooltip_set_text (tooltip, text);
}

static void
fp_flame_graph_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (widget);

  *minimum = *natural = MIN_WIDTH;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  lay_out (self, for_size > 0 ? for_size : MAX (self->width, MIN_WIDTH));
  *minimum = *natural = (int)count_rows (self) * self->row_height;
}

static void
fp_flame_graph_size_allocate (GtkWidget *widget,
                              int width,
                              int height,
                              int baseline)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (widget);

  lay_out (self, width);
  if (self->frames)
    place_items (self);
}

static PangoLayout *
get_text (FpFlameGraph *self,
          guint i)
{
  PangoLayout *text = g_ptr_array_index (self->texts, i);

  if (text)
    return text;
  text = gtk_widget_create_pango_layout (GTK_WIDGET (self), g_ptr_array_index (self->names, i));
  pango_layout_set_single_paragraph_mode (text, TRUE);
  pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (text, (int)(get_frame (self, i)->width - 2 * TEXT_ROOM) * PANGO_SCALE);
  g_ptr_array_index (self->texts, i) = text;
  return text;
}

static void
draw_text (FpFlameGraph *self,
           GtkSnapshot *snapshot,
           guint i,
           float y)
{
  const GdkRGBA ink = { 0, 0, 0, self->misses->data[i] ? 0.5f : 0.85f };
  PangoLayout *text = get_text (self, i);
  float room;
  int height;

  pango_layout_get_pixel_size (text, NULL, &height);
  room = (float)(self->row_height - height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (get_frame (self, i)->x + TEXT_ROOM, y + floorf (room / 2)));
  gtk_snapshot_append_layout (snapshot, text, &ink);
  gtk_snapshot_restore (snapshot);
}

/* A gap of a pixel sets frames apart, but for those that have no pixel to spare. */
static void
draw_frame (FpFlameGraph *self,
            GtkSnapshot *snapshot,
            guint i)
{
  const FpFlameFrame *frame = get_frame (self, i);
  float y = (float)((int)frame->row * self->row_height);
  float width = frame->width > 3 ? frame->width - 1 : frame->width;
  const graphene_rect_t area = GRAPHENE_RECT_INIT (frame->x, y, width, (float)(self->row_height - 1));
  GdkRGBA colour;

  gdk_rgba_parse (&colour, fp_flame_get_colour (&self->flame, frame->branch));
  if (self->misses->data[i])
    colour.alpha = FAINT;
  gtk_snapshot_append_color (snapshot, &colour, &area);
  if (frame->width >= MIN_TEXT)
    draw_text (self, snapshot, i, y);
}

static void
draw_focus (FpFlameGraph *self,
            GtkSnapshot *snapshot)
{
  const FpFlameFrame *frame = get_frame (self, find_focused (self));
  GskRoundedRect outline;
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (self)), &ink);
  gsk_rounded_rect_init_from_rect (&outline,
                                   &GRAPHENE_RECT_INIT (frame->x, (float)((int)frame->row * self->row_height), MAX (frame->width - 1, 2),
                                                        (float)(self->row_height - 1)),
                                   0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 2, 2, 2, 2 }, (GdkRGBA[4]){ ink, ink, ink, ink });
}

static void
fp_flame_graph_snapshot (GtkWidget *widget,
                         GtkSnapshot *snapshot)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (widget);

  if (!self->frames)
    return;
  for (guint i = 0; i < self->frames->len; i++)
    draw_frame (self, snapshot, i);
  if (gtk_widget_has_focus (widget))
    draw_focus (self, snapshot);
}

/* The font may be another one. */
static void
fp_flame_graph_css_changed (GtkWidget *widget,
                            GtkCssStyleChange *style_change)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (widget);
  g_autoptr (PangoLayout) sample = NULL;
  int height;

  GTK_WIDGET_CLASS (fp_flame_graph_parent_class)->css_changed (widget, style_change);
  sample = gtk_widget_create_pango_layout (widget, "Mg");
  pango_layout_get_pixel_size (sample, NULL, &height);
  self->row_height = MAX (height + ROW_ROOM, ROW);
  g_clear_pointer (&self->frames, g_array_unref);
  gtk_widget_queue_resize (widget);
}

static void
fp_flame_graph_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *spec)
{
  if (id == PROP_IS_ZOOMED)
    g_value_set_boolean (value, FP_FLAME_GRAPH (object)->zoomed > 0);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
fp_flame_graph_dispose (GObject *object)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (object);

  for (guint i = 0; i < self->items->len; i++)
    gtk_widget_unparent (g_ptr_array_index (self->items, i));
  g_ptr_array_set_size (self->items, 0);
  g_clear_pointer (&self->frames, g_array_unref);
  fp_flame_clear (&self->flame);

  G_OBJECT_CLASS (fp_flame_graph_parent_class)->dispose (object);
}

static void
fp_flame_graph_finalize (GObject *object)
{
  FpFlameGraph *self = FP_FLAME_GRAPH (object);

  g_clear_pointer (&self->found, g_hash_table_unref);
  g_ptr_array_unref (self->texts);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->items);
  g_byte_array_unref (self->misses);

  G_OBJECT_CLASS (fp_flame_graph_parent_class)->finalize (object);
}

static GtkSizeRequestMode
fp_flame_graph_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fp_flame_graph_class_init (FpFlameGraphClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_flame_graph_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_flame_graph_finalize;
  G_OBJECT_CLASS (class)->get_property = fp_flame_graph_get_property;
  widget_class->css_changed = fp_flame_graph_css_changed;
  widget_class->get_request_mode = fp_flame_graph_get_request_mode;
  widget_class->measure = fp_flame_graph_measure;
  widget_class->query_tooltip = fp_flame_graph_query_tooltip;
  widget_class->size_allocate = fp_flame_graph_size_allocate;
  widget_class->snapshot = fp_flame_graph_snapshot;
  properties[PROP_IS_ZOOMED] = g_param_spec_boolean ("is-zoomed", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPERTIES, properties);
  gtk_widget_class_set_css_name (widget_class, "flamegraph");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TREE);
}

static void
clear_text (gpointer text)
{
  if (text)
    g_object_unref (text);
}

static void
fp_flame_graph_init (FpFlameGraph *self)
{
  GtkEventController *keys = gtk_event_controller_key_new (), *focus_changes = gtk_event_controller_focus_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->texts = g_ptr_array_new_with_free_func (clear_text);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->items = g_ptr_array_new ();
  self->misses = g_byte_array_new ();
  self->row_height = ROW;
  self->pressed = NO_BRANCH;
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_swapped (focus_changes, "enter", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect_swapped (focus_changes, "leave", G_CALLBACK (gtk_widget_queue_draw), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus_changes);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Flame graph"), -1);
}

/* Branches keep their numbers while a recording grows. before: (nullable) */
static gboolean
is_grown (const FpHeapTree *before,
          const FpHeapTree *tree)
{
  return before && before->profile->recording && before->profile->recording == tree->profile->recording;
}

static guint32
find_child (const FpHeapTree *tree,
            guint32 branch,
            FpKey key)
{
  for (guint32 child = fp_heap_tree_get (tree, branch)->first_child; child; child = fp_heap_tree_get (tree, child)->next_sibling)
    {
      FpKey own = get_key (tree, child);

      if (fp_key_equal (&own, &key))
        return child;
    }
  return 0;
}

/* Finds a branch in another tree by the functions on the way to it. Returns 0, which is all, where it is not there. */
static guint32
find_again (const FpHeapTree *before,
            const FpHeapTree *tree,
            guint32 branch)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 found = 0;

  for (; branch; branch = fp_heap_tree_get (before, branch)->parent)
    g_array_append_val (way, branch);
  for (guint i = way->len; i > 0; i--)
    if (!(found = find_child (tree, found, get_key (before, g_array_index (way, guint32, i - 1)))))
      return 0;
  return found;
}

/* The same branch has the whole width as before, unless nothing is left of it. FALSE: there is nothing to draw */
gboolean
fp_flame_graph_show (FpFlameGraph *self,
                     const FpHeapExcerpt *excerpt,
                     const FpHeapChoice *choice)
{
  g_return_val_if_fail (FP_IS_FLAME_GRAPH (self), FALSE);

  if (self->flame.tree && self->flame.tree != excerpt->tree && !is_grown (self->flame.tree, excerpt->tree))
    {
      self->zoomed = find_again (self->flame.tree, excerpt->tree, self->zoomed);
      self->focused = find_again (self->flame.tree, excerpt->tree, self->focused);
    }
  fp_flame_clear (&self->flame);
  fp_flame_init (&self->flame, excerpt, choice->cost, choice->style);
  if (self->flame.sums[self->zoomed] == 0)
    self->zoomed = self->focused = 0;
  if (self->flame.sums[self->focused] == 0)
    self->focused = self->zoomed;
  change (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_IS_ZOOMED]);
  return self->flame.sums[0] > 0;
}

void
fp_flame_graph_show_all (FpFlameGraph *self)
{
  g_return_if_fail (FP_IS_FLAME_GRAPH (self));

  if (self->flame.tree)
    zoom (self, 0);
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

/* All others are drawn faintly. found: (nullable) (transfer full): the keys of functions; NULL: nothing is searched for */
void
fp_flame_graph_set_found (FpFlameGraph *self,
                          GHashTable *found)
{
  g_return_if_fail (FP_IS_FLAME_GRAPH (self));

  g_clear_pointer (&self->found, g_hash_table_unref);
  self->found = found;
  find_misses (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Writes what is shown as an image. title: of the image. Free the text. */
char *
fp_flame_graph_write_svg (FpFlameGraph *self,
                          const char *title)
{
  GString *text;

  g_return_val_if_fail (FP_IS_FLAME_GRAPH (self), NULL);
  g_return_val_if_fail (self->flame.tree, NULL);

  text = g_string_new (NULL);
  fp_flame_svg_write (&self->flame, self->zoomed, title, text);
  return g_string_free (text, FALSE);
}
