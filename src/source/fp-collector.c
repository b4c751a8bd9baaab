// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-collector.h"
#include "fp-helper-protocol.h"

#define FIRST_SLICE_US 1 /* resident sizes at once */
#define SLICE_US       (150 * 1000)

struct _FpCollector
{
  GObject parent;

  FpSource *source;
  GCancellable *cancellable;
  GArray *attention;
  GArray *wanted;
  guint interval_ms; /* 0: paused */
  guint timer;
  gint64 started_us;
  gboolean is_visible;
  gboolean is_collecting;
  gboolean is_waiting_to_be_shown;
  gboolean has_pending;
  gboolean has_begun;
  gboolean refresh_all;
  gboolean is_refreshing; /* until the refresh has read all processes */
};

enum
{
  COLLECTED,
  FAILED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpCollector, fp_collector, G_TYPE_OBJECT)

static void schedule (FpCollector *self);

static void
collected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (FpCollector) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (FP_SOURCE (object), FP_REQUEST_COLLECT, result, &error);

  self->is_collecting = FALSE;
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (!snapshot)
    {
      self->has_pending = FALSE;
      g_signal_emit (self, signals[FAILED], 0, error);
      schedule (self);
      return;
    }
  self->has_pending = snapshot->info.n_pending > 0;
  self->is_refreshing &= self->has_pending;
  self->is_waiting_to_be_shown = TRUE;
  g_signal_emit (self, signals[COLLECTED], 0, snapshot);
}

static void
collect (FpCollector *self)
{
  FpSourceRequest request = {
    .kind = FP_REQUEST_COLLECT,
    .sweep.attention = (const FpProcessId *)self->attention->data,
    .sweep.n_attention = self->attention->len,
    .sweep.wanted = (const FpProcessId *)self->wanted->data,
    .sweep.n_wanted = MIN (self->wanted->len, FP_HELPER_MAX_WANTED),
    .sweep.refresh_all = self->refresh_all,
    .sweep.slice_us = self->has_begun ? SLICE_US : FIRST_SLICE_US,
  };

  self->has_begun = TRUE;
  self->is_collecting = TRUE;
  self->started_us = g_get_monotonic_time ();
  fp_source_request_async (self->source, &request, self->cancellable, collected_cb, g_object_ref (self));
  self->is_refreshing |= self->refresh_all;
  self->refresh_all = FALSE;
  g_array_remove_range (self->wanted, 0, request.sweep.n_wanted);
}

static void
timer_cb (gpointer data)
{
  FpCollector *self = data;

  self->timer = 0;
  collect (self);
}

/* A slow machine gets a longer interval, never a queue. */
static void
schedule (FpCollector *self)
{
  gint64 due_us = self->started_us + (gint64)self->interval_ms * 1000;
  gint64 now_us = g_get_monotonic_time ();
  gboolean is_urgent = !self->has_begun || self->has_pending || self->refresh_all || self->wanted->len > 0;

  g_clear_handle_id (&self->timer, g_source_remove);
  if (!self->is_visible || self->is_collecting || self->is_waiting_to_be_shown)
    return;
  if (is_urgent)
    collect (self);
  else if (self->interval_ms > 0)
    self->timer = g_timeout_add_once (due_us > now_us ? (guint)((due_us - now_us) / 1000) : 0, timer_cb, self);
}

/* The last snapshot has been painted, or will not be shown: the next collection may start. */
void
fp_collector_shown (FpCollector *self)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  if (!self->is_waiting_to_be_shown)
    return;
  self->is_waiting_to_be_shown = FALSE;
  schedule (self);
}

/* 0: only on demand */
void
fp_collector_set_interval (FpCollector *self,
                           guint interval_ms)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  self->interval_ms = interval_ms;
  schedule (self);
}

/* Nothing is read for a window that nobody sees. */
void
fp_collector_set_visible (FpCollector *self,
                          gboolean is_visible)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  if (self->is_visible == is_visible)
    return;
  self->is_visible = is_visible;
  schedule (self);
}

/* Processes on the screen or selected ones are measured more often than the rest. */
void
fp_collector_set_attention (FpCollector *self,
                            const FpProcessId *ids,
                            guint n)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  g_array_set_size (self->attention, 0);
  g_array_append_vals (self->attention, ids, n);
}

/* Now, and whatever it costs. */
void
fp_collector_measure (FpCollector *self,
                      const FpProcessId *id)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  g_array_append_val (self->wanted, *id);
  schedule (self);
}

void
fp_collector_refresh (FpCollector *self)
{
  g_return_if_fail (FP_IS_COLLECTOR (self));

  self->refresh_all = TRUE;
  schedule (self);
}

/* TRUE: the last snapshot was begun before the last request for a refresh, or is only a part of that refresh. */
gboolean
fp_collector_awaits_refresh (FpCollector *self)
{
  g_return_val_if_fail (FP_IS_COLLECTOR (self), FALSE);

  return self->refresh_all || self->is_refreshing;
}

static void
fp_collector_dispose (GObject *object)
{
  FpCollector *self = FP_COLLECTOR (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->source);

  G_OBJECT_CLASS (fp_collector_parent_class)->dispose (object);
}

static void
fp_collector_finalize (GObject *object)
{
  FpCollector *self = FP_COLLECTOR (object);

  g_array_unref (self->attention);
  g_array_unref (self->wanted);
  g_object_unref (self->cancellable);

  G_OBJECT_CLASS (fp_collector_parent_class)->finalize (object);
}

static void
fp_collector_class_init (FpCollectorClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = fp_collector_dispose;
  object_class->finalize = fp_collector_finalize;

  signals[COLLECTED] = g_signal_new ("collected", FP_TYPE_COLLECTOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[FAILED] = g_signal_new ("failed", FP_TYPE_COLLECTOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
fp_collector_init (FpCollector *self)
{
  self->cancellable = g_cancellable_new ();
  self->attention = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  self->wanted = g_array_new (FALSE, FALSE, sizeof (FpProcessId));
  self->interval_ms = 2000;
}

FpCollector *
fp_collector_new (FpSource *source)
{
  FpCollector *self = g_object_new (FP_TYPE_COLLECTOR, NULL);

  self->source = g_object_ref (source);
  return self;
}
