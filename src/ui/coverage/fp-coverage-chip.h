// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-coverage.h"

G_BEGIN_DECLS

#define FP_TYPE_COVERAGE_CHIP (fp_coverage_chip_get_type ())

/* In the header bar: how many processes are measured, and the way to measure all of them or to give that back. */
G_DECLARE_FINAL_TYPE (FpCoverageChip, fp_coverage_chip, FP, COVERAGE_CHIP, AdwBin)

void fp_coverage_chip_set_session (FpCoverageChip *self, FpSession *session);
void fp_coverage_chip_set_narrow (FpCoverageChip *self, gboolean is_narrow);

G_END_DECLS
