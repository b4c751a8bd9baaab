// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"

G_BEGIN_DECLS

extern const FpKey fp_total_key_of_all; /* of a total of all that there is */

/* The sum of some processes, or of some mappings. What could not be read is between nothing and its bound, what may have
 * changed since it was read between its ends; a sum that is too large to be true has no upper end (G_MAXUINT64). */
typedef struct
{
  const char *name;
  const char *full_name; /* of a user */
  FpKey key;
  guint n_members;
  guint n_unread;
  guint n_counted; /* control groups that count for it alone, if it is a user, … */
  guint n_outside; /* …and its members that are in others */
  guint64 known;   /* a bit for each field that some members have */
  guint64 unknown; /* a bit for each field that is unread in some members, or has only a bound */
  guint64 low[FP_N_FIELDS];
  guint64 high[FP_N_FIELDS];
  guint64 spread[FP_N_RANGES]; /* the part of high - low that comes from members that were read */
} FpTotal;

/* Groups of those that have the same text in a column (NULL: all in one), in the order of their first members.
 * indices: NULL for the first n */
FpRecords *
fp_totals_new (const FpRecords *records, const guint *indices, guint n, const FpColumn *by, const FpFormat *format);

/* All in one, and of it only what these fields add up to, a bit for each: the others are none. */
FpRecords *fp_totals_new_of_fields (const FpRecords *records, const guint *indices, guint n, guint64 fields);
const FpTotal *fp_totals_get (const FpRecords *records, guint index);
const FpRecords *fp_totals_get_counted (const FpRecords *records);
const FpRecords *fp_totals_get_before (const FpRecords *records);
guint64 fp_total_get_spread (const FpTotal *self, FpField field);

/* While they are made. members: what they are to be sums of; parent: the group it is in, or G_MAXUINT */
FpRecords *fp_totals_new_empty (FpRecordKind members);
FpKey fp_total_make_key (const FpKey *parent, const char *name);
guint fp_totals_add (FpRecords *totals, const char *name, FpKey key);
void fp_totals_set_full_name (FpRecords *totals, guint group, const char *full_name);
guint fp_totals_find_or_add (FpRecords *totals, guint parent, const char *name);
void fp_totals_add_member (FpRecords *totals, guint group, const FpRecords *records, guint index);
void fp_totals_add_group (FpRecords *totals, guint group, const FpRecords *others, guint added);
void fp_totals_set_counted (FpRecords *totals, FpRecords *counted, const guint *n_counted, const guint *n_outside);

G_END_DECLS
