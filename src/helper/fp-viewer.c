// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-viewer.h"

/* This module alone decides what a caller is given, and by nothing but its arguments. */

static gboolean
is_theirs (const FpViewer *self,
           const FpProcess *process)
{
  return self->gid != FP_NO_GROUP && process->uid == self->uid && process->gid == self->gid;
}

/* That process could they read themselves. */
gboolean
fp_viewer_owns (const FpViewer *self,
                const FpOwner *owner)
{
  return self->gid != FP_NO_GROUP && owner->is_plain && owner->uid == self->uid && owner->gid == self->gid;
}

gboolean
fp_viewer_may_read (const FpViewer *self,
                    const FpProcess *process)
{
  switch (self->access)
    {
    case FP_ACCESS_ALL:
      return TRUE;
    case FP_ACCESS_OWN:
      return process->is_plain && is_theirs (self, process);
    case FP_ACCESS_NONE:
    case FP_N_ACCESSES:
    default:
      return FALSE;
    }
}

/* Measuring holds a process up, so it is for its user to ask. Before it was read nobody knows if it is plain. */
gboolean
fp_viewer_may_measure (const FpViewer *self,
                       const FpProcess *process)
{
  return self->access == FP_ACCESS_ALL || (self->access == FP_ACCESS_OWN && is_theirs (self, process));
}

/* snapshot: the last one, or NULL */
void
fp_viewer_keep_measurable (const FpViewer *self,
                           const FpSnapshot *snapshot,
                           GArray *ids)
{
  guint n_kept = 0;

  for (guint i = 0; i < ids->len; i++)
    {
      FpProcessId id = g_array_index (ids, FpProcessId, i);
      const FpProcess *process = snapshot ? fp_snapshot_find (snapshot, id.pid) : NULL;

      if (process && process->start_ticks == id.start_ticks && fp_viewer_may_measure (self, process))
        g_array_index (ids, FpProcessId, n_kept++) = id;
    }
  g_array_set_size (ids, n_kept);
}

/* Of a process that is not theirs the sweep knows the resident size of its last walk; everybody is told that of
 * /proc/PID/status. */
static void
keep_public_figures (FpProcess *process,
                     FpReason reason)
{
  static const FpField parts[] = { FP_FIELD_RSS_ANON, FP_FIELD_RSS_FILE, FP_FIELD_RSS_SHMEM };
  FpMemory *memory = &process->memory;
  guint64 rss = 0;
  guint n_known = 0;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      n_known += fp_memory_has (memory, parts[i]);
      rss += fp_memory_get (memory, parts[i]);
    }
  if (n_known == G_N_ELEMENTS (parts))
    fp_memory_set (memory, FP_FIELD_RSS, rss);
  fp_process_clear_memory (process, reason);
  process->measured_us = 0;
  process->cost_us = 0;
  process->shares_with = 0;
}

/* The program's name comes from the file that runs, which is its user's affair, unless it can be read off what
 * everybody is told. */
static const char *
get_public_program (const FpSnapshot *snapshot,
                    const FpProcess *process)
{
  const char *program = fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM);
  const char *command = fp_snapshot_get_text (snapshot, process, FP_TEXT_COMMAND);

  if (*program && strstr (command, program))
    return program;
  return fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM);
}

/* Of what is theirs but was not read yet, they are told that it is still to come. */
static FpReason
get_public_reason (const FpViewer *self,
                   const FpProcess *process)
{
  FpReason reason = process->reason;

  if (reason == FP_REASON_SHARED_MEMORY || reason == FP_REASON_NONE || reason == FP_REASON_UNSUPPORTED)
    return FP_REASON_PERMISSION;
  if ((reason == FP_REASON_PENDING || reason == FP_REASON_TOO_COSTLY) &&
      (!is_theirs (self, process) || process->measured_us > 0))
    return FP_REASON_PERMISSION;
  return reason;
}

static void
add_process (FpSnapshot *filtered,
             FpStrings *strings,
             const FpViewer *self,
             const FpSnapshot *snapshot,
             const FpProcess *process)
{
  gboolean is_readable = fp_viewer_may_read (self, process);
  FpProcess *copy = &filtered->processes[filtered->n_processes++];

  *copy = *process;
  if (!is_readable)
    {
      keep_public_figures (copy, get_public_reason (self, process));
      copy->exe_state = 0;
      copy->is_plain = FALSE;
    }
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    {
      const char *shown = fp_snapshot_get_text (snapshot, process, text);

      if (!is_readable && text == FP_TEXT_PROGRAM)
        shown = get_public_program (snapshot, process);
      else if (!is_readable && text == FP_TEXT_EXE)
        shown = "";
      copy->texts[text] = fp_strings_intern (strings, shown);
    }
}

/* With a block of strings of its own: in the other one are those of everybody. */
FpSnapshot *
fp_viewer_filter (const FpViewer *self,
                  FpSnapshot *snapshot)
{
  FpSnapshotPool *pool;
  FpSnapshot *filtered;
  FpStrings strings;

  if (self->access == FP_ACCESS_ALL)
    return fp_snapshot_ref (snapshot);

  pool = fp_snapshot_pool_new ();
  filtered = fp_snapshot_pool_take (pool, snapshot->n_processes);
  fp_snapshot_pool_unref (pool);
  fp_strings_init (&strings, 4096);
  filtered->info = snapshot->info;
  filtered->info.n_pending = 0;
  filtered->system = snapshot->system;
  for (guint i = 0; i < snapshot->n_processes && self->access == FP_ACCESS_OWN; i++)
    {
      const FpProcess *process = &snapshot->processes[i];

      gboolean is_readable = fp_viewer_may_read (self, process);

      filtered->info.n_pending +=
          (is_readable ? process->reason : get_public_reason (self, process)) == FP_REASON_PENDING;
      if (!self->hides_others || is_readable)
        add_process (filtered, &strings, self, snapshot, process);
    }
  if (self->hides_others)
    fp_snapshot_count_hidden_tasks (filtered);
  filtered->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return filtered;
}
