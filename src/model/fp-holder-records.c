// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-holder-records.h"
#include "fp-mapped-records.h"

#define PID_SHIFT 42 /* PIDs have 22 bits */

typedef struct
{
  guint file;
  guint place; /* among the processes of the file */
} Part;

typedef struct
{
  FpRecords parent;
  FpRecords *files;
  GArray *parts; /* Part */
} FpHolderRecords;

static const Part *
get_part (const FpRecords *records,
          guint index)
{
  return &g_array_index (((const FpHolderRecords *)records)->parts, Part, index);
}

guint
fp_holder_records_get_file (const FpRecords *records,
                            guint index)
{
  return get_part (records, index)->file;
}

const FpRecords *
fp_holder_records_get_files (const FpRecords *records)
{
  return ((const FpHolderRecords *)records)->files;
}

static const FpMappedFile *
get_file (const FpRecords *records,
          guint index)
{
  return fp_mapped_records_get (((const FpHolderRecords *)records)->files, get_part (records, index)->file);
}

const FpMappedHolder *
fp_holder_records_get (const FpRecords *records,
                       guint index,
                       const FpMappedProcess **process)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (((const FpHolderRecords *)records)->files);

  return fp_mapped_files_find_holder (files, get_file (records, index), get_part (records, index)->place, process);
}

static gboolean
is_twin (const FpRecords *records,
         guint index)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (((const FpHolderRecords *)records)->files);
  const FpMappedProcess *process;
  const FpMappedHolder *holder = fp_holder_records_get (records, index, &process);

  return process != &files->processes[holder->process];
}

/* By PID, and then by file and start. */
static FpKey
fp_holder_records_get_key (const FpRecords *records,
                           guint index)
{
  const FpMappedFile *file = get_file (records, index);
  const FpMappedProcess *process;

  fp_holder_records_get (records, index, &process);
  return (FpKey){ (guint64)process->id.pid << PID_SHIFT ^ file->key[0] * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> (64 - PID_SHIFT),
                  file->key[1] * G_GUINT64_CONSTANT (0xc2b2ae3d27d4eb4f) + file->key[0] + process->id.start_ticks };
}

static const FpMemory *
fp_holder_records_get_memory (const FpRecords *records,
                              guint index,
                              FpMemory *buffer,
                              guint64 *fields)
{
  const FpHolderRecords *self = (const FpHolderRecords *)records;
  const FpMappedProcess *process;
  const FpMappedHolder *holder = fp_holder_records_get (records, index, &process);

  *fields = FP_FIELD_BIT (USS) | FP_FIELD_BIT (MEMORY_AND_SWAP);
  for (guint i = 0; i < FP_N_HOLDER_FIGURES; i++)
    *fields |= G_GUINT64_CONSTANT (1) << fp_holder_fields[i];
  *buffer = (FpMemory){ 0 };
  if (is_twin (records, index))
    *fields = 0;
  else if (!fp_mapped_records_get_files (self->files)->lacks_parts)
    fp_mapped_holder_get_memory (holder, get_file (records, index), buffer);
  return buffer;
}

/* NULL: the list was made without a snapshot, or the process is not in it. */
static const FpProcess *
find_in_snapshot (const FpRecords *records,
                  guint index,
                  const FpSnapshot *snapshot)
{
  const FpMappedProcess *process;
  const FpProcess *found;

  fp_holder_records_get (records, index, &process);
  found = snapshot ? fp_snapshot_find (snapshot, process->id.pid) : NULL;
  return found && fp_process_is (found, &process->id) ? found : NULL;
}

/* As it was when the files were read; empty: it is not known */
const char *
fp_holder_records_get_program (const FpRecords *records,
                               guint index)
{
  const FpSnapshot *snapshot = fp_mapped_records_get_snapshot (((const FpHolderRecords *)records)->files);
  const FpProcess *known = find_in_snapshot (records, index, snapshot);
  const char *program = known ? fp_snapshot_get_text (snapshot, known, FP_TEXT_PROGRAM) : "";

  return known && !*program ? fp_snapshot_get_text (snapshot, known, FP_TEXT_COMM) : program;
}

void
fp_holder_records_write_name (const FpRecords *records,
                              guint index,
                              char *text,
                              gsize size)
{
  const FpMappedProcess *process;
  char name[512];

  fp_holder_records_get (records, index, &process);
  fp_display_escape (fp_holder_records_get_program (records, index), name, sizeof name);
  g_snprintf (text, size, "%s (%d)", *name ? name : "—", process->id.pid);
}

/* Free the text. */
char *
fp_holder_records_explain (const FpRecords *records,
                           guint index)
{
  FpRecords *files = ((const FpHolderRecords *)records)->files;
  const FpSnapshot *snapshot = fp_mapped_records_get_snapshot (files);
  const FpProcess *known = find_in_snapshot (records, index, snapshot);
  const FpMappedProcess *process;
  const char *reason = NULL;
  char user[256] = "";
  g_autofree char *who = NULL;

  fp_holder_records_get (records, index, &process);
  if (known)
    fp_display_escape (fp_snapshot_get_text (snapshot, known, FP_TEXT_USER), user, sizeof user);
  /* Translators: the number of a process, and its user */
  who = *user ? g_strdup_printf (_ ("Process %d of %s"), process->id.pid, user) : g_strdup_printf (_ ("Process %d"), process->id.pid);
  if (is_twin (records, index))
    reason = _ ("Counted with the process it shares all of its memory with");
  else if (fp_mapped_records_get_files (files)->lacks_parts)
    reason = _ ("Only the sum over all processes was saved");
  return reason ? g_strdup_printf ("%s\n%s", who, reason) : g_steal_pointer (&who);
}

guint
fp_holder_records_find_process (const FpRecords *records,
                                guint index,
                                const FpRecords *processes)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (processes);
  const FpProcess *found = find_in_snapshot (records, index, snapshot);

  return found ? (guint)(found - snapshot->processes) : G_MAXUINT;
}

static void
fp_holder_records_free (FpRecords *records)
{
  FpHolderRecords *self = (FpHolderRecords *)records;

  fp_records_unref (self->files);
  g_array_unref (self->parts);
  g_free (self);
}

FpRecords *
fp_holder_records_new (FpRecords *files,
                       const guint *indices,
                       guint n,
                       guint *ends)
{
  static const FpRecordsClass class = {
    .kind = FP_RECORD_HOLDER,
    .get_key = fp_holder_records_get_key,
    .get_memory = fp_holder_records_get_memory,
    .free = fp_holder_records_free,
  };
  FpHolderRecords *self = g_new0 (FpHolderRecords, 1);

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->files = fp_records_ref (files);
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  for (guint i = 0; i < n; i++)
    {
      guint n_processes = fp_mapped_records_get (files, indices[i])->n_processes;

      for (guint j = 0; j < n_processes; j++)
        g_array_append_vals (self->parts, &(Part){ indices[i], j }, 1);
      ends[i] = self->parts->len;
    }
  self->parent.n = self->parts->len;
  return &self->parent;
}
