// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-control-groups.h"

/* Its groups are for the caller to fill in, and to seal. */
FpControlGroups *
fp_control_groups_new (guint capacity)
{
  FpControlGroups *self = g_new0 (FpControlGroups, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->groups = g_new0 (FpControlGroup, MAX (capacity, 1));
  self->texts = g_string_chunk_new (4096);
  return self;
}

/* Called once the list is whole, before another thread sees it. Of groups with equal paths the first is found. */
void
fp_control_groups_seal (FpControlGroups *self)
{
  g_return_if_fail (!self->by_path);

  self->by_path = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = self->n; i-- > 0;)
    g_hash_table_replace (self->by_path, (gpointer)self->groups[i].path, &self->groups[i]);
}

FpControlGroups *
fp_control_groups_ref (FpControlGroups *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_control_groups_unref (FpControlGroups *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->by_path, g_hash_table_unref);
  g_string_chunk_free (self->texts);
  g_free (self->groups);
  g_free (self);
}

/* NULL: there is none of this path. */
const FpControlGroup *
fp_control_groups_find (const FpControlGroups *self,
                        const char *path)
{
  if (self->by_path)
    return g_hash_table_lookup (self->by_path, path);
  for (guint i = 0; i < self->n; i++)
    if (strcmp (self->groups[i].path, path) == 0)
      return &self->groups[i];
  return NULL;
}

static void
consider (const FpControlGroup *group,
          guint place,
          FpControlField field,
          FpControlLimit *nearest)
{
  const guint64 limit = group->figures[field], used = group->figures[FP_CONTROL_MEMORY];

  if (!fp_control_group_has (group, field) || limit == FP_CONTROL_NO_LIMIT)
    return;
  if (nearest->place == FP_CONTROL_NONE || (double)used * (double)nearest->limit > (double)nearest->used * (double)limit)
    *nearest = (FpControlLimit){ place, field, limit, used };
}

/* Memory counts in a group and in all around it, so the fullest of their limits is the one that is met first. FALSE: no
 * limit is known. */
gboolean
fp_control_groups_get_limit (const FpControlGroups *self,
                             guint place,
                             FpControlLimit *limit)
{
  *limit = (FpControlLimit){ .place = FP_CONTROL_NONE };
  for (; place < self->n; place = self->groups[place].parent)
    if (fp_control_group_has (&self->groups[place], FP_CONTROL_MEMORY))
      {
        consider (&self->groups[place], place, FP_CONTROL_HIGH, limit);
        consider (&self->groups[place], place, FP_CONTROL_MAX, limit);
      }
  return limit->place != FP_CONTROL_NONE;
}
