// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-rows.h"

G_BEGIN_DECLS

#define FP_NO_RANK G_MAXUINT

/* An item is a row that has no place yet, with all that its order depends on. */
typedef struct
{
  FpRow row;
  guint parent; /* group, or FP_NO_GROUP */
  guint rank;   /* its place in the order that is held */
  guint parts;  /* of an open record: its run of parts */
  gboolean is_leader;
  FpFigure figure;
  FpFigure memory;
  const char *text;
} FpItem;

/* The column and the direction by which rows are sorted. */
typedef struct
{
  const FpColumn *column;
  const FpColumn *group_column;
  gboolean descending;
  GStringChunk *texts;
  const char *last_text; /* in them */
} FpOrder;

void fp_order_init (FpOrder *self);
void fp_order_clear (FpOrder *self);
void fp_order_forget_texts (FpOrder *self);
void fp_order_set_column (FpOrder *self, const FpColumn *column, gboolean descending);
void fp_order_prepare (FpOrder *self, FpItem *item, const FpRecords *records, guint index, const FpFormat *format);
gboolean fp_order_knows_groups (const FpOrder *self);
void fp_order_sort (const FpOrder *self, FpItem **items, guint n, gboolean is_held);

G_END_DECLS
