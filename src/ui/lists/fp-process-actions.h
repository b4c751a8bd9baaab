// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-ending-loader.h"

G_BEGIN_DECLS

/* Copies processes, or sends them signals. report: gets the first failure, as a line for a toast */
typedef void (*FpReportFunc) (const char *text, gpointer data);

void fp_process_actions_copy (GtkWidget *widget, const FpRecords *records, const guint *indices, guint n);
void fp_process_actions_signal (GtkWindow *window,
                                const FpRecords *records,
                                const guint *indices,
                                guint n,
                                const FpFormat *format,
                                FpEndingLoader *ending,
                                int signal,
                                FpReportFunc report,
                                gpointer data);

G_END_DECLS
