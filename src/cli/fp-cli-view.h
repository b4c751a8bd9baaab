// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-options.h"
#include "fp-rows.h"
#include "fp-sweep.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* What is to be printed of one snapshot. */
typedef struct
{
  const FpCliOptions *options;
  FpSnapshot *snapshot;
  FpRecords *processes; /* every one */
  FpRows *chosen;       /* of them */
  FpRecords *sum;       /* of the chosen, one total */
  FpRecords *records;   /* the chosen, their groups or their mappings */
  FpRows *rows;
  FpFormat format;
} FpCliView;

gboolean fp_cli_view_init (FpCliView *self, const FpCliOptions *options, FpSnapshot *snapshot, GError **error);
void fp_cli_view_clear (FpCliView *self);

static inline const FpTotal *
fp_cli_view_get_sum (const FpCliView *self)
{
  return fp_totals_get (self->sum, 0);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpCliView, fp_cli_view_clear)

G_END_DECLS
