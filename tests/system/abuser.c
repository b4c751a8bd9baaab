// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fp-helper-protocol.h"

/* abuser KIND: does it until it is ended. */

static GDBusConnection *
join_bus (void)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);

  return g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
      NULL, NULL);
}

static GDBusMessage *
make_call (const char *interface,
           const char *method,
           const char *arguments)
{
  GDBusMessage *message = g_dbus_message_new_method_call (FP_HELPER_BUS_NAME, FP_HELPER_PATH, interface, method);

  if (arguments)
    g_dbus_message_set_body (message, g_variant_parse (NULL, arguments, NULL, NULL, NULL));
  return message;
}

/* As fast as the bus takes them. */
static void
flood (const char *interface,
       const char *method,
       const char *arguments,
       GDBusMessageFlags flags)
{
  g_autoptr (GDBusConnection) connection = join_bus ();

  for (guint i = 0;; i++)
    {
      g_autoptr (GDBusMessage) message = make_call (interface, method, arguments);

      g_dbus_message_set_flags (message, flags);
      if (!g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL))
        exit (0);
      if (i % 64 == 0)
        g_dbus_connection_flush_sync (connection, NULL, NULL);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

static void
flood_collect (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, @a{sv} {})", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_refresh (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 1, {'refresh-all': <true>})", G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
}

static void
flood_version (void)
{
  flood ("org.freedesktop.DBus.Properties", "Get", "('io.github.footprint_app.Footprint.Helper1', 'Version')",
         G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_mappings (void)
{
  flood (FP_HELPER_INTERFACE, "LoadMappings", "(@i 1, @t 1)", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_questions (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, {'all': <true>})",
         G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION);
}

static void
flood_wrong_types (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "('all of it', 3.5)", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_odd_values (void)
{
  flood (FP_HELPER_INTERFACE, "Collect",
         "([(-1, @t 0), (2147483647, @t 18446744073709551615), (0, @t 1)], @t 18446744073709551615,"
         " {'wanted': <[(1, @t 1), (-2147483648, @t 5)]>, 'all': <'yes'>, '': <@a{sv} {}>})",
         G_DBUS_MESSAGE_FLAGS_NONE);
}

/* A whole new caller each time, gone before the answer. */
static void
come_and_go (void)
{
  for (;;)
    {
      g_autoptr (GDBusConnection) connection = join_bus ();
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, @a{sv} {})");

      if (!connection)
        continue;
      g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
      g_dbus_connection_flush_sync (connection, NULL, NULL);
      g_dbus_connection_close_sync (connection, NULL, NULL);
    }
}

/* Half a million processes to look at: 8 MB each time. */
static void
send_much (void)
{
  g_autoptr (GDBusConnection) connection = join_bus ();

  for (;;)
    {
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", NULL);
      GVariantBuilder builder;

      g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(it)"));
      for (gint i = 1; i < 500000; i++)
        g_variant_builder_add (&builder, "(it)", i, (guint64)i);
      g_dbus_message_set_body (message, g_variant_new ("(a(it)ta{sv})", &builder, (guint64)0, NULL));
      if (!g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL))
        exit (0);
      g_dbus_connection_flush_sync (connection, NULL, NULL);
    }
}

/* Half a message, and then nothing; or no message at all. */
static void
stop_halfway (void)
{
  static const char half[] = "l\1\0\1\10\0\0\0\1\0\0\0\177\0\0\0\1\1o\0\25\0\0\0/io/github";

  for (guint i = 0;; i++)
    {
      g_autoptr (GDBusConnection) connection = join_bus ();
      GIOStream *stream = connection ? g_dbus_connection_get_stream (connection) : NULL;

      if (!stream)
        continue;
      g_output_stream_write (g_io_stream_get_output_stream (stream), half, sizeof half - 1, NULL, NULL);
      g_usleep (i % 2 ? 100 * 1000 : 1000);
    }
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } kinds[] = {
    { "flood-collect", flood_collect },
    { "flood-refresh", flood_refresh },
    { "flood-version", flood_version },
    { "flood-mappings", flood_mappings },
    { "flood-questions", flood_questions },
    { "wrong-types", flood_wrong_types },
    { "odd-values", flood_odd_values },
    { "come-and-go", come_and_go },
    { "send-much", send_much },
    { "stop-halfway", stop_halfway },
  };

  for (guint i = 0; argc > 1 && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, argv[1]))
      kinds[i].run ();
  return 2;
}
