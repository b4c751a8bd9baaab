// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-machine-kept.h"

#define UNKNOWN ((FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 })

/* Returns the name of a process that still is there, or its number. Free the text. */
char *
fp_machine_name_process (const FpSnapshot *snapshot,
                         gint pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);

  return process ? g_strdup (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM)) : g_strdup_printf (_ ("process %d"), pid);
}

void
fp_machine_item_set_holder (FpMachineItem *item,
                            const FpSnapshot *snapshot,
                            gint pid)
{
  g_autofree char *search = g_strdup_printf ("pid=%d", pid);

  if (fp_snapshot_find (snapshot, pid))
    fp_machine_item_set_target (item, FP_MACHINE_TARGET_SEARCH, search);
}

/* Every container has a /dev/shm, and a sandbox may have a / in memory. Free the text. */
char *
fp_machine_name_tmpfs (const FpTmpfs *tmpfs,
                       const FpSnapshot *snapshot)
{
  g_autofree char *path = NULL, *name = NULL, *process = NULL;

  if (tmpfs->pid == 0)
    return g_strdup (tmpfs->path);
  name = fp_machine_name_process (snapshot, tmpfs->pid);
  process = fp_display_isolate (name);
  if (g_str_equal (tmpfs->path, "/"))
    /* Translators: a process in a sandbox */
    return g_strdup_printf (_ ("root folder of %s"), process);
  path = fp_display_isolate (tmpfs->path);
  /* Translators: a folder as a process sees it, and the process, as in “/dev/shm of firefox” */
  return g_strdup_printf (C_ ("folder", "%s of %s"), path, process);
}

static guint64
sum_held (const FpKept *kept)
{
  guint64 sum = 0;

  for (guint i = 0; i < kept->held->len; i++)
    if (fp_held_file_is_apart (&g_array_index (kept->held, FpHeldFile, i)))
      sum += g_array_index (kept->held, FpHeldFile, i).used;
  return sum;
}

static gboolean
is_unused (const FpSegment *segment)
{
  return segment->n_attached == 0 && segment->resident + segment->swap > 0 && !fp_segment_is_of_pool (segment);
}

static guint64
sum_unused (const FpSegments *segments)
{
  guint64 sum = 0;

  for (guint i = 0; segments && i < segments->len; i++)
    if (is_unused (&g_array_index (segments, FpSegment, i)))
      sum += g_array_index (segments, FpSegment, i).resident;
  return sum;
}

/* There may be more of what processes hold than was found. */
static gboolean
is_partial (const FpKept *kept)
{
  return kept->n_unread > 0 || kept->n_pending > 0 || kept->is_cut;
}

/* Processes that were not looked at yet are left out, because their number is another one at each refresh. NULL: all was looked at,
 * or will be; free the text */
char *
fp_machine_describe_kept_limits (const FpKept *kept)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (kept->n_unread > 0)
    g_string_append_printf (text, ngettext ("%u process not looked at", "%u processes not looked at", kept->n_unread),
                            kept->n_unread);
  if (kept->is_cut)
    fp_display_append_item (text, g_strdup (_ ("there is more than Footprint looks at")));
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Files of a tmpfs may be mapped by programs, or be in swap: where all together is more than what is kept at most, the
 * figures are upper ends. */
void
fp_machine_sum_up_kept (FpMachineItems *items,
                        const FpKept *kept,
                        const FpSnapshot *snapshot,
                        guint64 most)
{
  guint64 held = sum_held (kept), unused = sum_unused (kept->segments), sum = held + unused;

  for (guint i = 0; i < kept->tmpfs->len; i++)
    if (g_array_index (kept->tmpfs, FpTmpfs, i).kind == FP_TMPFS_SWAPPABLE)
      sum += g_array_index (kept->tmpfs, FpTmpfs, i).used;
  for (guint i = 0; i < kept->tmpfs->len; i++)
    {
      const FpTmpfs *tmpfs = &g_array_index (kept->tmpfs, FpTmpfs, i);
      g_autofree char *name = fp_machine_name_tmpfs (tmpfs, snapshot);

      if (tmpfs->used > 0 && tmpfs->kind == FP_TMPFS_SWAPPABLE)
        fp_machine_items_add (items, name, sum > most ? fp_figure_at_most (tmpfs->used) : fp_figure_exact (tmpfs->used));
    }
  if (held > 0)
    fp_machine_items_add (items, _ ("files without a name"), is_partial (kept) ? fp_figure_at_least (held) : fp_figure_exact (held));
  if (unused > 0)
    fp_machine_items_add (items, _ ("unused shared segments"), fp_figure_exact (unused));
}

/* The kernel does not say how much memory a file of a ramfs takes, so those are not listed. */
static void
set_files (FpMachineItem *item,
           const FpTmpfs *tmpfs,
           const FpMachineInput *input,
           const FpSnapshot *snapshot)
{
  g_autofree char *device = g_strdup_printf ("%" G_GUINT64_FORMAT, tmpfs->device);

  if (tmpfs->kind == FP_TMPFS_SWAPPABLE && !input->is_sandboxed)
    {
      fp_machine_item_set_target (item, FP_MACHINE_TARGET_FILES, device);
      item->hint = _ ("Show Files");
    }
  else if (tmpfs->pid != 0)
    fp_machine_item_set_holder (item, snapshot, tmpfs->pid);
}

static void
add_tmpfs (FpMachineItems *items,
           const FpTmpfs *tmpfs,
           const FpMachineInput *input,
           const FpSnapshot *snapshot)
{
  g_autofree char *name = fp_machine_name_tmpfs (tmpfs, snapshot);
  FpFigure figure = tmpfs->has_used ? fp_figure_exact (tmpfs->used) : UNKNOWN;
  FpMachineItem *item;
  /* The kernel counts pages in swap as used, too. */
  const char *place = input->format.swap_total > 0 ? _ ("Files kept in memory or swap") : _ ("Files kept in memory");
  char size[FP_FIGURE_TEXT_SIZE];

  if (tmpfs->kind == FP_TMPFS_HUGE || (tmpfs->has_used && tmpfs->used == 0))
    return;
  item = fp_machine_items_add (items, name, figure);
  if (tmpfs->kind == FP_TMPFS_RAMFS)
    item->remark = g_strdup (_ ("Files kept in memory that are never given back; the kernel does not say how large they are"));
  else if (!tmpfs->has_used)
    item->remark = g_strdup (_ ("Files kept in memory; the kernel does not say how large they are"));
  else if (tmpfs->size > 0)
    {
      fp_format_kept_memory (&input->format, fp_figure_exact (tmpfs->size), size);
      /* Translators: a folder, and an amount of memory; “ones” are files */
      item->remark = g_strdup_printf (_ ("%s, limited to %s, mapped ones included"), place, size);
    }
  else
    item->remark = g_strdup_printf (_ ("%s, mapped ones included"), place);
  set_files (item, tmpfs, input, snapshot);
}

/* The pages of a mapped file that programs have touched are theirs; the others may be all of it. */
static void
add_held (FpMachineItems *items,
          const FpHeldFile *held,
          const FpSnapshot *snapshot)
{
  g_autofree char *holder = fp_machine_name_process (snapshot, held->pid);
  FpMachineItem *item;

  if (held->is_in_tmpfs || held->is_huge || held->used == 0)
    return;
  item = fp_machine_items_add (items, *held->name ? held->name : _ ("File without a name"),
                               held->is_mapped ? fp_figure_at_most (held->used) : fp_figure_exact (held->used));
  if (held->is_mapped)
    item->remark = g_strdup_printf (_ ("File without a name, held by %s, apart from what programs map of it"), holder);
  else if (held->n_holders > 1)
    /* Translators: a program, and a number of other processes */
    item->remark = g_strdup_printf (ngettext ("File without a name, held by %s and %u other process",
                                              "File without a name, held by %s and %u other processes", held->n_holders - 1),
                                    holder, held->n_holders - 1);
  else
    item->remark = g_strdup_printf (_ ("File without a name, held by %s"), holder);
  fp_machine_item_set_holder (item, snapshot, held->pid);
}

static char *
name_owner (const FpSnapshot *snapshot,
            guint32 uid)
{
  char name[FP_CELL_SIZE];

  for (guint i = 0; i < snapshot->n_processes; i++)
    if (snapshot->processes[i].uid == uid)
      {
        fp_display_escape (fp_snapshot_get_text (snapshot, &snapshot->processes[i], FP_TEXT_USER), name, sizeof name);
        return fp_display_make_user (name);
      }
  return g_strdup_printf (_ ("user %u"), uid);
}

static void
add_segment (FpMachineItems *items,
             const FpSegment *segment,
             const FpMachineInput *input,
             const FpSnapshot *snapshot)
{
  g_autofree char *name = g_strdup_printf (_ ("Shared segment %u"), (guint)segment->id), *owner = name_owner (snapshot, segment->uid);
  g_autoptr (GString) remark = g_string_new (NULL);
  char size[FP_FIGURE_TEXT_SIZE];

  /* Translators: a user */
  g_string_append_printf (remark, _ ("System V shared memory of %s that no process uses"), owner);
  if (segment->swap > 0)
    {
      fp_format_kept_memory (&input->format, fp_figure_exact (segment->swap), size);
      /* Translators: an amount of memory */
      fp_display_append_fact (remark, g_strdup_printf (_ ("%s more in swap"), size));
    }
  fp_machine_items_add (items, name, fp_figure_exact (segment->resident))->remark = g_strdup (remark->str);
}

void
fp_machine_list_kept (FpMachineItems *items,
                      const FpMachineInput *input,
                      const FpSnapshot *snapshot)
{
  const FpKept *kept = input->kept;

  for (guint i = 0; i < kept->tmpfs->len; i++)
    add_tmpfs (items, &g_array_index (kept->tmpfs, FpTmpfs, i), input, snapshot);
  for (guint i = 0; i < kept->held->len; i++)
    add_held (items, &g_array_index (kept->held, FpHeldFile, i), snapshot);
  for (guint i = 0; kept->segments && i < kept->segments->len; i++)
    if (is_unused (&g_array_index (kept->segments, FpSegment, i)))
      add_segment (items, &g_array_index (kept->segments, FpSegment, i), input, snapshot);
}

/* These are no parts, and stand at the end. */
void
fp_machine_list_kept_limits (FpMachineItems *items,
                             const FpKept *kept)
{
  if (kept->n_unread > 0)
    fp_machine_items_add (items, _ ("Files held by others"), UNKNOWN)->remark =
        g_strdup_printf (ngettext ("The open files of %u process can’t be looked at",
                                   "The open files of %u processes can’t be looked at", kept->n_unread),
                         kept->n_unread);
  if (kept->n_pending > 0)
    fp_machine_items_add (items, _ ("Not looked at yet"), UNKNOWN)->remark =
        g_strdup_printf (ngettext ("%u process", "%u processes", kept->n_pending), kept->n_pending);
  if (kept->is_cut)
    fp_machine_items_add (items, _ ("Not looked at"), UNKNOWN)->remark =
        g_strdup (_ ("There are more mounts or open files than Footprint looks at"));
}
