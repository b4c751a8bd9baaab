// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-records.h"
#include "fp-format.h"

G_BEGIN_DECLS

/* These describe control groups in words. Free the texts. */
char *fp_control_words_describe_use (const FpRecords *records, guint index, const FpFormat *format);
char *fp_control_words_describe_limits (const FpRecords *records, guint index, const FpFormat *format);
char *fp_control_words_describe_wait (const FpRecords *records, guint index, const FpFormat *format);
char *fp_control_words_describe_read_back (const FpRecords *records, guint index, const FpFormat *format);
char *fp_control_words_describe_sum (const FpRecords *records, const guint *indices, guint n, const FpFormat *format);
char *fp_control_words_describe_change (const FpRecords *records, guint index, const FpFormat *format);
char *fp_control_words_describe_start (const FpRecords *records);
char *fp_control_words_make_search (const FpRecords *records, guint index);

/* (nullable): why figures are missing */
const char *fp_control_words_explain_missing (const FpControlGroups *groups);
char *fp_control_words_explain_cut (const FpControlGroups *groups);

G_END_DECLS
