// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-roster.h"
#include "fp-rotation.h"

G_BEGIN_DECLS

/* How long the locks of other processes were held. */
typedef struct
{
  guint64 n_whole;          /* readings that held one for longer than a piece may */
  guint64 whole_us;         /* all of these together */
  guint64 longest_piece_us; /* the longest of all other readings */
  guint64 n_readings;       /* finished readings of giants, whole walks left out */
} FpGiantHolds;

/* The processes that take too long to be walked at one go: they are read in pieces, and between two readings their
 * memory is a range that follows from what is cheap to see. */
typedef struct _FpGiants FpGiants;

FpGiants *fp_giants_new (guint64 giant_us, FpRotationMode mode, guint n_sweeps);
void fp_giants_free (FpGiants *self);
gboolean fp_giants_includes (const FpGiants *self,
                             const FpProcessReader *reader,
                             const FpTracked *tracked,
                             const FpProcess *process);
gboolean fp_giants_follows (const FpGiants *self,
                            const FpProcessReader *reader,
                            const FpTracked *tracked,
                            const FpProcess *process);
void fp_giants_update (FpGiants *self, FpRoster *roster, guint64 n_sweeps, guint64 now_us, gboolean may_read);
const FpGiantHolds *fp_giants_get_holds (const FpGiants *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpGiants, fp_giants_free)

G_END_DECLS
