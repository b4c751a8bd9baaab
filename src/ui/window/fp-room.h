// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct
{
  int width;
  double text_scale; /* of large text there is room for less */
  gboolean is_narrow;
  gboolean is_low;        /* the view needs all of the height */
  gboolean has_two_parts; /* something can be beside the view */
} FpRoomState;

#define FP_TYPE_ROOM (fp_room_get_type ())

/* How much room a window has, until libadwaita 1.4 has AdwBreakpoint.
 *
 * ::changed */
G_DECLARE_FINAL_TYPE (FpRoom, fp_room, FP, ROOM, GObject)

FpRoom *fp_room_new (GtkWindow *window);
const FpRoomState *fp_room_get (FpRoom *self);
void fp_room_measure_later (FpRoom *self);

G_END_DECLS
