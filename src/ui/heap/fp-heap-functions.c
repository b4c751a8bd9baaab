// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-functions.h"

#define HEIGHT  150 /* of the callers and callees at first */
#define N_SIDES 2

/* The functions on one side of the selected one. */
typedef struct
{
  GtkWidget *box;
  GtkLabel *title;
  GtkStack *stack;
  FpHeapTable *table;
} Side;

struct _FpHeapFunctions
{
  GtkWidget parent;

  GtkWidget *paned;
  FpHeapTable *table;
  GtkWidget *beside;
  Side sides[N_SIDES]; /* by FpHeapSide */
  FpHeapScene *scene;  /* (nullable) */
  FpHeapChoice choice;
  FpKey shown; /* the function whose callers and callees are shown */
  gboolean has_shown;
  gboolean is_going; /* the selection follows the function, and not the other way */
};

G_DEFINE_FINAL_TYPE (FpHeapFunctions, fp_heap_functions, GTK_TYPE_WIDGET)

static void
show_side (FpHeapFunctions *self,
           FpHeapSide side,
           guint index)
{
  const Side *shown = &self->sides[side];
  const FpRecords *functions = self->scene->functions;
  g_autoptr (FpRecords) records = fp_heap_records_new_beside (&self->scene->excerpt, fp_heap_records_get (functions, index)->node, side);
  const char *name = fp_heap_records_get_name (functions, index);
  /* Translators: the functions that call this one, or that it calls */
  g_autofree char *title = g_strdup_printf (side == FP_HEAP_CALLERS ? _ ("Callers of %s") : _ ("Callees of %s"), name);

  gtk_label_set_text (shown->title, title);
  gtk_widget_set_tooltip_text (GTK_WIDGET (shown->title), title);
  gtk_stack_set_visible_child_name (shown->stack, records->n > 0 ? "table" : "nothing");
  if (records->n > 0)
    fp_heap_table_show (shown->table, records, &self->choice);
}

/* Functions that had not allocated anything yet have neither. */
static void
show_beside (FpHeapFunctions *self)
{
  guint index = self->has_shown ? fp_heap_records_find (self->scene->functions, self->shown) : G_MAXUINT;

  gtk_widget_set_visible (self->beside, index != G_MAXUINT);
  for (FpHeapSide side = 0; side < N_SIDES && index != G_MAXUINT; side++)
    show_side (self, side, index);
}

static void
selection_cb (FpHeapFunctions *self)
{
  g_autoptr (GArray) indices = g_array_new (FALSE, FALSE, sizeof (guint));

  if (self->is_going)
    return;
  fp_table_add_selected (fp_table_view_get_table (fp_heap_table_get_view (self->table)), indices);
  self->has_shown = indices->len == 1;
  if (self->has_shown)
    self->shown = fp_records_get_key (self->scene->functions, g_array_index (indices, guint, 0));
  show_beside (self);
  /* The callers and callees take room from the list. */
  if (self->has_shown)
    fp_table_scroll_reveal (fp_table_view_get_scroll (fp_heap_table_get_view (self->table)), self->shown);
}

/* A search may hide the row of the function, which is shown all the same. */
static void
activate_cb (FpTableView *view,
             guint position,
             FpHeapFunctions *self)
{
  self->shown = fp_rows_get (fp_table_get_rows (fp_table_view_get_table (view)), position)->key;
  self->has_shown = self->is_going = TRUE;
  fp_heap_table_select (self->table, self->shown);
  self->is_going = FALSE;
  show_beside (self);
}

static void
add_side (FpHeapFunctions *self,
          FpHeapSide side)
{
  /* Translators: the functions that call a function */
  static const char *const labels[N_SIDES] = { N_ ("Callers"), N_ ("Callees") };
  static const char *const nothing[N_SIDES] = { N_ ("Nothing calls it"), N_ ("It calls nothing that allocates") };
  Side *added = &self->sides[side];
  GtkWidget *none = gtk_label_new (_ (nothing[side]));

  added->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  added->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (added->title, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (added->title, 0);
  gtk_widget_add_css_class (GTK_WIDGET (added->title), "caption-heading");
  gtk_widget_set_margin_start (GTK_WIDGET (added->title), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (added->title), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (added->title), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (added->title), 6);
  gtk_box_append (GTK_BOX (added->box), GTK_WIDGET (added->title));
  added->table = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_NEIGHBOURS, _ (labels[side])));
  added->stack = GTK_STACK (gtk_stack_new ());
  gtk_label_set_wrap (GTK_LABEL (none), TRUE);
  gtk_widget_add_css_class (none, "dim-label");
  gtk_stack_add_named (added->stack, GTK_WIDGET (added->table), "table");
  gtk_stack_add_named (added->stack, none, "nothing");
  gtk_box_append (GTK_BOX (added->box), GTK_WIDGET (added->stack));
  gtk_box_append (GTK_BOX (self->beside), added->box);
  g_signal_connect (fp_heap_table_get_view (added->table), "activate-row", G_CALLBACK (activate_cb), self);
}

static void
fp_heap_functions_dispose (GObject *object)
{
  FpHeapFunctions *self = FP_HEAP_FUNCTIONS (object);

  if (self->table)
    g_signal_handlers_disconnect_by_data (fp_table_view_get_table (fp_heap_table_get_view (self->table)), self);
  self->table = NULL;
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);

  G_OBJECT_CLASS (fp_heap_functions_parent_class)->dispose (object);
}

static void
fp_heap_functions_class_init (FpHeapFunctionsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_heap_functions_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
fp_heap_functions_init (FpHeapFunctions *self)
{
  /* Translators: a list of functions */
  self->table = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_FUNCTIONS, _ ("Functions")));
  self->beside = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_set_homogeneous (GTK_BOX (self->beside), TRUE);
  gtk_widget_set_size_request (self->beside, -1, HEIGHT);
  gtk_widget_set_visible (self->beside, FALSE);
  for (FpHeapSide side = 0; side < N_SIDES; side++)
    add_side (self, side);
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), GTK_WIDGET (self->table));
  gtk_paned_set_end_child (GTK_PANED (self->paned), self->beside);
  /* Up to a size below its least GTK 4.18 warns of a measured child. */
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  g_signal_connect_swapped (fp_table_view_get_table (fp_heap_table_get_view (self->table)), "selection-settled",
                            G_CALLBACK (selection_cb), self);
}

void
fp_heap_functions_show (FpHeapFunctions *self,
                        FpHeapScene *scene,
                        const FpHeapChoice *choice)
{
  g_return_if_fail (FP_IS_HEAP_FUNCTIONS (self));

  fp_heap_scene_ref (scene);
  g_clear_pointer (&self->scene, fp_heap_scene_unref);
  self->scene = scene;
  self->choice = *choice;
  self->is_going = TRUE;
  fp_heap_table_show (self->table, scene->functions, choice);
  self->is_going = FALSE;
  show_beside (self);
}

FpHeapTable *
fp_heap_functions_get_table (FpHeapFunctions *self)
{
  g_return_val_if_fail (FP_IS_HEAP_FUNCTIONS (self), NULL);

  return self->table;
}

void
fp_heap_functions_set_narrow (FpHeapFunctions *self,
                              gboolean is_narrow,
                              gboolean has_one_figure)
{
  g_return_if_fail (FP_IS_HEAP_FUNCTIONS (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->beside), is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  fp_heap_table_set_narrow (self->table, has_one_figure);
  for (FpHeapSide side = 0; side < N_SIDES; side++)
    fp_heap_table_set_narrow (self->sides[side].table, has_one_figure);
}
