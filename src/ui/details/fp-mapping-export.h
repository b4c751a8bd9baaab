// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-rows.h"

G_BEGIN_DECLS

/* The mappings that are shown, for other programs: what the name of the file ends with says in which form. */
void fp_mapping_export_copy (GtkWidget *widget, const FpRecords *records, const FpRows *rows);
void fp_mapping_export_ask (GtkWidget *widget, const FpRecords *records, const FpRows *rows, gint pid);

G_END_DECLS
