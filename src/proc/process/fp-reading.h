// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-errands.h"

G_BEGIN_DECLS

/* A reading of one process for somebody who waits for it. The structure of the reader begins with this one, and stays with
 * the thread that reads it where the process never answers. */
typedef struct
{
  FpProcDir proc; /* a descriptor of its own */
  FpProcessId id;
  FpRunner *runner; /* (nullable): while it is read */
} FpReading;

/* It touches no more than the reading; whatever else it is for is behind fp_reading_report (). */
typedef void (*FpReadingFunc) (gpointer reading);

/* Readings one after another, for somebody who waits for all of them. begin and end are called one at a time, mostly on the
 * thread that reads, while the caller waits: so end may touch what is the caller's. */
typedef struct
{
  gpointer (*begin) (gpointer data); /* (nullable): the next one */
  FpReadingFunc read;
  void (*end) (gpointer reading, gpointer data); /* NULL: its process does not answer; else end owns it. */
  GDestroyNotify destroy;
} FpReadingSeries;

gpointer fp_reading_new (gsize size, const FpProcDir *proc, const FpProcessId *id);
void fp_reading_free (gpointer reading);
gboolean fp_reading_await (gpointer reading, FpReadingFunc func, GDestroyNotify destroy);
void fp_reading_await_each (const FpProcDir *proc, const FpReadingSeries *series, gpointer data, guint max);
guint64 fp_reading_clock_us (void);
gboolean fp_reading_report (const FpReading *self, FpReportFunc func, gpointer data);

int fp_reading_read_any_stat (FpStat *stat, const FpProcDir *proc, gint pid);
int fp_reading_read_stat (FpStat *stat, const FpProcDir *proc, const FpProcessId *id);
int fp_reading_read_lines (const FpProcDir *proc, const FpProcessId *id, const char *name, FpLineFunc func, gpointer data);

G_END_DECLS
