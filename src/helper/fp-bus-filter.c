// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "fp-bus-filter.h"
#include "fp-bus-header.h"

/* GDBus takes a whole message apart before the first function of this program can look at it. Measured with GLib 2.74, that
 * costs 27 times its size (8 MB of a(it) became 210 MiB), and of structures within each other 400 times (64 KiB became 25 MiB
 * in 0.1 s). The bus passes on messages of up to 32 MiB from everybody, and MemoryMax would only make one user's message the
 * end of everybody's helper. It hands over one message after the other, so that whoever sends faster than they are taken makes
 * all others wait. So bytes from the bus come through here, and what no call needs is dropped; of an answer of the bus an error is
 * made, as its call waits for it. GDBus has its side of a socket pair, which has no name. */

static gboolean
read_all (GInputStream *from,
          char *buffer,
          gsize size)
{
  gsize n;

  return g_input_stream_read_all (from, buffer, size, &n, NULL, NULL) && n == size;
}

static gboolean
write_all (GSocketConnection *to,
           const char *buffer,
           gsize size)
{
  return g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (to)), buffer, size, NULL, NULL, NULL);
}

/* Signals that the helper asks for are sent to all. Of a call, only a list may be long; no number has five brackets in a row. */
static gboolean
is_welcome (const char *message,
            gsize size,
            FpAccounts *accounts)
{
  const char *sender = fp_bus_header_find (message, G_DBUS_MESSAGE_HEADER_FIELD_SENDER);
  const gboolean is_answer = message[1] == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || message[1] == G_DBUS_MESSAGE_TYPE_ERROR;

  /* An unknown field before it could hide the sender of a call. */
  if (!sender || *sender != ':')
    return sender || is_answer;
  if (message[1] == G_DBUS_MESSAGE_TYPE_SIGNAL)
    return !fp_bus_header_find (message, G_DBUS_MESSAGE_HEADER_FIELD_DESTINATION);
  return is_answer || (message[1] == G_DBUS_MESSAGE_TYPE_METHOD_CALL &&
                       size - fp_bus_header_get_list_size (message, size) <= FP_BUS_FILTER_MAX_REST &&
                       !memmem (message, size, "(((((", 5) && fp_accounts_admit (accounts, sender, size, g_get_monotonic_time ()));
}

/* In pieces as large as may be: GIO's own skipping takes 8 KiB at a time, and everybody waits behind what is skipped. */
static gboolean
skip (GInputStream *from,
      char *buffer,
      gsize size)
{
  gboolean is_ok = TRUE;

  for (; is_ok && size > 0; size -= MIN (size, FP_BUS_FILTER_MAX_MESSAGE))
    is_ok = read_all (from, buffer, MIN (size, FP_BUS_FILTER_MAX_MESSAGE));
  return is_ok;
}

/* Lines come first, which the bus writes in capitals; a message begins with its byte order. */
static gboolean
pass_line (GInputStream *from,
           GSocketConnection *to,
           char first)
{
  char line[1024] = { first };
  gsize length = 1;

  while (line[length - 1] != '\n')
    if (length == sizeof line || !read_all (from, line + length++, 1))
      return FALSE;
  return write_all (to, line, length);
}

static gboolean
pass_message (GInputStream *from,
              GSocketConnection *to,
              char *buffer,
              FpAccounts *accounts)
{
  g_autofree guchar *refusal = NULL;
  gsize refusal_size;
  gssize size;

  if (!read_all (from, buffer + 1, FP_BUS_HEADER_SIZE - 1))
    return FALSE;
  size = g_dbus_message_bytes_needed ((guchar *)buffer, FP_BUS_HEADER_SIZE, NULL);
  if (size > FP_BUS_FILTER_MAX_MESSAGE)
    {
      if (!read_all (from, buffer + FP_BUS_HEADER_SIZE, FP_BUS_FILTER_MAX_MESSAGE - FP_BUS_HEADER_SIZE))
        return FALSE;
      refusal = fp_bus_header_refuse_answer (buffer, FP_BUS_FILTER_MAX_MESSAGE, &refusal_size);
      return skip (from, buffer, (gsize)size - FP_BUS_FILTER_MAX_MESSAGE) && (!refusal || write_all (to, (char *)refusal, refusal_size));
    }
  if (size < FP_BUS_HEADER_SIZE || !read_all (from, buffer + FP_BUS_HEADER_SIZE, (gsize)size - FP_BUS_HEADER_SIZE))
    return FALSE;
  return !is_welcome (buffer, (gsize)size, accounts) || !fp_bus_message_is_sound (buffer, (gsize)size) ||
         write_all (to, buffer, (gsize)size);
}

static void
end (const FpBusFilter *self)
{
  g_socket_shutdown (g_socket_connection_get_socket (self->bus), TRUE, TRUE, NULL);
  g_socket_shutdown (g_socket_connection_get_socket (self->inside), TRUE, TRUE, NULL);
}

gpointer
fp_bus_filter_in_worker (gpointer data)
{
  const FpBusFilter *self = data;
  g_autoptr (GInputStream) stream =
      g_buffered_input_stream_new_sized (g_io_stream_get_input_stream (G_IO_STREAM (self->bus)), FP_BUS_FILTER_MAX_MESSAGE);
  g_autofree char *buffer = g_malloc (FP_BUS_FILTER_MAX_MESSAGE);
  gboolean goes_on = TRUE;

  while (goes_on && read_all (stream, buffer, 1))
    goes_on = *buffer == 'l' || *buffer == 'B' ? pass_message (stream, self->inside, buffer, self->accounts)
                                               : pass_line (stream, self->inside, *buffer);
  end (self);
  return NULL;
}

static gboolean
pass_chunk (GSocketConnection *from,
            GSocketConnection *to)
{
  char data[8192];
  GInputVector input = { data, sizeof data };
  GSocketControlMessage **messages = NULL;
  int n_messages = 0;
  gssize n = g_socket_receive_message (g_socket_connection_get_socket (from), NULL, &input, 1, &messages, &n_messages, NULL, NULL, NULL);
  GOutputVector output = { data, (gsize)MAX (n, 0) };
  gssize n_sent = 0;

  if (n > 0)
    n_sent = g_socket_send_message (g_socket_connection_get_socket (to), NULL, &output, 1, messages, n_messages, 0, NULL, NULL);
  for (int i = 0; i < n_messages; i++)
    g_object_unref (messages[i]);
  g_free (messages);
  return n_sent > 0 && write_all (to, data + n_sent, (gsize)(n - n_sent));
}

/* The helper's own messages, with the descriptors that it passes. */
gpointer
fp_bus_filter_out_worker (gpointer data)
{
  const FpBusFilter *self = data;

  while (pass_chunk (self->inside, self->bus))
    ;
  end (self);
  return NULL;
}

/* Takes the descriptor. */
static GSocketConnection *
connection_new (int fd,
                GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (fd, error);

  return socket ? g_socket_connection_factory_create_connection (socket) : NULL;
}

GDBusConnection *
fp_bus_filter_connect (FpAccounts *accounts,
                       GError **error)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, error);
  g_autoptr (GIOStream) bus = address ? g_dbus_address_get_stream_sync (address, NULL, NULL, error) : NULL;
  g_autoptr (GSocketConnection) inside = NULL, outside = NULL;
  FpBusFilter *filter;
  int pair[2];

  if (!bus)
    return NULL;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (errno), "%s", g_strerror (errno));
      return NULL;
    }
  if (!(inside = connection_new (pair[0], error)) || !(outside = connection_new (pair[1], error)))
    return NULL;
  filter = g_new (FpBusFilter, 1);
  *filter = (FpBusFilter){ G_SOCKET_CONNECTION (g_steal_pointer (&bus)), g_steal_pointer (&outside), accounts };
  g_thread_unref (g_thread_new ("bus-in", fp_bus_filter_in_worker, filter));
  g_thread_unref (g_thread_new ("bus-out", fp_bus_filter_out_worker, filter));
  return g_dbus_connection_new_sync (
      G_IO_STREAM (inside), NULL,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, error);
}
