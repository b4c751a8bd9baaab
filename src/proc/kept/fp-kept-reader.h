// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-kept.h"
#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* Reads what is kept in memory, again and again. It remembers where descriptors were found, and looks for new ones at a
 * few processes each time. Used by one caller at a time. */
typedef struct _FpKeptReader FpKeptReader;

#define FP_KEPT_BUDGET_US       2000
#define FP_KEPT_FIRST_BUDGET_US 100000 /* for others, while some were not looked at: enough for 1,000 ordinary processes */

FpKeptReader *fp_kept_reader_new (void);
FpKeptReader *fp_kept_reader_new_for_graphics (void);
void fp_kept_reader_free (FpKeptReader *self);

FpKept *fp_kept_reader_read (FpKeptReader *self, const FpProcDir *proc, guint64 budget_us, GError **error);
FpKept *fp_kept_read (const FpProcDir *proc, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpKeptReader, fp_kept_reader_free)

G_END_DECLS
