// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-files-message.h"

#define MAX_US (30 * G_USEC_PER_SEC) /* then the next user has a turn, and what is left stays unread */

/* Floating */
GVariant *
fp_files_message_pack_pids (const FpMappedProcess *processes,
                            guint n)
{
  g_autofree gint32 *pids = g_new (gint32, n + 1);

  for (guint i = 0; i < n; i++)
    pids[i] = processes[i].id.pid;
  return g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, pids, n, sizeof *pids);
}

/* One that has ended maps nothing. */
static GArray *
find_processes (const FpSnapshot *snapshot,
                GVariant *pids)
{
  GArray *mapped = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  gsize n;
  const gint32 *list = g_variant_get_fixed_array (pids, &n, sizeof *list);

  for (gsize i = 0; i < MIN (n, FP_FILES_MESSAGE_MAX); i++)
    {
      const FpProcess *process = fp_snapshot_find (snapshot, list[i]);

      if (process && g_hash_table_add (known, GINT_TO_POINTER (list[i])))
        g_array_append_vals (
            mapped, &(FpMappedProcess){ { process->pid, process->start_ticks }, process->uid, process->shares_with }, 1);
    }
  return mapped;
}

/* Reads what /proc says, for who opens no files: one of somebody else's is neither opened nor asked for. step gets how many
 * processes were read of how many. */
FpMappedFiles *
fp_files_message_read (const FpSnapshot *snapshot,
                       GVariant *pids,
                       FpMappingStepFunc step,
                       gpointer data,
                       GError **error)
{
  g_autoptr (GArray) mapped = find_processes (snapshot, pids);
  g_auto (FpProcDir) proc = { .fd = -1 };

  if (!fp_proc_dir_open (&proc, "/proc", error))
    return NULL;
  proc.opens_no_files = TRUE;
  return fp_mapped_files_read_until (&proc, (const FpMappedProcess *)(void *)mapped->data, mapped->len,
                                     g_get_monotonic_time () + MAX_US, step, data, error);
}
