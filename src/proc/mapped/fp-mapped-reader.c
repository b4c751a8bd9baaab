// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-mapped-reader.h"
#include "fp-mapped-sum.h"
#include "fp-mapping-scanner.h"
#include "fp-mapping-shortener.h"
#include "fp-pacer.h"
#include "fp-payer.h"
#include "fp-turns.h"

#define HOLD_US  4000 /* most processes are read in less; a writer that waits for the lock has it between two reads */
#define PART_US  (500 * 1000)
#define MAX_SIZE (256 * 1024 * 1024) /* somebody can map millions of files with long names */

/* A reader that reads for others has less, as its memory is everybody's. */
#define MAX_SIZE_FOR_OTHERS (24 * 1024 * 1024)
#define MAX_LONG_TEXT       (8 * 1024 * 1024)  /* of one process; a longer one has its names shortened */
#define MAX_TEXT            (40 * 1024 * 1024) /* the same, shortened: more than 65,530 mappings, the kernel's usual limit, have */

typedef struct
{
  const FpProcDir *proc;
  const FpMappedProcess *processes;
  guint n;
  guint n_done;
  FpTurns *turns;  /* of the indices, and one, of those that were not read yet */
  guint current;   /* the index of the process that is read */
  gint64 since_us; /* it is */
  FpMappedSum *sum;
  GHashTable *read; /* index, and one, of each process that was read, by PID */
  FpMappingStepFunc step;
  FpMappedPartFunc part;
  gint64 part_us; /* the time of the next part */
  gpointer data;
  gint64 end_us; /* of the time for all of it */
  FpPacer pacer;
  gboolean is_cancelled;
} Reader;

static gboolean
go_on (guint64 position,
       guint64 whole,
       gpointer data)
{
  Reader *self = data;

  if (!self->is_cancelled && self->step)
    self->is_cancelled = !self->step (self->n_done, self->n, self->data);
  return !self->is_cancelled;
}

/* The same while a process is read, which stays unread when the time is over. */
static gboolean
has_time (guint64 position,
          guint64 whole,
          gpointer data)
{
  gint64 end_us = ((const Reader *)data)->end_us;

  return go_on (position, whole, data) && (end_us == G_MAXINT64 || g_get_monotonic_time () <= end_us);
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
  gsize size;
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
      self->size = 0;
    }
  self->size += length;
  if (self->size > MAX_TEXT || !fp_pacer_step (0, 0, &self->reader->pacer))
    {
      errno = self->size > MAX_TEXT ? ENOSPC : ECANCELED;
      return FALSE;
    }
  g_string_append_len (self->held, text, (gssize)length);
  g_string_erase (self->held, 0, (gssize)fp_mapping_scanner_feed (self->scanner, self->held->str, self->held->len));
  return TRUE;
}

static FpMappings *
read_text (Reader *self,
           const FpProcessId *id,
           GError **error)
{
  g_autoptr (GString) held = g_string_new (NULL);
  g_autoptr (FpMappingScanner) scanner = NULL;
  Scan copy = { self, NULL, held, 0 };
  gboolean is_read = fp_mappings_copy_within (self->proc, id, MAX_LONG_TEXT, scan, NULL, &copy, error);

  scanner = copy.scanner;
  return is_read ? fp_mapping_scanner_finish (scanner) : NULL;
}

static gboolean
needs_root (gpointer data)
{
  return fp_mapped_sum_needs_root (((Reader *)data)->sum);
}

static void
begin_mappings (FpFileRoot *root,
                gpointer data)
{
  Reader *self = data;

  fp_mapped_sum_begin (self->sum, self->current, root);
}

static void
add_mapping (const FpMapping *mapping,
             const FpMemory *memory,
             gpointer data)
{
  fp_mapped_sum_add_mapping (((Reader *)data)->sum, mapping, memory);
}

/* One that has ended maps nothing. Its mappings are added up at once and forgotten. */
static void
finish_process (const FpMappings *rest,
                const GError *error,
                gpointer data)
{
  Reader *self = data;
  const FpMappedProcess *process = &self->processes[self->current];

  if (rest)
    {
      if (!fp_mapped_sum_end (self->sum, rest, go_on, self))
        return;
      g_hash_table_insert (self->read, GINT_TO_POINTER (process->id.pid), GUINT_TO_POINTER (self->current + 1));
    }
  else
    {
      fp_mapped_sum_drop (self->sum);
      if (!self->is_cancelled && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        fp_mapped_sum_add_unread (self->sum, self->current,
                                  g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_ACCES) ||
                                      g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_PERM));
    }
  self->n_done++;
  if (!self->is_cancelled)
    give_part (self);
  fp_turns_spend (self->turns, (guint64)(g_get_monotonic_time () - self->since_us));
}

/* A process for which there is no time any more stays unread. */
static gboolean
begin_process (FpProcessId *id,
               gpointer data)
{
  Reader *self = data;
  gpointer item;

  while (go_on (0, 0, self) && (item = fp_turns_next (self->turns)))
    {
      self->current = GPOINTER_TO_UINT (item) - 1;
      self->since_us = g_get_monotonic_time ();
      *id = self->processes[self->current].id;
      fp_pacer_begin (&self->pacer);
      if (has_time (0, 0, self))
        return TRUE;
      finish_process (NULL, NULL, self);
    }
  return FALSE;
}

/* max: how many are in the turns */
static void
read_turns (Reader *self,
            guint max)
{
  const FpMappingSeries series = {
    begin_process, needs_root, begin_mappings, add_mapping, finish_process, fp_pacer_step, &self->pacer
  };
  FpProcessId id;

  if (!self->proc->opens_no_files)
    {
      fp_mappings_read_each (self->proc, &series, self, max);
      return;
    }
  while (begin_process (&id, self))
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpMappings) mappings = read_text (self, &id, &error);

      begin_mappings (NULL, self);
      finish_process (mappings, error, self);
    }
}

/* Where there is an end to it, their users take turns, so that the processes of one leave time for those of others. */
static void
read_owners (Reader *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      FpPayer payer = { 0 };

      if (self->processes[i].shares_with == 0)
        fp_turns_add (
            self->turns,
            self->end_us < G_MAXINT64 ? fp_payer_guess (&payer, self->proc, self->processes[i].id.pid) : 0,
            GUINT_TO_POINTER (i + 1));
    }
  read_turns (self, self->n);
}

/* A process that shares its memory with another one comes after it. */
static void
read_processes (Reader *self)
{
  read_owners (self);
  for (guint i = 0; i < self->n; i++)
    {
      gpointer twin = g_hash_table_lookup (self->read, GINT_TO_POINTER (self->processes[i].shares_with));

      if (self->processes[i].shares_with == 0)
        continue;
      if (!go_on (0, 0, self))
        return;
      if (!twin)
        {
          fp_turns_add (self->turns, 0, GUINT_TO_POINTER (i + 1));
          read_turns (self, 1);
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

static FpMappedFiles *
read_all (Reader *self,
          gsize max_size,
          GError **error)
{
  g_autoptr (FpMappedSum) sum = fp_mapped_sum_new (self->proc, self->processes, self->n, max_size);
  g_autoptr (GHashTable) read = g_hash_table_new (NULL, NULL);
  g_autoptr (FpTurns) turns = fp_turns_new ();

  fp_mapped_sum_set_end (sum, self->end_us);
  self->sum = sum;
  self->read = read;
  self->turns = turns;
  self->part_us = g_get_monotonic_time () + PART_US;
  self->pacer = (FpPacer){ .step = has_time, .data = self, .hold_us = HOLD_US };
  read_processes (self);
  if (self->is_cancelled)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
      return NULL;
    }
  return fp_mapped_sum_finish (sum);
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
  Reader self = { proc, processes, n, .step = step, .part = part, .data = data, .end_us = G_MAXINT64 };

  return read_all (&self, MAX_SIZE, error);
}

/* For others, who are not to wait longer for it than end_us, of the monotonic clock: what was not read by then is unread. */
FpMappedFiles *
fp_mapped_files_read_until (const FpProcDir *proc,
                            const FpMappedProcess *processes,
                            guint n,
                            gint64 end_us,
                            FpMappingStepFunc step,
                            gpointer data,
                            GError **error)
{
  Reader self = { proc, processes, n, .step = step, .data = data, .end_us = end_us };

  return read_all (&self, MAX_SIZE_FOR_OTHERS, error);
}
