// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-successors.h"

guint
fp_successors_find_one (const FpRecords *records,
                        FpKey key)
{
  const FpSnapshot *snapshot;
  const FpProcess *process;

  if (records->class->kind != FP_RECORD_PROCESS)
    {
      for (guint i = 0; i < records->n; i++)
        {
          FpKey own = fp_records_get_key (records, i);

          if (fp_key_equal (&own, &key))
            return i;
        }
      return FP_NO_SUCCESSOR;
    }
  snapshot = fp_process_records_get_snapshot (records);
  process = fp_snapshot_find_same (snapshot, &(FpProcessId){ (gint)key.a, key.b });
  return process ? (guint)(process - snapshot->processes) : FP_NO_SUCCESSOR;
}

static guint *
find_by_key (const FpRecords *old,
             const FpRecords *records)
{
  guint *successors = g_new (guint, old->n + 1);
  g_autofree FpKey *keys = g_new (FpKey, records->n + 1);
  g_autoptr (GHashTable) places = g_hash_table_new (fp_key_hash, fp_key_equal);

  for (guint i = 0; i < records->n; i++)
    {
      keys[i] = fp_records_get_key (records, i);
      g_hash_table_insert (places, &keys[i], GUINT_TO_POINTER (i));
    }
  for (guint i = 0; i < old->n; i++)
    {
      FpKey key = fp_records_get_key (old, i);
      gpointer place;

      successors[i] = g_hash_table_lookup_extended (places, &key, NULL, &place) ? GPOINTER_TO_UINT (place) : FP_NO_SUCCESSOR;
    }
  return successors;
}

/* Both lists ascend by PID. */
static guint *
find_processes (const FpRecords *old,
                const FpRecords *records)
{
  guint *successors = g_new (guint, old->n + 1);
  guint at = 0;

  for (guint i = 0; i < old->n; i++)
    {
      FpKey key = fp_records_get_key (old, i), other = { 0, 0 };

      for (; at < records->n && (other = fp_records_get_key (records, at)).a < key.a; at++)
        ;
      successors[i] = at < records->n && fp_key_equal (&key, &other) ? at : FP_NO_SUCCESSOR;
    }
  return successors;
}

guint *
fp_successors_find (const FpRecords *old,
                    const FpRecords *records)
{
  return old->class->kind == FP_RECORD_PROCESS ? find_processes (old, records) : find_by_key (old, records);
}
