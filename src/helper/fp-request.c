// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-helper-protocol.h"
#include "fp-request.h"

#define MIN_SLICE_US (25 * 1000) /* A shorter one leaves new processes pending, and the next sweep comes at once. */
#define MAX_SLICE_US (250 * 1000)

static gboolean
is_possible (const FpProcessId *id)
{
  return id->pid > 0 && id->start_ticks > 0;
}

static FpProcessId *
take_ids (GVariant *list,
          gsize max,
          guint *n)
{
  gsize n_children = MIN (g_variant_n_children (list), max);
  FpProcessId *ids = g_new (FpProcessId, n_children);

  for (gsize i = 0; i < n_children; i++)
    {
      g_variant_get_child (list, i, "(it)", &ids[*n].pid, &ids[*n].start_ticks);
      *n += is_possible (&ids[*n]);
    }
  return ids;
}

/* Ids beyond the limits are left out, and options that this version does not know have no effect. */
void
fp_request_parse (FpRequest *self,
                  GVariant *arguments)
{
  g_autoptr (GVariant) attention = g_variant_get_child_value (arguments, 0);
  g_autoptr (GVariant) options = g_variant_get_child_value (arguments, 2);
  g_autoptr (GVariant) wanted = g_variant_lookup_value (options, "wanted", G_VARIANT_TYPE ("a(it)"));

  *self = (FpRequest){ 0 };
  g_variant_get_child (arguments, 1, "t", &self->sweep.slice_us);
  self->sweep.slice_us = self->sweep.slice_us ? CLAMP (self->sweep.slice_us, MIN_SLICE_US, MAX_SLICE_US) : MAX_SLICE_US;
  g_variant_lookup (options, "refresh-all", "b", &self->sweep.refresh_all);
  g_variant_lookup (options, "all", "b", &self->needs_all);
  self->sweep.attention = take_ids (attention, FP_HELPER_MAX_ATTENTION, &self->sweep.n_attention);
  if (wanted)
    self->sweep.wanted = take_ids (wanted, FP_HELPER_MAX_WANTED, &self->sweep.n_wanted);
}

void
fp_request_clear (FpRequest *self)
{
  g_free ((gpointer)self->sweep.attention);
  g_free ((gpointer)self->sweep.wanted);
}

/* Parses the arguments of LoadMappings and LoadDetails. FALSE: no process can have such an id. */
gboolean
fp_request_parse_id (GVariant *arguments,
                     FpProcessId *id)
{
  g_variant_get (arguments, "(it)", &id->pid, &id->start_ticks);
  return is_possible (id);
}

static guint
keep_measurable (const FpProcessId *list,
                 guint n,
                 const FpPermission *permission,
                 const FpSnapshot *snapshot)
{
  FpProcessId *ids = (FpProcessId *)list;
  guint n_kept = 0;

  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = snapshot ? fp_snapshot_find_same (snapshot, &ids[i]) : NULL;

      if (process && fp_permission_may_measure (permission, process))
        ids[n_kept++] = ids[i];
    }
  return n_kept;
}

/* Leaves out what the caller may not have measured. snapshot: (nullable): the last one */
void
fp_request_restrict (FpRequest *self,
                     const FpPermission *permission,
                     const FpSnapshot *snapshot)
{
  FpSweepRequest *sweep = &self->sweep;

  sweep->n_attention = keep_measurable (sweep->attention, sweep->n_attention, permission, snapshot);
  sweep->n_wanted = keep_measurable (sweep->wanted, sweep->n_wanted, permission, snapshot);
  sweep->refresh_all = sweep->refresh_all && permission->access == FP_ACCESS_ALL;
}
