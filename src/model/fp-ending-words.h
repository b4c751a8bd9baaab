// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-records.h"
#include "fp-ending.h"
#include "fp-json.h"

G_BEGIN_DECLS

/* The members are the chosen processes without kernel threads. Free with g_free (). */
FpEndingMember *fp_ending_make_members (const FpRecords *records, const guint *indices, guint n, guint *n_members);

/* These say in one sentence what ending the members gives back. Free the texts. NULL: there are no members. */
char *fp_ending_describe_least (const FpEndingMember *members, guint n, const FpFormat *format);
char *fp_ending_describe (const FpEnding *self, const FpSnapshot *snapshot, const FpFormat *format);

/* The text has a line for each amount. */
void fp_ending_write_lines (
    const FpEnding *self, const FpSnapshot *snapshot, const FpFormat *format, GString *out);
void fp_ending_write_json (const FpEnding *self, const FpSnapshot *snapshot, FpJson *json);

G_END_DECLS
