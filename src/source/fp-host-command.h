// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A program outside the Flatpak. The stream is its standard input and output; what it writes to standard error goes
 * into the log. It ends with this process, whatever that ends of. */
void fp_host_command_start_async (const char *const *argv,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer data);
GIOStream *fp_host_command_start_finish (GAsyncResult *result, GError **error);

/* stream: of a program that is about to end */
void fp_host_command_wait_async (GIOStream *stream, GAsyncReadyCallback callback, gpointer data);
int fp_host_command_wait_finish (GAsyncResult *result, char **words);

G_END_DECLS
