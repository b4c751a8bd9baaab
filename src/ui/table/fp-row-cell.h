// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cell.h"
#include "fp-row-icons.h"

G_BEGIN_DECLS

/* How a row looks: the text, tone, badge and bar of its cells. */
typedef struct
{
  FpFormat format;
  guint64 swap_used;   /* bytes in a full bar of swap; 0: no bars */
  guint64 share_whole; /* bytes in a full bar of parts: all memory, or the largest row where swap makes it more */
  gboolean has_counts; /* a column shows the counts, so names need no badge */
  gboolean is_tree;
  FpGrouping grouping;
  FpRowIcons *icons;  /* before names; NULL: no icons */
  const char *nobody; /* the name of a group that has none */
} FpRowStyle;

guint64 fp_row_cell_get_share (const FpRows *rows, guint position);
void fp_row_cell_fill (FpCell *cell, const FpRows *rows, guint position, const FpColumn *column, const FpRowStyle *style);
void fp_row_cell_write (
    const FpRows *rows, guint position, const FpColumn *column, const FpRowStyle *style, char *text, gsize size);
char *fp_row_cell_describe (const FpRows *rows, guint position, const FpColumn *sort_column, const FpRowStyle *style);
void fp_row_cell_tell_state (GtkAccessible *widget, const FpRows *rows, guint position);
char *fp_row_cell_explain (const FpRows *rows, guint position, const FpColumn *column, const FpRowStyle *style);

G_END_DECLS
