// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-records.h"

G_BEGIN_DECLS

/* The processes that map some files, as parts of the records of these files: those of each file in a run, which ends where
 * ends says. A process that shares the memory of another one is in the list too, and has no figures. */
FpRecords *fp_holder_records_new (FpRecords *files, const guint *indices, guint n, guint *ends);

guint fp_holder_records_get_file (const FpRecords *records, guint index);
const FpRecords *fp_holder_records_get_files (const FpRecords *records);
const char *fp_holder_records_get_program (const FpRecords *records, guint index);
const FpMappedHolder *fp_holder_records_get (const FpRecords *records, guint index, const FpMappedProcess **process);
void fp_holder_records_write_name (const FpRecords *records, guint index, char *text, gsize size);
char *fp_holder_records_explain (const FpRecords *records, guint index);

/* The same process among others; G_MAXUINT: it has ended */
guint fp_holder_records_find_process (const FpRecords *records, guint index, const FpRecords *processes);

G_END_DECLS
