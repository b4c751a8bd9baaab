// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-drop-down.h"

static void
update_cb (GtkDropDown *self,
           GParamSpec *property,
           gpointer name)
{
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (self));
  GtkStringObject *item = gtk_drop_down_get_selected_item (self);
  const char *chosen = item ? gtk_string_object_get_string (item) : "";
  /* Translators: what is chosen by a button, and what was chosen */
  g_autofree char *label = g_strdup_printf (_ ("%s: %s"), (const char *)name, chosen);

  /* The focus is on the button. GTK 4.8 gives it no name but that of its type, and 4.18 what the whole has. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, chosen, -1);
}

/* An open popup would have other choices where the pointer is. */
static void
close_popup (GtkDropDown *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self)); child; child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child))
      gtk_popover_popdown (GTK_POPOVER (child));
}

static gboolean
has_titles (GtkStringList *model,
            const char *const *titles)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (model));

  if (g_strv_length ((char **)titles) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (model, i), titles[i]))
      return FALSE;
  return TRUE;
}

/* The model must be a list of strings. Choices that stay the same stay open. */
void
fp_drop_down_set_titles (GtkDropDown *self,
                         const char *const *titles)
{
  GtkStringList *model;

  g_return_if_fail (GTK_IS_DROP_DOWN (self));
  g_return_if_fail (GTK_IS_STRING_LIST (gtk_drop_down_get_model (self)));

  model = GTK_STRING_LIST (gtk_drop_down_get_model (self));
  if (has_titles (model, titles))
    return;
  close_popup (self);
  gtk_string_list_splice (model, 0, g_list_model_get_n_items (G_LIST_MODEL (model)), titles);
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
