// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gio.h>

#include "fp-screenshot.h"

/* A picture of a widget as it is shown, whatever draws the screen. */
gboolean
fp_screenshot_save (GtkWidget *widget,
                    const char *path,
                    GError **error)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GskRenderer) renderer = gsk_cairo_renderer_new ();
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) png = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  /* The widget's own size is without its frame, which is drawn. */
  int width = gdk_paintable_get_intrinsic_width (paintable), height = gdk_paintable_get_intrinsic_height (paintable);

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  if (!node || !gsk_renderer_realize (renderer, NULL, error))
    {
      if (!node)
        g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Nothing is shown yet");
      return FALSE;
    }
  texture = gsk_renderer_render_texture (renderer, node, &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)height));
  gsk_renderer_unrealize (renderer);
  png = gdk_texture_save_to_png_bytes (texture);
  return g_file_replace_contents (file, g_bytes_get_data (png, NULL), g_bytes_get_size (png), NULL, FALSE,
                                  G_FILE_CREATE_NONE, NULL, NULL, error);
}
