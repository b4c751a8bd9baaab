// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-control-records.h"
#include "fp-grouping.h"
#include "fp-totals.h"

#define LED (G_GUINT64_CONSTANT (1) << 63)

/* In a tree of records */
#define IS_SHOWN   (1 << 0)
#define HAS_OTHERS (1 << 1)

#define INFO(symbol, kinds, id, by, title, key, nobody, ...) { kinds, id, by, title, key, nobody, { __VA_ARGS__ } },

const FpGroupingInfo fp_grouping_infos[FP_N_GROUPINGS] = { FP_GROUPINGS (INFO) };

/* Gives the groupings that the window offers for these records, by their place; FP_N_GROUPINGS behind the last one. */
FpGrouping
fp_grouping_get_offered (FpRecordKind kind,
                         guint place)
{
  FpGrouping grouping = 0;

  for (; grouping < FP_N_GROUPINGS; grouping++)
    if (fp_grouping_infos[grouping].title && (fp_grouping_infos[grouping].kinds & kind) && place-- == 0)
      break;
  return grouping;
}

static const FpColumn *
get_column (FpGrouping grouping,
            guint level)
{
  const FpGroupingInfo *info = &fp_grouping_infos[grouping];

  return level < FP_GROUPING_COLUMNS && info->columns[level] ? fp_columns_find (info->columns[level], info->kinds) : NULL;
}

/* Gives the grouping of processes by this column alone; FP_N_GROUPINGS if there is none. */
FpGrouping
fp_grouping_find (const FpColumn *column)
{
  FpGrouping grouping = 0;

  for (; grouping < FP_N_GROUPINGS; grouping++)
    if (get_column (grouping, 0) == column && !get_column (grouping, 1))
      break;
  return grouping;
}

/* Says what the groups of this level are. */
FpSubject
fp_grouping_get_subject (FpGrouping grouping,
                         guint level)
{
  const FpColumn *column = get_column (grouping, level);

  return column ? column->subject : FP_SUBJECT_OTHER;
}

void
fp_groups_init (FpGroups *self)
{
  *self = (FpGroups){ .grouping = FP_GROUPING_NOTHING };
  self->group_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self->parent_of = g_array_new (FALSE, FALSE, sizeof (guint));
  self->group_led = g_hash_table_new (NULL, NULL);
  self->in_tree = g_byte_array_new ();
}

void
fp_groups_clear (FpGroups *self)
{
  g_clear_pointer (&self->totals, fp_records_unref);
  g_clear_pointer (&self->group_of, g_array_unref);
  g_clear_pointer (&self->parent_of, g_array_unref);
  g_clear_pointer (&self->group_led, g_hash_table_unref);
  g_clear_pointer (&self->in_tree, g_byte_array_unref);
}

static guint
find_led (const FpGroups *self,
          gint pid)
{
  gpointer group = g_hash_table_lookup (self->group_led, GINT_TO_POINTER (pid));

  return group ? GPOINTER_TO_UINT (group) - 1 : FP_NO_GROUP;
}

static guint
lead (FpGroups *self,
      const FpRecords *records,
      guint index)
{
  const FpProcess *process = fp_process_records_get (records, index);
  FpKey key = fp_records_get_key (records, index);
  guint group = find_led (self, process->pid);

  if (group != FP_NO_GROUP)
    return group;
  group = fp_totals_add (self->totals,
                         fp_process_records_get_text (records, index, FP_TEXT_PROGRAM),
                         (FpKey){ key.a | LED, key.b });
  g_hash_table_insert (self->group_led, GINT_TO_POINTER (process->pid), GUINT_TO_POINTER (group + 1));
  return group;
}

/* The nearest of those shown that it stems from. Parents are older than their children: a PID used anew leads astray
 * otherwise, and a saved file may say anything. */
static guint
find_parent (const FpRecords *records,
             guint index,
             const guint *place_of)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (records);
  const FpProcess *process = &snapshot->processes[index];

  for (;;)
    {
      const FpProcess *parent = fp_snapshot_find (snapshot, process->ppid);

      if (!parent || parent->start_ticks > process->start_ticks || parent->pid == process->pid ||
          (parent->start_ticks == process->start_ticks && parent->pid > process->pid))
        return G_MAXUINT;
      if (place_of[parent - snapshot->processes] != G_MAXUINT)
        return (guint)(parent - snapshot->processes);
      process = parent;
    }
}

static void
make_tree (FpGroups *self,
           const FpRecords *records,
           const guint *indices,
           guint n)
{
  g_autofree guint *place_of = g_new (guint, records->n + 1);
  g_autofree guint *parents = g_new (guint, n + 1);

  for (guint i = 0; i < records->n; i++)
    place_of[i] = G_MAXUINT;
  for (guint i = 0; i < n; i++)
    place_of[indices[i]] = i;
  for (guint i = 0; i < n; i++)
    {
      parents[i] = find_parent (records, indices[i], place_of);
      if (parents[i] != G_MAXUINT)
        lead (self, records, parents[i]);
    }

  g_array_set_size (self->parent_of, self->totals->n);
  for (guint i = 0; i < n; i++)
    {
      guint led = find_led (self, fp_process_records_get (records, indices[i])->pid);
      guint above = parents[i] == G_MAXUINT ? FP_NO_GROUP
                                            : find_led (self, fp_process_records_get (records, parents[i])->pid);

      g_array_index (self->group_of, guint, i) = led != FP_NO_GROUP ? led : above;
      if (led != FP_NO_GROUP)
        g_array_index (self->parent_of, guint, led) = above;
    }
}

/* Each is in the nearest of those shown that are around it. Parents stand before their children. */
static void
place_in_each_other (FpGroups *self,
                     const FpRecords *records,
                     const guint *indices,
                     guint n)
{
  self->totals = fp_records_ref ((FpRecords *)records);
  for (guint i = 0; i < records->n; i++)
    g_byte_array_append (self->in_tree, &(guint8){ 0 }, 1);
  for (guint i = 0; i < n; i++)
    self->in_tree->data[indices[i]] = IS_SHOWN;
  g_array_set_size (self->parent_of, records->n);
  for (guint i = 0; i < records->n; i++)
    {
      guint parent = records->class->get_parent (records, i);

      if (parent != FP_NO_GROUP && !self->in_tree->data[parent])
        parent = g_array_index (self->parent_of, guint, parent);
      g_array_index (self->parent_of, guint, i) = parent;
      if (self->in_tree->data[i] && parent != FP_NO_GROUP)
        self->in_tree->data[parent] |= HAS_OTHERS;
    }
  for (guint i = 0; i < n; i++)
    g_array_index (self->group_of, guint, i) = g_array_index (self->parent_of, guint, indices[i]);
}

static void
sum_members (FpGroups *self,
             const FpRecords *records,
             const guint *indices,
             guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_array_index (self->group_of, guint, i) != FP_NO_GROUP)
      fp_totals_add_member (self->totals, g_array_index (self->group_of, guint, i), records, indices[i]);
}

/* Adds the sum of each group to the group around it, once all groups within it are done. */
static void
sum_groups (FpGroups *self)
{
  const guint *parent_of = (const guint *)self->parent_of->data;
  g_autofree guint *n_awaited = g_new0 (guint, self->parent_of->len + 1);

  for (guint i = 0; i < self->parent_of->len; i++)
    if (parent_of[i] != FP_NO_GROUP)
      n_awaited[parent_of[i]]++;
  for (guint i = 0; i < self->parent_of->len; i++)
    for (guint group = i; group != FP_NO_GROUP && n_awaited[group] == 0; group = parent_of[group])
      {
        n_awaited[group] = G_MAXUINT;
        if (parent_of[group] == FP_NO_GROUP)
          continue;
        fp_totals_add_group (self->totals, parent_of[group], self->totals, group);
        n_awaited[parent_of[group]]--;
      }
}

void
fp_groups_make (FpGroups *self,
                FpGrouping grouping,
                const FpRecords *records,
                const guint *indices,
                guint n,
                const FpFormat *format)
{
  g_clear_pointer (&self->totals, fp_records_unref);
  self->grouping = grouping;
  for (guint i = 0; i < G_N_ELEMENTS (self->columns); i++)
    self->columns[i] = get_column (grouping, i);
  g_hash_table_remove_all (self->group_led);
  g_array_set_size (self->group_of, n);
  g_array_set_size (self->parent_of, 0);
  g_byte_array_set_size (self->in_tree, 0);
  if (grouping == FP_GROUPING_PARENT && records->class->get_parent)
    {
      place_in_each_other (self, records, indices, n);
      return;
    }
  self->totals = fp_totals_new_empty (records->class->kind);
  if (grouping == FP_GROUPING_PARENT)
    make_tree (self, records, indices, n);
  else
    for (guint i = 0; i < n; i++)
      g_array_index (self->group_of, guint, i) = fp_groups_place (self, records, indices[i], format);
  sum_members (self, records, indices, n);
  sum_groups (self);
}

/* Sums the groups at the top and the records that are in no group. */
FpRecords *
fp_groups_sum (const FpGroups *self,
               const FpRecords *records,
               const guint *indices)
{
  FpRecords *sum = fp_totals_new (records, NULL, 0, NULL, NULL);

  for (guint i = 0; i < self->parent_of->len; i++)
    if (g_array_index (self->parent_of, guint, i) == FP_NO_GROUP)
      fp_totals_add_group (sum, 0, self->totals, i);
  for (guint i = 0; i < self->group_of->len; i++)
    if (g_array_index (self->group_of, guint, i) == FP_NO_GROUP)
      fp_totals_add_member (sum, 0, records, indices[i]);
  return sum;
}

static guint
find_or_add (FpGroups *self,
             guint parent,
             const char *name)
{
  guint group = fp_totals_find_or_add (self->totals, parent, name);

  if (group == self->parent_of->len)
    g_array_append_val (self->parent_of, parent);
  return group;
}

/* Keeps a group that was shown and has lost its last member, and the groups around it. */
void
fp_groups_keep (FpGroups *self,
                const FpRecords *old_totals,
                const GArray *old_parent_of,
                guint old)
{
  guint path[G_N_ELEMENTS (self->columns)];
  guint n = 0, group = FP_NO_GROUP;

  if (!self->columns[0])
    return;
  for (; old != FP_NO_GROUP && n < G_N_ELEMENTS (path); old = g_array_index (old_parent_of, guint, old))
    path[n++] = old;
  while (n-- > 0)
    group = find_or_add (self, group, fp_totals_get (old_totals, path[n])->name);
}

/* One that has ended is known by its path: it is in what is left of the groups around it. */
static guint
place_in_control_tree (FpGroups *self,
                       const FpRecords *records,
                       guint index)
{
  const FpControlGroups *groups = fp_control_records_get_groups (self->totals);
  g_autofree char *path = NULL;
  guint place = FP_NO_GROUP;
  char *slash;

  if (records == self->totals)
    place = g_array_index (self->parent_of, guint, index);
  path = g_strdup (fp_control_records_get (records, index)->path);
  while (records != self->totals && place == FP_NO_GROUP && (slash = strrchr (path, '/')) && slash > path)
    {
      const FpControlGroup *around;

      *slash = '\0';
      around = fp_control_groups_find (groups, path);
      if (around && self->in_tree->data[around - groups->groups])
        place = (guint)(around - groups->groups);
    }
  if (place != FP_NO_GROUP)
    self->in_tree->data[place] |= HAS_OTHERS;
  return place;
}

/* Finds the group of a record, or makes it. The record need not be one of those that are summed. */
guint
fp_groups_place (FpGroups *self,
                 const FpRecords *records,
                 guint index,
                 const FpFormat *format)
{
  gboolean is_optional = !*fp_grouping_infos[self->grouping].nobody;
  guint group = FP_NO_GROUP;
  char buffer[FP_CELL_SIZE];

  if (fp_groups_are_records (self))
    return place_in_control_tree (self, records, index);
  if (self->grouping == FP_GROUPING_PARENT)
    return find_led (self, fp_process_records_get (records, index)->ppid);
  for (guint i = 0; i < G_N_ELEMENTS (self->columns) && self->columns[i]; i++)
    {
      const char *text = fp_column_get_text (self->columns[i], records, index, format, buffer, sizeof buffer);

      if (*text || !is_optional)
        group = find_or_add (self, group, text);
      if (self->columns[i]->subject == FP_SUBJECT_USER)
        fp_totals_set_full_name (self->totals, group, fp_process_records_get_text (records, index, FP_TEXT_FULL_NAME));
    }
  return group;
}

gboolean
fp_groups_are_records (const FpGroups *self)
{
  return self->totals && self->totals->class->get_parent;
}

/* Says whether the record is a group with others in it. */
gboolean
fp_groups_is_above (const FpGroups *self,
                    guint index)
{
  return index < self->in_tree->len && (self->in_tree->data[index] & HAS_OTHERS);
}

gboolean
fp_groups_is_led_by (const FpGroups *self,
                     guint group,
                     FpKey key)
{
  FpKey own = fp_records_get_key (self->totals, group);

  return !fp_groups_are_records (self) && own.a == (key.a | LED) && own.b == key.b;
}

/* Gives the key of the process that leads the group, when grouped by parent. */
FpKey
fp_groups_get_leader (FpKey key)
{
  return (FpKey){ key.a & ~LED, key.b };
}
