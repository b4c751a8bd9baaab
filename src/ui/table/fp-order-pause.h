// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_ORDER_PAUSE (fp_order_pause_get_type ())

/* Whether somebody is reading a list, so that its rows must not move: for some seconds after the pointer, a key or the
 * wheel was used in it, longer while it is scrolled down, and while a menu is open. Property: paused */
G_DECLARE_FINAL_TYPE (FpOrderPause, fp_order_pause, FP, ORDER_PAUSE, GObject)

FpOrderPause *fp_order_pause_new (GtkWidget *list, GtkAdjustment *adjustment);
gboolean fp_order_pause_is_paused (FpOrderPause *self);
void fp_order_pause_set_menu_open (FpOrderPause *self, gboolean is_open);
gboolean fp_order_pause_is_menu_open (FpOrderPause *self);
void fp_order_pause_resume (FpOrderPause *self);

G_END_DECLS
