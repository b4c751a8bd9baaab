// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

/* For a test that has nothing else to do meanwhile: the callback, its data being where the result is to go, and the
 * wait for it. */
void async_result_cb (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *async_result_await (GAsyncResult **result);

/* The same for a request to a source; the caller owns the answer. */
gpointer async_result_ask (FpSource *source, const FpSourceRequest *request, GCancellable *cancellable, GError **error);

G_END_DECLS
