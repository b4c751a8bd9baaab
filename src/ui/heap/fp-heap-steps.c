// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-steps.h"

struct _FpHeapSteps
{
  GtkWidget parent;

  GtkWidget *ends;
  GtkWidget *top_down;
  FpHeapTable *table;
};

enum
{
  DIRECTION_CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpHeapSteps, fp_heap_steps, GTK_TYPE_WIDGET)

static void
toggled_cb (FpHeapSteps *self)
{
  fp_heap_table_open_anew (self->table);
  g_signal_emit (self, signals[DIRECTION_CHOSEN], 0);
}

static void
fp_heap_steps_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (fp_heap_steps_parent_class)->dispose (object);
}

static void
fp_heap_steps_class_init (FpHeapStepsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_heap_steps_dispose;
  signals[DIRECTION_CHOSEN] = g_signal_new ("direction-chosen", FP_TYPE_HEAP_STEPS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static GtkWidget *
add_end (FpHeapSteps *self,
         const char *label,
         const char *tooltip,
         GtkWidget *group)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (group));
  gtk_box_append (GTK_BOX (self->ends), button);
  return button;
}

static void
fp_heap_steps_init (FpHeapSteps *self)
{
  GtkWidget *bottom_up;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->ends = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->ends, "linked");
  gtk_widget_set_halign (self->ends, GTK_ALIGN_START);
  gtk_widget_set_margin_start (self->ends, 12);
  gtk_widget_set_margin_bottom (self->ends, 6);
  bottom_up = add_end (self, _ ("Bottom-Up"), _ ("From the Functions That Allocate to Their Callers"), NULL);
  self->top_down = add_end (self, _ ("Top-Down"), _ ("From the Start of the Program to What It Calls"), bottom_up);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (bottom_up), TRUE);
  g_signal_connect_swapped (self->top_down, "toggled", G_CALLBACK (toggled_cb), self);
  gtk_widget_set_parent (self->ends, GTK_WIDGET (self));
  self->table = FP_HEAP_TABLE (fp_heap_table_new (FP_TABLE_HEAP_STEPS, _ ("Tree of calls")));
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->table), GTK_WIDGET (self));
}

FpHeapDirection
fp_heap_steps_get_direction (FpHeapSteps *self)
{
  g_return_val_if_fail (FP_IS_HEAP_STEPS (self), FP_HEAP_BOTTOM_UP);

  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->top_down)) ? FP_HEAP_TOP_DOWN : FP_HEAP_BOTTOM_UP;
}

FpHeapTable *
fp_heap_steps_get_table (FpHeapSteps *self)
{
  g_return_val_if_fail (FP_IS_HEAP_STEPS (self), NULL);

  return self->table;
}
