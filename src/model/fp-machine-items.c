// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"
#include "fp-machine-items.h"
#include "fp-query-term.h"
#include "fp-totals.h"

#define MAX_NAME 4096 /* of a path in a file system in memory */

static void
item_free (gpointer data)
{
  FpMachineItem *self = data;

  g_free (self->name);
  g_free (self->remark);
  g_free (self->target);
  g_free (self);
}

FpMachineItems *
fp_machine_items_new (void)
{
  return g_ptr_array_new_with_free_func (item_free);
}

/* The item belongs to the list. A name may come from a process, so it is made fit to be shown. */
FpMachineItem *
fp_machine_items_add (FpMachineItems *self,
                      const char *name,
                      FpFigure figure)
{
  FpMachineItem *item = g_new0 (FpMachineItem, 1);
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  char shown[MAX_NAME];

  fp_display_escape (valid, shown, sizeof shown);
  item->name = g_strdup (shown);
  item->figure = figure;
  g_ptr_array_add (self, item);
  return item;
}

void
fp_machine_item_set_target (FpMachineItem *self,
                            FpMachineTarget kind,
                            const char *target)
{
  self->target_kind = kind;
  g_free (self->target);
  self->target = g_strdup (target);
}

/* Each has the figure that the lists have. column: (nullable): its name in a search for a total's processes */
void
fp_machine_items_add_totals (FpMachineItems *self,
                             const FpRecords *totals,
                             FpField field,
                             const char *column)
{
  for (guint i = 0; i < totals->n; i++)
    {
      const FpTotal *total = fp_totals_get (totals, i);
      FpMachineItem *item;

      if (total->low[field] == 0)
        continue;
      /* Translators: memory of a kind that has no name */
      item = fp_machine_items_add (self, *total->name ? total->name : _ ("other"), fp_records_get_figure (totals, i, field));
      if (column && *total->name)
        {
          g_autofree char *search = fp_query_term_make (column, total->name);

          fp_machine_item_set_target (item, FP_MACHINE_TARGET_SEARCH, search);
        }
    }
}

static gboolean
has_programs (const FpControlGroup *group)
{
  return group->kind == FP_CONTROL_KIND_SERVICE || group->kind == FP_CONTROL_KIND_APP ||
         group->kind == FP_CONTROL_KIND_CONTAINER || group->kind == FP_CONTROL_KIND_SCOPE;
}

/* Services, apps and containers that have no others inside: a user's service manager would have all apps in its figure. */
static gboolean *
find_innermost (const FpControlGroups *groups)
{
  gboolean *is_outer = g_new0 (gboolean, groups->n + 1);
  gboolean *is_innermost = g_new0 (gboolean, groups->n + 1);

  for (guint i = groups->n; i-- > 0;)
    {
      const FpControlGroup *group = &groups->groups[i];

      is_innermost[i] = has_programs (group) && !is_outer[i];
      if (group->parent != FP_CONTROL_NONE && (has_programs (group) || is_outer[i]))
        is_outer[group->parent] = TRUE;
    }
  g_free (is_outer);
  return is_innermost;
}

static void
add_group (FpMachineItems *self,
           const FpControlGroup *group,
           guint64 bytes)
{
  FpMachineItem *item = fp_machine_items_add (self, group->name, fp_figure_exact (bytes));
  g_autofree char *search = fp_query_term_make ("control_group", group->path);

  fp_machine_item_set_target (item, FP_MACHINE_TARGET_SEARCH, search);
}

/* The kernel counts shared memory among files. */
void
fp_machine_items_add_caching (FpMachineItems *self,
                              const FpControlGroups *groups)
{
  g_autofree gboolean *is_innermost = find_innermost (groups);

  for (guint i = 0; i < groups->n; i++)
    {
      const FpControlGroup *group = &groups->groups[i];
      guint64 files = group->figures[FP_CONTROL_FILE], shared = group->figures[FP_CONTROL_SHMEM];

      if (is_innermost[i] && fp_control_group_has (group, FP_CONTROL_FILE) && fp_control_group_has (group, FP_CONTROL_SHMEM) &&
          files > shared)
        add_group (self, group, files - shared);
    }
}

void
fp_machine_items_add_swapped (FpMachineItems *self,
                              const FpControlGroups *groups)
{
  g_autofree gboolean *is_innermost = find_innermost (groups);

  for (guint i = 0; i < groups->n; i++)
    if (is_innermost[i] && fp_control_group_has (&groups->groups[i], FP_CONTROL_SWAP) &&
        groups->groups[i].figures[FP_CONTROL_SWAP] > 0)
      add_group (self, &groups->groups[i], groups->groups[i].figures[FP_CONTROL_SWAP]);
}

/* Their figures are microseconds. */
void
fp_machine_items_add_waiting (FpMachineItems *self,
                              const FpControlGroups *groups)
{
  g_autofree gboolean *is_innermost = find_innermost (groups);

  for (guint i = 0; i < groups->n; i++)
    if (is_innermost[i] && groups->groups[i].waited_us > 0)
      fp_machine_items_add (self, groups->groups[i].name, fp_figure_exact (groups->groups[i].waited_us));
}

static int
compare (gconstpointer a,
         gconstpointer b)
{
  const FpMachineItem *x = *(FpMachineItem *const *)a, *y = *(FpMachineItem *const *)b;
  int order = fp_figure_compare (x->figure, y->figure, TRUE);

  return order ? order : strcmp (x->name, y->name);
}

/* The biggest first, and at most so many. */
void
fp_machine_items_sort (FpMachineItems *self,
                       guint limit)
{
  g_ptr_array_sort (self, compare);
  if (self->len > limit)
    g_ptr_array_set_size (self, (gint)limit);
}

/* Adds the biggest below a heading, which says how many there are where not all have room. Takes the section. */
void
fp_machine_items_add_section (FpMachineItems *self,
                              const char *heading,
                              FpMachineItems *section,
                              guint limit)
{
  /* Translators: title of a list, how many it shows, and how many there are */
  g_autofree char *words = section->len > limit ? g_strdup_printf (_ ("%s: the %u largest of %u"), heading, limit, section->len)
                                                : g_strdup (heading);

  fp_machine_items_sort (section, limit);
  if (section->len > 0)
    fp_machine_items_add (self, words, (FpFigure){ FP_FIGURE_NONE, 0, 0 })->is_heading = TRUE;
  g_ptr_array_extend_and_steal (self, section);
}

/* "anna 9.8 GiB, ben 2.8 GiB". Free the text. */
char *
fp_machine_items_describe (const FpMachineItems *self,
                           const FpFormat *format)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->len; i++)
    {
      const FpMachineItem *item = g_ptr_array_index (self, i);
      g_autofree char *name = fp_display_isolate (item->name);
      char figure[FP_FIGURE_TEXT_SIZE];

      fp_format_kept_memory (format, item->figure, figure);
      g_string_append_printf (text, "%s%s %s", text->len ? _ (", ") : "", name, figure);
    }
  return g_string_free (text, FALSE);
}
