// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

#include "async-result.h"
#include "fake-service.h"
#include "fp-helper-source.h"

#define NAME "org.freedesktop.Flatpak"
#define PATH "/org/freedesktop/Flatpak/Development"

/* Does as Flatpak's own service does: starts what it is told, with the descriptors and the environment it is given. */
typedef struct
{
  GDBusConnection *connection;
  GSubprocess *process;
  GStrv argv;
  guint flags;
  gsize n_variables;
  const char *refusal; /* NULL: it starts */
} Fixture;

static const char introspection[] =
    "<node><interface name='org.freedesktop.Flatpak.Development'><method name='HostCommand'>"
    "<arg type='ay' direction='in'/><arg type='aay' direction='in'/><arg type='a{uh}' direction='in'/>"
    "<arg type='a{ss}' direction='in'/><arg type='u' direction='in'/><arg type='u' direction='out'/>"
    "</method></interface></node>";

static void
start (Fixture *self,
       GVariant *map,
       GUnixFDList *fds,
       GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  GVariantIter iter;
  guint32 number;
  gint32 handle;

  g_subprocess_launcher_set_environ (launcher, (char **)(const char *[]){ "ASAN_OPTIONS=detect_leaks=0", NULL });
  g_variant_iter_init (&iter, map);
  while (g_variant_iter_next (&iter, "{uh}", &number, &handle))
    {
      int fd = g_unix_fd_list_get (fds, handle, error);

      g_assert_cmpint (fd, >=, 0);
      if (number == STDIN_FILENO)
        g_subprocess_launcher_take_stdin_fd (launcher, fd);
      else if (number == STDOUT_FILENO)
        g_subprocess_launcher_take_stdout_fd (launcher, fd);
      else
        g_subprocess_launcher_take_stderr_fd (launcher, fd);
    }
  g_clear_object (&self->process);
  self->process = g_subprocess_launcher_spawnv (launcher, (const char *const *)self->argv, error);
}

static void
call_cb (GDBusConnection *connection,
         const char *sender,
         const char *path,
         const char *interface,
         const char *method,
         GVariant *arguments,
         GDBusMethodInvocation *invocation,
         gpointer data)
{
  Fixture *self = data;
  GUnixFDList *fds = g_dbus_message_get_unix_fd_list (g_dbus_method_invocation_get_message (invocation));
  g_autoptr (GVariant) map = NULL, variables = NULL;
  g_autoptr (GError) error = NULL;

  g_strfreev (self->argv);
  g_variant_get (arguments, "(^ay^aay@a{uh}@a{ss}u)", NULL, &self->argv, &map, &variables, &self->flags);
  self->n_variables = g_variant_n_children (variables);
  if (!self->refusal)
    start (self, map, fds, &error);
  if (self->refusal)
    g_dbus_method_invocation_return_dbus_error (invocation, self->refusal, "No");
  else if (error)
    g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                                           "Failed to start command: %s", error->message);
  else
    g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", 1));
}

static GTestDBus *session;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };

  if (data == NULL)
    self->connection = fake_service_start (g_test_dbus_get_bus_address (session), NAME, PATH, introspection, &vtable, self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  if (self->connection)
    g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_clear_object (&self->connection);
  g_clear_object (&self->process);
  g_strfreev (self->argv);
}

static FpSnapshot *
collect (FpSource *source,
         GError **error)
{
  return async_result_ask (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, error);
}

/* It ends with the connection. */
static void
await_end (Fixture *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_subprocess_wait_async (self->process, NULL, async_result_cb, &result);
  async_result_await (&result);
  g_assert_true (g_subprocess_wait_finish (self->process, result, &error));
  g_assert_true (g_subprocess_get_if_exited (self->process));
}

static void
test_collect (Fixture *self,
              gconstpointer data)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };
  FpSource *source = fp_helper_source_new_for_command (argv, TRUE);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  snapshot = collect (source, &error);
  g_assert_no_error (error);
  g_assert_nonnull (fp_snapshot_find (snapshot, getpid ()));
  /* Without an environment, and ended by the service when this process is gone from the bus */
  g_assert_cmpuint (self->flags, ==, 3);
  g_assert_cmpuint (self->n_variables, ==, 0);
  g_object_unref (source);
  await_end (self);
}

static void
test_details (Fixture *self,
              gconstpointer data)
{
  const char *const argv[] = { g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL };
  g_autoptr (FpSource) source = fp_helper_source_new_for_command (argv, TRUE);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GSubprocess) limited = NULL;
  g_autoptr (FpDetails) details = NULL;
  g_autoptr (GError) error = NULL;
  const FpProcess *process;
  FpSourceRequest request = { .kind = FP_REQUEST_DETAILS };
  char text[8];

  limited = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, "sh", "-c",
                              "ulimit -v 1048576; echo limited; read _", NULL);
  g_assert_no_error (error);
  g_assert_cmpint (g_input_stream_read (g_subprocess_get_stdout_pipe (limited), text, sizeof text, NULL, NULL), >, 0);
  snapshot = collect (source, &error);
  g_assert_no_error (error);
  process = fp_snapshot_find (snapshot, (gint)g_ascii_strtoll (g_subprocess_get_identifier (limited), NULL, 10));
  request.id = (FpProcessId){ process->pid, process->start_ticks };
  details = async_result_ask (source, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (details->limits.address_space, ==, (guint64)1 << 30);
  g_assert_cmpstr (details->command, ==, "sh -c ulimit -v 1048576; echo limited; read _");
  request.id.start_ticks++;
  g_assert_null (async_result_ask (source, &request, NULL, &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_ENDED);
  g_subprocess_force_exit (limited);
}

static void
expect_failure (const char *const *argv,
                FpHelperError code,
                const char *words)
{
  g_autoptr (FpSource) source = fp_helper_source_new_for_command (argv, TRUE);
  g_autoptr (GError) error = NULL;

  g_assert_null (collect (source, &error));
  g_assert_error (error, FP_HELPER_ERROR, (gint)code);
  g_assert_nonnull (strstr (error->message, words));
}

#define EXPECT_FAILURE(code, words, ...) expect_failure ((const char *const[]){ __VA_ARGS__, NULL }, code, words)

static const char *own_path;

static void
test_other_version (Fixture *self,
                    gconstpointer data)
{
  EXPECT_FAILURE (FP_HELPER_ERROR_OTHER_VERSION, "another version", own_path, "--peer", FP_HELPER_INTERFACE, "0.0.1");
  await_end (self);
}

static void
test_other_interface (Fixture *self,
                      gconstpointer data)
{
  EXPECT_FAILURE (FP_HELPER_ERROR_OTHER_VERSION, "another version", own_path, "--peer", FP_APP_ID ".Helper2", FP_VERSION);
  await_end (self);
}

static void
test_other_program (Fixture *self,
                    gconstpointer data)
{
  EXPECT_FAILURE (FP_HELPER_ERROR_CRASHED, "stopped", "/bin/true");
  EXPECT_FAILURE (FP_HELPER_ERROR_FAILED, "start command", "/nonexistent/a reader", "--stdio");
  g_assert_cmpstr (self->argv[0], ==, "/nonexistent/a reader");
  g_assert_cmpstr (self->argv[1], ==, "--stdio");
}

static void
test_refused (Fixture *self,
              gconstpointer data)
{
  self->refusal = "org.freedesktop.DBus.Error.AccessDenied";
  EXPECT_FAILURE (FP_HELPER_ERROR_SANDBOXED, "not permitted", "/bin/true");
  self->refusal = "org.freedesktop.DBus.Error.InvalidArgs";
  EXPECT_FAILURE (FP_HELPER_ERROR_FAILED, "No", "/bin/true");
}

/* As a sandbox without the permission sees it. */
static void
test_no_name (Fixture *self,
              gconstpointer data)
{
  EXPECT_FAILURE (FP_HELPER_ERROR_SANDBOXED, "not permitted", "/bin/true");
}

static guint n_lines, n_damaged;

static void
log_cb (const char *domain,
        GLogLevelFlags level,
        const char *message,
        gpointer data)
{
  n_lines += g_str_has_prefix (message, "on the host: ");
  n_damaged += !g_utf8_validate (message, -1, NULL);
}

/* More of them than a pipe holds, and not even text: it goes into the log, and the reader never waits for it. */
static void
test_noise (Fixture *self,
            gconstpointer data)
{
  g_autofree char *script = g_strdup_printf ("i=0; while [ $i -lt 2000 ]; do printf '%%s %%0100d \\377\\n' $i 0 >&2; "
                                             "i=$((i + 1)); done; exec '%s' --stdio",
                                             g_getenv ("FOOTPRINT_HELPER"));
  const char *const argv[] = { "/bin/sh", "-c", script, NULL };
  FpSource *source = fp_helper_source_new_for_command (argv, TRUE);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  guint handler = g_log_set_handler ("footprint", G_LOG_LEVEL_MESSAGE, log_cb, NULL);

  snapshot = collect (source, &error);
  g_assert_no_error (error);
  g_object_unref (source);
  await_end (self);
  while (n_lines < 2000)
    g_main_context_iteration (NULL, TRUE);
  g_log_remove_handler ("footprint", handler);
  g_assert_cmpuint (n_damaged, ==, 0);
}

static void
peer_call_cb (GDBusConnection *connection,
              const char *sender,
              const char *path,
              const char *interface,
              const char *method,
              GVariant *arguments,
              GDBusMethodInvocation *invocation,
              gpointer data)
{
  g_error ("%s was asked of another version", method);
}

static GVariant *
peer_property_cb (GDBusConnection *connection,
                  const char *sender,
                  const char *path,
                  const char *interface,
                  const char *name,
                  GError **error,
                  gpointer data)
{
  return g_variant_new_string (data);
}

/* The other side: a helper with another interface or version. */
static int
serve (const char *interface,
       char *version)
{
  static const GDBusInterfaceVTable vtable = { .method_call = peer_call_cb, .get_property = peer_property_cb };
  g_autofree char *xml = g_strdup_printf ("<node><interface name='%s'><method name='Collect'>"
                                          "<arg type='a(it)' direction='in'/><arg type='t' direction='in'/>"
                                          "<arg type='a{sv}' direction='in'/><arg type='v' direction='out'/>"
                                          "<arg type='s' direction='out'/></method>"
                                          "<property name='Version' type='s' access='read'/></interface></node>",
                                          interface);
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, NULL);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
  g_autoptr (GIOStream) stream = g_simple_io_stream_new (input, output);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GDBusConnection) connection = NULL;

  g_unix_set_fd_nonblocking (STDIN_FILENO, TRUE, NULL);
  connection = g_dbus_connection_new_sync (stream, NULL, G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING, NULL, NULL,
                                           NULL);
  g_dbus_connection_register_object (connection, FP_HELPER_PATH, node->interfaces[0], &vtable, version, NULL, NULL);
  g_signal_connect_swapped (connection, "closed", G_CALLBACK (g_main_loop_quit), loop);
  g_dbus_connection_start_message_processing (connection);
  g_main_loop_run (loop);
  return 0;
}

int
main (int argc,
      char **argv)
{
  int status;

  if (argc == 4 && g_str_equal (argv[1], "--peer"))
    return serve (argv[2], argv[3]);
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself; its children have this setting. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_unsetenv ("G_DEBUG");
  g_test_init (&argc, &argv, NULL);
  /* GDBus warns of what is no D-Bus, which one of these tests gives it. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  own_path = argv[0];
  session = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (session);
#define ADD(name, data, function) g_test_add ("/host-command/" name, Fixture, data, set_up, function, tear_down)
  ADD ("collect", NULL, test_collect);
  ADD ("details", NULL, test_details);
  ADD ("other-version", NULL, test_other_version);
  ADD ("other-interface", NULL, test_other_interface);
  ADD ("other-program", NULL, test_other_program);
  ADD ("refused", NULL, test_refused);
  ADD ("no-name", "no name", test_no_name);
  ADD ("noise", NULL, test_noise);
  status = g_test_run ();
  /* The bus of the session is never let go, which g_test_dbus_down () would wait for. */
  g_test_dbus_stop (session);
  g_object_unref (session);
  return status;
}
