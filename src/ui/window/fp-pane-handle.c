// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-pane-handle.h"

#define STEP 16 /* pixels for an arrow key */

struct _FpPaneHandle
{
  GtkWidget parent;

  GtkWidget *line;
  int width;
  int least;
  int most;
  int drag_width; /* where the drag began */
  double drag_x;  /* of the pointer then, in the window: the handle itself moves */
};

enum
{
  PROP_0,
  PROP_WIDTH,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FpPaneHandle, fp_pane_handle, GTK_TYPE_WIDGET)

/* Gives the width that was chosen, which comes back when there is room for it again. */
int
fp_pane_handle_get_width (FpPaneHandle *self)
{
  g_return_val_if_fail (FP_IS_PANE_HANDLE (self), 0);

  return self->width;
}

/* Gives the width that there is room for. */
int
fp_pane_handle_get_fitted_width (FpPaneHandle *self)
{
  g_return_val_if_fail (FP_IS_PANE_HANDLE (self), 0);

  return MAX (MIN (self->width, self->most), self->least);
}

void
fp_pane_handle_set_width (FpPaneHandle *self,
                          int width)
{
  g_return_if_fail (FP_IS_PANE_HANDLE (self));

  if (self->width == width)
    return;
  self->width = width;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WIDTH]);
}

void
fp_pane_handle_set_range (FpPaneHandle *self,
                          int least,
                          int most)
{
  g_return_if_fail (FP_IS_PANE_HANDLE (self));

  self->least = least;
  self->most = most;
}

static void
take_width (FpPaneHandle *self,
            int width)
{
  fp_pane_handle_set_width (self, MAX (MIN (width, self->most), self->least));
}

static double
get_window_x (FpPaneHandle *self,
              double x)
{
  double window_x = x, window_y;

  gtk_widget_translate_coordinates (GTK_WIDGET (self), GTK_WIDGET (gtk_widget_get_root (GTK_WIDGET (self))), x, 0, &window_x,
                                    &window_y);
  return window_x;
}

/* A pane at the end gets wider when its beginning is moved to the start. */
static int
get_direction (FpPaneHandle *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? 1 : -1;
}

static void
drag_begin_cb (FpPaneHandle *self,
               double x,
               double y)
{
  self->drag_width = fp_pane_handle_get_fitted_width (self);
  self->drag_x = get_window_x (self, x);
}

static void
drag_update_cb (FpPaneHandle *self,
                double offset_x,
                double offset_y,
                GtkGestureDrag *gesture)
{
  double start_x, start_y;

  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  take_width (self, self->drag_width + get_direction (self) * (int)(get_window_x (self, start_x + offset_x) - self->drag_x));
}

static gboolean
move_cb (GtkWidget *widget,
         GVariant *steps,
         gpointer data)
{
  FpPaneHandle *self = FP_PANE_HANDLE (widget);

  take_width (self, fp_pane_handle_get_fitted_width (self) + get_direction (self) * g_variant_get_int32 (steps) * STEP);
  return TRUE;
}

static gboolean
fp_pane_handle_focus (GtkWidget *widget,
                      GtkDirectionType direction)
{
  return FALSE;
}

static void
fp_pane_handle_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *pspec)
{
  if (id == PROP_WIDTH)
    g_value_set_int (value, fp_pane_handle_get_width (FP_PANE_HANDLE (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fp_pane_handle_dispose (GObject *object)
{
  g_clear_pointer (&FP_PANE_HANDLE (object)->line, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_pane_handle_parent_class)->dispose (object);
}

static void
fp_pane_handle_class_init (FpPaneHandleClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->get_property = fp_pane_handle_get_property;
  object_class->dispose = fp_pane_handle_dispose;
  widget_class->focus = fp_pane_handle_focus;

  properties[PROP_WIDTH] = g_param_spec_int ("width", NULL, NULL, 0, G_MAXINT, 0, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);

  gtk_widget_class_set_css_name (widget_class, "pane-handle");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SEPARATOR);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, move_cb, "i", -1);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, move_cb, "i", 1);
}

static void
fp_pane_handle_init (FpPaneHandle *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->most = G_MAXINT;
  self->line = gtk_separator_new (GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_halign (self->line, GTK_ALIGN_START);
  gtk_widget_set_parent (self->line, GTK_WIDGET (self));
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "col-resize");
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}
