// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-comparison.h"

G_BEGIN_DECLS

#define FP_COMPARED_NOWHERE G_MAXUINT32

/* Two lists of which each entry gets its partner in the other, or FP_COMPARED_NOWHERE. */
typedef struct
{
  gconstpointer before; /* the lists, for what compares their entries */
  gconstpointer after;
  guint32 *partners_before; /* of each entry before: its place after */
  guint32 *partners_after;
  guint8 *pairs; /* FpPair of each entry after */
} FpPairing;

void fp_pairing_init (FpPairing *self, gconstpointer before, guint n_before, gconstpointer after, guint n_after);
void fp_pairing_clear (FpPairing *self);
void fp_pairing_pair (FpPairing *self, guint before, guint after, FpPair how);
GHashTable *fp_pairing_new_lists (void);
void fp_pairing_list (GHashTable *lists, char *name, guint place);
void fp_pairing_pair_ranks (FpPairing *self, GHashTable *before, GHashTable *after, GCompareDataFunc compare);

G_END_DECLS
