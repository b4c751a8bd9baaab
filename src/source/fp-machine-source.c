// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-helper-source.h"
#include "fp-machine-source.h"
#include "fp-sandbox-source.h"

#define N_HELPERS 2

struct _FpMachineSource
{
  GObject parent;

  FpSource *own;
  FpSource *helpers[N_HELPERS]; /* the second is asked where the first is not installed; the last may be NULL */
  FpSource *unlocked;           /* (nullable): the helper that reads */
  FpSource *asked;              /* (nullable): the helper that was asked last */
  GCancellable *asking;         /* for a password, which may take minutes: this process reads meanwhile */
};

enum
{
  LOCK_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void fp_machine_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpMachineSource,
                               fp_machine_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_machine_source_iface_init))

static FpSource *
get_reader (FpMachineSource *self)
{
  return self->unlocked ? self->unlocked : self->own;
}

static void
collected_cb (GObject *reader,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  FpMachineSource *self = g_task_get_source_object (task);
  GError *error = NULL;
  FpSnapshot *snapshot = fp_source_request_finish (FP_SOURCE (reader), FP_REQUEST_COLLECT, result, &error);

  if (snapshot || reader == G_OBJECT (self->own) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      fp_source_answer (task, snapshot, error);
      return;
    }
  /* It has failed, or was locked meanwhile; what is only busy serves the next collection. */
  if (reader == G_OBJECT (self->unlocked) && !g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY))
    {
      self->unlocked = NULL;
      /* Its connection still has the permission. */
      if (FP_IS_HELPER_SOURCE (reader) && (g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_FAILED) ||
                                           g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_DAMAGED)))
        fp_helper_source_lock (FP_HELPER_SOURCE (reader));
      g_signal_emit (self, signals[LOCK_CHANGED], 0, error);
    }
  g_error_free (error);
  fp_source_request_async (self->own, g_task_get_task_data (task), g_task_get_cancellable (task), collected_cb,
                           g_object_ref (task));
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

/* Details need no permission, and the helper reads no pages and no descriptors. */
static void
fp_machine_source_answer (FpSource *source,
                          const FpSourceRequest *request,
                          GTask *task)
{
  FpMachineSource *self = FP_MACHINE_SOURCE (source);
  gboolean is_collection = request->kind == FP_REQUEST_COLLECT;
  FpSource *reader = is_collection || request->kind == FP_REQUEST_MAPPINGS ? get_reader (self) : self->own;

  if (is_collection)
    g_task_set_task_data (task, fp_source_request_copy (request), fp_source_request_free);
  fp_source_request_async (reader, request, g_task_get_cancellable (task), is_collection ? collected_cb : answered_cb,
                           g_object_ref (task));
}

static void ask (FpMachineSource *self, FpSource *helper);

static void
asked_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (FpMachineSource) self = data;
  g_autoptr (GError) error = NULL;
  FpSource *helper = FP_SOURCE (object);
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (helper, FP_REQUEST_COLLECT, result, &error);
  gboolean was_given_up = g_cancellable_is_cancelled (self->asking);

  if (!was_given_up && helper == self->helpers[0] && self->helpers[1] &&
      g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED))
    {
      ask (self, self->helpers[1]);
      return;
    }
  g_clear_object (&self->asking);
  if (was_given_up)
    return;
  self->unlocked = snapshot ? helper : NULL;
  g_signal_emit (self, signals[LOCK_CHANGED], 0, error);
}

static void
ask (FpMachineSource *self,
     FpSource *helper)
{
  FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep.slice_us = 1, .may_ask = TRUE };

  self->asked = helper;
  fp_source_request_async (helper, &request, self->asking, asked_cb, g_object_ref (self));
}

FpSource *
fp_machine_source_get_own (FpMachineSource *self)
{
  g_return_val_if_fail (FP_IS_MACHINE_SOURCE (self), NULL);

  return self->own;
}

/* Asks for a password where one is needed, and comes back with ::lock-changed. */
void
fp_machine_source_unlock (FpMachineSource *self)
{
  g_return_if_fail (FP_IS_MACHINE_SOURCE (self));

  if (self->unlocked || self->asking)
    return;
  self->asking = g_cancellable_new ();
  ask (self, self->helpers[0]);
}

void
fp_machine_source_lock (FpMachineSource *self)
{
  FpSource *helper;

  g_return_if_fail (FP_IS_MACHINE_SOURCE (self));

  if (self->asking)
    g_cancellable_cancel (self->asking);
  if (!(helper = g_steal_pointer (&self->unlocked)))
    return;
  if (FP_IS_HELPER_SOURCE (helper))
    fp_helper_source_lock (FP_HELPER_SOURCE (helper));
  if (FP_IS_SANDBOX_SOURCE (self->own))
    fp_sandbox_source_lock (FP_SANDBOX_SOURCE (self->own));
  g_signal_emit (self, signals[LOCK_CHANGED], 0, NULL);
}

gboolean
fp_machine_source_is_unlocked (FpMachineSource *self)
{
  g_return_val_if_fail (FP_IS_MACHINE_SOURCE (self), FALSE);

  return self->unlocked != NULL;
}

/* Tells users what to do about the error of ::lock-changed. NULL: there is no advice */
const char *
fp_machine_source_get_advice (FpMachineSource *self,
                              const GError *error)
{
  g_return_val_if_fail (FP_IS_MACHINE_SOURCE (self), NULL);

  if (error->domain != FP_HELPER_ERROR)
    return NULL;
  return self->asked == self->helpers[0] ? fp_helper_error_get_advice ((FpHelperError)error->code)
                                         : fp_helper_error_get_started_advice ((FpHelperError)error->code);
}

static void
fp_machine_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_ALL_REQUEST_BITS;
  iface->answer = fp_machine_source_answer;
}

static void
fp_machine_source_dispose (GObject *object)
{
  FpMachineSource *self = FP_MACHINE_SOURCE (object);

  if (self->asking)
    g_cancellable_cancel (self->asking);
  self->unlocked = NULL;
  g_clear_object (&self->own);
  for (guint i = 0; i < N_HELPERS; i++)
    g_clear_object (&self->helpers[i]);

  G_OBJECT_CLASS (fp_machine_source_parent_class)->dispose (object);
}

static void
fp_machine_source_class_init (FpMachineSourceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_machine_source_dispose;

  signals[LOCK_CHANGED] = g_signal_new ("lock-changed", FP_TYPE_MACHINE_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
fp_machine_source_init (FpMachineSource *self)
{
}

FpSource *
fp_machine_source_new (FpSource *own,
                       FpSource *helper,
                       FpSource *spare)
{
  FpMachineSource *self = g_object_new (FP_TYPE_MACHINE_SOURCE, NULL);

  self->own = g_object_ref (own);
  self->helpers[0] = g_object_ref (helper);
  self->helpers[1] = spare ? g_object_ref (spare) : NULL;
  return FP_SOURCE (self);
}
