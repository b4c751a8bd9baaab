// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-reader.h"
#include "fp-rows.h"
#include "fp-sweep.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* What is to be printed of one snapshot. */
typedef struct
{
  const FpCliOptions *options;
  FpCliReader *reader;    /* NULL: of a saved snapshot */
  const FpProcessId *ids; /* of --pid, 0-terminated, once it is known which are meant; NULL: whoever has the number */
  FpSnapshot *snapshot;
  FpRecords *processes; /* every one */
  FpRows *chosen;       /* of them */
  FpRecords *sum;       /* of the chosen, one total */
  FpRecords *records;   /* the chosen, their mappings, or groups of either */
  FpRecords *row_sum;   /* of these, one total */
  FpRows *rows;
  FpFormat format;
} FpCliView;

gboolean fp_cli_view_init (FpCliView *self,
                           const FpCliOptions *options,
                           FpCliReader *reader,
                           const FpProcessId *ids,
                           FpSnapshot *snapshot,
                           GError **error);
void fp_cli_view_clear (FpCliView *self);
const guint *fp_cli_view_get_chosen (const FpCliView *self, guint *n);
const guint *fp_cli_view_get_possible (const FpCliView *self, guint *n);

static inline const FpTotal *
fp_cli_view_get_sum (const FpCliView *self)
{
  return fp_totals_get (self->sum, 0);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpCliView, fp_cli_view_clear)

G_END_DECLS
