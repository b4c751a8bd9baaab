// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_FILE_SOURCE (fp_file_source_get_type ())

/* A saved snapshot: always the same. */
G_DECLARE_FINAL_TYPE (FpFileSource, fp_file_source, FP, FILE_SOURCE, GObject)

FpSource *fp_file_source_new (GFile *file);

G_END_DECLS
