// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-frame-pace.h"

struct _FpFramePace
{
  GObject parent;

  GtkWidget *window;
  FpCollector *collector; /* owned */
  gulong painted_handler;
};

enum
{
  PAINTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpFramePace, fp_frame_pace, G_TYPE_OBJECT)

static void
painted_cb (FpFramePace *self,
            GdkFrameClock *clock)
{
  g_clear_signal_handler (&self->painted_handler, clock);
  g_signal_emit (self, signals[PAINTED], 0);
  fp_collector_shown (self->collector);
}

static void
update_visibility (FpFramePace *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self->window));
  gboolean is_minimised =
      surface && gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) & GDK_TOPLEVEL_STATE_MINIMIZED;

  fp_collector_set_visible (self->collector, gtk_widget_get_mapped (self->window) && !is_minimised);
}

static void
realize_cb (FpFramePace *self)
{
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (self->window)), "notify::state",
                           G_CALLBACK (update_visibility), self, G_CONNECT_SWAPPED);
}

static void
fp_frame_pace_dispose (GObject *object)
{
  g_clear_object (&FP_FRAME_PACE (object)->collector);

  G_OBJECT_CLASS (fp_frame_pace_parent_class)->dispose (object);
}

static void
fp_frame_pace_class_init (FpFramePaceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_frame_pace_dispose;

  signals[PAINTED] =
      g_signal_new ("painted", FP_TYPE_FRAME_PACE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_frame_pace_init (FpFramePace *self)
{
}

/* The window is not realized yet. */
FpFramePace *
fp_frame_pace_new (GtkWidget *window,
                   FpCollector *collector)
{
  FpFramePace *self = g_object_new (FP_TYPE_FRAME_PACE, NULL);

  self->window = window;
  self->collector = g_object_ref (collector);
  g_signal_connect_object (window, "realize", G_CALLBACK (realize_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "map", G_CALLBACK (update_visibility), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "unmap", G_CALLBACK (update_visibility), self, G_CONNECT_SWAPPED);
  return self;
}

/* Also where nothing on screen has changed and nothing is painted. */
void
fp_frame_pace_await (FpFramePace *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (self->window);

  if (!clock || self->painted_handler)
    return;
  self->painted_handler =
      g_signal_connect_object (clock, "after-paint", G_CALLBACK (painted_cb), self, G_CONNECT_SWAPPED);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
}
