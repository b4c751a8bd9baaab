// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* Files as records, with what all processes together map of them. */
FpRecords *fp_mapped_records_new (FpMappedFiles *files);
const FpMappedFiles *fp_mapped_records_get_files (const FpRecords *records);
const FpMappedFile *fp_mapped_records_get (const FpRecords *records, guint index);

G_END_DECLS
