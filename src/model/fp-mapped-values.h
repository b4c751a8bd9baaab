// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"

G_BEGIN_DECLS

/* The functions of columns that only files have. */
FpFigureFunc fp_value_mapped_processes, fp_value_mapped_users, fp_value_mapped_mappings;
FpTextFunc fp_text_mapped_kind, fp_text_mapped_state, fp_text_mapped_file;

G_END_DECLS
