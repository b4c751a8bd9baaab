// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* For a test that has nothing else to do meanwhile: the callback, its data being where the result is to go, and the
 * wait for it. */
void async_result_cb (GObject *object, GAsyncResult *result, gpointer data);
GAsyncResult *async_result_await (GAsyncResult **result);

G_END_DECLS
