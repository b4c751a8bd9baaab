// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-helper-source.h"
#include "fp-sandbox-source.h"

enum
{
  HELPER,
  AGENT,
  HERE,
  N_READERS,
};

struct _FpSandboxSource
{
  GObject parent;

  FpSource *readers[N_READERS];
  GError *errors[N_READERS]; /* why each reader before the current one has failed */
  guint current;
  gboolean has_answered;
};

enum
{
  READER_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void fp_sandbox_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpSandboxSource,
                               fp_sandbox_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_sandbox_source_iface_init))

/* One that worked and fails is the start of another round, which may find it well again. */
static void
pass_over (FpSandboxSource *self,
           const GError *error)
{
  g_clear_error (&self->errors[self->current]);
  self->errors[self->current] = g_error_copy (error);
  g_info ("%s", error->message);
  if (self->has_answered)
    self->current = HELPER;
  else
    self->current++;
  self->has_answered = FALSE;
  if (!self->readers[self->current])
    self->current++;
}

static void
collected_cb (GObject *reader,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  FpSandboxSource *self = g_task_get_source_object (task);
  const FpSweepRequest request = { .slice_us = *(guint64 *)g_task_get_task_data (task) };
  GError *error = NULL;
  FpSnapshot *snapshot = fp_source_collect_finish (FP_SOURCE (reader), result, &error);
  gboolean is_first = !self->has_answered;

  if (snapshot)
    {
      self->has_answered = TRUE;
      g_clear_error (&self->errors[self->current]);
      if (is_first)
        g_signal_emit (self, signals[READER_CHANGED], 0);
      g_task_return_pointer (task, snapshot, (GDestroyNotify)fp_snapshot_unref);
      return;
    }
  if (self->current == HERE || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, error);
      return;
    }
  pass_over (self, error);
  g_error_free (error);
  fp_source_collect_async (self->readers[self->current], &request, g_task_get_cancellable (task), collected_cb,
                           g_object_ref (task));
}

static void
fp_sandbox_source_collect_async (FpSource *source,
                                 const FpSweepRequest *request,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);
  GTask *task = g_task_new (source, cancellable, callback, data);

  /* A full refresh begins with the helper again, because the user may have repaired what was missing. */
  if (request->refresh_all && self->current == HERE)
    {
      self->current = HELPER;
      self->has_answered = FALSE;
    }
  g_task_set_source_tag (task, fp_sandbox_source_collect_async);
  g_task_set_task_data (task, g_memdup2 (&request->slice_us, sizeof request->slice_us), g_free);
  fp_source_collect_async (self->readers[self->current], request, cancellable, collected_cb, task);
}

/* The source that reads calls back itself, so there is no task here. */
static void
fp_sandbox_source_load_mappings_async (FpSource *source,
                                       const FpProcessId *id,
                                       gboolean may_ask,
                                       GCancellable *cancellable,
                                       GFileProgressCallback progress,
                                       gpointer progress_data,
                                       GAsyncReadyCallback callback,
                                       gpointer data)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);

  fp_source_load_mappings_async (self->readers[self->current], id, may_ask, cancellable, progress, progress_data,
                                 callback, data);
}

static void
fp_sandbox_source_load_details_async (FpSource *source,
                                      const FpProcessId *id,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer data)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);

  fp_source_load_details_async (self->readers[self->current], id, cancellable, callback, data);
}

static void
fp_sandbox_source_map_pages_async (FpSource *source,
                                   const FpProcessId *id,
                                   const FpPageRange *range,
                                   GCancellable *cancellable,
                                   GFileProgressCallback progress,
                                   gpointer progress_data,
                                   GAsyncReadyCallback callback,
                                   gpointer data)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);
  g_autoptr (GTask) task = NULL;

  if (self->current == HERE)
    {
      fp_source_map_pages_async (self->readers[HERE], id, range, cancellable, progress, progress_data, callback, data);
      return;
    }
  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, fp_source_map_pages_async);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                           _ ("Footprint is in a Flatpak, from where the pages of processes outside can’t be seen"));
}

static void
fp_sandbox_source_load_ending_async (FpSource *source,
                                     const FpEndingMember *members,
                                     guint n,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer data)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);
  g_autoptr (GTask) task = NULL;

  if (self->current == HERE)
    {
      fp_source_load_ending_async (self->readers[HERE], members, n, cancellable, callback, data);
      return;
    }
  task = g_task_new (self, cancellable, callback, data);
  g_task_set_source_tag (task, fp_source_load_ending_async);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                           _ ("Footprint is in a Flatpak, from where the files of processes outside can’t be seen"));
}

/* Gives a permission back that the helper was given for mappings. */
void
fp_sandbox_source_lock (FpSandboxSource *self)
{
  g_return_if_fail (FP_IS_SANDBOX_SOURCE (self));

  if (FP_IS_HELPER_SOURCE (self->readers[HELPER]))
    fp_helper_source_lock (FP_HELPER_SOURCE (self->readers[HELPER]));
}

/* Only this process could: what is shown is the sandbox. */
gboolean
fp_sandbox_source_is_confined (FpSandboxSource *self)
{
  g_return_val_if_fail (FP_IS_SANDBOX_SOURCE (self), FALSE);

  return self->current == HERE;
}

const GError *
fp_sandbox_source_get_helper_error (FpSandboxSource *self)
{
  g_return_val_if_fail (FP_IS_SANDBOX_SOURCE (self), NULL);

  return self->errors[HELPER];
}

const GError *
fp_sandbox_source_get_agent_error (FpSandboxSource *self)
{
  g_return_val_if_fail (FP_IS_SANDBOX_SOURCE (self), NULL);

  return self->errors[AGENT];
}

static void
fp_sandbox_source_iface_init (FpSourceInterface *iface)
{
  iface->collect_async = fp_sandbox_source_collect_async;
  iface->load_mappings_async = fp_sandbox_source_load_mappings_async;
  iface->load_details_async = fp_sandbox_source_load_details_async;
  iface->map_pages_async = fp_sandbox_source_map_pages_async;
  iface->load_ending_async = fp_sandbox_source_load_ending_async;
}

static void
fp_sandbox_source_finalize (GObject *object)
{
  FpSandboxSource *self = FP_SANDBOX_SOURCE (object);

  for (guint i = 0; i < N_READERS; i++)
    {
      g_clear_object (&self->readers[i]);
      g_clear_error (&self->errors[i]);
    }

  G_OBJECT_CLASS (fp_sandbox_source_parent_class)->finalize (object);
}

static void
fp_sandbox_source_class_init (FpSandboxSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_sandbox_source_finalize;

  signals[READER_CHANGED] = g_signal_new ("reader-changed", FP_TYPE_SANDBOX_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
}

static void
fp_sandbox_source_init (FpSandboxSource *self)
{
}

/* agent: NULL, and why there is none */
FpSource *
fp_sandbox_source_new (FpSource *helper,
                       FpSource *agent,
                       const GError *agent_error,
                       FpSource *here)
{
  FpSandboxSource *self = g_object_new (FP_TYPE_SANDBOX_SOURCE, NULL);

  self->readers[HELPER] = g_object_ref (helper);
  self->readers[AGENT] = agent ? g_object_ref (agent) : NULL;
  self->errors[AGENT] = agent ? NULL : g_error_copy (agent_error);
  self->readers[HERE] = g_object_ref (here);
  return FP_SOURCE (self);
}
