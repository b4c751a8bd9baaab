// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-collector.h"
#include "fp-helper-protocol.h"

/* A source that answers when it is told to. */
#define FAKE_TYPE_SOURCE (fake_source_get_type ())
G_DECLARE_FINAL_TYPE (FakeSource, fake_source, FAKE, SOURCE, GObject)

struct _FakeSource
{
  GObject parent;

  GTask *task; /* in flight */
  FpSweepRequest last;
  FpProcessId first_attention;
  guint n_calls;
};

static void
fake_source_answer (FpSource *source,
                    const FpSourceRequest *request,
                    GTask *task)
{
  FakeSource *self = (FakeSource *)source;

  g_assert_null (self->task);
  g_assert_cmpint (request->kind, ==, FP_REQUEST_COLLECT);
  self->task = g_object_ref (task);
  self->last = request->sweep;
  if (request->sweep.n_attention > 0)
    self->first_attention = request->sweep.attention[0];
  self->n_calls++;
}

static void
fake_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT);
  iface->answer = fake_source_answer;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeSource,
                               fake_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fake_source_iface_init))

static void
fake_source_class_init (FakeSourceClass *class)
{
}

static void
fake_source_init (FakeSource *self)
{
}

typedef struct
{
  FakeSource *source;
  FpCollector *collector;
  guint n_collected;
  guint n_failed;
} Fixture;

static void
collected_cb (FpCollector *collector,
              FpSnapshot *snapshot,
              gpointer data)
{
  Fixture *self = data;

  g_assert_nonnull (snapshot);
  self->n_collected++;
}

static void
failed_cb (FpCollector *collector,
           GError *error,
           gpointer data)
{
  Fixture *self = data;

  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  self->n_failed++;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->source = g_object_new (FAKE_TYPE_SOURCE, NULL);
  self->collector = fp_collector_new (FP_SOURCE (self->source));
  fp_collector_set_interval (self->collector, 20);
  g_signal_connect (self->collector, "collected", G_CALLBACK (collected_cb), self);
  g_signal_connect (self->collector, "failed", G_CALLBACK (failed_cb), self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  if (self->collector)
    g_assert_finalize_object (self->collector);
  g_assert_finalize_object (self->source);
}

static void
wait_ms (guint ms)
{
  gint64 end = g_get_monotonic_time () + (gint64)ms * 1000;

  while (g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (500);
}

static void
answer (Fixture *self,
        guint64 n_pending)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *snapshot = fp_snapshot_pool_take (pool, 1);
  g_autoptr (GTask) task = g_steal_pointer (&self->source->task);
  guint before = self->n_collected;

  snapshot->info = (FpSnapshotInfo){ .n_pending = n_pending };
  snapshot->strings = fp_string_block_new (16);
  fp_source_answer (task, snapshot, NULL);
  fp_snapshot_pool_unref (pool);
  while (self->collector && self->n_collected == before)
    g_main_context_iteration (NULL, TRUE);
}

/* Nothing is read before the window is seen, or after it is gone from sight. */
static void
test_visibility (Fixture *self,
                 gconstpointer data)
{
  wait_ms (60);
  g_assert_cmpuint (self->source->n_calls, ==, 0);
  fp_collector_set_visible (self->collector, TRUE);
  g_assert_cmpuint (self->source->n_calls, ==, 1);
  answer (self, 0);
  fp_collector_set_visible (self->collector, FALSE);
  fp_collector_shown (self->collector);
  wait_ms (100);
  g_assert_cmpuint (self->source->n_calls, ==, 1);
  fp_collector_set_visible (self->collector, TRUE);
  wait_ms (60);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
  answer (self, 0);
}

/* The next one starts neither while one is in flight nor before it was painted, however long that takes. */
static void
test_one_at_a_time (Fixture *self,
                    gconstpointer data)
{
  fp_collector_set_visible (self->collector, TRUE);
  wait_ms (80);
  g_assert_cmpuint (self->source->n_calls, ==, 1);
  answer (self, 0);
  wait_ms (80);
  g_assert_cmpuint (self->source->n_calls, ==, 1);
  fp_collector_shown (self->collector);
  wait_ms (80);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
  answer (self, 0);
}

/* The first picture is asked for in the shortest slice, and what is pending at once. */
static void
test_first_picture (Fixture *self,
                    gconstpointer data)
{
  fp_collector_set_interval (self->collector, 60 * 1000);
  fp_collector_set_visible (self->collector, TRUE);
  g_assert_cmpuint (self->source->last.slice_us, <, 1000);
  g_assert_cmpuint (self->source->last.slice_us, >, 0);
  answer (self, 5);
  fp_collector_shown (self->collector);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
  g_assert_cmpuint (self->source->last.slice_us, >, 10000);
  answer (self, 0);
  fp_collector_shown (self->collector);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
}

static void
test_paused (Fixture *self,
             gconstpointer data)
{
  FpProcessId id = { 7, 70 };

  fp_collector_set_interval (self->collector, 0);
  fp_collector_set_visible (self->collector, TRUE);
  answer (self, 0);
  fp_collector_shown (self->collector);
  wait_ms (60);
  g_assert_cmpuint (self->source->n_calls, ==, 1);
  fp_collector_refresh (self->collector);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
  g_assert_true (self->source->last.refresh_all);
  answer (self, 0);
  fp_collector_shown (self->collector);
  fp_collector_measure (self->collector, &id);
  g_assert_cmpuint (self->source->n_calls, ==, 3);
  g_assert_cmpuint (self->source->last.n_wanted, ==, 1);
  g_assert_false (self->source->last.refresh_all);
  answer (self, 0);
}

/* A collection that was begun before a refresh does not answer it, and a pending one not wholly. */
static void
test_refresh (Fixture *self,
              gconstpointer data)
{
  fp_collector_set_visible (self->collector, TRUE);
  g_assert_false (fp_collector_awaits_refresh (self->collector));
  fp_collector_refresh (self->collector);
  g_assert_true (fp_collector_awaits_refresh (self->collector));
  answer (self, 0);
  g_assert_true (fp_collector_awaits_refresh (self->collector));
  fp_collector_shown (self->collector);
  g_assert_true (self->source->last.refresh_all);
  answer (self, 5);
  g_assert_true (fp_collector_awaits_refresh (self->collector));
  fp_collector_shown (self->collector);
  answer (self, 0);
  g_assert_false (fp_collector_awaits_refresh (self->collector));
}

static void
test_attention (Fixture *self,
                gconstpointer data)
{
  const FpProcessId ids[] = { { 3, 30 }, { 4, 40 } };

  fp_collector_set_attention (self->collector, ids, 2);
  fp_collector_set_visible (self->collector, TRUE);
  g_assert_cmpuint (self->source->last.n_attention, ==, 2);
  g_assert_cmpint (self->source->first_attention.pid, ==, 3);
  g_assert_cmpuint (self->source->first_attention.start_ticks, ==, 30);
  answer (self, 0);
}

/* The helper takes few at a time of many that are to be measured, and leaves none out. */
static void
test_many_wanted (Fixture *self,
                  gconstpointer data)
{
  guint n = 0;

  fp_collector_set_interval (self->collector, 0);
  for (int i = 1; i <= 40; i++)
    fp_collector_measure (self->collector, &(FpProcessId){ i, 1 });
  fp_collector_set_visible (self->collector, TRUE);
  while (self->source->task)
    {
      g_assert_cmpuint (self->source->last.n_wanted, <=, FP_HELPER_MAX_WANTED);
      n += self->source->last.n_wanted;
      answer (self, 0);
      fp_collector_shown (self->collector);
    }
  g_assert_cmpuint (n, ==, 40);
}

/* A failure is told, and the collection is tried again after the interval. */
static void
test_failure (Fixture *self,
              gconstpointer data)
{
  fp_collector_set_visible (self->collector, TRUE);
  g_task_return_new_error (self->source->task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "gone");
  g_clear_object (&self->source->task);
  wait_ms (100);
  g_assert_cmpuint (self->n_failed, ==, 1);
  g_assert_cmpuint (self->source->n_calls, ==, 2);
  answer (self, 0);
}

/* A result that comes after the window was closed is dropped. */
static void
test_late_result (Fixture *self,
                  gconstpointer data)
{
  fp_collector_set_visible (self->collector, TRUE);
  g_object_run_dispose (G_OBJECT (self->collector));
  g_clear_object (&self->collector);
  answer (self, 0);
  wait_ms (30);
  g_assert_cmpuint (self->n_collected, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *path;
    void (*func) (Fixture *self, gconstpointer data);
  } tests[] = {
    { "/collector/visibility", test_visibility },
    { "/collector/one-at-a-time", test_one_at_a_time },
    { "/collector/first-picture", test_first_picture },
    { "/collector/paused", test_paused },
    { "/collector/refresh", test_refresh },
    { "/collector/attention", test_attention },
    { "/collector/many-wanted", test_many_wanted },
    { "/collector/failure", test_failure },
    { "/collector/late-result", test_late_result },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return g_test_run ();
}
