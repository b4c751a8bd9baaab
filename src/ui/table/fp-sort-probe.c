// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-sort-probe.h"

typedef struct
{
  FpSortProbe *probe;
  GtkColumnViewColumn *column;
} Question;

void
fp_sort_probe_init (FpSortProbe *self,
                    GtkColumnView *view)
{
  *self = (FpSortProbe){ .view = view };
  self->smaller = g_object_new (G_TYPE_OBJECT, NULL);
  self->larger = g_object_new (G_TYPE_OBJECT, NULL);
}

void
fp_sort_probe_clear (FpSortProbe *self)
{
  g_clear_object (&self->smaller);
  g_clear_object (&self->larger);
}

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer data)
{
  Question *question = data;

  if (!question->probe->asked)
    question->probe->asked = question->column;
  return a == question->probe->smaller ? -1 : 1;
}

void
fp_sort_probe_add (FpSortProbe *self,
                   GtkColumnViewColumn *column)
{
  Question *question = g_new (Question, 1);
  g_autoptr (GtkSorter) sorter = NULL;

  *question = (Question){ self, column };
  sorter = GTK_SORTER (gtk_custom_sorter_new (compare, question, g_free));
  gtk_column_view_column_set_sorter (column, sorter);
}

/* NULL: by none */
GtkColumnViewColumn *
fp_sort_probe_find (FpSortProbe *self,
                    GtkSortType *direction)
{
  GtkOrdering order;

  self->asked = NULL;
  order = gtk_sorter_compare (gtk_column_view_get_sorter (self->view), self->smaller, self->larger);
  *direction = order == GTK_ORDERING_LARGER ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING;
  return self->asked;
}
