// SPDX-License-Identifier: GPL-3.0-or-later
#include "async-result.h"

void
async_result_cb (GObject *object,
                 GAsyncResult *result,
                 gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

GAsyncResult *
async_result_await (GAsyncResult **result)
{
  while (!*result)
    g_main_context_iteration (NULL, TRUE);
  return *result;
}

gpointer
async_result_ask (FpSource *source,
                  const FpSourceRequest *request,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fp_source_request_async (source, request, cancellable, async_result_cb, &result);
  return fp_source_request_finish (source, request->kind, async_result_await (&result), error);
}
