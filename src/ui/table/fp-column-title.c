// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-column-title.h"

/* title: a child of the header of GtkColumnView. NULL: it has no label */
GtkWidget *
fp_column_title_find_label (GtkWidget *title)
{
  GtkWidget *box = gtk_widget_get_first_child (title);
  GtkWidget *label = GTK_IS_BOX (box) ? gtk_widget_get_first_child (box) : NULL;

  while (label && !GTK_IS_LABEL (label))
    label = gtk_widget_get_next_sibling (label);
  return label;
}

/* Above figures, with the sort arrow before it. */
void
fp_column_title_align_end (GtkWidget *label)
{
  GtkWidget *box = gtk_widget_get_parent (label);
  gboolean is_rtl = gtk_widget_get_direction (box) == GTK_TEXT_DIR_RTL;

  gtk_widget_set_halign (box, is_rtl ? GTK_ALIGN_START : GTK_ALIGN_END);
  gtk_box_reorder_child_after (GTK_BOX (box), label, is_rtl ? NULL : gtk_widget_get_last_child (box));
}
