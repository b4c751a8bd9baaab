// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-column-sets.h"

G_BEGIN_DECLS

/* Facts about a record in a grid: a line for each column of a set, with the column's title and its value. */
void fp_facts_add (GtkGrid *grid, const FpColumnSet *set);
void fp_facts_show (GtkGrid *grid, guint i, const char *text);

G_END_DECLS
