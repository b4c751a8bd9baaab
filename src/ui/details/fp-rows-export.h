// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-rows.h"

G_BEGIN_DECLS

/* The rows that are shown, for other programs: the end of the file's name says in which form. */
void fp_rows_export_copy (GtkWidget *widget, const FpRecords *records, const FpRows *rows);
void fp_rows_export_ask (GtkWidget *widget, const FpRecords *records, const FpRows *rows, const char *title, const char *name);

G_END_DECLS
