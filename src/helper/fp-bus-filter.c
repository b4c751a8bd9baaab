// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <errno.h>
#include <gio/gunixconnection.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-bus-filter.h"

#define HEADER_SIZE 16
#define MAX_FDS     16

/* Codes of header fields */
#define DESTINATION 6
#define SENDER      7

/* GDBus takes a whole message apart before the first function of this program can look at it, which costs 27 times its
 * size (measured with GLib 2.74: 8 MB of a(it) became 210 MiB). The bus passes on messages of up to 32 MiB from everybody,
 * and MemoryMax would only make one user's message the end of everybody's helper. So bytes from the bus come through here:
 * a message that is too big for any call is skipped unseen.
 *
 * The bus hands over one message after the other, so whoever sends faster than they are taken makes all others wait. To
 * take one apart and refuse it costs GDBus 100 µs (measured beside a crowd), to drop it here costs some reads.
 *
 * GDBus has its side of a socket pair, which has no name that others could connect to. */

static gboolean
read_all (int fd,
          char *buffer,
          gsize size)
{
  while (size > 0)
    {
      gssize n = recv (fd, buffer, size, 0);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      buffer += n;
      size -= (gsize)n;
    }
  return TRUE;
}

static gboolean
write_all (int fd,
           const char *buffer,
           gsize size)
{
  while (size > 0)
    {
      gssize n = send (fd, buffer, size, MSG_NOSIGNAL);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      buffer += n;
      size -= (gsize)n;
    }
  return TRUE;
}

static guint32
get_number (const char *message,
            gsize at)
{
  guint32 number;

  memcpy (&number, message + at, sizeof number);
  return message[0] == 'l' ? GUINT32_FROM_LE (number) : GUINT32_FROM_BE (number);
}

static guint64
get_message_size (const char *header)
{
  return HEADER_SIZE + (((guint64)get_number (header, 12) + 7) & ~G_GUINT64_CONSTANT (7)) + get_number (header, 4);
}

/* Or NULL; code: of a field whose value is text. Each field is a struct of its code and a variant. */
static const char *
find_field (const char *message,
            guint8 code)
{
  const gsize end = HEADER_SIZE + get_number (message, 12);
  gsize size;

  for (gsize at = HEADER_SIZE; at + 6 <= end; at = (at + size + 7) & ~(gsize)7)
    {
      const guint8 this_code = (guint8)message[at];
      const char type = message[at + 1] == 1 ? message[at + 2] : '\0';

      at += 4;
      if (type == 'u')
        size = sizeof (guint32);
      else if (type == 'g')
        size = (guint8)message[at] + 2u;
      else if ((type == 's' || type == 'o') && end - at >= 5)
        size = get_number (message, at) + (gsize)5;
      else
        return NULL;
      if (size > end - at)
        return NULL;
      if (this_code == code && (type == 's' || type == 'o') && message[at + size - 1] == '\0')
        return message + at + 4;
    }
  return NULL;
}

/* Signals that the helper asks for are sent to all. */
static gboolean
is_welcome (const char *message,
            FpAccounts *accounts)
{
  const char *sender = find_field (message, SENDER);

  if (!sender || *sender != ':')
    return TRUE;
  if (message[1] == G_DBUS_MESSAGE_TYPE_SIGNAL)
    return !find_field (message, DESTINATION);
  return message[1] != G_DBUS_MESSAGE_TYPE_METHOD_CALL ||
         fp_accounts_admit (accounts, FP_GATE_ANSWER, sender, g_get_monotonic_time ());
}

static gboolean
skip (int fd,
      char *buffer,
      guint64 size)
{
  while (size > 0)
    {
      gsize n = (gsize)MIN (size, FP_BUS_FILTER_MAX_MESSAGE);

      if (!read_all (fd, buffer, n))
        return FALSE;
      size -= n;
    }
  return TRUE;
}

/* Lines come first, which the bus writes in capitals; a message begins with its byte order. */
static gboolean
pass_line (int from,
           int to,
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
pass_message (int from,
              int to,
              char *buffer,
              FpAccounts *accounts)
{
  guint64 size;

  if (!read_all (from, buffer + 1, HEADER_SIZE - 1))
    return FALSE;
  size = get_message_size (buffer);
  if (size > FP_BUS_FILTER_MAX_MESSAGE)
    {
      g_message ("passed over a message of %" G_GUINT64_FORMAT " bytes", size);
      return skip (from, buffer, size - HEADER_SIZE);
    }
  if (!read_all (from, buffer + HEADER_SIZE, (gsize)size - HEADER_SIZE))
    return FALSE;
  return !is_welcome (buffer, accounts) || write_all (to, buffer, (gsize)size);
}

void
fp_bus_filter_pass_in (int from,
                       int to,
                       FpAccounts *accounts)
{
  g_autofree char *buffer = g_malloc (FP_BUS_FILTER_MAX_MESSAGE);
  gboolean goes_on = TRUE;

  while (goes_on && read_all (from, buffer, 1))
    goes_on = *buffer == 'l' || *buffer == 'B' ? pass_message (from, to, buffer, accounts) : pass_line (from, to, *buffer);
  shutdown (from, SHUT_RDWR);
  shutdown (to, SHUT_RDWR);
  close (to);
}

static gboolean
pass_chunk (int from,
            int to)
{
  char data[8192];
  union
  {
    struct cmsghdr align;
    char bytes[CMSG_SPACE (sizeof (int) * MAX_FDS)];
  } control;
  struct iovec part = { data, sizeof data };
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
  };
  gssize n = recvmsg (from, &message, MSG_CMSG_CLOEXEC);
  gssize n_sent;

  if (n <= 0)
    return n < 0 && errno == EINTR;
  part.iov_len = (gsize)n;
  n_sent = sendmsg (to, &message, MSG_NOSIGNAL);
  for (struct cmsghdr *part_of = CMSG_FIRSTHDR (&message); part_of; part_of = CMSG_NXTHDR (&message, part_of))
    if (part_of->cmsg_level == SOL_SOCKET && part_of->cmsg_type == SCM_RIGHTS)
      for (gsize i = 0; i < (part_of->cmsg_len - CMSG_LEN (0)) / sizeof (int); i++)
        close (((const int *)(const void *)CMSG_DATA (part_of))[i]);
  return n_sent > 0 && write_all (to, data + n_sent, (gsize)(n - n_sent));
}

/* The helper's own messages, with the descriptors that it passes. */
void
fp_bus_filter_pass_out (int from,
                        int to)
{
  while (pass_chunk (from, to))
    ;
  shutdown (from, SHUT_RDWR);
  shutdown (to, SHUT_RDWR);
  close (to);
}

typedef struct
{
  int from, to;
  FpAccounts *accounts;
} Way;

static gpointer
in_worker (gpointer data)
{
  g_autofree Way *way = data;

  fp_bus_filter_pass_in (way->from, way->to, way->accounts);
  return NULL;
}

static gpointer
out_worker (gpointer data)
{
  g_autofree Way *way = data;

  fp_bus_filter_pass_out (way->from, way->to);
  return NULL;
}

static void
start (GThreadFunc worker,
       const char *name,
       int from,
       int to,
       FpAccounts *accounts)
{
  Way way = { from, dup (to), accounts };

  g_thread_unref (g_thread_new (name, worker, g_memdup2 (&way, sizeof way)));
}

GDBusConnection *
fp_bus_filter_connect (FpAccounts *accounts,
                       GError **error)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, error);
  g_autoptr (GIOStream) stream = address ? g_dbus_address_get_stream_sync (address, NULL, NULL, error) : NULL;
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) inside = NULL;
  int pair[2], bus;

  if (!stream)
    return NULL;
  bus = dup (g_socket_get_fd (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream))));
  if (bus < 0 || socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    {
      g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (errno), "%s", g_strerror (errno));
      return NULL;
    }
  g_unix_set_fd_nonblocking (bus, FALSE, NULL);
  start (in_worker, "bus-in", bus, pair[0], accounts);
  start (out_worker, "bus-out", pair[0], bus, accounts);
  if (!(socket = g_socket_new_from_fd (pair[1], error)))
    return NULL;
  inside = g_socket_connection_factory_create_connection (socket);
  return g_dbus_connection_new_sync (
      G_IO_STREAM (inside), NULL,
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL, error);
}
