// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-mapped-reader.h"
#include "fp-mapped-sum.h"
#include "fp-mapping-scanner.h"
#include "fp-mapping-shortener.h"
#include "fp-pacer.h"

#define HOLD_US  4000 /* most processes are read in less; a writer that waits for the lock has it between two reads */
#define PART_US  (500 * 1000)
#define MAX_SIZE (256 * 1024 * 1024) /* somebody can map millions of files with long names */

/* A reader that reads for others has less, as its memory is everybody's. */
#define MAX_SIZE_FOR_OTHERS (24 * 1024 * 1024)
#define MAX_LONG_TEXT       (8 * 1024 * 1024) /* of one process; a longer one has its names shortened */

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

typedef struct
{
  Reader *reader;
  FpMappingScanner *scanner;
  GString *held; /* the beginning of a line */
} Scan;

static gboolean
scan (const char *text,
      gsize length,
      gpointer data)
{
  Scan *self = data;

  if (!text)
    {
      g_clear_pointer (&self->scanner, fp_mapping_scanner_free);
      self->scanner = fp_mapping_scanner_new ();
      g_string_truncate (self->held, 0);
      return TRUE;
    }
  if (!fp_pacer_step (0, 0, &self->reader->pacer))
    {
      errno = ECANCELED;
      return FALSE;
    }
  g_string_append_len (self->held, text, (gssize)length);
  g_string_erase (self->held, 0, (gssize)fp_mapping_scanner_feed (self->scanner, self->held->str, self->held->len));
  return TRUE;
}

static FpMappings *
read_mappings (Reader *self,
               const FpProcessId *id,
               GError **error)
{
  g_autoptr (GString) held = g_string_new (NULL);
  g_autoptr (FpMappingScanner) scanner = NULL;
  Scan copy = { self, NULL, held };
  gboolean is_read;

  if (!self->proc->opens_no_files)
    return fp_mappings_read (self->proc, id, fp_pacer_step, &self->pacer, error);
  is_read = fp_mappings_copy_within (self->proc, id, MAX_LONG_TEXT, scan, &copy, error);
  scanner = copy.scanner;
  return is_read ? fp_mapping_scanner_finish (scanner) : NULL;
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
  mappings = read_mappings (self, &process->id, &error);
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
  for (guint i = 0; i < self->n; i++)
    {
      gpointer twin = g_hash_table_lookup (self->read, GINT_TO_POINTER (self->processes[i].shares_with));

      if (self->processes[i].shares_with == 0)
        continue;
      if (!go_on (0, 0, self))
        return;
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
  g_autoptr (FpMappedSum) sum = fp_mapped_sum_new (proc, processes, n, proc->opens_no_files ? MAX_SIZE_FOR_OTHERS : MAX_SIZE);
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
