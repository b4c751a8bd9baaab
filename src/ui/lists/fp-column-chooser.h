// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-records.h"

G_BEGIN_DECLS

#define FP_TYPE_COLUMN_CHOOSER (fp_column_chooser_get_type ())

/* All columns a table can have, by what they are about, each with its meaning and a switch. */
G_DECLARE_FINAL_TYPE (FpColumnChooser, fp_column_chooser, FP, COLUMN_CHOOSER, AdwWindow)

FpColumnChooser *fp_column_chooser_new (GtkWindow *parent, FpRecordKind kind, GActionGroup *columns);

G_END_DECLS
