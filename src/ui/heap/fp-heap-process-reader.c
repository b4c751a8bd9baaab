// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-heap-process-reader.h"
#include "fp-heap-process.h"

#define ATTRIBUTES G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC

typedef struct
{
  FpSource *source;
  FpHeapProfile *profile;
  gint pid;
  guint64 modified_us;
} Order;

static void
order_free (gpointer data)
{
  Order *self = data;

  g_object_unref (self->source);
  fp_heap_profile_unref (self->profile);
  g_free (self);
}

void
fp_heap_process_free (FpHeapProcess *self)
{
  fp_mappings_unref (self->mappings);
  g_free (self);
}

static void
mappings_cb (GObject *source,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  const Order *order = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappings) mappings = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_MAPPINGS, result, &error);
  FpHeapProcess *process;

  if (!mappings)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  process = g_new (FpHeapProcess, 1);
  *process = (FpHeapProcess){ order->pid, g_steal_pointer (&mappings) };
  g_task_return_pointer (task, process, (GDestroyNotify)fp_heap_process_free);
}

static void
snapshot_cb (GObject *source,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) task = data;
  const Order *order = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_COLLECT, result, &error);
  const FpProcess *process = snapshot ? fp_heap_process_find (order->profile, order->pid, order->modified_us, snapshot) : NULL;
  FpSourceRequest request = { .kind = FP_REQUEST_MAPPINGS };

  if (!snapshot)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  if (!process)
    {
      g_task_return_pointer (task, NULL, NULL);
      return;
    }
  request.id = (FpProcessId){ process->pid, process->start_ticks };
  fp_source_request_async (order->source, &request, g_task_get_cancellable (task), mappings_cb, g_object_ref (task));
}

static void
info_cb (GObject *file,
         GAsyncResult *result,
         gpointer data)
{
  g_autoptr (GTask) task = data;
  Order *order = g_task_get_task_data (task);
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep = { .only_lists = TRUE } };
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (file), result, &error);

  if (!info)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  order->modified_us = g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC +
                       g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  fp_source_request_async (order->source, &request, g_task_get_cancellable (task), snapshot_cb, g_object_ref (task));
}

void
fp_heap_process_read_async (FpSource *source,
                            FpHeapProfile *profile,
                            GFile *file,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  g_autofree char *name = g_file_get_basename (file);
  Order *order = g_new0 (Order, 1);

  *order = (Order){ g_object_ref (source), fp_heap_profile_ref (profile), name ? fp_heap_process_guess_pid (name) : 0, 0 };
  g_task_set_source_tag (task, fp_heap_process_read_async);
  g_task_set_task_data (task, order, order_free);
  if (order->pid == 0)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_file_query_info_async (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT, cancellable, info_cb,
                             g_object_ref (task));
}

FpHeapProcess *
fp_heap_process_read_finish (GAsyncResult *result,
                             GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
