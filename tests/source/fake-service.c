// SPDX-License-Identifier: GPL-3.0-or-later
#include "fake-service.h"

GDBusConnection *
fake_service_join_bus (const char *address)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
      &error);

  g_assert_no_error (error);
  return connection;
}

void
fake_service_own_name (GDBusConnection *connection,
                       const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      g_variant_new ("(su)", name, 0), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);

  g_assert_no_error (error);
}

/* xml: with the one interface that it has; who wants it to end closes the connection. */
GDBusConnection *
fake_service_start (const char *address,
                    const char *name,
                    const char *path,
                    const char *xml,
                    const GDBusInterfaceVTable *vtable,
                    gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, &error);
  GDBusConnection *connection = fake_service_join_bus (address);

  g_assert_no_error (error);
  g_dbus_connection_register_object (connection, path, node->interfaces[0], vtable, data, NULL, &error);
  g_assert_no_error (error);
  fake_service_own_name (connection, name);
  return connection;
}
