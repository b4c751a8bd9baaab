// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_COVERAGE (fp_coverage_get_type ())

/* All processes but threads of the kernel: how many there are, and how many of them have memory that is not measured */
typedef struct
{
  guint n;
  guint n_unread;
  double percent_read; /* of their resident memory, that of those that are measured */
} FpCoverageCount;

/* A line that says what of the machine could not be seen or measured, where that is so. */
G_DECLARE_FINAL_TYPE (FpCoverage, fp_coverage, FP, COVERAGE, AdwBin)

void fp_coverage_set_session (FpCoverage *self, FpSession *session);
void fp_coverage_set_low (FpCoverage *self, gboolean is_low);
void fp_coverage_count (FpSession *session, FpCoverageCount *count);

G_END_DECLS
