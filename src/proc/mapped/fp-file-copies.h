// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"

G_BEGIN_DECLS

/* Finds the files that have a build ID in common, which then say so. */
void fp_file_copies_find (FpMappedFiles *files);

G_END_DECLS
