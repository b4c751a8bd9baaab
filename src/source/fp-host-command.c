// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-host-command.h"
#include "fp-messages.h"

#define FLATPAK_NAME      "org.freedesktop.Flatpak"
#define FLATPAK_PATH      "/org/freedesktop/Flatpak/Development"
#define FLATPAK_INTERFACE "org.freedesktop.Flatpak.Development"
#define FLAG_CLEAR_ENV    1u /* an LD_PRELOAD of the host is for another libc */
#define FLAG_WATCH_BUS    2u
#define END_KEY           "footprint-host-command-end"
#define TIMEOUT_MS        (10 * 1000)

/* How it ends, as waitpid says it, and what it said last. It is the subscription's, which calls back in the thread that
 * it was made in, and for the last time after it was given up. */
typedef struct
{
  GDBusConnection *bus;
  guint subscription;
  guint32 pid;       /* on the host; 0: not known yet */
  guint32 ended_pid; /* the last that ended, perhaps before pid is known */
  int status;
  FpMessages *messages; /* from the start on */
  GTask *waiting;       /* or NULL */
} End;

typedef struct
{
  int status;
  char *words;
} Farewell;

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
farewell_free (gpointer data)
{
  g_free (((Farewell *)data)->words);
  g_free (data);
}

/* Takes the words. */
static void
return_end (GTask *waiting,
            int status,
            char *words)
{
  Farewell farewell = { status, words };

  g_task_return_pointer (waiting, g_memdup2 (&farewell, sizeof farewell), farewell_free);
}

static void
end_free (gpointer data)
{
  End *end = data;

  g_object_unref (end->bus);
  if (end->waiting)
    return_end (end->waiting, -1, NULL);
  g_clear_object (&end->waiting);
  g_clear_pointer (&end->messages, fp_messages_unref);
  g_free (end);
}

/* In whatever thread lets go of the stream: GDBus's own, when that was the last to use it. */
static void
end_give_up (gpointer data)
{
  End *end = data;
  g_autoptr (GDBusConnection) bus = g_object_ref (end->bus);

  g_dbus_connection_signal_unsubscribe (bus, end->subscription);
}

static void
all_said_cb (GObject *object,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (GTask) waiting = data;

  return_end (waiting, GPOINTER_TO_INT (g_task_get_task_data (waiting)), fp_messages_await_finish (result));
}

/* Takes the task. */
static void
tell_end (End *end,
          GTask *waiting)
{
  g_task_set_task_data (waiting, GINT_TO_POINTER (end->status), NULL);
  fp_messages_await_async (end->messages, all_said_cb, waiting);
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
    tell_end (end, g_steal_pointer (&end->waiting));
}

static End *
end_new (GDBusConnection *bus)
{
  End *end = g_new0 (End, 1);

  end->bus = g_object_ref (bus);
  end->subscription =
      g_dbus_connection_signal_subscribe (bus, FLATPAK_NAME, FLATPAK_INTERFACE, "HostCommandExited", FLATPAK_PATH, NULL,
                                          G_DBUS_SIGNAL_FLAGS_NONE, exited_cb, end, end_free);
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
  g_clear_pointer (&start->end, end_give_up);
  g_strfreev (start->argv);
  g_free (start);
}

static void
started_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GInputStream) messages = NULL;
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
  messages = g_unix_input_stream_new (start->messages[0], TRUE);
  start->messages[0] = -1;
  start->end->messages = fp_messages_new (messages, "on the host");
  stream = g_socket_connection_factory_create_connection (socket);
  g_variant_get (reply, "(u)", &start->end->pid);
  g_object_set_data_full (G_OBJECT (stream), END_KEY, g_steal_pointer (&start->end), end_give_up);
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
    return_end (task, -1, NULL);
  else if (end->ended_pid == end->pid)
    tell_end (end, g_steal_pointer (&task));
  else
    end->waiting = g_steal_pointer (&task);
}

/* -1: nobody knows. words: the last that it said, or NULL */
int
fp_host_command_wait_finish (GAsyncResult *result,
                             char **words)
{
  Farewell *farewell = g_task_propagate_pointer (G_TASK (result), NULL);
  int status = farewell->status;

  *words = g_steal_pointer (&farewell->words);
  farewell_free (farewell);
  return status;
}
