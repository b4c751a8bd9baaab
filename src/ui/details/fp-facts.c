// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-facts.h"
#include "fp-names-label.h"

#define TITLE_LETTERS 16 /* A longer title takes a second line, and no room from the values. */

static void
add (GtkGrid *grid,
     const FpColumn *column,
     int row)
{
  GtkWidget *title = gtk_label_new (_ (column->title)), *value = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (title), 1);
  gtk_label_set_justify (GTK_LABEL (title), GTK_JUSTIFY_RIGHT);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), TITLE_LETTERS);
  gtk_widget_set_valign (title, GTK_ALIGN_START);
  gtk_widget_add_css_class (title, "dim-label");
  gtk_widget_set_tooltip_text (title, _ (column->meaning));
  gtk_label_set_xalign (GTK_LABEL (value), 0);
  fp_names_label_wrap (GTK_LABEL (value));
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_add_css_class (value, "numeric");
  gtk_widget_set_hexpand (value, TRUE);
  gtk_grid_attach (grid, title, 0, row, 1, 1);
  gtk_grid_attach (grid, value, 1, row, 1, 1);
}

void
fp_facts_add (GtkGrid *grid,
              const FpColumnSet *set)
{
  const FpColumn *column;

  for (guint i = 0; (column = fp_column_set_get (set, i)); i++)
    add (grid, column, (int)i);
}

/* i: the place of its column in the set. A fact without a text is hidden. */
void
fp_facts_show (GtkGrid *grid,
               guint i,
               const char *text)
{
  GtkWidget *title = gtk_grid_get_child_at (grid, 0, (int)i), *value = gtk_grid_get_child_at (grid, 1, (int)i);

  gtk_widget_set_visible (title, *text != '\0');
  gtk_widget_set_visible (value, *text != '\0');
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (value)), text) != 0)
    gtk_label_set_text (GTK_LABEL (value), text);
}
