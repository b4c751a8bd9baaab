// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-errands.h"
#include "fp-page-walk.h"
#include "fp-piece-reader.h"
#include "fp-process-reader.h"

G_BEGIN_DECLS

typedef enum
{
  FP_WAY_NONE, /* not now */
  FP_WAY_PIECES,
  FP_WAY_PAGE_MAP,
} FpGiantWay;

/* The reading of a giant, which goes on over several sweeps. During a step it belongs to the thread that reads, and stays
 * with that if it is left behind. */
typedef struct
{
  FpProcessReader *reader; /* a reference, during a step */
  FpProcess process;       /* as it was when the reading began */
  FpGiantWay way;
  FpPieceReader pieces;
  FpPageWalk page_walk;
  FpErrandVerdict verdict;
  gboolean has_begun;
  gboolean is_done;
  int problem;      /* an errno */
  guint64 spent_us; /* by the last step */
} FpGiantReading;

FpGiantReading *fp_giant_reading_new (void);
void fp_giant_reading_free (FpGiantReading *self);
void fp_giant_reading_begin (FpGiantReading *self, const FpProcess *process, FpGiantWay way);
void fp_giant_reading_stop (FpGiantReading *self);
gboolean fp_giant_reading_is_running (const FpGiantReading *self);

/* Refused: it does not answer. The reading is another one then, which has not begun. */
FpErrandVerdict fp_giant_reading_step (FpGiantReading **self, FpErrands *errands, FpProcessReader *reader);
FpErrandVerdict fp_giant_find_largest (FpErrands *errands, FpProcessReader *reader, const FpProcess *process, guint64 *largest);

G_END_DECLS
