// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fixture-control-groups.h"

#define MAX_GROUPS 1000

FpControlGroups *
fixture_control_groups_new (void)
{
  FpControlGroups *self = g_new0 (FpControlGroups, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->groups = g_new0 (FpControlGroup, MAX_GROUPS);
  self->texts = g_string_chunk_new (1024);
  self->has_memory = self->has_pressure = TRUE;
  return self;
}

static gboolean
is_around (const char *path,
           const char *inner)
{
  gsize length = strlen (path);

  return strcmp (path, "/") == 0 || (strncmp (path, inner, length) == 0 && inner[length] == '/');
}

/* Its id comes from its path, as that of a folder that stays. It has no figures. */
FpControlGroup *
fixture_control_groups_add (FpControlGroups *self,
                            FpControlKind kind,
                            const char *path,
                            const char *name)
{
  FpControlGroup *group = &self->groups[self->n];

  g_assert_cmpuint (self->n, <, MAX_GROUPS);
  *group = (FpControlGroup){ .id = g_str_hash (path), .parent = FP_CONTROL_NONE, .kind = kind, .uid = G_MAXUINT32 };
  group->path = g_string_chunk_insert (self->texts, path);
  group->name = g_string_chunk_insert (self->texts, name);
  for (guint i = 0; i < self->n; i++)
    if (is_around (self->groups[i].path, path))
      {
        group->parent = i;
        group->depth = self->groups[i].depth + 1;
      }
  self->n++;
  return group;
}

void
fixture_control_set (FpControlGroup *group,
                     FpControlField field,
                     guint64 figure)
{
  group->present |= G_GUINT64_CONSTANT (1) << field;
  group->figures[field] = figure;
}
