// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-list-content.h"
#include "fp-table-columns.h"

G_BEGIN_DECLS

/* Shows the columns of a list that have a value at present, and names that of changes. */
typedef struct
{
  const FpListContent *content;
  FpTableColumns *columns; /* not owned */
  GHashTable *unread;      /* of FpColumn, which lack what was not read when somebody looked last */
} FpListColumns;

void fp_list_columns_init (FpListColumns *self, const FpListContent *content, FpTableColumns *columns);
void fp_list_columns_clear (FpListColumns *self);
void fp_list_columns_update (FpListColumns *self, const FpSessionState *state, const FpRecords *records, gboolean shows_ended);

G_END_DECLS
