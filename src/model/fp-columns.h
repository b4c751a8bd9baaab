// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"

G_BEGIN_DECLS

extern const char *const fp_topic_titles[FP_N_TOPICS];

guint fp_columns_get_n (void);
const FpColumn *fp_columns_get (guint i);
const FpColumn *fp_columns_get_role (FpColumnRole role, guint kinds);
const FpColumn *fp_columns_find (const char *id, guint kinds);
const FpColumn *fp_columns_find_named (const char *name, guint kinds);
const char *fp_columns_find_similar (const char *name, guint kinds);

G_END_DECLS
