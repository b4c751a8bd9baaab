// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-kept.h"

/* The elements free their own texts. */
FpKept *
fp_kept_read (const FpProcDir *proc,
              GError **error)
{
  FpKept *self = g_new0 (FpKept, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->tmpfs = g_array_new (FALSE, TRUE, sizeof (FpTmpfs));
  self->held = g_array_new (FALSE, TRUE, sizeof (FpHeldFile));
  self->graphics = g_array_new (FALSE, TRUE, sizeof (FpGraphics));
  self->segments = fp_segments_read (proc);
  return self;
}

FpKept *
fp_kept_ref (FpKept *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_kept_unref (FpKept *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->tmpfs);
  g_array_unref (self->held);
  g_array_unref (self->graphics);
  g_clear_pointer (&self->segments, g_array_unref);
  g_free (self);
}
