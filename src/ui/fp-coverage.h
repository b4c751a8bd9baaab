// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-records.h"

G_BEGIN_DECLS

#define FP_TYPE_COVERAGE (fp_coverage_get_type ())

/* A line that says what of the machine could not be seen or measured, where that is so. */
G_DECLARE_FINAL_TYPE (FpCoverage, fp_coverage, FP, COVERAGE, GtkWidget)

void fp_coverage_update (FpCoverage *self, const FpSnapshot *snapshot, gboolean is_live);
char *fp_coverage_explain_hidden (const FpSnapshot *snapshot);

G_END_DECLS
