// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-control-records.h"

/* No process and no total has such a key. */
#define KEY_MARK (G_MAXUINT64 - 2)

typedef struct
{
  FpRecords parent;
  FpControlGroups *groups;
  GHashTable *users;        /* names by uid; NULL: none is known */
  FpControlChange *changes; /* of each group */
  guint64 start_us;         /* since when changes count; 0: there is one reading alone */
} FpControlRecords;

const FpControlGroups *
fp_control_records_get_groups (const FpRecords *records)
{
  return ((const FpControlRecords *)records)->groups;
}

const FpControlGroup *
fp_control_records_get (const FpRecords *records,
                        guint index)
{
  return &fp_control_records_get_groups (records)->groups[index];
}

const FpControlChange *
fp_control_records_get_change (const FpRecords *records,
                               guint index)
{
  return &((const FpControlRecords *)records)->changes[index];
}

guint64
fp_control_records_get_start (const FpRecords *records)
{
  return ((const FpControlRecords *)records)->start_us;
}

FpKey
fp_control_records_make_key (guint64 id)
{
  return (FpKey){ id, KEY_MARK };
}

static FpKey
fp_control_records_get_key (const FpRecords *records,
                            guint index)
{
  return fp_control_records_make_key (fp_control_records_get (records, index)->id);
}

/* The fields of processes are none of a control group, so that the two are never added up. */
static FpFigure
fp_control_records_get_figure (const FpRecords *records,
                               guint index,
                               FpField field)
{
  return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

static void
fp_control_records_free (FpRecords *records)
{
  fp_control_groups_unref (((FpControlRecords *)records)->groups);
  g_clear_pointer (&((FpControlRecords *)records)->users, g_hash_table_unref);
  g_free (((FpControlRecords *)records)->changes);
  g_free (records);
}

static guint
fp_control_records_get_parent (const FpRecords *records,
                               guint index)
{
  guint parent = fp_control_records_get (records, index)->parent;

  return parent < index ? parent : G_MAXUINT;
}

/* Each stands alone: its place in the tree was one of its old list. */
static FpRecords *
fp_control_records_copy_ended (const FpRecords **lists,
                               const guint *indices,
                               guint n)
{
  g_autoptr (FpControlGroups) copy = g_new0 (FpControlGroups, 1);
  FpRecords *records;

  g_atomic_ref_count_init (&copy->ref_count);
  copy->groups = g_new (FpControlGroup, n);
  copy->n = n;
  copy->texts = g_string_chunk_new (1024);
  for (guint i = 0; i < n; i++)
    {
      copy->groups[i] = *fp_control_records_get (lists[i], indices[i]);
      copy->groups[i].parent = FP_CONTROL_NONE;
      copy->groups[i].path = g_string_chunk_insert (copy->texts, copy->groups[i].path);
      copy->groups[i].name = g_string_chunk_insert (copy->texts, copy->groups[i].name);
    }
  records = fp_control_records_new (copy, NULL, NULL);
  for (guint i = 0; i < n; i++)
    ((FpControlRecords *)records)->changes[i] = *fp_control_records_get_change (lists[i], indices[i]);
  return records;
}

static void
name_users (FpControlRecords *self,
            const FpRecords *processes)
{
  self->users = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < self->groups->n; i++)
    if (self->groups->groups[i].kind == FP_CONTROL_KIND_USER)
      g_hash_table_insert (self->users, GUINT_TO_POINTER (self->groups->groups[i].uid), NULL);
  for (guint i = 0; i < processes->n && g_hash_table_size (self->users) > 0; i++)
    {
      gpointer uid = GUINT_TO_POINTER (fp_process_records_get (processes, i)->uid), name;
      const char *text = fp_process_records_get_text (processes, i, FP_TEXT_USER);

      if (*text && g_hash_table_lookup_extended (self->users, uid, NULL, &name) && !name)
        g_hash_table_insert (self->users, uid, g_strdup (text));
    }
}

/* processes: (nullable): they know the names of users; changes: (nullable): NULL where only one reading is known */
FpRecords *
fp_control_records_new (FpControlGroups *groups,
                        const FpRecords *processes,
                        const FpControlChanges *changes)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_CONTROL_GROUP,
    .get_key = fp_control_records_get_key,
    .get_figure = fp_control_records_get_figure,
    .free = fp_control_records_free,
    .copy_ended = fp_control_records_copy_ended,
    .get_parent = fp_control_records_get_parent,
    .is_open_tree = TRUE,
  };
  FpControlRecords *self = g_new0 (FpControlRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = groups->n;
  self->groups = fp_control_groups_ref (groups);
  self->changes = g_new (FpControlChange, groups->n);
  self->start_us = changes ? fp_control_changes_get_start (changes) : 0;
  for (guint i = 0; i < groups->n; i++)
    self->changes[i] = changes ? fp_control_changes_get (changes, groups->groups[i].id) : fp_control_change_unknown;
  if (processes)
    name_users (self, processes);
  return &self->parent;
}

/* Gives what people call it: of a user the name, if one of the user's processes tells it. */
const char *
fp_control_records_get_name (const FpRecords *records,
                             guint index)
{
  const FpControlGroup *group = fp_control_records_get (records, index);
  GHashTable *users = ((const FpControlRecords *)records)->users;
  const char *user = NULL;

  if (users && group->kind == FP_CONTROL_KIND_USER)
    user = g_hash_table_lookup (users, GUINT_TO_POINTER (group->uid));
  return user ? user : group->name;
}

FpFigure
fp_control_records_get_control (const FpRecords *records,
                                guint index,
                                FpControlField field)
{
  const FpControlGroup *group = fp_control_records_get (records, index);

  if (!fp_control_group_has (group, field))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return fp_figure_exact (group->figures[field]);
}

static gboolean
find_limit (const FpRecords *records,
            guint index,
            FpControlLimit *limit)
{
  const FpControlGroups *groups = fp_control_records_get_groups (records);

  return fp_control_groups_get_limit (groups, (guint)(fp_control_records_get (records, index) - groups->groups), limit);
}

/* FP_CONTROL_NONE: no limit is set */
guint
fp_control_records_get_limit_holder (const FpRecords *records,
                                     guint index)
{
  FpControlLimit limit;

  return find_limit (records, index, &limit) ? limit.place : FP_CONTROL_NONE;
}

/* Gives the limit that it comes to first. */
FpFigure
fp_control_records_get_limit (const FpRecords *records,
                              guint index)
{
  FpControlLimit limit;

  if (!fp_control_group_has (fp_control_records_get (records, index), FP_CONTROL_MAX))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  return find_limit (records, index, &limit) ? fp_figure_exact (limit.limit) : (FpFigure){ FP_FIGURE_NONE, 0, 0 };
}

/* In percent, rounded down. */
FpFigure
fp_control_records_get_closeness (const FpRecords *records,
                                  guint index)
{
  FpFigure figure = fp_control_records_get_limit (records, index);
  FpControlLimit limit;

  if (!fp_figure_is_known (figure) || !find_limit (records, index, &limit))
    return figure;
  return fp_figure_exact ((guint64)((double)limit.used * 100 / (double)MAX (limit.limit, 1)));
}
