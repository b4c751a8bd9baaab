// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <math.h>

#include "fp-order-pause.h"

#define QUIET_MS   5000
#define READING_MS 30000 /* of who reads further down, whose hand may rest */

struct _FpOrderPause
{
  GObject parent;

  GtkAdjustment *adjustment;
  guint timer;   /* runs while the list was used of late */
  guint reading; /* runs while it is scrolled, and was used not long ago */
  double x, y;
  gboolean is_menu_open;
  gboolean is_left; /* scrolled, by somebody who reads there no more */
  gboolean is_paused;
};

enum
{
  PROP_0,
  PROP_PAUSED,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FpOrderPause, fp_order_pause, G_TYPE_OBJECT)

static void
update (FpOrderPause *self)
{
  gboolean is_paused = self->timer || self->reading || self->is_menu_open;

  if (self->is_paused == is_paused)
    return;
  self->is_paused = is_paused;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAUSED]);
}

static void
quiet_cb (gpointer data)
{
  FpOrderPause *self = data;

  self->timer = 0;
  update (self);
}

static void
read_cb (gpointer data)
{
  FpOrderPause *self = data;

  self->reading = 0;
  self->is_left = TRUE;
  update (self);
}

/* A list that is scrolled back to its top has been read further down. GTK moves a list also where rows come and go, which
 * prolongs nothing. */
static void
scrolled_cb (FpOrderPause *self)
{
  gboolean is_scrolled = gtk_adjustment_get_value (self->adjustment) > 0;

  self->is_left &= is_scrolled;
  if (!is_scrolled)
    g_clear_handle_id (&self->reading, g_source_remove);
  else if (!self->reading && !self->is_left)
    self->reading = g_timeout_add_once (READING_MS, read_cb, self);
  update (self);
}

static void
touch (FpOrderPause *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  self->timer = g_timeout_add_once (QUIET_MS, quiet_cb, self);
  g_clear_handle_id (&self->reading, g_source_remove);
  self->is_left = FALSE;
  scrolled_cb (self);
}

/* GTK tells of a motion also when what is below a resting pointer was laid out anew. */
static void
motion_cb (FpOrderPause *self,
           double x,
           double y)
{
  gboolean has_moved = fabs (self->x - x) > 0 || fabs (self->y - y) > 0;

  self->x = x;
  self->y = y;
  if (has_moved)
    touch (self);
}

static void
enter_cb (FpOrderPause *self,
          double x,
          double y)
{
  self->x = x;
  self->y = y;
}

static gboolean
key_cb (FpOrderPause *self)
{
  touch (self);
  return GDK_EVENT_PROPAGATE;
}

static gboolean
scroll_cb (FpOrderPause *self)
{
  touch (self);
  return GDK_EVENT_PROPAGATE;
}

gboolean
fp_order_pause_is_paused (FpOrderPause *self)
{
  g_return_val_if_fail (FP_IS_ORDER_PAUSE (self), FALSE);

  return self->is_paused;
}

void
fp_order_pause_set_menu_open (FpOrderPause *self,
                              gboolean is_open)
{
  g_return_if_fail (FP_IS_ORDER_PAUSE (self));

  self->is_menu_open = is_open;
  update (self);
}

gboolean
fp_order_pause_is_menu_open (FpOrderPause *self)
{
  g_return_val_if_fail (FP_IS_ORDER_PAUSE (self), FALSE);

  return self->is_menu_open;
}

/* At once, whatever was done in the list. */
void
fp_order_pause_resume (FpOrderPause *self)
{
  g_return_if_fail (FP_IS_ORDER_PAUSE (self));

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->reading, g_source_remove);
  gtk_adjustment_set_value (self->adjustment, 0);
  update (self);
}

static void
fp_order_pause_get_property (GObject *object,
                             guint id,
                             GValue *value,
                             GParamSpec *pspec)
{
  if (id == PROP_PAUSED)
    g_value_set_boolean (value, FP_ORDER_PAUSE (object)->is_paused);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fp_order_pause_dispose (GObject *object)
{
  FpOrderPause *self = FP_ORDER_PAUSE (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->reading, g_source_remove);
  g_clear_object (&self->adjustment);

  G_OBJECT_CLASS (fp_order_pause_parent_class)->dispose (object);
}

static void
fp_order_pause_class_init (FpOrderPauseClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = fp_order_pause_get_property;
  object_class->dispose = fp_order_pause_dispose;

  properties[PROP_PAUSED] =
      g_param_spec_boolean ("paused", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
fp_order_pause_init (FpOrderPause *self)
{
}

FpOrderPause *
fp_order_pause_new (GtkWidget *list,
                    GtkAdjustment *adjustment)
{
  FpOrderPause *self = g_object_new (FP_TYPE_ORDER_PAUSE, NULL);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  self->adjustment = g_object_ref (adjustment);
  g_signal_connect_object (motion, "motion", G_CALLBACK (motion_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "enter", G_CALLBACK (enter_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (key, "key-pressed", G_CALLBACK (key_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (scroll_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (scrolled_cb), self, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (key, GTK_PHASE_CAPTURE);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (list, motion);
  gtk_widget_add_controller (list, key);
  gtk_widget_add_controller (list, scroll);
  return self;
}
