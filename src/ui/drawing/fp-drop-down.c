// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-drop-down.h"

static void
update_cb (GtkDropDown *self,
           GParamSpec *property,
           gpointer name)
{
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self));
  GtkStringObject *item = gtk_drop_down_get_selected_item (self);
  const char *chosen = item ? gtk_string_object_get_string (item) : "";
  g_autofree char *label = g_strdup_printf ("%s: %s", (const char *)name, chosen);

  /* The focus is on the button. GTK 4.8 gives it no name but that of its type, and 4.18 what the whole has. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, chosen, -1);
}

/* Screen readers say this name, which must stay, before the selected item. The model must consist of strings. */
void
fp_drop_down_set_name (GtkDropDown *self,
                       const char *name)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (self));

  /* To GTK 4.18 what is chosen is the name. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (self, "notify::selected-item", G_CALLBACK (update_cb), (gpointer)name);
  update_cb (self, NULL, (gpointer)name);
}
