// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-room.h"
#include "fp-text-width.h"

#define NARROW_WIDTH 600
#define LOW_HEIGHT   500
#define FOLD_WIDTH   900

#define OTHER_SIZES                                                                                                         \
  (GDK_TOPLEVEL_STATE_MAXIMIZED | GDK_TOPLEVEL_STATE_FULLSCREEN | GDK_TOPLEVEL_STATE_TILED | GDK_TOPLEVEL_STATE_TOP_TILED | \
   GDK_TOPLEVEL_STATE_RIGHT_TILED | GDK_TOPLEVEL_STATE_BOTTOM_TILED | GDK_TOPLEVEL_STATE_LEFT_TILED)

struct _FpRoom
{
  GObject parent;

  GtkWindow *window; /* not owned: it has this */
  FpRoomState state;
  guint source;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpRoom, fp_room, G_TYPE_OBJECT)

/* The default size is the one that a window goes back to when it is no longer maximized or tiled. */
static void
get_size (FpRoom *self,
          int *width,
          int *height)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self->window));
  double frame_x, frame_y;

  gtk_window_get_default_size (self->window, width, height);
  if (!surface || !(gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) & OTHER_SIZES))
    return;
  gtk_native_get_surface_transform (GTK_NATIVE (self->window), &frame_x, &frame_y);
  *width = gdk_surface_get_width (surface) - 2 * (int)frame_x;
  *height = gdk_surface_get_height (surface) - 2 * (int)frame_y;
}

static void
measure (FpRoom *self)
{
  double scale = self->state.text_scale;
  int width, height;

  get_size (self, &width, &height);
  self->state.width = width;
  self->state.is_narrow = width < NARROW_WIDTH * scale;
  self->state.is_low = height < LOW_HEIGHT * scale;
  self->state.has_two_parts = width >= FOLD_WIDTH * scale;
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
measure_cb (gpointer data)
{
  FpRoom *self = data;

  self->source = 0;
  self->state.text_scale = fp_text_width_get_scale (GTK_WIDGET (self->window));
  measure (self);
  return G_SOURCE_REMOVE;
}

/* No widget may come or go before all have their places or, with another font, their styles. */
void
fp_room_measure_later (FpRoom *self)
{
  g_return_if_fail (FP_IS_ROOM (self));

  if (self->source == 0)
    self->source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, measure_cb, self, NULL);
}

static void
realize_cb (FpRoom *self)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (self->window));

  g_signal_connect_object (surface, "notify::width", G_CALLBACK (fp_room_measure_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (surface, "notify::height", G_CALLBACK (fp_room_measure_later), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (surface, "notify::state", G_CALLBACK (fp_room_measure_later), self, G_CONNECT_SWAPPED);
}

static void
fp_room_dispose (GObject *object)
{
  g_clear_handle_id (&FP_ROOM (object)->source, g_source_remove);

  G_OBJECT_CLASS (fp_room_parent_class)->dispose (object);
}

static void
fp_room_class_init (FpRoomClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_room_dispose;

  signals[CHANGED] = g_signal_new ("changed", FP_TYPE_ROOM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_room_init (FpRoom *self)
{
}

FpRoom *
fp_room_new (GtkWindow *window)
{
  FpRoom *self = g_object_new (FP_TYPE_ROOM, NULL);

  self->window = window;
  self->state.text_scale = fp_text_width_get_scale (GTK_WIDGET (window));
  g_signal_connect_object (window, "realize", G_CALLBACK (realize_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "notify::default-width", G_CALLBACK (measure), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (window, "notify::default-height", G_CALLBACK (measure), self, G_CONNECT_SWAPPED);
  return self;
}

const FpRoomState *
fp_room_get (FpRoom *self)
{
  g_return_val_if_fail (FP_IS_ROOM (self), NULL);

  return &self->state;
}
