// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-reader.h"
#include "fp-sections.h"
#include "fp-stat.h"

G_BEGIN_DECLS

/* name: of the program or library, as the list of mappings has it; step: (nullable). Free the result with
 * fp_sections_free (). */
FpSections *fp_sections_read (
    const FpProcDir *proc, const FpProcessId *id, const char *name, FpMappingStepFunc step, gpointer data, GError **error);

G_END_DECLS
