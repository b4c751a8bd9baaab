// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <errno.h>
#include <gio/gunixconnection.h>
#include <glib-unix.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "fp-gate.h"

#define HEADER_SIZE 16
#define MAX_FDS     16

/* GDBus takes a message apart before anybody can look at it, at 27 times its size, and the bus passes on 32 MiB of
 * anybody's. So bytes from the bus go through here first: what is too big for any call of ours is skipped unseen. */

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

static guint64
get_message_size (const char *header)
{
  guint32 body, fields;

  memcpy (&body, header + 4, sizeof body);
  memcpy (&fields, header + 12, sizeof fields);
  body = header[0] == 'l' ? GUINT32_FROM_LE (body) : GUINT32_FROM_BE (body);
  fields = header[0] == 'l' ? GUINT32_FROM_LE (fields) : GUINT32_FROM_BE (fields);
  return HEADER_SIZE + (((guint64)fields + 7) & ~G_GUINT64_CONSTANT (7)) + body;
}

static gboolean
skip (int fd,
      guint64 size)
{
  char buffer[4096];

  while (size > 0)
    {
      gsize n = (gsize)MIN (size, sizeof buffer);

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
              char *buffer)
{
  guint64 size;

  if (!read_all (from, buffer + 1, HEADER_SIZE - 1))
    return FALSE;
  size = get_message_size (buffer);
  if (size > FP_GATE_MAX_MESSAGE)
    {
      g_message ("passed over a message of %" G_GUINT64_FORMAT " bytes", size);
      return skip (from, size - HEADER_SIZE);
    }
  return read_all (from, buffer + HEADER_SIZE, (gsize)size - HEADER_SIZE) && write_all (to, buffer, (gsize)size);
}

void
fp_gate_pass_in (int from,
                 int to)
{
  g_autofree char *buffer = g_malloc (FP_GATE_MAX_MESSAGE);
  gboolean goes_on = TRUE;

  while (goes_on && read_all (from, buffer, 1))
    goes_on = *buffer == 'l' || *buffer == 'B' ? pass_message (from, to, buffer) : pass_line (from, to, *buffer);
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

/* What the helper itself says, with the descriptors it hands over. */
void
fp_gate_pass_out (int from,
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
} Way;

static gpointer
in_worker (gpointer data)
{
  g_autofree Way *way = data;

  fp_gate_pass_in (way->from, way->to);
  return NULL;
}

static gpointer
out_worker (gpointer data)
{
  g_autofree Way *way = data;

  fp_gate_pass_out (way->from, way->to);
  return NULL;
}

static void
start (GThreadFunc worker,
       const char *name,
       int from,
       int to)
{
  Way way = { from, dup (to) };

  g_thread_unref (g_thread_new (name, worker, g_memdup2 (&way, sizeof way)));
}

typedef struct
{
  int listener, bus;
} Door;

/* For this process alone, once. */
static gpointer
door_worker (gpointer data)
{
  g_autofree Door *door = data;
  struct ucred peer = { 0 };
  socklen_t size = sizeof peer;
  int inside = accept4 (door->listener, NULL, NULL, SOCK_CLOEXEC);

  close (door->listener);
  if (inside >= 0 && getsockopt (inside, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == getpid ())
    {
      start (in_worker, "gate-in", door->bus, inside);
      start (out_worker, "gate-out", inside, door->bus);
      return NULL;
    }
  if (inside >= 0)
    close (inside);
  close (door->bus);
  return NULL;
}

static char *
listen_at (int listener)
{
  struct sockaddr_un name = { .sun_family = AF_UNIX };
  socklen_t size = sizeof name.sun_family;

  /* Without a name it gets one that nobody else has. */
  if (bind (listener, (const struct sockaddr *)&name, size) != 0 || listen (listener, 1) != 0)
    return NULL;
  size = sizeof name;
  if (getsockname (listener, (struct sockaddr *)&name, &size) != 0)
    return NULL;
  return g_strdup_printf ("unix:abstract=%.*s", (int)(size - sizeof name.sun_family - 1), name.sun_path + 1);
}

/* It is that of g_bus_get(), so that polkit's library is behind the gate as well. */
GDBusConnection *
fp_gate_get_bus (GError **error)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, error);
  g_autoptr (GIOStream) stream = address ? g_dbus_address_get_stream_sync (address, NULL, NULL, error) : NULL;
  g_autofree char *door_address = NULL;
  Door door;

  if (!stream)
    return NULL;
  door.bus = dup (g_socket_get_fd (g_socket_connection_get_socket (G_SOCKET_CONNECTION (stream))));
  door.listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (door.bus < 0 || door.listener < 0 || !(door_address = listen_at (door.listener)))
    {
      g_set_error (error, G_IO_ERROR, (gint)g_io_error_from_errno (errno), "%s", g_strerror (errno));
      return NULL;
    }
  g_unix_set_fd_nonblocking (door.bus, FALSE, NULL);
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", door_address, TRUE);
  g_thread_unref (g_thread_new ("gate", door_worker, g_memdup2 (&door, sizeof door)));
  return g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, error);
}
