// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-ending-reader.h"
#include "fp-local-source.h"
#include "fp-mapping-reader.h"
#include "fp-page-map-reader.h"

#define STEP_US (50 * 1000) /* between two signs of progress */

struct _FpLocalSource
{
  GObject parent;

  char *proc_path;
  gboolean is_for_others;
  FpSweep *sweep;     /* of the worker, one at a time */
  gint is_collecting; /* atomic */
};

static void fp_local_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpLocalSource,
                               fp_local_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_local_source_iface_init))

static void
request_free (gpointer data)
{
  FpSweepRequest *request = data;

  g_free ((gpointer)request->attention);
  g_free ((gpointer)request->wanted);
  g_free (request);
}

static FpSweepRequest *
request_copy (const FpSweepRequest *request)
{
  FpSweepRequest *copy = g_memdup2 (request, sizeof *request);

  copy->attention = g_memdup2 (request->attention, request->n_attention * sizeof *request->attention);
  copy->wanted = g_memdup2 (request->wanted, request->n_wanted * sizeof *request->wanted);
  return copy;
}

static void
fp_local_source_collect_worker (GTask *task,
                                gpointer source,
                                gpointer data,
                                GCancellable *cancellable)
{
  FpLocalSource *self = source;
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSnapshot *snapshot = NULL;
  GError *error = NULL;

  settings.judges_owners = self->is_for_others;
  if (!self->sweep)
    self->sweep = fp_sweep_new (self->proc_path, &settings, &error);
  if (self->sweep)
    snapshot = fp_sweep_collect (self->sweep, data, &error);
  g_atomic_int_set (&self->is_collecting, FALSE);
  if (snapshot)
    g_task_return_pointer (task, snapshot, (GDestroyNotify)fp_snapshot_unref);
  else
    g_task_return_error (task, error);
}

static void
fp_local_source_collect_async (FpSource *source,
                               const FpSweepRequest *request,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data)
{
  FpLocalSource *self = FP_LOCAL_SOURCE (source);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, data);

  g_return_if_fail (g_atomic_int_compare_and_exchange (&self->is_collecting, FALSE, TRUE));

  g_task_set_source_tag (task, fp_local_source_collect_async);
  g_task_set_task_data (task, request_copy (request), request_free);
  g_task_run_in_thread (task, fp_local_source_collect_worker);
}

/* The first member of what a worker is asked for that takes long. */
typedef struct
{
  GFileProgressCallback func; /* NULL: the caller does not need it */
  gpointer data;
  gint64 told_us; /* the worker's: when it last called func */
} Progress;

typedef struct
{
  GTask *task;
  goffset position;
  goffset whole;
} Sign;

static void
sign_free (gpointer data)
{
  Sign *sign = data;

  g_object_unref (sign->task);
  g_free (sign);
}

static gboolean
sign_cb (gpointer data)
{
  const Sign *sign = data;
  const Progress *progress = g_task_get_task_data (sign->task);

  if (!g_cancellable_is_cancelled (g_task_get_cancellable (sign->task)) && !g_task_get_completed (sign->task))
    progress->func (sign->position, sign->whole, progress->data);
  return G_SOURCE_REMOVE;
}

/* Now and then, and at the end */
static void
tell_progress (GTask *task,
               guint64 position,
               guint64 whole)
{
  Progress *progress = g_task_get_task_data (task);
  gint64 now_us = g_get_monotonic_time ();
  Sign *sign;

  if (!progress->func || (now_us < progress->told_us + STEP_US && position < whole))
    return;
  progress->told_us = now_us;
  sign = g_new (Sign, 1);
  *sign = (Sign){ g_object_ref (task), (goffset)position, (goffset)whole };
  g_main_context_invoke_full (g_task_get_context (task), G_PRIORITY_DEFAULT, sign_cb, sign, sign_free);
}

typedef struct
{
  Progress progress;
  FpProcessId id;
} LoadRequest;

static gboolean
step_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  if (whole > 0)
    tell_progress (data, position, whole);
  return !g_cancellable_is_cancelled (g_task_get_cancellable (data));
}

static void
fp_local_source_load_mappings_worker (GTask *task,
                                      gpointer source,
                                      gpointer data,
                                      GCancellable *cancellable)
{
  FpLocalSource *self = source;
  LoadRequest *request = data;
  FpMappings *mappings = NULL;
  GError *error = NULL;
  FpProcDir proc;

  if (fp_proc_dir_open (&proc, self->proc_path, &error))
    {
      mappings = fp_mappings_read (&proc, &request->id, step_cb, task, &error);
      fp_proc_dir_close (&proc);
    }
  if (mappings)
    g_task_return_pointer (task, mappings, (GDestroyNotify)fp_mappings_unref);
  else
    g_task_return_error (task, error);
}

static void
fp_local_source_load_mappings_async (FpSource *source,
                                     const FpProcessId *id,
                                     gboolean may_ask,
                                     GCancellable *cancellable,
                                     GFileProgressCallback progress,
                                     gpointer progress_data,
                                     GAsyncReadyCallback callback,
                                     gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  LoadRequest *request = g_new0 (LoadRequest, 1);

  *request = (LoadRequest){ { progress, progress_data, 0 }, *id };
  g_task_set_source_tag (task, fp_local_source_load_mappings_async);
  g_task_set_task_data (task, request, g_free);
  g_task_run_in_thread (task, fp_local_source_load_mappings_worker);
}

typedef struct
{
  Progress progress;
  FpProcessId id;
  FpPageRange range;
} MapRequest;

static FpPageMap *
map_pages (GTask *task,
           const FpProcDir *proc,
           MapRequest *request,
           GError **error)
{
  g_autoptr (FpPageMapReader) reader = fp_page_map_reader_new (proc, &request->id, request->range.start,
                                                               request->range.end, request->range.max_bins, error);
  GError *problem = NULL;

  if (!reader)
    return NULL;
  while (!fp_page_map_reader_step (reader, g_get_monotonic_time () + STEP_US, &problem) && !problem)
    {
      if (g_cancellable_set_error_if_cancelled (g_task_get_cancellable (task), error))
        return NULL;
      tell_progress (task, fp_page_map_reader_get_position (reader) - request->range.start,
                     request->range.end - request->range.start);
    }
  if (!problem)
    return fp_page_map_reader_finish (reader, error);
  g_propagate_error (error, problem);
  return NULL;
}

static void
fp_local_source_map_pages_worker (GTask *task,
                                  gpointer source,
                                  gpointer data,
                                  GCancellable *cancellable)
{
  FpLocalSource *self = source;
  FpPageMap *map = NULL;
  GError *error = NULL;
  FpProcDir proc;

  if (fp_proc_dir_open (&proc, self->proc_path, &error))
    {
      map = map_pages (task, &proc, data, &error);
      fp_proc_dir_close (&proc);
    }
  if (map)
    g_task_return_pointer (task, map, g_free);
  else
    g_task_return_error (task, error);
}

static void
fp_local_source_map_pages_async (FpSource *source,
                                 const FpProcessId *id,
                                 const FpPageRange *range,
                                 GCancellable *cancellable,
                                 GFileProgressCallback progress,
                                 gpointer progress_data,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  MapRequest *request = g_new0 (MapRequest, 1);

  *request = (MapRequest){ { progress, progress_data, 0 }, *id, *range };
  g_task_set_source_tag (task, fp_local_source_map_pages_async);
  g_task_set_task_data (task, request, g_free);
  g_task_run_in_thread (task, fp_local_source_map_pages_worker);
}

static void
fp_local_source_load_details_worker (GTask *task,
                                     gpointer source,
                                     gpointer data,
                                     GCancellable *cancellable)
{
  FpLocalSource *self = source;
  FpDetails *details = NULL;
  GError *error = NULL;
  FpProcDir proc;

  if (fp_proc_dir_open (&proc, self->proc_path, &error))
    {
      details = fp_details_read (&proc, data, &error);
      fp_proc_dir_close (&proc);
    }
  if (details)
    g_task_return_pointer (task, details, (GDestroyNotify)fp_details_free);
  else
    g_task_return_error (task, error);
}

static void
fp_local_source_load_details_async (FpSource *source,
                                    const FpProcessId *id,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);

  g_task_set_source_tag (task, fp_local_source_load_details_async);
  g_task_set_task_data (task, g_memdup2 (id, sizeof *id), g_free);
  g_task_run_in_thread (task, fp_local_source_load_details_worker);
}

static gboolean
go_on_cb (guint64 position,
          guint64 whole,
          gpointer data)
{
  return !g_cancellable_is_cancelled (data);
}

static void
fp_local_source_load_ending_worker (GTask *task,
                                    gpointer source,
                                    gpointer data,
                                    GCancellable *cancellable)
{
  FpLocalSource *self = source;
  const GArray *members = data;
  FpEnding *ending = NULL;
  GError *error = NULL;
  FpProcDir proc;

  if (fp_proc_dir_open (&proc, self->proc_path, &error))
    {
      if (proc.is_live)
        ending = fp_ending_read (&proc, (const FpEndingMember *)(void *)members->data, members->len, go_on_cb,
                                 cancellable, &error);
      else
        g_set_error_literal (&error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("Processes of a copied /proc cannot be ended"));
      fp_proc_dir_close (&proc);
    }
  if (ending)
    g_task_return_pointer (task, ending, (GDestroyNotify)fp_ending_unref);
  else
    g_task_return_error (task, error);
}

static void
fp_local_source_load_ending_async (FpSource *source,
                                   const FpEndingMember *members,
                                   guint n,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  GArray *copy = g_array_sized_new (FALSE, FALSE, sizeof *members, n);

  g_array_append_vals (copy, members, n);
  g_task_set_source_tag (task, fp_local_source_load_ending_async);
  g_task_set_task_data (task, copy, (GDestroyNotify)g_array_unref);
  g_task_run_in_thread (task, fp_local_source_load_ending_worker);
}

static void
fp_local_source_iface_init (FpSourceInterface *iface)
{
  iface->collect_async = fp_local_source_collect_async;
  iface->load_mappings_async = fp_local_source_load_mappings_async;
  iface->load_details_async = fp_local_source_load_details_async;
  iface->map_pages_async = fp_local_source_map_pages_async;
  iface->load_ending_async = fp_local_source_load_ending_async;
}

static void
fp_local_source_finalize (GObject *object)
{
  FpLocalSource *self = FP_LOCAL_SOURCE (object);

  g_clear_pointer (&self->sweep, fp_sweep_free);
  g_free (self->proc_path);

  G_OBJECT_CLASS (fp_local_source_parent_class)->finalize (object);
}

static void
fp_local_source_class_init (FpLocalSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_local_source_finalize;
}

static void
fp_local_source_init (FpLocalSource *self)
{
}

FpSource *
fp_local_source_new (const char *proc_path)
{
  FpLocalSource *self = g_object_new (FP_TYPE_LOCAL_SOURCE, NULL);

  self->proc_path = g_strdup (proc_path);
  return FP_SOURCE (self);
}

FpSource *
fp_local_source_new_for_others (const char *proc_path)
{
  FpSource *self = fp_local_source_new (proc_path);

  FP_LOCAL_SOURCE (self)->is_for_others = TRUE;
  return self;
}
