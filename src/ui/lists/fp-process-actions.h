// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-ending-loader.h"

G_BEGIN_DECLS

/* Copies records, or sends signals to processes. The window's action win.report gets the first failure. */
void fp_process_actions_append_lines (GString *text, const FpRecords *records, const guint *indices, guint n);
void fp_process_actions_copy (GtkWidget *widget, const char *text);
void fp_process_actions_signal (GtkWindow *window,
                                const FpRecords *records,
                                const guint *indices,
                                guint n,
                                const FpFormat *format,
                                FpEndingLoader *ending,
                                int signal);

G_END_DECLS
