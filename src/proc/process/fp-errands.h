// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-absence.h"
#include "fp-payer.h"

G_BEGIN_DECLS

/* Reads processes on threads of its own. A process can keep whoever reads it waiting for ever, as in the kernel behind a
 * FUSE server that never answers, and no signal ends that. A thread that stands still is left behind with all it touches,
 * and another one goes on. */
typedef struct _FpErrands FpErrands;
typedef struct _FpRunner FpRunner;

/* An errand is memory of this size, which begin fills. begin, end and leave are called one at a time,
 * and only while fp_errands_run waits. */
typedef struct
{
  gsize size;
  gboolean (*begin) (gpointer errand, gpointer data, guint index); /* FALSE: nothing is to be done */
  void (*run) (gpointer errand, FpRunner *runner);                 /* It touches its errand alone. */
  void (*end) (gpointer errand, gpointer data, guint index);
  /* Instead of end: the errand stays with its thread. FP_ERRAND_SPENT: its user's time is over, or it does not answer. */
  void (*leave) (gpointer data, guint index, FpErrandVerdict verdict);
  void (*clear) (gpointer errand); /* after leave, once the thread has come back, on that thread */
} FpErrandKind;

/* FALSE: to stop */
typedef gboolean (*FpReportFunc) (gpointer data);

FpErrands *fp_errands_new (void);
void fp_errands_free (FpErrands *self);
void fp_errands_begin_sweep (FpErrands *self);
void fp_errands_run (FpErrands *self, const FpErrandKind *kind, gpointer data, guint n, gboolean in_parallel);
FpErrandVerdict fp_runner_enter (FpRunner *self, const FpProcessId *id, guint32 uid);
FpErrandVerdict fp_runner_enter_live (FpRunner *self, const FpProcDir *proc, const FpProcessId *id, FpPayer *payer);
gboolean fp_runner_report (FpRunner *self, FpReportFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpErrands, fp_errands_free)

G_END_DECLS
