// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-helper-protocol.h"
#include "fp-request.h"

#define MIN_SLICE_US (25 * 1000) /* A shorter one leaves new processes pending, and the next sweep comes at once. */
#define MAX_SLICE_US (250 * 1000)

static FpProcessId *
take_ids (GVariant *list,
          gsize max,
          const FpPermission *permission,
          const FpSnapshot *last,
          guint *n)
{
  gsize n_children = MIN (g_variant_n_children (list), max);
  FpProcessId *ids = g_new (FpProcessId, n_children);

  for (gsize i = 0; i < n_children && last; i++)
    {
      FpProcessId *id = &ids[*n];
      const FpProcess *process;

      g_variant_get_child (list, i, "(it)", &id->pid, &id->start_ticks);
      process = fp_snapshot_find_same (last, id);
      *n += process && fp_permission_may_measure (permission, process);
    }
  return ids;
}

/* Takes the arguments of Collect, within limits and without what the caller may not have measured. last: (nullable) */
void
fp_request_parse (FpSweepRequest *self,
                  GVariant *arguments,
                  const FpPermission *permission,
                  const FpSnapshot *last)
{
  g_autoptr (GVariant) attention = g_variant_get_child_value (arguments, 0);
  g_autoptr (GVariant) options = g_variant_get_child_value (arguments, 2);
  g_autoptr (GVariant) wanted = g_variant_lookup_value (options, "wanted", G_VARIANT_TYPE ("a(it)"));

  *self = (FpSweepRequest){ 0 };
  g_variant_get_child (arguments, 1, "t", &self->slice_us);
  self->slice_us = self->slice_us ? CLAMP (self->slice_us, MIN_SLICE_US, MAX_SLICE_US) : MAX_SLICE_US;
  g_variant_lookup (options, "refresh-all", "b", &self->refresh_all);
  self->refresh_all = self->refresh_all && permission->access == FP_ACCESS_ALL;
  self->attention = take_ids (attention, FP_HELPER_MAX_ATTENTION, permission, last, &self->n_attention);
  if (wanted)
    self->wanted = take_ids (wanted, FP_HELPER_MAX_WANTED, permission, last, &self->n_wanted);
}

void
fp_request_clear (FpSweepRequest *self)
{
  g_free ((gpointer)self->attention);
  g_free ((gpointer)self->wanted);
}

/* Parses the arguments of LoadMappings and LoadDetails. FALSE: no process can have such an id. */
gboolean
fp_request_parse_id (GVariant *arguments,
                     FpProcessId *id)
{
  g_variant_get (arguments, "(it)", &id->pid, &id->start_ticks);
  return id->pid > 0 && id->start_ticks > 0;
}
