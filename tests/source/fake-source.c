// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake-source.h"

static void fake_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeSource,
                               fake_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fake_source_iface_init))

static void
fake_source_collect_async (FpSource *source,
                           const FpSweepRequest *request,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer data)
{
  FakeSource *self = FAKE_SOURCE (source);
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);
  FpSnapshot *snapshot;

  self->n_collections++;
  if (self->problem)
    {
      g_task_return_error (task, g_error_copy (self->problem));
      return;
    }
  snapshot = fp_snapshot_pool_take (self->pool, 1);
  snapshot->n_processes = 0;
  g_task_return_pointer (task, snapshot, (GDestroyNotify)fp_snapshot_unref);
}

static void
fake_source_load_details_async (FpSource *source,
                                const FpProcessId *id,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);

  FAKE_SOURCE (source)->n_details++;
  g_task_return_pointer (task, fp_details_new (), (GDestroyNotify)fp_details_free);
}

static void
fake_source_map_pages_async (FpSource *source,
                             const FpProcessId *id,
                             const FpPageRange *range,
                             GCancellable *cancellable,
                             GFileProgressCallback progress,
                             gpointer progress_data,
                             GAsyncReadyCallback callback,
                             gpointer data)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, data);

  FAKE_SOURCE (source)->n_maps++;
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No such mapping");
}

static void
fake_source_iface_init (FpSourceInterface *iface)
{
  iface->collect_async = fake_source_collect_async;
  iface->load_details_async = fake_source_load_details_async;
  iface->map_pages_async = fake_source_map_pages_async;
}

static void
fake_source_finalize (GObject *object)
{
  FakeSource *self = FAKE_SOURCE (object);

  g_clear_error (&self->problem);
  fp_snapshot_pool_unref (self->pool);

  G_OBJECT_CLASS (fake_source_parent_class)->finalize (object);
}

static void
fake_source_class_init (FakeSourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fake_source_finalize;
}

static void
fake_source_init (FakeSource *self)
{
  self->pool = fp_snapshot_pool_new ();
}

FakeSource *
fake_source_new (void)
{
  return g_object_new (FAKE_TYPE_SOURCE, NULL);
}

/* From now on, until it is mended. */
void
fake_source_fail (FakeSource *self,
                  GQuark domain,
                  gint code,
                  const char *message)
{
  g_clear_error (&self->problem);
  self->problem = g_error_new_literal (domain, code, message);
}

void
fake_source_mend (FakeSource *self)
{
  g_clear_error (&self->problem);
}
