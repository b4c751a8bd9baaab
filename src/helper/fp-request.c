// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-helper-protocol.h"
#include "fp-request.h"

#define MAX_SLICE_US (250 * 1000)

static gboolean
is_possible (const FpProcessId *id)
{
  return id->pid > 0 && id->start_ticks > 0;
}

static GArray *
take_ids (GVariant *list,
          gsize max)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  gsize n = MIN (g_variant_n_children (list), max);

  for (gsize i = 0; i < n; i++)
    {
      FpProcessId id;

      g_variant_get_child (list, i, "(it)", &id.pid, &id.start_ticks);
      if (is_possible (&id))
        g_array_append_val (ids, id);
    }
  return ids;
}

/* What is too much is left out, and an option that this version does not know has no effect. */
void
fp_request_parse (FpRequest *self,
                  GVariant *arguments)
{
  g_autoptr (GVariant) attention = g_variant_get_child_value (arguments, 0);
  g_autoptr (GVariant) options = g_variant_get_child_value (arguments, 2);
  g_autoptr (GVariant) wanted = NULL;

  g_variant_get_child (arguments, 1, "t", &self->slice_us);
  if (self->slice_us == 0 || self->slice_us > MAX_SLICE_US)
    self->slice_us = MAX_SLICE_US;
  self->refresh_all = self->needs_all = FALSE;
  g_variant_lookup (options, "refresh-all", "b", &self->refresh_all);
  g_variant_lookup (options, "all", "b", &self->needs_all);
  wanted = g_variant_lookup_value (options, "wanted", G_VARIANT_TYPE ("a(it)"));
  self->attention = take_ids (attention, FP_HELPER_MAX_ATTENTION);
  self->wanted = wanted ? take_ids (wanted, FP_HELPER_MAX_WANTED) : g_array_new (FALSE, FALSE, sizeof (FpProcessId));
}

void
fp_request_clear (FpRequest *self)
{
  g_clear_pointer (&self->attention, g_array_unref);
  g_clear_pointer (&self->wanted, g_array_unref);
}

/* Those of LoadMappings and LoadDetails; FALSE: there can be no such process. */
gboolean
fp_request_parse_id (GVariant *arguments,
                     FpProcessId *id)
{
  g_variant_get (arguments, "(it)", &id->pid, &id->start_ticks);
  return is_possible (id);
}

static void
keep_measurable (GArray *ids,
                 const FpPermission *permission,
                 const FpSnapshot *snapshot)
{
  guint n_kept = 0;

  for (guint i = 0; i < ids->len; i++)
    {
      FpProcessId id = g_array_index (ids, FpProcessId, i);
      const FpProcess *process = snapshot ? fp_snapshot_find (snapshot, id.pid) : NULL;

      if (process && process->start_ticks == id.start_ticks && fp_permission_may_measure (permission, process))
        g_array_index (ids, FpProcessId, n_kept++) = id;
    }
  g_array_set_size (ids, n_kept);
}

/* Leaves out what the caller may not have measured. snapshot: (nullable): the last one */
void
fp_request_restrict (FpRequest *self,
                     const FpPermission *permission,
                     const FpSnapshot *snapshot)
{
  keep_measurable (self->attention, permission, snapshot);
  keep_measurable (self->wanted, permission, snapshot);
  self->refresh_all = self->refresh_all && permission->access == FP_ACCESS_ALL;
}
