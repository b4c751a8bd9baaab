// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-local-source.h"
#include "fp-shared-sweep.h"
#include "fp-wishes.h"

#define INTERVAL_US       G_USEC_PER_SEC
#define SLICE_INTERVAL_US (100 * 1000) /* while some are pending it is still the same sweep */
#define REFRESH_US        (10 * G_USEC_PER_SEC)
#define PATIENCE_MS       100 /* for a slice; then callers without wishes get the last snapshot, if it is recent */
#define MAX_AGE_US        (10 * G_USEC_PER_SEC)
#define MAX_ATTENTION     4096 /* of each user, and in all */
#define MAX_WANTED        64   /* the same */

struct _FpSharedSweep
{
  GObject parent;

  FpSource *source;
  FpSnapshot *last;
  GPtrArray *waiting; /* tasks, for the next slice */
  GPtrArray *served;  /* tasks, by the slice that runs */
  FpWishes *attention;
  FpWishes *wanted;
  guint64 slice_us;
  gboolean refresh_all;
  gboolean is_running;
  guint timer;
  guint patience;
  gint64 started_us;
  gint64 collected_us;
  gint64 refreshed_us; /* the last time that all was read anew */
};

static void fp_shared_sweep_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FpSharedSweep,
                               fp_shared_sweep,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fp_shared_sweep_iface_init))

static void schedule (FpSharedSweep *self);

typedef struct
{
  guint32 asker;
  gboolean has_wishes;
} Caller;

static gboolean
has_wishes (GTask *task)
{
  return ((const Caller *)g_task_get_task_data (task))->has_wishes;
}

static void
swept_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (FpSharedSweep) self = data;
  g_autoptr (GPtrArray) served = g_steal_pointer (&self->served);
  g_autoptr (GError) error = NULL;
  FpSnapshot *snapshot = fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &error);

  self->is_running = FALSE;
  g_clear_handle_id (&self->patience, g_source_remove);
  if (snapshot)
    {
      self->collected_us = g_get_monotonic_time ();
      g_clear_pointer (&self->last, fp_snapshot_unref);
      self->last = snapshot;
    }
  for (guint i = 0; i < served->len; i++)
    fp_source_answer (served->pdata[i], snapshot ? fp_snapshot_ref (snapshot) : NULL, snapshot ? NULL : g_error_copy (error));
  schedule (self);
}

/* Now, not when the sweep began: one that stands still would pass for recent for ever. */
static gboolean
has_recent (const FpSharedSweep *self)
{
  return self->last && g_get_monotonic_time () - self->collected_us <= MAX_AGE_US;
}

/* One user's giant does not make others wait for their figures. Those who want to have one measured wait. */
static gboolean
patience_cb (gpointer data)
{
  FpSharedSweep *self = data;

  self->patience = 0;
  if (!has_recent (self))
    return G_SOURCE_REMOVE;
  for (guint i = self->served->len; i > 0; i--)
    if (!has_wishes (self->served->pdata[i - 1]))
      {
        fp_source_answer (self->served->pdata[i - 1], fp_snapshot_ref (self->last), NULL);
        g_ptr_array_remove_index_fast (self->served, i - 1);
      }
  return G_SOURCE_REMOVE;
}

/* Somebody without wishes waits, and there is nothing recent to give. A giant would make them wait for all of it. */
static gboolean
is_urgent (const FpSharedSweep *self)
{
  for (guint i = 0; i < self->waiting->len && !has_recent (self); i++)
    if (!has_wishes (self->waiting->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Callers wait for the next slice if wishes of their user do. */
static void
serve_waiting (FpSharedSweep *self)
{
  GPtrArray *waiting = g_steal_pointer (&self->waiting);

  self->served = g_ptr_array_new_with_free_func (g_object_unref);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    {
      GTask *task = waiting->pdata[i];
      const Caller *caller = g_task_get_task_data (task);
      gboolean has_to_wait = caller->has_wishes && fp_wishes_has_of (self->wanted, caller->asker);

      g_ptr_array_add (has_to_wait ? self->waiting : self->served, g_object_ref (task));
    }
  g_ptr_array_unref (waiting);
}

static void
begin (FpSharedSweep *self)
{
  g_autoptr (GArray) attention = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep.slice_us = self->slice_us };

  fp_wishes_take (self->attention, attention);
  if (!is_urgent (self))
    fp_wishes_take (self->wanted, wanted);
  fp_wishes_clear (self->attention);
  request.sweep.attention = (const FpProcessId *)(void *)attention->data;
  request.sweep.n_attention = attention->len;
  request.sweep.wanted = (const FpProcessId *)(void *)wanted->data;
  request.sweep.n_wanted = wanted->len;
  self->is_running = TRUE;
  self->started_us = g_get_monotonic_time ();
  request.sweep.refresh_all = self->refresh_all && self->started_us - self->refreshed_us >= REFRESH_US;
  if (request.sweep.refresh_all)
    self->refreshed_us = self->started_us;
  serve_waiting (self);
  self->patience = g_timeout_add (PATIENCE_MS, patience_cb, self);
  fp_source_request_async (self->source, &request, NULL, swept_cb, g_object_ref (self));
  self->refresh_all = FALSE;
  self->slice_us = 0;
}

static void
timer_cb (gpointer data)
{
  FpSharedSweep *self = data;

  self->timer = 0;
  begin (self);
}

static gint64
get_due_us (FpSharedSweep *self)
{
  if (!self->last)
    return 0;
  return self->started_us + (self->last->info.n_pending > 0 ? SLICE_INTERVAL_US : INTERVAL_US);
}

static void
schedule (FpSharedSweep *self)
{
  gint64 left_us = get_due_us (self) - g_get_monotonic_time ();

  if (self->is_running || self->timer || self->waiting->len == 0)
    return;
  if (left_us <= 0)
    begin (self);
  else
    self->timer = g_timeout_add_once ((guint)(left_us / 1000 + 1), timer_cb, self);
}

static void
fp_shared_sweep_answer (FpSource *source,
                        const FpSourceRequest *request,
                        GTask *task)
{
  FpSharedSweep *self = FP_SHARED_SWEEP (source);
  const FpSweepRequest *sweep = &request->sweep;
  Caller caller = { request->asker, sweep->n_wanted > 0 || sweep->refresh_all };
  gboolean is_satisfied;

  g_task_set_task_data (task, g_memdup2 (&caller, sizeof caller), g_free);
  is_satisfied = self->last && self->last->info.n_pending == 0 && !has_wishes (task) &&
                 (self->is_running ? !self->patience && has_recent (self) : g_get_monotonic_time () < get_due_us (self));
  fp_wishes_add (self->attention, caller.asker, sweep->attention, sweep->n_attention);
  if (is_satisfied)
    {
      fp_source_answer (task, fp_snapshot_ref (self->last), NULL);
      return;
    }
  if (self->is_running && !has_wishes (task))
    {
      g_ptr_array_add (self->served, g_object_ref (task));
      if (!self->patience)
        self->patience = g_timeout_add (PATIENCE_MS, patience_cb, self);
      return;
    }
  fp_wishes_add (self->wanted, caller.asker, sweep->wanted, sweep->n_wanted);
  self->refresh_all |= sweep->refresh_all;
  self->slice_us = MAX (self->slice_us, sweep->slice_us);
  g_ptr_array_add (self->waiting, g_object_ref (task));
  schedule (self);
}

static void
fp_shared_sweep_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT);
  iface->answer = fp_shared_sweep_answer;
}

/* Or NULL */
const FpSnapshot *
fp_shared_sweep_get_last (FpSharedSweep *self)
{
  g_return_val_if_fail (FP_IS_SHARED_SWEEP (self), NULL);

  return self->last;
}

static void
fp_shared_sweep_finalize (GObject *object)
{
  FpSharedSweep *self = FP_SHARED_SWEEP (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_handle_id (&self->patience, g_source_remove);
  g_clear_object (&self->source);
  g_clear_pointer (&self->last, fp_snapshot_unref);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->served, g_ptr_array_unref);
  fp_wishes_free (self->attention);
  fp_wishes_free (self->wanted);

  G_OBJECT_CLASS (fp_shared_sweep_parent_class)->finalize (object);
}

static void
fp_shared_sweep_class_init (FpSharedSweepClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_shared_sweep_finalize;
}

static void
fp_shared_sweep_init (FpSharedSweep *self)
{
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  self->attention = fp_wishes_new (MAX_ATTENTION, MAX_ATTENTION);
  self->wanted = fp_wishes_new (MAX_WANTED, MAX_WANTED);
}

FpSharedSweep *
fp_shared_sweep_new (const char *proc_path)
{
  FpSharedSweep *self = g_object_new (FP_TYPE_SHARED_SWEEP, NULL);

  self->source = fp_local_source_new_for_others (proc_path);
  return self;
}
