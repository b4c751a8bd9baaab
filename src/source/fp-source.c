// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

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

  return FP_SOURCE_GET_IFACE (self)->collect_finish (self, result, error);
}
