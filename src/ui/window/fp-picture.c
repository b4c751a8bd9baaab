// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-picture.h"
#include "fp-screenshot.h"

#define SETTLE_MS 300 /* for what moves in when a list is complete */

struct _FpPicture
{
  GtkWindow *window;
  FpFramePace *pace;
  char *path;
  gboolean *failed;
  guint timer;
  gboolean is_due;
  gboolean is_taken;
};

/* failed: set once it is tried, and has to be there until the program ends */
FpPicture *
fp_picture_new (GtkWindow *window,
                FpFramePace *pace,
                const char *path,
                gboolean *failed)
{
  FpPicture *self = g_new0 (FpPicture, 1);

  self->window = window;
  self->pace = pace;
  self->path = g_strdup (path);
  self->failed = failed;
  return self;
}

void
fp_picture_free (FpPicture *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_free (self->path);
  g_free (self);
}

static gboolean
close_cb (gpointer window)
{
  gtk_window_close (window);
  return G_SOURCE_REMOVE;
}

/* The window closes later, because the frame clock, which is at work, goes with it. */
static void
take (FpPicture *self)
{
  g_autoptr (GError) error = NULL;

  self->is_taken = TRUE;
  *self->failed = !fp_screenshot_save (GTK_WIDGET (self->window), self->path, &error);
  if (error)
    g_printerr ("footprint: %s\n", error->message);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, close_cb, g_object_ref (self->window), g_object_unref);
}

/* There will be no list. */
void
fp_picture_fail (FpPicture *self,
                 const char *problem)
{
  if (self->is_taken)
    return;
  self->is_taken = TRUE;
  *self->failed = TRUE;
  g_printerr ("footprint: %s\n", problem);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, close_cb, g_object_ref (self->window), g_object_unref);
}

static gboolean
settled_cb (gpointer data)
{
  FpPicture *self = data;

  self->timer = 0;
  self->is_due = TRUE;
  fp_frame_pace_await (self->pace);
  return G_SOURCE_REMOVE;
}

/* To be called after each frame: between two of them a widget may have no place yet, and GTK warns whoever draws it.
 * is_ready: the list is complete */
void
fp_picture_painted (FpPicture *self,
                    gboolean is_ready)
{
  if (self->is_taken)
    return;
  if (self->is_due && is_ready)
    take (self);
  else if (!self->timer)
    self->timer = g_timeout_add_full (G_PRIORITY_LOW, SETTLE_MS, settled_cb, self, NULL);
  self->is_due = FALSE;
}
