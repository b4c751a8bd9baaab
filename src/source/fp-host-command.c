// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-host-command.h"

#define FLATPAK_NAME      "org.freedesktop.Flatpak"
#define FLATPAK_PATH      "/org/freedesktop/Flatpak/Development"
#define FLATPAK_INTERFACE "org.freedesktop.Flatpak.Development"
#define FLAG_CLEAR_ENV    1u /* an LD_PRELOAD of the host is for another libc */
#define FLAG_WATCH_BUS    2u
#define END_KEY           "footprint-host-command-end"
#define TIMEOUT_MS        (10 * 1000)

/* How it ends, as waitpid says it. */
typedef struct
{
  GDBusConnection *bus;
  guint subscription;
  guint32 pid;       /* there; 0: not told yet */
  guint32 ended_pid; /* the last that ended, perhaps before we were told which is ours */
  int status;
  GTask *waiting; /* or NULL */
} End;

typedef struct
{
  char **argv;
  int ends[2]; /* ours, the command's */
  int messages[2];
  End *end;
} Start;

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
end_free (gpointer data)
{
  End *end = data;

  g_dbus_connection_signal_unsubscribe (end->bus, end->subscription);
  g_object_unref (end->bus);
  if (end->waiting)
    g_task_return_int (end->waiting, -1);
  g_clear_object (&end->waiting);
  g_free (end);
}

static void
exited_cb (GDBusConnection *bus,
           const char *sender,
           const char *path,
           const char *interface,
           const char *name,
           GVariant *parameters,
           gpointer data)
{
  End *end = data;
  guint32 pid, status;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")))
    return;
  g_variant_get (parameters, "(uu)", &pid, &status);
  if (end->pid != 0 && pid != end->pid)
    return;
  end->status = (int)status;
  end->ended_pid = pid;
  if (end->waiting)
    g_task_return_int (end->waiting, end->status);
  g_clear_object (&end->waiting);
}

static End *
end_new (GDBusConnection *bus)
{
  End *end = g_new0 (End, 1);

  end->bus = g_object_ref (bus);
  end->subscription =
      g_dbus_connection_signal_subscribe (bus, FLATPAK_NAME, FLATPAK_INTERFACE, "HostCommandExited", FLATPAK_PATH, NULL,
                                          G_DBUS_SIGNAL_FLAGS_NONE, exited_cb, end, NULL);
  return end;
}

static void
start_free (gpointer data)
{
  Start *start = data;

  for (guint i = 0; i < 2; i++)
    {
      close_fd (&start->ends[i]);
      close_fd (&start->messages[i]);
    }
  g_clear_pointer (&start->end, end_free);
  g_strfreev (start->argv);
  g_free (start);
}

static void
line_read_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  GDataInputStream *stream = G_DATA_INPUT_STREAM (object);
  g_autofree char *line = g_data_input_stream_read_line_finish (stream, result, NULL, NULL);
  g_autofree char *text = NULL;

  if (!line)
    return;
  text = g_utf8_make_valid (line, -1);
  g_message ("on the host: %s", text);
  g_data_input_stream_read_line_async (stream, G_PRIORITY_LOW, NULL, line_read_cb, NULL);
}

/* Until the other side closes it. */
static void
drain_messages (int fd)
{
  g_autoptr (GInputStream) input = g_unix_input_stream_new (fd, TRUE);
  g_autoptr (GDataInputStream) stream = g_data_input_stream_new (input);

  g_data_input_stream_read_line_async (stream, G_PRIORITY_LOW, NULL, line_read_cb, NULL);
}

static void
started_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GSocket) socket = NULL;
  GSocketConnection *stream;
  Start *start = g_task_get_task_data (task);
  GError *error = NULL;

  reply = g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (object), NULL, result, &error);
  if (!reply || !(socket = g_socket_new_from_fd (start->ends[0], &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  start->ends[0] = -1;
  drain_messages (start->messages[0]);
  start->messages[0] = -1;
  stream = g_socket_connection_factory_create_connection (socket);
  g_variant_get (reply, "(u)", &start->end->pid);
  g_object_set_data_full (G_OBJECT (stream), END_KEY, g_steal_pointer (&start->end), end_free);
  g_task_return_pointer (task, stream, g_object_unref);
}

static gboolean
add_fd (GUnixFDList *fds,
        GVariantBuilder *map,
        guint number,
        int fd,
        GError **error)
{
  int handle = g_unix_fd_list_append (fds, fd, error);

  g_variant_builder_add (map, "{uh}", number, handle);
  return handle >= 0;
}

static void
connected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GUnixFDList) fds = g_unix_fd_list_new ();
  Start *start = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_finish (result, &error);
  g_auto (GVariantBuilder) map = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a{uh}"));

  if (!bus || !add_fd (fds, &map, STDIN_FILENO, start->ends[1], &error) ||
      !add_fd (fds, &map, STDOUT_FILENO, start->ends[1], &error) ||
      !add_fd (fds, &map, STDERR_FILENO, start->messages[1], &error))
    {
      g_task_return_error (task, error);
      return;
    }
  start->end = end_new (bus);
  g_dbus_connection_call_with_unix_fd_list (
      bus, FLATPAK_NAME, FLATPAK_PATH, FLATPAK_INTERFACE, "HostCommand",
      g_variant_new ("(^ay^aay@a{uh}@a{ss}u)", "/", start->argv, g_variant_builder_end (&map),
                     g_variant_new_array (G_VARIANT_TYPE ("{ss}"), NULL, 0), FLAG_CLEAR_ENV | FLAG_WATCH_BUS),
      G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, fds, g_task_get_cancellable (task), started_cb,
      g_object_ref (task));
  /* The list has its own: the other ends are to be the command's alone, or its end is never seen. */
  close_fd (&start->ends[1]);
  close_fd (&start->messages[1]);
}

void
fp_host_command_start_async (const char *const *argv,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Start *start = g_new (Start, 1);
  GError *error = NULL;

  *start = (Start){ g_strdupv ((char **)argv), { -1, -1 }, { -1, -1 }, NULL };
  g_task_set_source_tag (task, fp_host_command_start_async);
  g_task_set_task_data (task, start, start_free);
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, start->ends) != 0)
    g_task_return_new_error (task, G_IO_ERROR, (gint)g_io_error_from_errno (errno), "socketpair: %s", g_strerror (errno));
  else if (!g_unix_open_pipe (start->messages, FD_CLOEXEC, &error))
    g_task_return_error (task, error);
  else
    g_bus_get (G_BUS_TYPE_SESSION, cancellable, connected_cb, g_object_ref (task));
}

GIOStream *
fp_host_command_start_finish (GAsyncResult *result,
                              GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
fp_host_command_wait_async (GIOStream *stream,
                            GAsyncReadyCallback callback,
                            gpointer data)
{
  End *end = g_object_get_data (G_OBJECT (stream), END_KEY);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);

  g_task_set_source_tag (task, fp_host_command_wait_async);
  if (!end || end->waiting)
    g_task_return_int (task, -1);
  else if (end->ended_pid == end->pid)
    g_task_return_int (task, end->status);
  else
    end->waiting = g_steal_pointer (&task);
}

/* -1: nobody knows */
int
fp_host_command_wait_finish (GAsyncResult *result)
{
  return (int)g_task_propagate_int (G_TASK (result), NULL);
}
