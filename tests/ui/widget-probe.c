// SPDX-License-Identifier: GPL-3.0-or-later
#include "widget-probe.h"

/* The first one in it, itself included; NULL: there is none */
GtkWidget *
widget_probe_find (GtkWidget *root,
                   GType type)
{
  GtkWidget *found = NULL;

  if (G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child && !found; child = gtk_widget_get_next_sibling (child))
    found = widget_probe_find (child, type);
  return found;
}

static void
painted_cb (gboolean *is_painted)
{
  *is_painted = TRUE;
}

void
widget_probe_await_frame (GtkWidget *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);
  gboolean is_painted = FALSE;
  gulong handler = g_signal_connect_swapped (clock, "after-paint", G_CALLBACK (painted_cb), &is_painted);

  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
  while (!is_painted)
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (clock, handler);
}

/* Counts a signal; to be connected swapped, with the number. */
void
widget_probe_count_cb (guint *n)
{
  (*n)++;
}

void
widget_probe_settle (guint ms)
{
  gint64 end = g_get_monotonic_time () + ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}
