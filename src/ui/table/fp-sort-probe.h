// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Finds the column by which a GtkColumnView is sorted. GTK 4.10 has gtk_column_view_sorter_get_primary_sort_column ()
 * for this. Until then, each column's sorter notes that it was asked, and the answer gives the direction. */
typedef struct
{
  GtkColumnView *view;
  GtkColumnViewColumn *asked;
  GObject *smaller;
  GObject *larger;
} FpSortProbe;

void fp_sort_probe_init (FpSortProbe *self, GtkColumnView *view);
void fp_sort_probe_clear (FpSortProbe *self);
void fp_sort_probe_add (FpSortProbe *self, GtkColumnViewColumn *column);
GtkColumnViewColumn *fp_sort_probe_find (FpSortProbe *self, GtkSortType *direction);

G_END_DECLS
