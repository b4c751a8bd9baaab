// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-row-cell.h"
#include "fp-table-view.h"

G_BEGIN_DECLS

/* Asks for a file and writes the rows and columns of the view as they are shown then: the end of the file's name says in which
 * form. name: what is suggested for the file */
void fp_list_export_ask (FpTableView *view, const FpRowStyle *style, const char *name);

G_END_DECLS
