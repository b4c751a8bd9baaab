// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_ROW (fp_machine_row_get_type ())

/* A row of the view of the machine: a line, which opens its parts, or one of these below it. */
G_DECLARE_FINAL_TYPE (FpMachineRow, fp_machine_row, FP, MACHINE_ROW, GtkListBoxRow)

typedef enum
{
  FP_MACHINE_ROW_LINE,
  FP_MACHINE_ROW_PART, /* it may open another view */
} FpMachineRowKind;

typedef struct
{
  const char *title;
  const char *subtitle;
  const char *hint; /* (nullable): what is shown when a part is activated */
  const char *figure;
  const char *change;       /* (nullable) */
  const char *change_words; /* (nullable): for the tooltip and screen readers */
  gboolean has_changed;
  const char *action; /* (nullable): of the window, when the row is activated */
  const char *target; /* (nullable): of the action */
  gboolean is_heading;
} FpMachineRowTexts;

GtkWidget *fp_machine_row_new (FpMachineRowKind kind, const char *colour);
void fp_machine_row_set_texts (FpMachineRow *self, const FpMachineRowTexts *texts);
void fp_machine_row_set_narrow (FpMachineRow *self, gboolean is_narrow);
void fp_machine_row_set_expanded (FpMachineRow *self, gboolean is_expanded);
gboolean fp_machine_row_get_expanded (FpMachineRow *self);
void fp_machine_row_open (FpMachineRow *self);

G_END_DECLS
