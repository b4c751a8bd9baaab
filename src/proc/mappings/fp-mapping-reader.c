// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-answer.h"
#include "fp-mapping-names.h"
#include "fp-mapping-reader.h"
#include "fp-mapping-scanner.h"
#include "fp-stat.h"

#define MAX_TRIES   3                /* while it execs under our hands */
#define MAX_SCANNED ((gsize)8 << 20) /* a copied text is scanned for doubtful names only this far */
#define BUFFER_SIZE 32768            /* the longest line: a name of PATH_MAX newlines, each written as 4 characters */

/* Where the text goes: into the scanner, and for a caller that may not read it itself also to take. */
typedef struct
{
  FpMappingScanner *scanner;
  FpMappingStepFunc step; /* (nullable) */
  gpointer data;
  FpMappingTextFunc take; /* (nullable) */
  gpointer take_data;
  gsize n_taken;
} Sink;

/* A process may grow while it is read, so the position stops at its first size. */
static gboolean
tell (const Sink *sink,
      guint64 position,
      guint64 whole)
{
  if (!sink->step || sink->step (MIN (position, whole), whole, sink->data))
    return TRUE;
  errno = ECANCELED;
  return FALSE;
}

static gboolean
pass_on (Sink *sink,
         const char *text,
         gsize length)
{
  sink->n_taken = text ? sink->n_taken + length : 0;
  return !sink->take || sink->take (text, length, sink->take_data);
}

static gboolean
read_all (Sink *sink,
          int fd,
          guint64 whole)
{
  char buffer[BUFFER_SIZE];
  gsize held = 0;
  gssize n;

  if (!tell (sink, 0, whole))
    return FALSE;
  while ((n = read (fd, buffer + held, sizeof buffer - held)) > 0)
    {
      gsize taken;

      if (!pass_on (sink, buffer + held, (gsize)n))
        return FALSE;
      held += (gsize)n;
      taken = sink->take && sink->n_taken > MAX_SCANNED ? held : fp_mapping_scanner_feed (sink->scanner, buffer, held);
      if (taken == 0 && held == sizeof buffer)
        taken = held;
      held -= taken;
      memmove (buffer, buffer + taken, held);
      if (!tell (sink, fp_mapping_scanner_get_resident (sink->scanner), whole))
        return FALSE;
    }
  return n == 0 && tell (sink, whole, whole);
}

static gboolean
ask_names (Sink *sink,
           int process_dir)
{
  g_autoptr (GString) answers = sink->take ? g_string_new (NULL) : NULL;

  fp_mapping_names_ask (fp_mapping_scanner_get_answers (sink->scanner), process_dir, answers);
  return !answers || pass_on (sink, answers->str, answers->len);
}

/* 0: it is not known */
static guint64
read_resident (const FpProcDir *proc,
               gint pid)
{
  guint64 size, resident;

  return fp_statm_read (proc, pid, (guint64)sysconf (_SC_PAGESIZE), &size, &resident) ? resident : 0;
}

/* 0 or an errno */
static int
read_whole (Sink *sink,
            const FpProcDir *proc,
            const FpProcessId *id,
            const FpStat *stat)
{
  guint64 whole = sink->step ? read_resident (proc, id->pid) : 0;
  g_auto (FpFd) dir = fp_proc_dir_open_memory (proc, id->pid, fp_stat_is_zombie (stat));
  g_auto (FpFd) fd = -1;

  if (dir >= 0 && proc->is_live && !fp_answer_await (dir))
    return ETIMEDOUT;
  fd = dir >= 0 ? openat (dir, "smaps", O_RDONLY | O_CLOEXEC) : -1;
  return fd >= 0 && read_all (sink, fd, whole) && (!proc->is_live || ask_names (sink, dir)) ? 0 : errno;
}

/* The file of a process that ends or execs meanwhile just stops, without an error: so it must be alive, and the same
 * program, behind the last byte. 0 or an errno. */
static int
try_read (Sink *sink,
          const FpProcDir *proc,
          const FpProcessId *id)
{
  FpStat before, after;
  int problem;

  if (!fp_stat_read (&before, proc, id) || fp_stat_has_ended (&before))
    return ESRCH;
  problem = read_whole (sink, proc, id, &before);
  if (problem == ECANCELED || problem == ENOSPC || problem == ETIMEDOUT)
    return problem;
  if (!fp_stat_read (&after, proc, id) || fp_stat_has_ended (&after))
    return ESRCH;
  return !fp_stat_same_image (&before, &after) || problem == ESRCH ? EAGAIN : problem;
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

static FpMappings *
read_mappings (const FpProcDir *proc,
               const FpProcessId *id,
               Sink *sink,
               GError **error)
{
  int problem = EAGAIN;

  for (guint try = 0; try < MAX_TRIES && problem == EAGAIN; try++)
    {
      g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();

      sink->scanner = scanner;
      problem = pass_on (sink, NULL, 0) ? try_read (sink, proc, id) : errno;
      if (!problem)
        return fp_mapping_scanner_finish (scanner);
    }
  set_error (error, id->pid, problem);
  return NULL;
}

FpMappings *
fp_mappings_read (const FpProcDir *proc,
                  const FpProcessId *id,
                  FpMappingStepFunc step,
                  gpointer data,
                  GError **error)
{
  Sink sink = { .step = step, .data = data };

  return read_mappings (proc, id, &sink, error);
}

/* For a caller that may not read them itself: the kernel's text, whole or not at all, and behind it what names mean that
 * it leaves open. take is called with NULL each time the reading begins anew; it fails with errno set, and with EAGAIN to
 * begin anew. */
gboolean
fp_mappings_copy (const FpProcDir *proc,
                  const FpProcessId *id,
                  FpMappingTextFunc take,
                  gpointer data,
                  GError **error)
{
  Sink sink = { .take = take, .take_data = data };
  g_autoptr (FpMappings) mappings = read_mappings (proc, id, &sink, error);

  return mappings != NULL;
}
