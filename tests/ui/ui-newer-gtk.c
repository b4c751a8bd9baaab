// SPDX-License-Identifier: GPL-3.0-or-later
/* A GIO module that the driver puts into the program under test, to mend what AT-SPI of GTK 4.10 to 4.18 says: rows that
 * were scrolled away keep their last place, so that here only what is mapped has one; and items of menus have no name, as
 * the labels they have theirs from are said to be for the eye alone. */
#include <gio/gio.h>
#include <gtk/gtk.h>

static GtkATContext *(*get_at_context) (GtkAccessible *);
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

/* Each time: what a button of a menu learns later makes it name its label again. */
static GtkATContext *
get_named_at_context (GtkAccessible *accessible)
{
  static gboolean is_naming;
  g_autofree char *text = NULL;

  if (is_naming || !g_str_equal (G_OBJECT_TYPE_NAME (accessible), "GtkModelButton"))
    return get_at_context (accessible);
  g_object_get (accessible, "text", &text, NULL);
  if (text && *text)
    {
      is_naming = TRUE;
      gtk_accessible_reset_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY);
      gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
      is_naming = FALSE;
    }
  return get_at_context (accessible);
}

/* Classes of widgets share the table of their parent, but the few that have more to say. */
static gboolean
replace_cb (gpointer data)
{
  GtkAccessibleInterface *interface = g_type_interface_peek (g_type_class_ref (GTK_TYPE_WIDGET), GTK_TYPE_ACCESSIBLE);

  get_bounds = interface->get_bounds;
  interface->get_bounds = get_bounds_of_mapped;
  get_at_context = interface->get_at_context;
  interface->get_at_context = get_named_at_context;
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
