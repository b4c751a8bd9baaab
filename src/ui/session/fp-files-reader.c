// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-files-reader.h"

struct _FpFilesReader
{
  GObject parent;

  FpSource *source;
  FpFilesState state;
  char *problem;
  FpSnapshot *snapshot;      /* (nullable): whose processes are read */
  FpMappedFiles *files;      /* (nullable): those of the records, without any that are only there before */
  FpMappedFiles *before;     /* (nullable): those that they are compared with */
  GCancellable *cancellable; /* while it reads */
};

enum
{
  PROGRESS,
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpFilesReader, fp_files_reader, G_TYPE_OBJECT)

static void
set_problem (FpFilesReader *self,
             const char *problem)
{
  g_free (self->problem);
  self->problem = g_strdup (problem);
  self->state.problem = self->problem;
}

static void
end (FpFilesReader *self)
{
  g_clear_object (&self->cancellable);
  self->state.is_reading = FALSE;
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
make_records (FpFilesReader *self)
{
  g_clear_pointer (&self->state.records, fp_records_unref);
  self->state.records = self->before ? fp_comparison_new_files (self->before, self->files, self->snapshot)
                                     : fp_mapped_records_new (self->files, self->snapshot);
}

static void
take (FpFilesReader *self,
      FpMappedFiles *files)
{
  fp_mapped_files_ref (files);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  self->files = files;
  make_records (self);
  self->state.read_us = g_get_monotonic_time ();
}

/* A part is shown in place of nothing or of a smaller part, never of more. */
static void
part_cb (FpMappedFiles *part,
         gpointer data)
{
  FpFilesReader *self = data;
  const FpMappedFiles *shown = self->state.records ? fp_mapped_records_get_files (self->state.records) : NULL;

  if (self->state.is_reading && (!shown || (fp_mapped_files_is_part (shown) && shown->n_tried <= part->n_tried)))
    {
      take (self, part);
      g_signal_emit (self, signals[CHANGED], 0);
    }
  fp_mapped_files_unref (part);
}

static void
read_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  g_autoptr (FpFilesReader) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_MAPPED_FILES, result, &error);

  /* The one who cancelled it has told all others, and may have begun anew. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (files)
    take (self, files);
  set_problem (self, error ? error->message : NULL);
  end (self);
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpFilesReader *self = data;

  if (!self->state.is_reading)
    return;
  self->state.n_done = (guint)MIN (position, whole);
  self->state.n = (guint)whole;
  g_signal_emit (self, signals[PROGRESS], 0);
}

static void
fp_files_reader_dispose (GObject *object)
{
  FpFilesReader *self = FP_FILES_READER (object);

  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->state.is_reading = FALSE;

  G_OBJECT_CLASS (fp_files_reader_parent_class)->dispose (object);
}

static void
fp_files_reader_finalize (GObject *object)
{
  FpFilesReader *self = FP_FILES_READER (object);

  g_clear_pointer (&self->state.records, fp_records_unref);
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_pointer (&self->before, fp_mapped_files_unref);
  g_clear_object (&self->source);
  g_free (self->problem);

  G_OBJECT_CLASS (fp_files_reader_parent_class)->finalize (object);
}

static void
fp_files_reader_class_init (FpFilesReaderClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_files_reader_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_files_reader_finalize;

  signals[PROGRESS] =
      g_signal_new ("progress", FP_TYPE_FILES_READER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_FILES_READER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_files_reader_init (FpFilesReader *self)
{
}

FpFilesReader *
fp_files_reader_new (FpSource *source)
{
  FpFilesReader *self;

  g_return_val_if_fail (FP_IS_SOURCE (source), NULL);

  self = g_object_new (FP_TYPE_FILES_READER, NULL);
  self->source = g_object_ref (source);
  return self;
}

const FpFilesState *
fp_files_reader_get (FpFilesReader *self)
{
  g_return_val_if_fail (FP_IS_FILES_READER (self), NULL);

  return &self->state;
}

/* Threads of the kernel map nothing. A reading that is under way goes on. */
void
fp_files_reader_read (FpFilesReader *self,
                      const FpRecords *processes)
{
  g_autoptr (GArray) mapped = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPED_FILES, .may_ask = TRUE, .progress = progress_cb, .part = part_cb, .progress_data = self
  };

  g_return_if_fail (FP_IS_FILES_READER (self));

  if (self->state.is_reading)
    return;
  for (guint i = 0; i < processes->n; i++)
    {
      const FpProcess *process = fp_process_records_get (processes, i);
      const FpMappedProcess one = { { process->pid, process->start_ticks }, process->uid, process->shares_with };

      if (!fp_process_is_kernel_thread (process) && !fp_records_has_ended (processes, i))
        g_array_append_val (mapped, one);
    }
  request.mapped = (const FpMappedProcess *)(void *)mapped->data;
  request.n_mapped = mapped->len;
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  self->snapshot = fp_snapshot_ref ((FpSnapshot *)fp_process_records_get_snapshot (processes));
  self->cancellable = g_cancellable_new ();
  self->state.is_reading = TRUE;
  self->state.n_done = 0;
  self->state.n = mapped->len;
  self->state.began_us = g_get_monotonic_time ();
  set_problem (self, NULL);
  fp_source_request_async (self->source, &request, self->cancellable, read_cb, g_object_ref (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

/* before: (nullable): NULL ends the comparison */
void
fp_files_reader_compare (FpFilesReader *self,
                         FpMappedFiles *before)
{
  g_return_if_fail (FP_IS_FILES_READER (self));

  g_clear_pointer (&self->before, fp_mapped_files_unref);
  self->before = before ? fp_mapped_files_ref (before) : NULL;
  if (self->files)
    make_records (self);
}

/* Returns: (nullable) (transfer none): what was read last, whole or in part */
FpMappedFiles *
fp_files_reader_get_files (FpFilesReader *self)
{
  g_return_val_if_fail (FP_IS_FILES_READER (self), NULL);

  return self->files;
}

/* The files that were read before stay. */
void
fp_files_reader_cancel (FpFilesReader *self)
{
  g_return_if_fail (FP_IS_FILES_READER (self));

  if (!self->state.is_reading)
    return;
  g_cancellable_cancel (self->cancellable);
  set_problem (self, _ ("Reading was cancelled."));
  end (self);
}
