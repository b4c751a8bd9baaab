// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-mapped-reader.h"
#include "fp-mapped-sum.h"
#include "fp-pacer.h"

#define HOLD_US  4000 /* most processes are read in less; a writer that waits for the lock has it between two reads */
#define PART_US  (500 * 1000)
#define MAX_SIZE (256 * 1024 * 1024) /* somebody can map millions of files with long names */

typedef struct
{
  const FpProcDir *proc;
  const FpMappedProcess *processes;
  guint n;
  guint n_done;
  FpMappedSum *sum;
  GHashTable *read; /* index, and one, of each process that was read, by PID */
  FpMappingStepFunc step;
  FpMappedPartFunc part;
  gint64 part_us; /* the time of the next part */
  gpointer data;
  FpPacer pacer;
  gboolean is_cancelled;
} Reader;

static gboolean
go_on (guint64 position,
       guint64 whole,
       gpointer data)
{
  Reader *self = data;

  self->is_cancelled |= self->step && !self->step (self->n_done, self->n, self->data);
  return !self->is_cancelled;
}

/* A list that takes long to make comes less often. */
static void
give_part (Reader *self)
{
  gint64 now_us = g_get_monotonic_time ();

  if (!self->part || self->n_done == self->n || now_us < self->part_us)
    return;
  self->part (fp_mapped_sum_get_part (self->sum, self->n_done), self->data);
  self->part_us = g_get_monotonic_time () + MAX (PART_US, 10 * (g_get_monotonic_time () - now_us));
}

/* One that has ended maps nothing. Its mappings are added up at once and forgotten. */
static void
read_process (Reader *self,
              guint index)
{
  const FpMappedProcess *process = &self->processes[index];
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = NULL;

  fp_pacer_begin (&self->pacer);
  mappings = fp_mappings_read (self->proc, &process->id, fp_pacer_step, &self->pacer, &error);
  if (mappings)
    {
      if (!fp_mapped_sum_add (self->sum, index, mappings, go_on, self))
        return;
      g_hash_table_insert (self->read, GINT_TO_POINTER (process->id.pid), GUINT_TO_POINTER (index + 1));
    }
  else if (!self->is_cancelled && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    fp_mapped_sum_add_unread (self->sum, index,
                              g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES) ||
                                  g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM));
  self->n_done++;
  if (!self->is_cancelled)
    give_part (self);
}

/* A process that shares its memory with another one comes after it. */
static void
read_processes (Reader *self)
{
  for (guint i = 0; i < self->n && go_on (0, 0, self); i++)
    if (self->processes[i].shares_with == 0)
      read_process (self, i);
  for (guint i = 0; i < self->n && go_on (0, 0, self); i++)
    {
      gpointer twin = g_hash_table_lookup (self->read, GINT_TO_POINTER (self->processes[i].shares_with));

      if (self->processes[i].shares_with == 0)
        continue;
      if (!twin)
        {
          read_process (self, i);
          twin = g_hash_table_lookup (self->read, GINT_TO_POINTER (self->processes[i].id.pid));
          /* The one whose memory it is was not chosen, but others that share it may be. */
          if (twin)
            g_hash_table_insert (self->read, GINT_TO_POINTER (self->processes[i].shares_with), twin);
          continue;
        }
      fp_mapped_sum_add_twin (self->sum, i, GPOINTER_TO_UINT (twin) - 1);
      self->n_done++;
    }
  go_on (0, 0, self);
}

FpMappedFiles *
fp_mapped_files_read (const FpProcDir *proc,
                      const FpMappedProcess *processes,
                      guint n,
                      FpMappingStepFunc step,
                      FpMappedPartFunc part,
                      gpointer data,
                      GError **error)
{
  g_autoptr (FpMappedSum) sum = fp_mapped_sum_new (proc, processes, n, MAX_SIZE);
  g_autoptr (GHashTable) read = g_hash_table_new (NULL, NULL);
  Reader self = { .proc = proc, .processes = processes, .n = n, .sum = sum, .read = read, .step = step, .part = part, .data = data };

  self.part_us = g_get_monotonic_time () + PART_US;
  self.pacer = (FpPacer){ .step = go_on, .data = &self, .hold_us = HOLD_US };
  read_processes (&self);
  if (self.is_cancelled)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
      return NULL;
    }
  return fp_mapped_sum_finish (sum);
}
