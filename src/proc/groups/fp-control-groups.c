// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-control-groups.h"

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
  g_string_chunk_free (self->texts);
  g_free (self->groups);
  g_free (self);
}

/* NULL: there is none of this path. */
const FpControlGroup *
fp_control_groups_find (const FpControlGroups *self,
                        const char *path)
{
  for (guint i = 0; i < self->n; i++)
    if (strcmp (self->groups[i].path, path) == 0)
      return &self->groups[i];
  return NULL;
}
