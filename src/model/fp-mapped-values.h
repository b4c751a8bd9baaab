// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"
#include "fp-mapped-files.h"

G_BEGIN_DECLS

/* The functions of columns that only files have, or their parts. */
FpFigureFunc fp_value_mapped_processes, fp_value_mapped_users, fp_value_mapped_mappings, fp_value_mapped_copies;
FpTextFunc fp_text_mapped_kind, fp_text_mapped_state, fp_text_mapped_file, fp_text_mapped_build_id;
FpTextFunc fp_text_mapped_user, fp_text_mapped_program;
FpFigureFunc fp_value_holder_pid;
FpTextFunc fp_text_holder_program, fp_text_holder_file;

/* The memory of all copies that is as in the file */
FpFigure fp_file_copies_get_memory (const FpFileCopies *copies);

G_END_DECLS
