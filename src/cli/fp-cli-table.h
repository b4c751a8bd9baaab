// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-view.h"

G_BEGIN_DECLS

typedef struct
{
  guint width;   /* of the terminal; 0: as wide as it takes */
  guint n_lines; /* rows that fit; 0: all */
  gboolean colour;
} FpCliPaper;

void fp_cli_table_print (const FpCliView *view, const FpCliPaper *paper, GString *out, GString *notes);
void fp_cli_notes_print (const FpCliView *view, const FpCliPaper *paper, GString *out);
void fp_cli_columns_print (GString *out);

G_END_DECLS
