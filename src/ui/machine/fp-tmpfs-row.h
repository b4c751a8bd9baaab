// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-machine-items.h"

G_BEGIN_DECLS

#define FP_TYPE_TMPFS_ROW (fp_tmpfs_row_get_type ())

/* A file in a list of files, or the rest of them. Its buttons call the window's actions files.show and files.copy with the
 * number of the file. */
G_DECLARE_FINAL_TYPE (FpTmpfsRow, fp_tmpfs_row, FP, TMPFS_ROW, GtkListBoxRow)

typedef enum
{
  FP_TMPFS_ROW_REST,
  FP_TMPFS_ROW_FILE,      /* its path can be copied */
  FP_TMPFS_ROW_REACHABLE, /* and it can be shown in its folder */
} FpTmpfsRowKind;

GtkWidget *fp_tmpfs_row_new (FpTmpfsRowKind kind, guint number, const FpMachineItem *item, const FpFormat *format);
void fp_tmpfs_row_open (FpTmpfsRow *self);

G_END_DECLS
