// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-control-records.h"
#include "fp-control-values.h"
#include "fp-counted.h"
#include "fp-display.h"

#define UNKNOWN ((FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 })

#define BIT FP_CONTROL_BIT

/* The figures that can be added up. */
#define SUMMED \
  (BIT (MEMORY) | BIT (ANON) | BIT (FILE) | BIT (SHMEM) | BIT (KERNEL) | BIT (SLAB_RECLAIMABLE) | BIT (SWAP))

/* The owner of a group is a total, or one of these. */
#define NOBODY  (G_MAXUINT - 1)
#define SEVERAL FP_NOT_OWNED

typedef struct
{
  const FpControlGroups *groups;
  const FpRecords *processes;
  const guint *owners;
  guint *groups_of;    /* by process; FP_CONTROL_NONE: it has no memory, or its group is not known */
  guint *group_owners; /* of all members of a group and of the groups within it */
  guint *slice_owners; /* of a user's slice: of the members that run as this user */
  guint *slices_of;    /* by group: the user's slice that it is in, or FP_CONTROL_NONE */
  guint *taken_by;     /* by group: the total that it counts for */
  gboolean has_hidden; /* there are processes whose groups can't be known */
} Search;

static guint
join_owners (guint a,
             guint b)
{
  return a == NOBODY ? b : b == NOBODY || a == b ? a
                                                 : SEVERAL;
}

static gboolean
has_memory (const FpProcess *process)
{
  return !fp_process_is_kernel_thread (process) && process->state != 'Z' && process->state != 'X';
}

/* A group that is not listed counts in the nearest around it that is. */
static guint
find_group (const FpControlGroups *groups,
            const char *path)
{
  const FpControlGroup *found = fp_control_groups_find (groups, path);
  g_autofree char *around = found ? NULL : g_strdup (path);
  char *slash;

  while (!found && (slash = strrchr (around, '/')) && slash > around)
    {
      *slash = '\0';
      found = fp_control_groups_find (groups, around);
    }
  return found ? (guint)(found - groups->groups) : FP_CONTROL_NONE;
}

/* PID 1 is always there: where it can't be seen, others can't be seen either. */
static void
place_processes (Search *self)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (self->processes);

  self->has_hidden = !fp_snapshot_find (snapshot, 1);
  for (guint i = 0; i < self->processes->n; i++)
    {
      const char *path = fp_process_records_get_text (self->processes, i, FP_TEXT_CONTROL_GROUP);

      self->groups_of[i] = FP_CONTROL_NONE;
      if (!has_memory (fp_process_records_get (self->processes, i)))
        continue;
      if (*path)
        self->groups_of[i] = find_group (self->groups, path);
      else
        self->has_hidden = TRUE;
    }
}

static void
find_slices (Search *self)
{
  for (guint i = 0; i < self->groups->n; i++)
    {
      const FpControlGroup *group = &self->groups->groups[i];

      self->slices_of[i] = group->parent < i ? self->slices_of[group->parent] : FP_CONTROL_NONE;
      if (group->kind == FP_CONTROL_KIND_USER)
        self->slices_of[i] = i;
      self->group_owners[i] = self->slice_owners[i] = NOBODY;
      self->taken_by[i] = FP_NOT_OWNED;
    }
}

static void
add_member_owners (Search *self)
{
  for (guint i = 0; i < self->processes->n; i++)
    {
      guint group = self->groups_of[i], slice;

      if (group == FP_CONTROL_NONE)
        continue;
      self->group_owners[group] = join_owners (self->group_owners[group], self->owners[i]);
      slice = self->slices_of[group];
      if (slice != FP_CONTROL_NONE &&
          self->groups->groups[slice].uid == fp_process_records_get (self->processes, i)->uid)
        self->slice_owners[slice] = join_owners (self->slice_owners[slice], self->owners[i]);
    }
}

/* Parents stand before their children. A group with memory of programs and without members and groups in it belongs to
 * somebody who can't be seen from here, such as another container. */
static void
pass_owners_up (Search *self)
{
  g_autofree guint8 *are_around = g_new0 (guint8, self->groups->n + 1);

  for (guint i = self->groups->n; i-- > 0;)
    {
      const FpControlGroup *group = &self->groups->groups[i];
      gboolean has_own = fp_control_group_has (group, FP_CONTROL_ANON) && group->figures[FP_CONTROL_ANON] > 0;

      if (self->group_owners[i] == NOBODY && has_own && !are_around[i])
        self->group_owners[i] = SEVERAL;
      if (group->parent >= i)
        continue;
      are_around[group->parent] = TRUE;
      self->group_owners[group->parent] = join_owners (self->group_owners[group->parent], self->group_owners[i]);
    }
}

static guint
choose_owner (const Search *self,
              guint place)
{
  const FpControlGroup *group = &self->groups->groups[place];

  if (group->kind == FP_CONTROL_KIND_MACHINE)
    return FP_NOT_OWNED;
  if (group->kind == FP_CONTROL_KIND_USER && self->slice_owners[place] < NOBODY)
    return self->slice_owners[place];
  return self->has_hidden || self->group_owners[place] == NOBODY ? FP_NOT_OWNED : self->group_owners[place];
}

static void
add_figures (FpControlGroup *sum,
             const FpControlGroup *group,
             gboolean is_first)
{
  sum->present = is_first ? group->present & SUMMED : sum->present & group->present;
  for (guint64 fields = sum->present; fields; fields &= fields - 1)
    {
      guint field = (guint)__builtin_ctzll (fields);
      guint64 figure = group->figures[field];

      sum->figures[field] += MIN (figure, G_MAXUINT64 - sum->figures[field]);
    }
}

/* Takes the outermost groups. Within these nothing counts again. */
static void
take_groups (Search *self,
             FpControlGroup *sums,
             guint *n_groups)
{
  for (guint i = 0; i < self->groups->n; i++)
    {
      const FpControlGroup *group = &self->groups->groups[i];
      guint above = group->parent < i ? self->taken_by[group->parent] : FP_NOT_OWNED;
      guint owner = above == FP_NOT_OWNED ? choose_owner (self, i) : above;

      self->taken_by[i] = owner;
      if (above == FP_NOT_OWNED && owner != FP_NOT_OWNED)
        add_figures (&sums[owner], group, n_groups[owner]++ == 0);
    }
}

static void
count_outside (const Search *self,
               guint *n_outside)
{
  for (guint i = 0; i < self->processes->n; i++)
    {
      guint owner = self->owners[i], group = self->groups_of[i];

      if (owner != FP_NOT_OWNED && has_memory (fp_process_records_get (self->processes, i)) &&
          (group == FP_CONTROL_NONE || self->taken_by[group] != owner))
        n_outside[owner]++;
    }
}

void
fp_counted_find (FpRecords *totals,
                 const FpControlGroups *groups,
                 const FpRecords *processes,
                 const guint *owners)
{
  g_autofree guint *places = g_new (guint, groups->n * 4 + processes->n + 1);
  g_autofree guint *counts = g_new0 (guint, totals->n * 2 + 1);
  g_autoptr (FpControlGroups) sums = fp_control_groups_new (totals->n);
  g_autoptr (FpRecords) counted = NULL;
  Search self = {
    .groups = groups,
    .processes = processes,
    .owners = owners,
    .group_owners = places,
    .slice_owners = places + groups->n,
    .slices_of = places + groups->n * 2,
    .taken_by = places + groups->n * 3,
    .groups_of = places + groups->n * 4,
  };

  sums->n = totals->n;
  place_processes (&self);
  find_slices (&self);
  add_member_owners (&self);
  pass_owners_up (&self);
  take_groups (&self, sums->groups, counts);
  count_outside (&self, counts + totals->n);
  counted = fp_control_records_new (sums, NULL, NULL);
  fp_totals_set_counted (totals, counted, counts, counts + totals->n);
}

/* Within a user, groups are programs, which have no control groups. matches: the indices of the grouped processes */
void
fp_counted_find_for_users (const FpGroups *users,
                           const FpControlGroups *groups,
                           const FpRecords *processes,
                           const GArray *matches)
{
  g_autofree guint *owners = NULL;

  if (processes->class->kind != FP_RECORD_PROCESS || fp_grouping_get_subject (users->grouping, 0) != FP_SUBJECT_USER)
    return;
  owners = g_new (guint, processes->n + 1);
  for (guint i = 0; i < processes->n; i++)
    owners[i] = FP_NOT_OWNED;
  for (guint i = 0; i < matches->len; i++)
    {
      guint group = g_array_index (users->group_of, guint, i);

      while (group != FP_NO_GROUP && g_array_index (users->parent_of, guint, group) != FP_NO_GROUP)
        group = g_array_index (users->parent_of, guint, group);
      owners[g_array_index (matches, guint, i)] = group;
    }
  fp_counted_find (users->totals, groups, processes, owners);
}

/* Where some processes are in other groups, there is more. */
static FpFigure
get_figure (const FpRecords *totals,
            guint index,
            FpFigureFunc *get)
{
  const FpRecords *counted = fp_totals_get_counted (totals);
  const FpTotal *total = fp_totals_get (totals, index);
  FpFigure figure;

  if (total->n_counted == 0)
    return total->n_outside > 0 ? UNKNOWN : (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  figure = get (counted, index);
  if (figure.kind == FP_FIGURE_EXACT && total->n_outside > 0)
    return (FpFigure){ FP_FIGURE_PARTIAL, figure.low, G_MAXUINT64 };
  return figure;
}

#define DEFINE_COUNTED(name, get)                       \
  FpFigure                                              \
      fp_value_counted_##name (const FpRecords *totals, \
                               guint index)             \
  {                                                     \
    return get_figure (totals, index, get);             \
  }

DEFINE_COUNTED (own, fp_value_control_own)
DEFINE_COUNTED (shared, fp_value_control_shared)
DEFINE_COUNTED (kernel, fp_value_control_kernel)
DEFINE_COUNTED (cache, fp_value_control_cache)
DEFINE_COUNTED (swap, fp_value_control_swap)

static FpFigure
get_without_cache (const FpRecords *records,
                   guint index)
{
  FpFigure memory = fp_value_control_memory (records, index), cache = fp_value_control_cache (records, index);

  if (!fp_figure_is_known (memory) || !fp_figure_is_known (cache))
    return UNKNOWN;
  return fp_figure_exact (memory.low - MIN (memory.low, cache.low));
}

FpFigure
fp_value_counted (const FpRecords *totals,
                  guint index)
{
  return get_figure (totals, index, get_without_cache);
}

FpFigure
fp_value_not_counted (const FpRecords *totals,
                      guint index)
{
  const FpTotal *total = fp_totals_get (totals, index);

  if (total->n_counted + total->n_outside == 0)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  return fp_figure_exact (total->n_outside);
}

gboolean
fp_counted_is_column (const FpColumn *column)
{
  static FpFigureFunc *const counted[] = {
    fp_value_counted,
    fp_value_counted_own,
    fp_value_counted_shared,
    fp_value_counted_kernel,
    fp_value_counted_cache,
    fp_value_counted_swap,
    fp_value_not_counted,
  };

  for (guint i = 0; i < G_N_ELEMENTS (counted); i++)
    if (column->get_figure == counted[i])
      return TRUE;
  return FALSE;
}

static char *
describe_parts (const FpRecords *totals,
                guint index,
                const FpFormat *format)
{
  FpFigure own = fp_value_counted_own (totals, index), shared = fp_value_counted_shared (totals, index);
  FpFigure kernel = fp_value_counted_kernel (totals, index);
  char size[FP_FIGURE_TEXT_SIZE];
  GString *text = g_string_new (NULL);

  fp_format_kept_memory (format, fp_figure_exact (own.low), size);
  if (fp_figure_is_known (own))
    fp_display_append_item (text, g_strdup_printf (_ ("own memory %s"), size));
  fp_format_kept_memory (format, fp_figure_exact (shared.low), size);
  if (fp_figure_is_known (shared))
    fp_display_append_item (text, g_strdup_printf (_ ("shared memory %s"), size));
  fp_format_kept_memory (format, fp_figure_exact (kernel.low), size);
  if (fp_figure_is_known (kernel))
    fp_display_append_item (text, g_strdup_printf (_ ("kernel %s"), size));
  return g_string_free (text, FALSE);
}

static void
append_besides (GString *text,
                const FpRecords *totals,
                guint index,
                const FpFormat *format)
{
  FpFigure cache = fp_value_counted_cache (totals, index), swap = fp_value_counted_swap (totals, index);
  char size[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, fp_figure_exact (cache.low), size);
  if (fp_figure_is_known (cache) && cache.low > 0)
    fp_display_append_sentence (text, g_strdup_printf (_ ("%s more are cache, which is given back when others need the memory."), size));
  fp_figure_format (fp_figure_exact (swap.low), FP_UNIT_BYTES, format->style, format->swap_total, size, sizeof size);
  fp_figure_keep_together (size);
  if (fp_figure_is_known (swap) && swap.low > 0)
    fp_display_append_sentence (text, g_strdup_printf (_ ("%s more is in swap."), size));
}

char *
fp_counted_describe (const FpRecords *totals,
                     guint index,
                     const FpFormat *format)
{
  FpFigure figure = fp_value_counted (totals, index);
  g_autofree char *parts = NULL;
  char size[FP_FIGURE_TEXT_SIZE];
  GString *text;

  if (!fp_figure_is_known (figure))
    return NULL;
  text = g_string_new (NULL);
  fp_format_kept_memory (format, fp_figure_exact (figure.low), size);
  parts = describe_parts (totals, index, format);
  if (figure.kind == FP_FIGURE_EXACT)
    /* Translators: an amount of memory and the parts of it, as in “own memory 2.1 GiB, kernel 12 MiB” */
    g_string_append_printf (text, _ ("The kernel counts %s: %s."), size, parts);
  else
    /* Translators: an amount of memory and the parts of it, as in “own memory 2.1 GiB, kernel 12 MiB” */
    g_string_append_printf (text, _ ("The kernel counts at least %s: %s."), size, parts);
  append_besides (text, totals, index, format);
  return g_string_free (text, FALSE);
}

/* NULL: nothing is counted */
char *
fp_counted_describe_rest (const FpRecords *totals,
                          guint index)
{
  const FpTotal *total = fp_totals_get (totals, index);
  GString *text;

  if (!fp_figure_is_known (fp_value_counted (totals, index)))
    return NULL;
  text = g_string_new (_ ("This is not the sum of the processes, and needs no permission to read them: each page counts "
                          "in full for the group that touched it first, also where several users share it."));
  if (total->n_outside > 0)
    fp_display_append_sentence (
        text, g_strdup_printf (ngettext ("%u process is in a group that is not this user’s alone, and is not counted.",
                                         "%u processes are in groups that are not this user’s alone, and are not counted.",
                                         total->n_outside),
                               total->n_outside));
  return g_string_free (text, FALSE);
}
