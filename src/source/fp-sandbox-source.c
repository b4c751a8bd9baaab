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
  GError *error = NULL;
  FpSnapshot *snapshot = fp_source_request_finish (FP_SOURCE (reader), FP_REQUEST_COLLECT, result, &error);
  gboolean is_first = !self->has_answered;

  if (snapshot)
    {
      self->has_answered = TRUE;
      g_clear_error (&self->errors[self->current]);
      if (is_first)
        g_signal_emit (self, signals[READER_CHANGED], 0);
      fp_source_answer (task, snapshot, NULL);
      return;
    }
  if (self->current == HERE || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_task_return_error (task, error);
      return;
    }
  pass_over (self, error);
  g_error_free (error);
  fp_source_request_async (self->readers[self->current], g_task_get_task_data (task), g_task_get_cancellable (task),
                           collected_cb, g_object_ref (task));
}

static void
answered_cb (GObject *reader,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);

  fp_source_answer (task, answer, error);
}

static void
fp_sandbox_source_answer (FpSource *source,
                          const FpSourceRequest *request,
                          GTask *task)
{
  static const char *const refusals[FP_N_REQUEST_KINDS] = {
    [FP_REQUEST_PAGES] = N_ ("Footprint is in a Flatpak, from where the pages of processes outside can’t be seen"),
    [FP_REQUEST_ENDING] = N_ ("Footprint is in a Flatpak, from where the files of processes outside can’t be seen"),
  };
  FpSandboxSource *self = FP_SANDBOX_SOURCE (source);
  gboolean is_collection = request->kind == FP_REQUEST_COLLECT;

  if (self->current != HERE && refusals[request->kind])
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s", _ (refusals[request->kind]));
      return;
    }
  /* A full refresh begins with the helper again, because the user may have repaired what was missing. */
  if (request->sweep.refresh_all && self->current == HERE)
    {
      self->current = HELPER;
      self->has_answered = FALSE;
    }
  if (is_collection)
    g_task_set_task_data (task, fp_source_request_copy (request), fp_source_request_free);
  fp_source_request_async (self->readers[self->current], request, g_task_get_cancellable (task),
                           is_collection ? collected_cb : answered_cb, g_object_ref (task));
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
  iface->kinds = FP_ALL_REQUEST_BITS;
  iface->answer = fp_sandbox_source_answer;
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
