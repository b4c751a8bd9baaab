// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake-source.h"

static void fake_source_iface_init (FpSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FakeSource,
                               fake_source,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FP_TYPE_SOURCE, fake_source_iface_init))

static void
fake_source_answer (FpSource *source,
                    const FpSourceRequest *request,
                    GTask *task)
{
  FakeSource *self = FAKE_SOURCE (source);
  FpSnapshot *snapshot;

  switch ((int)request->kind)
    {
    case FP_REQUEST_COLLECT:
      self->n_collections++;
      if (self->problem)
        {
          fp_source_answer (task, NULL, g_error_copy (self->problem));
          return;
        }
      snapshot = fp_snapshot_pool_take (self->pool, 1);
      snapshot->n_processes = 0;
      fp_source_answer (task, snapshot, NULL);
      return;
    case FP_REQUEST_DETAILS:
      self->n_details++;
      fp_source_answer (task, fp_details_new (), NULL);
      return;
    case FP_REQUEST_PAGES:
      self->n_maps++;
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No such mapping");
      return;
    case FP_REQUEST_CONTROL_GROUPS:
      self->n_groups++;
      g_ptr_array_add (self->waiting, g_object_ref (task));
      if (!self->is_slow)
        fake_source_answer_groups (self);
      return;
    case FP_REQUEST_KEPT:
      self->n_kept++;
      fp_source_answer (task, fp_kept_new (), NULL);
      return;
    case FP_REQUEST_MAPPED_FILES:
      self->n_sums++;
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED, "No password was given");
      return;
    default:
      g_assert_not_reached ();
    }
}

static void
fake_source_unlock (FpSource *source,
                    GTask *task)
{
  FakeSource *self = FAKE_SOURCE (source);

  self->n_unlocks++;
  if (self->problem)
    g_task_return_error (task, g_error_copy (self->problem));
  else
    g_task_return_boolean (task, TRUE);
}

static void
fake_source_lock (FpSource *source)
{
  FAKE_SOURCE (source)->n_locks++;
}

static void
fake_source_iface_init (FpSourceInterface *iface)
{
  iface->kinds = FP_REQUEST_BIT (FP_REQUEST_COLLECT) | FP_REQUEST_BIT (FP_REQUEST_DETAILS) |
                 FP_REQUEST_BIT (FP_REQUEST_PAGES) | FP_REQUEST_BIT (FP_REQUEST_CONTROL_GROUPS) | FP_REQUEST_BIT (FP_REQUEST_KEPT) |
                 FP_REQUEST_BIT (FP_REQUEST_MAPPED_FILES);
  iface->answer = fake_source_answer;
  iface->unlock = fake_source_unlock;
  iface->lock = fake_source_lock;
}

static void
fake_source_finalize (GObject *object)
{
  FakeSource *self = FAKE_SOURCE (object);

  g_clear_error (&self->problem);
  g_ptr_array_unref (self->waiting);
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
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
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

void
fake_source_answer_groups (FakeSource *self)
{
  for (guint i = 0; i < self->waiting->len; i++)
    fp_source_answer (self->waiting->pdata[i], fp_control_groups_new (0), NULL);
  g_ptr_array_set_size (self->waiting, 0);
}
