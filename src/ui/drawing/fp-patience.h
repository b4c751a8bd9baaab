// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A dialog that tells of something that takes long, and can cancel it. It comes only where it does take long. */
typedef struct _FpPatience FpPatience;

FpPatience *fp_patience_new (GtkWidget *widget, const char *heading, GCancellable *cancellable);
void fp_patience_free (FpPatience *self);

G_END_DECLS
