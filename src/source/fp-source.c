// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-source.h"

G_DEFINE_INTERFACE (FpSource, fp_source, G_TYPE_OBJECT)

static void
fp_source_default_init (FpSourceInterface *iface)
{
}

/* The request is copied. It comes back when its slice of time is over, with every record; those not walked yet are
 * pending. */
void
fp_source_collect_async (FpSource *self,
                         const FpSweepRequest *request,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data)
{
  g_return_if_fail (FP_IS_SOURCE (self));

  FP_SOURCE_GET_IFACE (self)->collect_async (self, request, cancellable, callback, data);
}

FpSnapshot *
fp_source_collect_finish (FpSource *self,
                          GAsyncResult *result,
                          GError **error)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Full smaps, which holds the process up while it is read: only when its user asks for it. Whoever reads it here tells
 * meanwhile, where that is known, how many bytes of the resident memory are behind; a helper tells nothing. */
void
fp_source_load_mappings_async (FpSource *self,
                               const FpProcessId *id,
                               gboolean may_ask,
                               GCancellable *cancellable,
                               GFileProgressCallback progress,
                               gpointer progress_data,
                               GAsyncReadyCallback callback,
                               gpointer data)
{
  g_return_if_fail (FP_IS_SOURCE (self));

  if (FP_SOURCE_GET_IFACE (self)->load_mappings_async)
    FP_SOURCE_GET_IFACE (self)->load_mappings_async (self, id, may_ask, cancellable, progress, progress_data, callback,
                                                     data);
  else
    g_task_report_new_error (self, callback, data, fp_source_load_mappings_async, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("A saved snapshot has no mappings"));
}

FpMappings *
fp_source_load_mappings_finish (FpSource *self,
                                GAsyncResult *result,
                                GError **error)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Free them with fp_details_free (). */
void
fp_source_load_details_async (FpSource *self,
                              const FpProcessId *id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data)
{
  g_return_if_fail (FP_IS_SOURCE (self));

  if (FP_SOURCE_GET_IFACE (self)->load_details_async)
    FP_SOURCE_GET_IFACE (self)->load_details_async (self, id, cancellable, callback, data);
  else
    g_task_report_new_error (self, callback, data, fp_source_load_details_async, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("A saved snapshot has no details beyond what it shows"));
}

FpDetails *
fp_source_load_details_finish (FpSource *self,
                               GAsyncResult *result,
                               GError **error)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* In small pieces with pauses; meanwhile it tells of what part of the addresses it knows. Free the map with g_free (). */
void
fp_source_map_pages_async (FpSource *self,
                           const FpProcessId *id,
                           const FpPageRange *range,
                           GCancellable *cancellable,
                           GFileProgressCallback progress,
                           gpointer progress_data,
                           GAsyncReadyCallback callback,
                           gpointer data)
{
  g_return_if_fail (FP_IS_SOURCE (self));
  g_return_if_fail (range->start < range->end && range->max_bins > 0);

  if (FP_SOURCE_GET_IFACE (self)->map_pages_async)
    FP_SOURCE_GET_IFACE (self)->map_pages_async (self, id, range, cancellable, progress, progress_data, callback, data);
  else
    g_task_report_new_error (self, callback, data, fp_source_map_pages_async, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("Pages are shown of running processes that you may read yourself, on this machine"));
}

FpPageMap *
fp_source_map_pages_finish (FpSource *self,
                            GAsyncResult *result,
                            GError **error)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Reads full smaps in small pieces with pauses, to find what ending the members together gives back. Copies members. */
void
fp_source_load_ending_async (FpSource *self,
                             const FpEndingMember *members,
                             guint n,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data)
{
  g_return_if_fail (FP_IS_SOURCE (self));
  g_return_if_fail (n > 0);

  if (FP_SOURCE_GET_IFACE (self)->load_ending_async)
    FP_SOURCE_GET_IFACE (self)->load_ending_async (self, members, n, cancellable, callback, data);
  else
    g_task_report_new_error (self, callback, data, fp_source_load_ending_async, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                             _ ("A saved snapshot has no more than it shows"));
}

FpEnding *
fp_source_load_ending_finish (FpSource *self,
                              GAsyncResult *result,
                              GError **error)
{
  g_return_val_if_fail (FP_IS_SOURCE (self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
