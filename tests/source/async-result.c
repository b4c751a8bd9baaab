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
