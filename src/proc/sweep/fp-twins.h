// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-roster.h"

G_BEGIN_DECLS

/* Compares the memory of two processes, each the number of one, or of one with itself; order: negative, 0 for the same one or
 * positive. FALSE: one of them can't be looked at. */
typedef gboolean (*FpTwinsCompareFunc) (guint a, guint b, int *order, gpointer data);

guint fp_twins_mark (FpRoster *roster);
void fp_twins_find (guint *owners, guint n, FpTwinsCompareFunc compare, gpointer data);

G_END_DECLS
