// SPDX-License-Identifier: GPL-3.0-or-later
/* A GIO module that the driver puts into the program under test: since GTK 4.10 AT-SPI names who is at a point, and where
 * somebody is, without asking whether that is on the screen. Rows that were scrolled away keep their last place. So here
 * only what is mapped has one. */
#include <gio/gio.h>
#include <gtk/gtk.h>

static gboolean (*get_bounds) (GtkAccessible *, int *, int *, int *, int *);

static gboolean
get_bounds_of_mapped (GtkAccessible *accessible,
                      int *x,
                      int *y,
                      int *width,
                      int *height)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (accessible)))
    return get_bounds (accessible, x, y, width, height);
  *x = *y = *width = *height = 0;
  return FALSE;
}

/* Classes of widgets share the table of their parent, but the few that have more to say. */
static gboolean
replace_cb (gpointer data)
{
  GtkAccessibleInterface *interface = g_type_interface_peek (g_type_class_ref (GTK_TYPE_WIDGET), GTK_TYPE_ACCESSIBLE);

  get_bounds = interface->get_bounds;
  interface->get_bounds = get_bounds_of_mapped;
  return G_SOURCE_REMOVE;
}

/* Later, when GTK is ready: GIO loads modules early. */
G_MODULE_EXPORT void
g_io_module_load (GIOModule *module)
{
  g_type_module_use (G_TYPE_MODULE (module));
  g_idle_add_full (G_PRIORITY_HIGH, replace_cb, NULL, NULL);
}

G_MODULE_EXPORT void
g_io_module_unload (GIOModule *module)
{
}
