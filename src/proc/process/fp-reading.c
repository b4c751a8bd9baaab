// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-clock.h"
#include "fp-reading.h"
#include "fp-scan.h"

/* The thread that reads for the calling one. It is kept, as making one costs as much as reading a small process. */
typedef struct
{
  FpErrands *errands; /* NULL while they are in use */
  pid_t pid;          /* a process that was forked has none of the threads */
  guint64 spent_us;
} OwnErrands;

typedef struct
{
  FpReading *reading;
  FpReadingFunc read;
  GDestroyNotify destroy;
  FpErrandVerdict verdict;
  guint64 start_us;
  FpPayer payer;
} Question;

typedef struct
{
  const FpReadingSeries *series;
  gpointer data;
  guint64 spent_us;
} Waiting;

static void
own_errands_free (gpointer data)
{
  OwnErrands *self = data;

  if (self->pid == getpid ())
    g_clear_pointer (&self->errands, fp_errands_free);
  g_free (self);
}

static GPrivate own_errands = G_PRIVATE_INIT (own_errands_free);

static OwnErrands *
get_own (void)
{
  OwnErrands *self = g_private_get (&own_errands);

  if (self && self->pid == getpid ())
    return self;
  self = g_new (OwnErrands, 1);
  *self = (OwnErrands){ fp_errands_new (), getpid (), 0 };
  g_private_replace (&own_errands, self);
  return self;
}

/* The CPU time of the calling thread, and of what was read for it. */
guint64
fp_reading_clock_us (void)
{
  const OwnErrands *own = g_private_get (&own_errands);

  return fp_clock_us (CLOCK_THREAD_CPUTIME_ID) + (own ? own->spent_us : 0);
}

/* size: of the reader's structure; what follows the reading is 0. */
gpointer
fp_reading_new (gsize size,
                const FpProcDir *proc,
                const FpProcessId *id)
{
  FpReading *self = g_malloc0 (size);

  self->proc = fp_proc_dir_copy (proc);
  self->id = *id;
  return self;
}

/* Without what the reader's structure has beside it. */
void
fp_reading_free (gpointer reading)
{
  FpReading *self = reading;

  fp_proc_dir_close (&self->proc);
  g_free (self);
}

/* Without a descriptor a process would look as if it had ended. */
static FpReading *
begin_reading (const FpReadingSeries *series,
               gpointer data)
{
  FpReading *reading = series->begin (data);

  if (!reading || reading->proc.fd >= 0)
    return reading;
  series->destroy (reading);
  series->end (NULL, data);
  return NULL;
}

static gboolean
begin (gpointer errand,
       gpointer data,
       guint index)
{
  const Waiting *waiting = data;
  const FpReadingSeries *series = waiting->series;
  guint64 start_us = fp_reading_clock_us ();
  FpReading *reading = begin_reading (series, waiting->data);

  if (!reading)
    return FALSE;
  *(Question *)errand = (Question){ reading, series->read, series->destroy, FP_ERRAND_ALLOWED, start_us, { 0 } };
  return TRUE;
}

/* Somebody waits for this process, so it is read even where a sweep would let its user alone. */
static void
run (gpointer errand,
     FpRunner *runner)
{
  Question *self = errand;

  self->verdict = fp_runner_enter_live (runner, &self->reading->proc, &self->reading->id, &self->payer);
  self->reading->runner = runner;
  if (self->verdict != FP_ERRAND_REFUSED)
    self->read (self->reading);
  self->reading->runner = NULL;
}

static void
end (gpointer errand,
     gpointer data,
     guint index)
{
  Question *self = errand;
  Waiting *waiting = data;

  if (self->verdict == FP_ERRAND_REFUSED)
    g_clear_pointer (&self->reading, self->destroy);
  waiting->series->end (self->reading, waiting->data);
  waiting->spent_us += fp_reading_clock_us () - self->start_us;
}

static void
leave (gpointer data,
       guint index,
       FpErrandVerdict verdict)
{
  const Waiting *waiting = data;

  waiting->series->end (NULL, waiting->data);
}

/* Its process has answered after all, and nobody waits for it. */
static void
clear (gpointer errand)
{
  const Question *self = errand;

  if (self->payer.is_known)
    fp_absence_add_cost (self->payer.uid, fp_reading_clock_us () - self->start_us);
  self->destroy (self->reading);
}

static const FpErrandKind asking = { sizeof (Question), begin, run, end, leave, clear };

static void
read_here (const FpReadingSeries *series,
           gpointer data,
           guint max)
{
  for (guint i = 0; i < max; i++)
    {
      FpReading *reading = begin_reading (series, data);

      if (!reading)
        continue;
      series->read (reading);
      series->end (reading, data);
    }
}

/* max: how many there are at most. Where no other thread can be had, they are read on the calling one, and end or what they
 * report to may read something itself, which has errands of its own. */
void
fp_reading_await_each (const FpProcDir *proc,
                       const FpReadingSeries *series,
                       gpointer data,
                       guint max)
{
  OwnErrands *own = proc->is_live ? get_own () : NULL;
  Waiting waiting = { series, data, 0 };
  FpErrands *errands;

  if (!own)
    {
      read_here (series, data, max);
      return;
    }
  errands = own->errands ? g_steal_pointer (&own->errands) : fp_errands_new ();
  fp_errands_run (errands, &asking, &waiting, max, FALSE);
  own->spent_us += waiting.spent_us;
  if (own->errands)
    fp_errands_free (errands);
  else
    own->errands = errands;
}

static gpointer
begin_single (gpointer data)
{
  return g_steal_pointer ((gpointer *)data);
}

static void
end_single (gpointer reading,
            gpointer data)
{
  *(gpointer *)data = reading;
}

/* FALSE: the process does not answer, because it keeps its memory locked, and the reading is not the caller's any more. */
gboolean
fp_reading_await (gpointer reading,
                  FpReadingFunc func,
                  GDestroyNotify destroy)
{
  const FpReadingSeries series = { begin_single, func, end_single, destroy };

  fp_reading_await_each (&((const FpReading *)reading)->proc, &series, &reading, 1);
  return reading != NULL;
}

/* Calls func while the caller of fp_reading_await () waits, so that it may touch what is the caller's. FALSE: func says so,
 * or there is no caller any more. */
gboolean
fp_reading_report (const FpReading *self,
                   FpReportFunc func,
                   gpointer data)
{
  return self->runner ? fp_runner_report (self->runner, func, data) : func (data);
}

typedef struct
{
  FpReading reading;
  char *name;
  FpLineFunc func; /* with data, of whoever waits */
  gpointer data;
  const char *line;
  const char *end;
  int problem;
} Lines;

static void
lines_free (gpointer data)
{
  Lines *self = data;

  g_free (self->name);
  fp_reading_free (self);
}

static gboolean
pass_on (gpointer data)
{
  const Lines *self = data;

  self->func (self->data, self->line, self->end);
  return TRUE;
}

static void
take_line (gpointer data,
           const char *line,
           const char *end)
{
  Lines *self = data;

  self->line = line;
  self->end = end;
  fp_reading_report (&self->reading, pass_on, self);
}

static void
read_lines (gpointer data)
{
  Lines *self = data;
  g_auto (FpFd) fd = fp_proc_dir_open_file (&self->reading.proc, self->reading.id.pid, self->name);

  self->problem = fd < 0 ? errno : 0;
  errno = 0;
  if (fd >= 0 && !fp_read_lines (fd, take_line, self))
    self->problem = errno ? errno : EFBIG;
}

/* Gives func each line of a file of the process. 0 or an errno; EFBIG: not all of them;
 * ETIMEDOUT: it does not answer */
int
fp_reading_read_lines (const FpProcDir *proc,
                       const FpProcessId *id,
                       const char *name,
                       FpLineFunc func,
                       gpointer data)
{
  Lines *lines = fp_reading_new (sizeof *lines, proc, id);
  int problem;

  lines->name = g_strdup (name);
  lines->func = func;
  lines->data = data;
  if (!fp_reading_await (lines, read_lines, lines_free))
    return ETIMEDOUT;
  problem = lines->problem;
  lines_free (lines);
  return problem;
}

typedef struct
{
  FpReading reading;
  FpStat stat;
  gboolean is_there;
} State;

static void
read_state (gpointer data)
{
  State *self = data;

  self->is_there = fp_stat_read_any (&self->stat, &self->reading.proc, self->reading.id.pid);
}

/* Whatever process has the PID now. 0 or an errno; ETIMEDOUT: it does not answer; ESRCH: there is none */
int
fp_reading_read_any_stat (FpStat *stat,
                          const FpProcDir *proc,
                          gint pid)
{
  State *state = fp_reading_new (sizeof *state, proc, &(FpProcessId){ pid, 0 });
  gboolean is_there;

  if (!fp_reading_await (state, read_state, fp_reading_free))
    return ETIMEDOUT;
  is_there = state->is_there;
  *stat = state->stat;
  fp_reading_free (state);
  return is_there ? 0 : ESRCH;
}

/* The same; ESRCH: it is gone, or another process has its PID */
int
fp_reading_read_stat (FpStat *stat,
                      const FpProcDir *proc,
                      const FpProcessId *id)
{
  int problem = fp_reading_read_any_stat (stat, proc, id->pid);

  return problem ? problem : stat->start_ticks == id->start_ticks ? 0
                                                                  : ESRCH;
}
