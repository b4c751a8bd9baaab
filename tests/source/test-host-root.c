// SPDX-License-Identifier: GPL-3.0-or-later
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
  gboolean is_quick; /* its end is told before its start */
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
  if (command.is_quick)
    emit_end (connection, sender, PID, command.exit_status);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", PID));
  emit_end (connection, sender, PID + 1, 0);
  if (!command.is_quick)
    emit_end (connection, sender, PID, command.exit_status);
}

static void
expect (int exit_status,
        gboolean is_quick,
        FpHelperError code)
{
  const char *const argv[] = { "/app/helper", "--as-root", "--", "/app/helper", "--stdio", NULL };
  g_autoptr (FpSource) source = fp_helper_source_new_as_root (argv, TRUE);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  FpSweepRequest request = { 0 };

  command.exit_status = exit_status;
  command.is_quick = is_quick;
  fp_helper_source_ask_for_all (FP_HELPER_SOURCE (source));
  fp_source_collect_async (source, &request, NULL, async_result_cb, &result);
  async_result_await (&result);
  g_assert_null (fp_source_collect_finish (source, result, &error));
  g_assert_error (error, FP_HELPER_ERROR, (gint)code);
  g_assert_cmpstr (command.last_argument, ==, "--stdio");
}

static void
test_ends (void)
{
  static const struct
  {
    int exit_status;
    FpHelperError code;
  } ends[] = {
    { 126, FP_HELPER_ERROR_CANCELLED },
    { 127, FP_HELPER_ERROR_DENIED },
    { FP_HELPER_EXIT_UNTRUSTED, FP_HELPER_ERROR_UNTRUSTED },
    { FP_HELPER_EXIT_NO_PKEXEC, FP_HELPER_ERROR_NOT_INSTALLED },
    { 1, FP_HELPER_ERROR_CRASHED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      expect (ends[i].exit_status, FALSE, ends[i].code);
      expect (ends[i].exit_status, TRUE, ends[i].code);
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
  status = g_test_run ();
  g_free (command.last_argument);
  g_clear_object (&connection);
  g_test_dbus_stop (bus);
  return status;
}
