// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_COVERAGE (fp_coverage_get_type ())

/* The processes that have memory: their number, how many may not be read, and the part that could be read */
typedef struct
{
  guint n;
  guint n_unread;
  double percent_read; /* of their resident memory */
} FpCoverageCount;

/* A line that says what of the machine could not be seen or measured, where that is so. */
G_DECLARE_FINAL_TYPE (FpCoverage, fp_coverage, FP, COVERAGE, AdwBin)

void fp_coverage_set_session (FpCoverage *self, FpSession *session);
void fp_coverage_count (const FpSnapshot *snapshot, FpCoverageCount *count);

G_END_DECLS
