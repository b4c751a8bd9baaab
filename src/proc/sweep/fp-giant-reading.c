// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>

#include "fp-clock.h"
#include "fp-giant-reading.h"

#define SLICE_US (100 * 1000)

FpGiantReading *
fp_giant_reading_new (void)
{
  FpGiantReading *self = g_new0 (FpGiantReading, 1);

  fp_piece_reader_init (&self->pieces);
  fp_page_walk_init (&self->page_walk);
  return self;
}

void
fp_giant_reading_free (FpGiantReading *self)
{
  fp_piece_reader_clear (&self->pieces);
  fp_page_walk_clear (&self->page_walk);
  g_clear_pointer (&self->reader, fp_process_reader_unref);
  g_free (self);
}

/* The next step opens the files. */
void
fp_giant_reading_begin (FpGiantReading *self,
                        const FpProcess *process,
                        FpGiantWay way)
{
  self->process = *process;
  self->way = way;
  self->has_begun = self->is_done = FALSE;
  self->problem = 0;
  self->spent_us = 0;
}

void
fp_giant_reading_stop (FpGiantReading *self)
{
  fp_piece_reader_stop (&self->pieces);
  fp_page_walk_stop (&self->page_walk);
}

gboolean
fp_giant_reading_is_running (const FpGiantReading *self)
{
  return fp_piece_reader_is_running (&self->pieces) || self->page_walk.is_running;
}

static FpErrandVerdict
enter (FpRunner *runner,
       const FpProcessReader *reader,
       const FpProcess *process)
{
  FpPayer payer = { 0 };

  return fp_runner_enter_live (runner, &reader->proc, &(FpProcessId){ process->pid, process->start_ticks }, &payer);
}

/* Tells the verdict on an errand that stayed with its thread; the data of both kinds of errands begins with it. */
static void
leave (gpointer data,
       guint index,
       FpErrandVerdict verdict)
{
  *(FpErrandVerdict *)data = verdict;
}

typedef struct
{
  FpErrandVerdict verdict;
  FpGiantReading *reading; /* NULL: it stayed with its thread */
  FpProcessReader *reader;
} Step;

static gboolean
begin_step (gpointer errand,
            gpointer data,
            guint index)
{
  Step *step = data;

  step->reading->reader = fp_process_reader_ref (step->reader);
  *(FpGiantReading **)errand = g_steal_pointer (&step->reading);
  return TRUE;
}

/* 0 or an errno */
static int
open_files (FpGiantReading *self)
{
  if (self->way == FP_WAY_PIECES)
    return fp_piece_reader_begin (&self->pieces, &self->reader->proc, &self->process);
  return fp_page_walk_begin (&self->page_walk, &self->reader->proc, &self->process, self->reader->page_size) ? 0 : EIO;
}

static void
run_step (gpointer errand,
          FpRunner *runner)
{
  FpGiantReading *self = *(FpGiantReading **)errand;
  guint64 start_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
  gint64 deadline_us = g_get_monotonic_time () + SLICE_US;

  self->verdict = enter (runner, self->reader, &self->process);
  if (self->verdict != FP_ERRAND_ALLOWED)
    return;
  if (!self->has_begun)
    self->problem = open_files (self);
  self->has_begun = TRUE;
  if (self->problem == 0 && self->way == FP_WAY_PIECES)
    self->is_done = fp_piece_reader_step (&self->pieces, deadline_us) == FP_PIECES_DONE;
  else if (self->problem == 0)
    self->is_done = fp_page_walk_step (&self->page_walk, deadline_us);
  self->spent_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us;
}

static void
end_step (gpointer errand,
          gpointer data,
          guint index)
{
  Step *step = data;

  step->reading = *(FpGiantReading **)errand;
  g_clear_pointer (&step->reading->reader, fp_process_reader_unref);
}

static void
clear_step (gpointer errand)
{
  fp_giant_reading_free (*(FpGiantReading **)errand);
}

static const FpErrandKind stepping = { sizeof (FpGiantReading *), begin_step, run_step, end_step, leave, clear_step };

FpErrandVerdict
fp_giant_reading_step (FpGiantReading **self,
                       FpErrands *errands,
                       FpProcessReader *reader)
{
  Step step = { FP_ERRAND_REFUSED, *self, reader };

  fp_errands_run (errands, &stepping, &step, 1, FALSE);
  *self = step.reading ? step.reading : fp_giant_reading_new ();
  return step.reading ? step.reading->verdict : step.verdict;
}

typedef struct
{
  FpErrandVerdict verdict;
  FpProcessReader *reader; /* a reference, during the errand */
  const FpProcess *asked;
  FpProcess process;
  guint64 largest;
} Question;

static gboolean
begin_question (gpointer errand,
                gpointer data,
                guint index)
{
  Question *question = errand;

  *question = *(Question *)data;
  question->process = *question->asked;
  fp_process_reader_ref (question->reader);
  return TRUE;
}

static void
run_question (gpointer errand,
              FpRunner *runner)
{
  Question *self = errand;

  self->verdict = enter (runner, self->reader, &self->process);
  if (self->verdict == FP_ERRAND_ALLOWED)
    self->largest = fp_piece_reader_find_largest (&self->reader->proc, self->process.pid);
}

static void
clear_question (gpointer errand)
{
  fp_process_reader_unref (((Question *)errand)->reader);
}

static void
end_question (gpointer errand,
              gpointer data,
              guint index)
{
  ((Question *)data)->verdict = ((Question *)errand)->verdict;
  ((Question *)data)->largest = ((Question *)errand)->largest;
  clear_question (errand);
}

static const FpErrandKind asking = {
  sizeof (Question), begin_question, run_question, end_question, leave, clear_question
};

/* The address range of its largest mapping */
FpErrandVerdict
fp_giant_find_largest (FpErrands *errands,
                       FpProcessReader *reader,
                       const FpProcess *process,
                       guint64 *largest)
{
  Question question = { .reader = reader, .asked = process, .verdict = FP_ERRAND_REFUSED };

  fp_errands_run (errands, &asking, &question, 1, FALSE);
  *largest = question.largest;
  return question.verdict;
}
