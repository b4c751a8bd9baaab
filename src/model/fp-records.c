// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-records.h"

FpRecords *
fp_records_ref (FpRecords *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_records_unref (FpRecords *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    self->class->free (self);
}
