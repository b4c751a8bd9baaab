// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

#define FP_NO_SUCCESSOR G_MAXUINT

/* Finds records of a list in a later one of the same kind, by their keys. The array has an index for each of the old ones,
 * and is to be freed. */
guint *fp_successors_find (const FpRecords *old, const FpRecords *records);
guint fp_successors_find_one (const FpRecords *records, FpKey key);

G_END_DECLS
