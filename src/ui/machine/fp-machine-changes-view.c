// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-machine-changes-view.h"
#include "fp-machine-colours.h"
#include "fp-names-label.h"
#include "fp-order-pause.h"

#define BAR_WIDTH    80
#define BAR_HEIGHT   16
#define HATCH        5 /* pixels between the lines of what has become less */
#define LEAST_LENGTH 2
#define LEAST_MOVE   1e-9 /* of the width; a figure that did not change moves nothing */
#define NAME_CHARS   22
#define CHANGE_CHARS 10 /* "−1023 MiB" */

/* A bar with its name and its change. */
typedef struct
{
  FpMachineChangesView *owner;
  GtkWidget *button;
  GtkLabel *name;
  GtkWidget *plot;
  GtkLabel *change;
  char *key; /* of the change it shows */
  FpMachineLine line;
  double begin; /* parts of the width */
  double end;
  double zero; /* where the first one begins */
  gboolean is_first;
  gboolean is_last;
} Bar;

struct _FpMachineChangesView
{
  GtkBox parent;

  GtkLabel *title;
  GtkLabel *words;
  GtkBox *list;
  GPtrArray *bars;
  GtkSizeGroup *names; /* so that all bars have the same room, also where names are cut */
  FpOrderPause *pause;
};

G_DEFINE_FINAL_TYPE (FpMachineChangesView, fp_machine_changes_view, GTK_TYPE_BOX)

static void
bar_free (gpointer data)
{
  g_free (((Bar *)data)->key);
  g_free (data);
}

static void
add_line (cairo_t *cr,
          double x,
          double from,
          double to)
{
  cairo_move_to (cr, x, from);
  cairo_line_to (cr, x, to);
}

/* A gain is full, and a loss is hatched. */
static void
fill_bar (cairo_t *cr,
          const GdkRGBA *colour,
          const GdkRectangle *area,
          gboolean is_less)
{
  gdk_cairo_set_source_rgba (cr, colour);
  if (!is_less)
    {
      gdk_cairo_rectangle (cr, area);
      cairo_fill (cr);
      return;
    }
  cairo_save (cr);
  gdk_cairo_rectangle (cr, area);
  cairo_clip (cr);
  cairo_set_line_width (cr, 1.5);
  for (int x = area->x - area->height; x < area->x + area->width; x += HATCH)
    {
      cairo_move_to (cr, x, area->y + area->height);
      cairo_line_to (cr, x + area->height, area->y);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, area->x + 0.5, area->y + 0.5, area->width - 1, area->height - 1);
  cairo_stroke (cr);
}

/* A thin line leads from the end of this bar down to the beginning of the next one, and another marks where nothing has changed. */
static void
draw_cb (GtkDrawingArea *area,
         cairo_t *cr,
         int width,
         int height,
         gpointer data)
{
  const Bar *bar = data;
  double left = MIN (bar->begin, bar->end) * width, length = MAX (ABS (bar->end - bar->begin) * width, LEAST_LENGTH);
  double top = floor ((height - BAR_HEIGHT) / 2.0);
  GdkRGBA colour, ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  ink.alpha *= 0.35f;
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1);
  add_line (cr, CLAMP (round (bar->zero * width) - 0.5, 0.5, width - 0.5), 0, height);
  cairo_stroke (cr);
  gdk_rgba_parse (&colour, fp_machine_colours[bar->line]);
  fill_bar (cr, &colour, &(GdkRectangle){ (int)round (MIN (left, width - length)), (int)top, (int)round (length), BAR_HEIGHT },
            bar->end < bar->begin);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1);
  if (!bar->is_first)
    add_line (cr, CLAMP (round (bar->begin * width) - 0.5, 0.5, width - 0.5), 0, top);
  if (!bar->is_last)
    add_line (cr, CLAMP (round (bar->end * width) - 0.5, 0.5, width - 0.5), top + BAR_HEIGHT, height);
  cairo_stroke (cr);
}

static Bar *
add_bar (FpMachineChangesView *self)
{
  Bar *bar = g_new0 (Bar, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *name = gtk_label_new (NULL), *change = gtk_label_new (NULL);

  bar->owner = self;
  bar->button = gtk_button_new ();
  bar->name = GTK_LABEL (name);
  bar->change = GTK_LABEL (change);
  bar->plot = gtk_drawing_area_new ();
  gtk_label_set_xalign (bar->name, 0);
  gtk_label_set_max_width_chars (bar->name, NAME_CHARS);
  gtk_label_set_ellipsize (bar->name, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (bar->change, 1);
  gtk_label_set_width_chars (bar->change, CHANGE_CHARS);
  gtk_widget_add_css_class (change, "numeric");
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (bar->plot), BAR_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (bar->plot), BAR_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (bar->plot), draw_cb, bar, NULL);
  gtk_widget_set_hexpand (bar->plot, TRUE);
  gtk_size_group_add_widget (self->names, name);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), bar->plot);
  gtk_box_append (GTK_BOX (box), change);
  gtk_button_set_child (GTK_BUTTON (bar->button), box);
  gtk_widget_add_css_class (bar->button, "flat");
  gtk_widget_add_css_class (bar->button, "change");
  gtk_box_append (self->list, bar->button);
  g_ptr_array_add (self->bars, bar);
  return bar;
}

/* The processes of a program, all processes, or what the line has. */
static void
set_action (Bar *bar,
            const FpMachineChange *change)
{
  GtkActionable *button = GTK_ACTIONABLE (bar->button);
  gboolean is_program = change->line == FP_MACHINE_PROGRAMS;
  const char *line = is_program ? "processes" : fp_machine_line_infos[change->line].name;

  const char *action = change->search ? "win.search-for" : is_program ? "win.view"
                                                                      : "machine.show-line";

  gtk_actionable_set_action_target (button, "s", change->search ? change->search : line);
  /* GTK keeps something for each name that is set, for as long as the window lives. */
  if (g_strcmp0 (gtk_actionable_get_action_name (button), action) != 0)
    gtk_actionable_set_action_name (button, action);
}

static void
show_change (Bar *bar,
             const FpMachineChange *change,
             const FpFormat *format)
{
  gboolean is_new = g_strcmp0 (bar->key, change->name) != 0;
  g_autofree char *label = NULL;
  char size[2 * FP_FIGURE_TEXT_SIZE];

  fp_machine_ends_format_change ((FpMachineEnds){ change->bytes, change->bytes }, format, size, sizeof size);
  if (is_new)
    {
      g_free (bar->key);
      bar->key = g_strdup (change->name);
      bar->line = change->line;
      gtk_widget_queue_draw (bar->plot);
      gtk_label_set_text (bar->name, change->name);
      gtk_widget_set_tooltip_text (bar->button, change->is_program ? _ ("Show Its Processes") : _ ("Show What Is Behind It"));
      set_action (bar, change);
    }
  gtk_widget_set_visible (bar->button, TRUE);
  if (!is_new && g_str_equal (gtk_label_get_text (bar->change), size))
    return;
  gtk_label_set_text (bar->change, size);
  label = g_strdup_printf ("%s, %s", change->name, size);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static gboolean
is_read (FpMachineChangesView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root ? gtk_root_get_focus (root) : NULL;

  return fp_order_pause_is_paused (self->pause) || (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list)));
}

static guint
find_place (FpMachineChangesView *self,
            const char *key)
{
  for (guint i = 0; i < self->bars->len; i++)
    if (g_strcmp0 (((Bar *)self->bars->pdata[i])->key, key) == 0)
      return i;
  return G_MAXUINT;
}

static int
compare_places (gconstpointer a,
                gconstpointer b,
                gpointer data)
{
  const guint x = find_place (data, (*(const FpMachineChange *const *)a)->name);
  const guint y = find_place (data, (*(const FpMachineChange *const *)b)->name);

  return (x > y) - (x < y);
}

/* While somebody reads them, bars keep their order, and new ones come last. The sentence above them has the same order. */
static GPtrArray *
order_changes (FpMachineChangesView *self,
               FpMachineChanges *changes)
{
  GPtrArray *ordered = g_ptr_array_new ();

  if (is_read (self))
    g_ptr_array_sort_with_data (changes->changes, compare_places, self);
  for (guint i = 0; i < changes->changes->len; i++)
    if (fp_machine_changes_are_shown (changes, i))
      g_ptr_array_add (ordered, changes->changes->pdata[i]);
  return ordered;
}

static gboolean
has_moved (const Bar *bar,
           const Bar *drawn)
{
  return fabs (bar->begin - drawn->begin) > LEAST_MOVE || fabs (bar->end - drawn->end) > LEAST_MOVE ||
         fabs (bar->zero - drawn->zero) > LEAST_MOVE || bar->is_first != drawn->is_first || bar->is_last != drawn->is_last;
}

/* Each begins where the one before ends; all have the width from the lowest to the highest of these points. */
static void
place_bars (FpMachineChangesView *self,
            const GPtrArray *ordered)
{
  double sum = 0, lowest = 0, highest = 0;

  for (guint i = 0; i < ordered->len; i++)
    {
      sum += (double)((const FpMachineChange *)ordered->pdata[i])->bytes;
      lowest = MIN (lowest, sum);
      highest = MAX (highest, sum);
    }
  sum = 0;
  for (guint i = 0; i < ordered->len; i++)
    {
      Bar *bar = g_ptr_array_index (self->bars, i);
      const Bar drawn = *bar;

      bar->begin = highest > lowest ? (sum - lowest) / (highest - lowest) : 0;
      sum += (double)((const FpMachineChange *)ordered->pdata[i])->bytes;
      bar->end = highest > lowest ? (sum - lowest) / (highest - lowest) : 0;
      bar->zero = highest > lowest ? -lowest / (highest - lowest) : 0;
      bar->is_first = i == 0;
      bar->is_last = i + 1 == ordered->len;
      if (has_moved (bar, &drawn))
        gtk_widget_queue_draw (bar->plot);
    }
}

static void
set_words (FpMachineChangesView *self,
           const char *words)
{
  if (g_strcmp0 (gtk_label_get_text (self->words), words) == 0)
    return;
  gtk_label_set_text (self->words, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

/* changes: (nullable): there is no earlier moment. since_us: since 1970 */
void
fp_machine_changes_view_update (FpMachineChangesView *self,
                                FpMachineChanges *changes,
                                guint64 since_us,
                                const FpFormat *format)
{
  g_autoptr (GPtrArray) ordered = NULL;
  g_autofree char *words = NULL, *title = NULL;
  char since[FP_FIGURE_TEXT_SIZE];

  g_return_if_fail (FP_IS_MACHINE_CHANGES_VIEW (self));

  gtk_widget_set_visible (GTK_WIDGET (self), changes != NULL);
  if (!changes)
    return;
  fp_figure_format (fp_figure_exact (since_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, since, sizeof since);
  /* Translators: a time of day or a date */
  title = g_strdup_printf (_ ("Where it went since %s"), since);
  gtk_label_set_text (self->title, title);
  ordered = order_changes (self, changes);
  words = fp_machine_changes_describe (changes, format);
  set_words (self, words ? words : _ ("Nothing has changed."));
  while (self->bars->len < ordered->len)
    add_bar (self);
  place_bars (self, ordered);
  for (guint i = 0; i < ordered->len; i++)
    show_change (self->bars->pdata[i], ordered->pdata[i], format);
  for (guint i = ordered->len; i < self->bars->len; i++)
    {
      Bar *bar = g_ptr_array_index (self->bars, i);

      g_clear_pointer (&bar->key, g_free);
      gtk_widget_set_visible (bar->button, FALSE);
    }
}

static void
fp_machine_changes_view_dispose (GObject *object)
{
  g_clear_object (&FP_MACHINE_CHANGES_VIEW (object)->pause);
  g_clear_object (&FP_MACHINE_CHANGES_VIEW (object)->names);

  G_OBJECT_CLASS (fp_machine_changes_view_parent_class)->dispose (object);
}

static void
fp_machine_changes_view_finalize (GObject *object)
{
  g_ptr_array_unref (FP_MACHINE_CHANGES_VIEW (object)->bars);

  G_OBJECT_CLASS (fp_machine_changes_view_parent_class)->finalize (object);
}

static void
fp_machine_changes_view_class_init (FpMachineChangesViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_machine_changes_view_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_machine_changes_view_finalize;
}

static GtkLabel *
add_label (FpMachineChangesView *self,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  fp_names_label_wrap (GTK_LABEL (label));
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (self), label);
  return GTK_LABEL (label);
}

static void
fp_machine_changes_view_init (FpMachineChangesView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  gtk_widget_set_margin_top (GTK_WIDGET (self), 12);
  self->bars = g_ptr_array_new_with_free_func (bar_free);
  self->names = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  self->title = add_label (self, "heading");
  self->words = add_label (self, "numeric");
  self->list = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("What has changed"), -1);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->list));
}

/* adjustment: by which it is scrolled */
GtkWidget *
fp_machine_changes_view_new (GtkAdjustment *adjustment)
{
  FpMachineChangesView *self = g_object_new (FP_TYPE_MACHINE_CHANGES_VIEW, NULL);

  self->pause = fp_order_pause_new (GTK_WIDGET (self->list), adjustment);
  return GTK_WIDGET (self);
}
