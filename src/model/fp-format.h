// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-figure.h"

G_BEGIN_DECLS

/* The way in which figures and names are written. */
typedef struct
{
  FpFigureStyle style;
  guint64 memory_total; /* 100 % */
  guint64 swap_total;
  gboolean numeric_users;
  gboolean is_for_programs; /* columns give words of a fixed set instead of sentences */
} FpFormat;

#define FP_CELL_SIZE 4400

guint64 fp_format_get_whole (const FpFormat *self, FpField field);
void fp_format_memory (const FpFormat *self, FpFigure figure, char *text);
void fp_format_kept_memory (const FpFormat *self, FpFigure figure, char *text);
void fp_format_share (const FpFormat *self, FpFigure figure, char *text, gsize size);

G_END_DECLS
