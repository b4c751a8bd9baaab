// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-records.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_FILES_READER (fp_files_reader_get_type ())

/* Sums up the files that all processes map, whenever somebody asks for it.
 *
 * ::progress: while it reads
 * ::changed: it began or ended to read, or has read more of what it shows */
G_DECLARE_FINAL_TYPE (FpFilesReader, fp_files_reader, FP, FILES_READER, GObject)

typedef struct
{
  FpRecords *records;  /* (nullable): the last that were read; a part where all were never read */
  const char *problem; /* (nullable): why the last reading gave none */
  gboolean is_reading;
  guint n_done; /* processes */
  guint n;
  gint64 began_us;
  gint64 read_us; /* when the records were read, by g_get_monotonic_time () */
} FpFilesState;

FpFilesReader *fp_files_reader_new (FpSource *source);
const FpFilesState *fp_files_reader_get (FpFilesReader *self);
void fp_files_reader_read (FpFilesReader *self, const FpRecords *processes);
void fp_files_reader_compare (FpFilesReader *self, FpMappedFiles *before);
FpMappedFiles *fp_files_reader_get_files (FpFilesReader *self);
void fp_files_reader_cancel (FpFilesReader *self);

G_END_DECLS
