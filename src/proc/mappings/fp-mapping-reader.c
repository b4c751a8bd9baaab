// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-layout.h"
#include "fp-mapping-names.h"
#include "fp-mapping-reader.h"
#include "fp-reading.h"
#include "fp-stat.h"

#define MAX_TRIES   3                /* while it execs under our hands */
#define MAX_SCANNED ((gsize)8 << 20) /* a copied text is scanned for doubtful names only this far */
#define RECORD_SIZE 796              /* few mappings take more of the text, unless their names are long */
#define BUFFER_SIZE 32768            /* the longest line: a name of PATH_MAX newlines, each written as 4 characters */

typedef struct
{
  const FpProcDir *proc;
  const FpMappingSeries *series;
  gpointer data;
  FpProcessId id;
  FpMappingScanner *scanner; /* (nullable): of the reading before */
} Series;

/* The steps are taken by whoever waits for the reading, and the text by one that may not read it itself. */
typedef struct
{
  FpReading reading;
  const Series *series;         /* (nullable): it is one of them, and gives its mappings to whoever waits */
  FpMappingStepFunc step;       /* (nullable): with data */
  FpMappingTextFunc take;       /* (nullable): the same */
  FpMappingConfirmFunc confirm; /* (nullable): the same */
  FpLayout layout;              /* of what is to be confirmed */
  gpointer data;
  gboolean needs_root;
  FpFileRoot root; /* opened before the mappings are given, because whoever gets them waits for no process */
  gsize n_taken;
  FpMappingScanner *scanner;
  int problem; /* 0 or an errno */
} Reading;

typedef struct
{
  Reading *reading;
  guint64 position;
  guint64 whole;
  const char *text;
  gsize length;
  gsize taken;
} Piece;

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_clear_pointer (&self->scanner, fp_mapping_scanner_free);
  fp_file_root_close (&self->root);
  fp_reading_free (self);
}

static gboolean
give_step (gpointer data)
{
  const Piece *piece = data;

  return piece->reading->step (piece->position, piece->whole, piece->reading->data);
}

static gboolean
give_text (gpointer data)
{
  const Piece *piece = data;

  if (piece->reading->take (piece->text, piece->length, piece->reading->data))
    return TRUE;
  piece->reading->problem = errno;
  return FALSE;
}

/* A process may grow while it is read, so the position stops at its first size. */
static gboolean
tell (Reading *self,
      guint64 position,
      guint64 whole)
{
  Piece piece = { .reading = self, .position = MIN (position, whole), .whole = whole };

  if (!self->step || fp_reading_report (&self->reading, give_step, &piece))
    return TRUE;
  self->problem = ECANCELED;
  return FALSE;
}

static gboolean
pass_on (Reading *self,
         const char *text,
         gsize length)
{
  Piece piece = { .reading = self, .text = text, .length = length };

  self->n_taken = text ? self->n_taken + length : 0;
  return !self->take || fp_reading_report (&self->reading, give_text, &piece);
}

static gboolean
begin_mappings (gpointer data)
{
  Reading *self = data;

  self->series->series->begin (self->needs_root ? &self->root : NULL, self->series->data);
  return TRUE;
}

/* FALSE: nobody waits for it any more */
static gboolean
begin_reading (Reading *self,
               int process_dir)
{
  if (!self->series)
    return TRUE;
  fp_file_root_close (&self->root);
  if (self->needs_root)
    fp_file_root_open (&self->root, process_dir);
  return fp_reading_report (&self->reading, begin_mappings, self);
}

/* The last mapping is whole when nothing more comes. */
static gboolean
give_last (gpointer data)
{
  fp_mapping_scanner_get_answers (((Reading *)data)->scanner);
  return TRUE;
}

/* Mappings and step are one report, as there are 60,000 pieces in 1,000 processes. */
static gboolean
give_mappings (gpointer data)
{
  Piece *piece = data;
  const Reading *reading = piece->reading;

  piece->taken = fp_mapping_scanner_feed (reading->scanner, piece->text, piece->length);
  return reading->step (0, 0, reading->data);
}

/* Sets how much of the text was taken. FALSE: with a problem */
static gboolean
scan (Reading *self,
      const char *text,
      gsize length,
      guint64 whole,
      gsize *taken)
{
  Piece piece = { .reading = self, .text = text, .length = length };

  if (!self->series)
    {
      *taken = self->take && self->n_taken > MAX_SCANNED ? length : fp_mapping_scanner_feed (self->scanner, text, length);
      return tell (self, fp_mapping_scanner_get_resident (self->scanner), whole);
    }
  if (!fp_reading_report (&self->reading, give_mappings, &piece))
    {
      self->problem = ECANCELED;
      return FALSE;
    }
  *taken = piece.taken;
  return TRUE;
}

/* FALSE: with a problem. The kernel fills a page with mappings, and counts the pages of the one that fits no more in vain
 * and again for the next read; a read that ends before it asks for that one saves a tenth of the time. */
static gboolean
read_all (Reading *self,
          int fd,
          guint64 whole)
{
  char buffer[BUFFER_SIZE];
  gsize piece = (gsize)sysconf (_SC_PAGESIZE) - RECORD_SIZE, held = 0;
  gssize n;

  if (!tell (self, 0, whole))
    return FALSE;
  while ((n = read (fd, buffer + held, MIN (sizeof buffer - held, piece))) > 0)
    {
      gsize taken;

      if (!pass_on (self, buffer + held, (gsize)n))
        return FALSE;
      if (self->confirm)
        fp_layout_feed (&self->layout, buffer + held, (gsize)n);
      held += (gsize)n;
      if (!scan (self, buffer, held, whole, &taken))
        return FALSE;
      if (taken == 0 && held == sizeof buffer)
        taken = held;
      held -= taken;
      memmove (buffer, buffer + taken, held);
    }
  self->problem = n < 0 ? errno : 0;
  if (n == 0 && self->series)
    fp_reading_report (&self->reading, give_last, self);
  return n == 0 && tell (self, whole, whole);
}

static void
ask_names (Reading *self,
           int process_dir)
{
  g_autoptr (GString) answers = self->take ? g_string_new (NULL) : NULL;

  fp_mapping_names_ask (fp_mapping_scanner_get_answers (self->scanner), process_dir, answers);
  if (answers)
    pass_on (self, answers->str, answers->len);
}

static gboolean
give_confirmation (gpointer data)
{
  Reading *self = data;

  if (self->confirm (self->data))
    return TRUE;
  self->problem = errno;
  return FALSE;
}

/* The answer is about the program whose text was taken only if the mappings are still where they were. A file that has something
 * yet proves nothing: somebody can keep the memory of a program that is gone. Numbers in stat can be made to look alike. */
static void
confirm_text (Reading *self,
              int process_dir)
{
  FpLayout now;

  if (self->confirm && self->problem == 0 && fp_reading_report (&self->reading, give_confirmation, self) &&
      !(fp_layout_read (&now, process_dir) && fp_layout_is_same (&self->layout, &now)))
    self->problem = EAGAIN;
}

/* 0: it is not known */
static guint64
read_resident (const FpProcDir *proc,
               gint pid)
{
  guint64 size, resident;

  return fp_statm_read (proc, pid, (guint64)sysconf (_SC_PAGESIZE), &size, &resident) ? resident : 0;
}

static void
read_whole (Reading *self,
            const FpStat *stat)
{
  const FpProcDir *proc = &self->reading.proc;
  gint pid = self->reading.id.pid;
  guint64 whole = self->step && !self->series ? read_resident (proc, pid) : 0;
  g_auto (FpFd) dir = fp_proc_dir_open_memory (proc, pid, fp_stat_is_zombie (stat));
  g_auto (FpFd) fd = dir >= 0 ? openat (dir, "smaps", O_RDONLY | O_CLOEXEC) : -1;

  if (fd < 0)
    self->problem = errno;
  else if (begin_reading (self, dir) && read_all (self, fd, whole))
    {
      if (proc->is_live)
        ask_names (self, dir);
      confirm_text (self, dir);
    }
}

/* The file of a process that ends or execs meanwhile just stops, without an error: so it must be alive, and the same
 * program, behind the last byte. */
static void
try_read (Reading *self)
{
  const FpReading *reading = &self->reading;
  FpStat before, after;

  self->problem = 0;
  self->layout = (FpLayout){ 0 };
  fp_mapping_scanner_restart (self->scanner);
  if (!pass_on (self, NULL, 0))
    return;
  if (!fp_stat_read (&before, &reading->proc, &reading->id) || fp_stat_has_ended (&before))
    {
      self->problem = ESRCH;
      return;
    }
  read_whole (self, &before);
  if (self->problem == ECANCELED || self->problem == ENOSPC)
    return;
  if (!fp_stat_read (&after, &reading->proc, &reading->id) || fp_stat_has_ended (&after))
    self->problem = ESRCH;
  else if (!fp_stat_same_image (&before, &after) || self->problem == ESRCH)
    self->problem = EAGAIN;
}

static void
read_smaps (gpointer data)
{
  Reading *self = data;

  self->problem = EAGAIN;
  for (guint try = 0; try < MAX_TRIES && self->problem == EAGAIN; try++)
    try_read (self);
}

static void
set_error (GError **error,
           gint pid,
           int problem)
{
  GFileError code = g_file_error_from_errno (problem);

  if (problem == ESRCH)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), pid);
  else if (problem == ETIMEDOUT)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d does not answer, because it keeps its memory locked"), pid);
  else if (problem == EAGAIN)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d changed each time its mappings were read"), pid);
  else
    g_set_error (error, G_FILE_ERROR, code, _ ("The mappings of process %d can’t be read: %s"), pid,
                 g_strerror (problem));
}

/* reading: NULL: it does not answer */
static FpMappings *
finish_reading (Reading *reading,
                gint pid,
                GError **error)
{
  int problem = reading ? reading->problem : ETIMEDOUT;

  if (problem == 0)
    return fp_mapping_scanner_finish (reading->scanner);
  set_error (error, pid, problem);
  return NULL;
}

static FpMappings *
read_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               FpMappingStepFunc step,
               FpMappingTextFunc take,
               FpMappingConfirmFunc confirm,
               gpointer data,
               GError **error)
{
  Reading *reading = fp_reading_new (sizeof *reading, proc, id);
  FpMappings *mappings;

  reading->root = (FpFileRoot)FP_FILE_ROOT_INIT;
  reading->scanner = fp_mapping_scanner_new ();
  reading->step = step;
  reading->take = take;
  reading->confirm = confirm;
  reading->data = data;
  if (!fp_reading_await (reading, read_smaps, reading_free))
    reading = NULL;
  mappings = finish_reading (reading, id->pid, error);
  g_clear_pointer (&reading, reading_free);
  return mappings;
}

static gpointer
begin_next (gpointer data)
{
  Series *self = data;
  Reading *reading;

  if (!self->series->next (&self->id, self->data))
    return NULL;
  reading = fp_reading_new (sizeof *reading, self->proc, &self->id);
  reading->root = (FpFileRoot)FP_FILE_ROOT_INIT;
  reading->scanner = self->scanner ? g_steal_pointer (&self->scanner) : fp_mapping_scanner_new ();
  fp_mapping_scanner_pass_on (reading->scanner, self->series->take, self->data);
  reading->series = self;
  reading->needs_root = self->proc->is_live && self->series->needs_root (self->data);
  reading->step = self->series->step;
  reading->data = self->series->step_data;
  return reading;
}

static void
end_current (gpointer data,
             gpointer series)
{
  Series *self = series;
  Reading *reading = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) rest = finish_reading (reading, self->id.pid, &error);

  self->series->done (rest, error, self->data);
  if (!reading)
    return;
  g_clear_pointer (&self->scanner, fp_mapping_scanner_free);
  self->scanner = g_steal_pointer (&reading->scanner);
  reading_free (reading);
}

/* All of them are read on one other thread, as handing over each costs as much as reading a small one, and by one scanner,
 * unless a process never answers and keeps it. The functions of the series are called there, or by the caller, while the
 * caller waits. */
void
fp_mappings_read_each (const FpProcDir *proc,
                       const FpMappingSeries *series,
                       gpointer data,
                       guint max)
{
  static const FpReadingSeries readings = { begin_next, read_smaps, end_current, reading_free };
  Series self = { proc, series, data, { 0 }, NULL };

  fp_reading_await_each (proc, &readings, &self, max);
  g_clear_pointer (&self.scanner, fp_mapping_scanner_free);
}

/* step is called on another thread while the caller waits. */
FpMappings *
fp_mappings_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  FpMappingStepFunc step,
                  gpointer data,
                  GError **error)
{
  return read_mappings (proc, id, step, NULL, NULL, data, error);
}

/* For a caller that may not read them itself: the kernel's text, whole or not at all, and behind it what names mean that it
 * leaves open. confirm: (nullable). take is called with NULL each time the reading begins anew, on another thread while the
 * caller waits; it fails with errno set, and with EAGAIN to begin anew. */
gboolean
fp_mappings_copy (const FpProcDir *proc,
                  const FpProcessId *id,
                  FpMappingTextFunc take,
                  FpMappingConfirmFunc confirm,
                  gpointer data,
                  GError **error)
{
  g_autoptr (FpMappings) mappings = read_mappings (proc, id, NULL, take, confirm, data, error);

  return mappings != NULL;
}
