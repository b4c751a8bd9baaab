// SPDX-License-Identifier: GPL-3.0-or-later
#include <gio/gunixfdlist.h>
#include <string.h>
#include <unistd.h>

#include "async-result.h"
#include "fake-service.h"
#include "fp-helper-source.h"

/* pkexec on the host, of which a Flatpak sees nothing but how it ends. */

#define PATH "/org/freedesktop/Flatpak/Development"
#define PID  4711

static const char flatpak_xml[] =
    "<node><interface name='org.freedesktop.Flatpak.Development'>"
    "<method name='HostCommand'><arg type='ay' direction='in'/><arg type='aay' direction='in'/>"
    "<arg type='a{uh}' direction='in'/><arg type='a{ss}' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='u' direction='out'/></method>"
    "<signal name='HostCommandExited'><arg type='u'/><arg type='u'/></signal></interface></node>";

static struct
{
  int exit_status;
  gboolean is_quick;      /* its end is told before its start */
  const char *last_words; /* NULL: it says nothing */
  guint n_others;         /* end meanwhile */
  char *last_argument;
} command;

static void
emit_end (GDBusConnection *connection,
          const char *sender,
          guint32 pid,
          int status)
{
  g_dbus_connection_emit_signal (connection, sender, PATH,
                                 "org.freedesktop.Flatpak.Development", "HostCommandExited",
                                 g_variant_new ("(uu)", pid, (guint32)status << 8), NULL);
}

static void
say (GDBusMethodInvocation *invocation,
     GVariant *map,
     const char *words)
{
  GUnixFDList *fds = g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));
  gint32 handle;
  int fd;

  for (gsize i = 0; i < g_variant_n_children (map); i++)
    {
      guint32 number;

      g_variant_get_child (map, i, "{uh}", &number, &handle);
      if (number != STDERR_FILENO)
        continue;
      fd = g_unix_fd_list_get (fds, handle, NULL);
      g_assert_cmpint (write (fd, words, strlen (words)), ==, strlen (words));
      close (fd);
    }
}

/* The descriptors go with the message: the other side sees the end of the stream. */
static void
host_command_cb (GDBusConnection *connection,
                 const char *sender,
                 const char *path,
                 const char *interface,
                 const char *method,
                 GVariant *parameters,
                 GDBusMethodInvocation *invocation,
                 gpointer data)
{
  g_autoptr (GVariant) argv = g_variant_get_child_value (parameters, 1);

  g_free (command.last_argument);
  g_variant_get_child (argv, g_variant_n_children (argv) - 1, "^ay", &command.last_argument);
  if (command.last_words)
    {
      g_autoptr (GVariant) map = g_variant_get_child_value (parameters, 2);

      say (invocation, map, command.last_words);
    }
  if (command.is_quick)
    emit_end (connection, sender, PID, command.exit_status);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", PID));
  for (guint i = 0; i < command.n_others; i++)
    emit_end (connection, sender, PID + 1 + i, 0);
  if (!command.is_quick)
    emit_end (connection, sender, PID, command.exit_status);
}

static const FpSourceRequest collect_all = { .kind = FP_REQUEST_COLLECT, .may_ask = TRUE };

/* Returns what is shown. */
static char *
expect (int exit_status,
        gboolean is_quick,
        const char *last_words,
        FpHelperError code)
{
  const char *const argv[] = { "/app/helper", "--as-root", "--", "/app/helper", "--stdio", NULL };
  g_autoptr (FpSource) source = fp_helper_source_new_as_root (argv, TRUE);
  g_autoptr (GError) error = NULL;

  command.exit_status = exit_status;
  command.is_quick = is_quick;
  command.n_others = 1;
  command.last_words = last_words;
  g_assert_null (async_result_ask (source, &collect_all, NULL, &error));
  g_assert_error (error, FP_HELPER_ERROR, (gint)code);
  g_assert_cmpstr (command.last_argument, ==, "--stdio");
  return g_strdup (error->message);
}

static void
test_ends (void)
{
  static const struct
  {
    int exit_status;
    const char *last_words;
    FpHelperError code;
    const char *shown;
  } ends[] = {
    { 126, "Error executing command as another user: Request dismissed\n", FP_HELPER_ERROR_CANCELLED, "No password" },
    { 127, NULL, FP_HELPER_ERROR_DENIED, "did not permit" },
    { 127, "Error executing command as another user: Not authorized\n\nThis incident has been reported.\n",
      FP_HELPER_ERROR_DENIED, "did not permit" },
    { 127, "Error executing command as another user: No authentication agent found.\n", FP_HELPER_ERROR_NO_AGENT,
      "no program here that could ask" },
    { FP_HELPER_EXIT_UNTRUSTED, "footprint-helper: /home/ada could be changed by others than root\n",
      FP_HELPER_ERROR_UNTRUSTED, ": /home/ada could be changed by others than root" },
    { FP_HELPER_EXIT_NO_PKEXEC, NULL, FP_HELPER_ERROR_NOT_INSTALLED, "helper is not installed" },
    { 1, NULL, FP_HELPER_ERROR_CRASHED, "helper has stopped" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    for (guint is_quick = 0; is_quick < 2; is_quick++)
      {
        g_autofree char *shown = expect (ends[i].exit_status, is_quick, ends[i].last_words, ends[i].code);

        g_assert_nonnull (strstr (shown, ends[i].shown));
      }
}

/* One that is given up while its end is being told. GDBus's own thread may be the last to use its stream. */
static void
test_given_up (void)
{
  const char *const argv[] = { "/app/helper", "--as-root", "--", "/app/helper", "--stdio", NULL };

  command.exit_status = 126;
  command.last_words = NULL;
  command.n_others = 100;
  for (guint i = 0; i < 300; i++)
    {
      FpSource *source = fp_helper_source_new_as_root (argv, TRUE);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncResult) result = NULL;

      command.is_quick = i % 2;
      fp_source_request_async (source, &collect_all, cancellable, async_result_cb, &result);
      for (guint j = 0; j < i % 30 && !result; j++)
        g_main_context_iteration (NULL, TRUE);
      g_cancellable_cancel (cancellable);
      async_result_await (&result);
      g_object_unref (source);
    }
}

int
main (int argc,
      char **argv)
{
  static const GDBusInterfaceVTable vtable = { .method_call = host_command_cb };
  g_autoptr (GDBusConnection) connection = NULL;
  g_autoptr (GTestDBus) bus = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  connection = fake_service_start (g_test_dbus_get_bus_address (bus), "org.freedesktop.Flatpak", PATH, flatpak_xml, &vtable,
                                   NULL);
  g_test_add_func ("/host-root/ends", test_ends);
  g_test_add_func ("/host-root/given-up", test_given_up);
  status = g_test_run ();
  g_free (command.last_argument);
  g_clear_object (&connection);
  g_test_dbus_stop (bus);
  return status;
}
