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

static FpKey
fp_control_records_get_key (const FpRecords *records,
                            guint index)
{
  return (FpKey){ fp_control_records_get (records, index)->id, KEY_MARK };
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
  g_free (records);
}

/* Each stands alone: its place in the tree was one of its old list. */
static FpRecords *
fp_control_records_copy_ended (const FpRecords **lists,
                               const guint *indices,
                               guint n)
{
  g_autoptr (FpControlGroups) copy = g_new0 (FpControlGroups, 1);

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
  return fp_control_records_new (copy);
}

FpRecords *
fp_control_records_new (FpControlGroups *groups)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_CONTROL_GROUP,
    .get_key = fp_control_records_get_key,
    .get_figure = fp_control_records_get_figure,
    .free = fp_control_records_free,
    .copy_ended = fp_control_records_copy_ended,
  };
  FpControlRecords *self = g_new0 (FpControlRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->parent.n = groups->n;
  self->groups = fp_control_groups_ref (groups);
  return &self->parent;
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

/* The kernel begins to hold a group back at “high”, and ends its processes at “max”. */
static guint64
get_own_limit (const FpControlGroup *group)
{
  guint64 limit = FP_CONTROL_NO_LIMIT;

  if (fp_control_group_has (group, FP_CONTROL_HIGH))
    limit = group->figures[FP_CONTROL_HIGH];
  if (fp_control_group_has (group, FP_CONTROL_MAX))
    limit = MIN (limit, group->figures[FP_CONTROL_MAX]);
  return limit;
}

static const FpControlGroup *
get_above (const FpControlGroups *groups,
           const FpControlGroup *group)
{
  return group->parent < (guint)(group - groups->groups) ? &groups->groups[group->parent] : NULL;
}

/* The limits of the groups around it hold for it, too. */
FpFigure
fp_control_records_get_limit (const FpRecords *records,
                              guint index)
{
  const FpControlGroups *groups = fp_control_records_get_groups (records);
  const FpControlGroup *group = fp_control_records_get (records, index);
  guint64 limit = FP_CONTROL_NO_LIMIT;

  if (!fp_control_group_has (group, FP_CONTROL_MAX))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  for (; group; group = get_above (groups, group))
    limit = MIN (limit, get_own_limit (group));
  return limit == FP_CONTROL_NO_LIMIT ? (FpFigure){ FP_FIGURE_NONE, 0, 0 } : fp_figure_exact (limit);
}

/* In percent, rounded down. A group is as near to a limit around it as all groups within that limit together are. */
FpFigure
fp_control_records_get_closeness (const FpRecords *records,
                                  guint index)
{
  const FpControlGroups *groups = fp_control_records_get_groups (records);
  FpFigure limit = fp_control_records_get_limit (records, index);
  guint64 closeness = 0;

  if (!fp_figure_is_known (limit))
    return limit;
  for (const FpControlGroup *group = fp_control_records_get (records, index); group; group = get_above (groups, group))
    {
      guint64 own = get_own_limit (group);

      if (own == FP_CONTROL_NO_LIMIT)
        continue;
      if (!fp_control_group_has (group, FP_CONTROL_MEMORY))
        return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
      closeness = MAX (closeness, (guint64)((double)group->figures[FP_CONTROL_MEMORY] * 100 / (double)MAX (own, 1)));
    }
  return fp_figure_exact (closeness);
}
