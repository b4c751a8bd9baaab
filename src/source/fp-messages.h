// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The messages that a started program writes to its standard error. They go into the log, and are read until their end,
 * because the pipe would be full some day. */
typedef struct _FpMessages FpMessages;

FpMessages *fp_messages_new (GInputStream *stream, const char *of_whom);
FpMessages *fp_messages_ref (FpMessages *self);
void fp_messages_unref (gpointer self);
void fp_messages_await_async (FpMessages *self, GAsyncReadyCallback callback, gpointer data);
char *fp_messages_await_finish (GAsyncResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMessages, fp_messages_unref)

G_END_DECLS
