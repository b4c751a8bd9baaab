// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-mapped-records.h"

G_BEGIN_DECLS

/* These describe files that processes map in words. Free the texts. */
char *fp_mapped_words_describe_sum (const FpRecords *records, const guint *indices, guint n, const FpFormat *format);
char *fp_mapped_words_describe_parts (const FpRecords *parts, const guint *indices, guint n, const FpFormat *format);
char *fp_mapped_words_describe_part (const FpRecords *records);
char *fp_mapped_words_describe_unread (const FpRecords *records);
char *fp_mapped_words_describe_outdated (const FpRecords *records, const FpSnapshot *snapshot);
char *fp_mapped_words_describe_age (gint64 age_us);
char *fp_mapped_words_describe_progress (guint n_done, guint n, gint64 elapsed_us);
char *fp_mapped_words_make_search (const FpRecords *mappings, guint index);
char *fp_mapped_words_describe_copies (const FpRecords *records, guint index, const FpFormat *format);
GArray *fp_mapped_words_list_holders (const FpRecords *records, guint index);

G_END_DECLS
