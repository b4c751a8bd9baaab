// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* Files as records, with what all processes together map of them. snapshot: (nullable): it knows the names of users and
 * programs */
FpRecords *fp_mapped_records_new (FpMappedFiles *files, FpSnapshot *snapshot);
const FpMappedFiles *fp_mapped_records_get_files (const FpRecords *records);
const FpSnapshot *fp_mapped_records_get_snapshot (const FpRecords *records);
const FpMappedFile *fp_mapped_records_get (const FpRecords *records, guint index);

/* The text that all processes that map a file have; NULL: they have several, empty: it is not known */
const char *fp_mapped_records_get_common (const FpRecords *records, guint index, FpText text);

G_END_DECLS
