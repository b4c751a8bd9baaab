// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-row-cell.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

/* Prints the rows and columns of the view as they are shown now. title: at the top of each page. Free the operation once it is
 * done. */
GtkPrintOperation *fp_list_print_new (FpTableView *view, const FpRowStyle *style, const char *title);
void fp_list_print_run (GtkPrintOperation *operation, GtkWidget *widget);

G_END_DECLS
