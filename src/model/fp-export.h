// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-column.h"
#include "fp-json.h"

G_BEGIN_DECLS

typedef enum
{
  FP_EXPORT_CSV,
  FP_EXPORT_JSON,
  FP_EXPORT_PMAP, /* of mappings: the text of pmap -X */
} FpExport;

/* indices: NULL for the first n. columns: end with NULL; not for FP_EXPORT_PMAP. cancelled: NULL, or where another thread
 * says that the text is not wanted any more */
void fp_export (FpExport what,
                const FpRecords *records,
                const guint *indices,
                guint n,
                const FpColumn *const *columns,
                const FpFormat *format,
                const gint *cancelled,
                GString *out);

void fp_export_csv_text (GString *out, const char *text);
void fp_export_csv_header (const FpColumn *const *columns, GString *out);
void fp_export_csv_record (
    const FpRecords *records, guint index, const FpColumn *const *columns, const FpFormat *format, GString *out);
void fp_export_json_members (
    FpJson *json, const FpRecords *records, guint index, const FpColumn *const *columns, const FpFormat *format);

G_END_DECLS
