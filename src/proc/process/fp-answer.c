// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>

#include "fp-answer.h"
#include "fp-errands.h"
#include "fp-scan.h"

typedef struct
{
  int dir; /* of the process; in an errand a copy */
  FpProcessId id;
  guint32 uid;
  FpErrandVerdict verdict;
} Question;

static gboolean
begin (gpointer errand,
       gpointer data,
       guint index)
{
  Question *self = errand;

  *self = *(const Question *)data;
  self->dir = fcntl (self->dir, F_DUPFD_CLOEXEC, 0);
  return TRUE;
}

/* The kernel takes the lock before it writes the first line. Somebody waits for this process, so it is asked even where a
 * sweep would let its user alone. */
static void
run (gpointer errand,
     FpRunner *runner)
{
  Question *self = errand;
  g_auto (FpFd) fd = -1;
  char c;

  self->verdict = fp_runner_enter (runner, &self->id, self->uid);
  if (self->verdict == FP_ERRAND_REFUSED)
    return;
  fd = openat (self->dir, "smaps", O_RDONLY | O_CLOEXEC);
  if (fd >= 0 && read (fd, &c, 1) < 0)
    return; /* It answers, even if with an error. */
}

static void
clear (gpointer errand)
{
  const Question *self = errand;

  if (self->dir >= 0)
    close (self->dir);
}

static void
end (gpointer errand,
     gpointer data,
     guint index)
{
  ((Question *)data)->verdict = ((const Question *)errand)->verdict;
  clear (errand);
}

static void
leave (gpointer data,
       guint index)
{
}

static const FpErrandKind asking = { sizeof (Question), begin, run, end, leave, clear };

static void
read_uid (Question *self)
{
  char text[8192];
  gssize length = fp_read_record_at (self->dir, "status", text, sizeof text);
  const char *cursor = text, *end_of_text = text + MAX (length, 0);
  FpLine line;

  while (fp_scan_line (&cursor, end_of_text, &line))
    if (fp_line_has_key (&line, "Uid"))
      self->uid = (guint32)line.value;
}

/* FALSE: the process does not answer, and whoever reads its memory or its command line now would wait for ever. One that
 * answers can still stop to do so. */
gboolean
fp_answer_await (int process_dir)
{
  g_autoptr (FpErrands) errands = NULL;
  Question question = { .dir = process_dir, .verdict = FP_ERRAND_REFUSED };
  char text[1024];
  gssize length = fp_read_record_at (process_dir, "stat", text, sizeof text);
  FpStat stat;

  if (length <= 0 || !fp_stat_parse (&stat, text, (gsize)length))
    return TRUE;
  question.id = (FpProcessId){ atoi (text), stat.start_ticks };
  read_uid (&question);
  errands = fp_errands_new ();
  fp_errands_run (errands, &asking, &question, 1, FALSE);
  return question.verdict != FP_ERRAND_REFUSED;
}
