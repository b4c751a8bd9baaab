// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-helper-protocol.h"
#include "polkit-watch.h"
#include "system-user.h"

#define MONITORED "interface='org.freedesktop.PolicyKit1.Authority',member='CheckAuthorization'"

struct _PolkitWatch
{
  GDBusConnection *connection;
  GMutex mutex;        /* The bus's thread writes. */
  GHashTable *pending; /* "destination serial" of the answers to come */
  GHashTable *asked;   /* PIDs with a question whose mark is still to come: a check that finds out who answered */
  guint most;
};

/* Questions for a password take as long as somebody thinks, and are no checks; nor are their marks. */
static void
take_check (PolkitWatch *self,
            GDBusMessage *message)
{
  g_autoptr (GVariant) subject = NULL;
  guint32 flags;
  guint32 pid;

  g_variant_get (g_dbus_message_get_body (message), "((s@a{sv})sa{ss}us)", NULL, &subject, NULL, NULL, &flags, NULL);
  if (!g_variant_lookup (subject, "pid", "u", &pid) || g_hash_table_remove (self->asked, GUINT_TO_POINTER (pid)))
    return;
  if (flags != 0)
    {
      g_hash_table_add (self->asked, GUINT_TO_POINTER (pid));
      return;
    }
  g_hash_table_add (self->pending,
                    g_strdup_printf ("%s %u", g_dbus_message_get_sender (message), g_dbus_message_get_serial (message)));
  self->most = MAX (self->most, g_hash_table_size (self->pending));
}

static void
take_answer (PolkitWatch *self,
             GDBusMessage *message)
{
  g_autofree char *key =
      g_strdup_printf ("%s %u", g_dbus_message_get_destination (message), g_dbus_message_get_reply_serial (message));

  g_hash_table_remove (self->pending, key);
}

/* Consumes them: they are for others. */
static GDBusMessage *
filter_cb (GDBusConnection *connection,
           GDBusMessage *message,
           gboolean incoming,
           gpointer data)
{
  PolkitWatch *self = data;
  GDBusMessageType type = g_dbus_message_get_message_type (message);
  gboolean is_call = type == G_DBUS_MESSAGE_TYPE_METHOD_CALL;

  if (!incoming || type == G_DBUS_MESSAGE_TYPE_SIGNAL ||
      (!is_call && g_strcmp0 (g_dbus_message_get_destination (message), g_dbus_connection_get_unique_name (connection)) == 0))
    return message;
  g_mutex_lock (&self->mutex);
  if (is_call)
    take_check (self, message);
  else
    take_answer (self, message);
  g_mutex_unlock (&self->mutex);
  g_object_unref (message);
  return NULL;
}

PolkitWatch *
polkit_watch_new (void)
{
  PolkitWatch *self = g_new0 (PolkitWatch, 1);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  g_mutex_init (&self->mutex);
  self->pending = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->asked = g_hash_table_new (NULL, NULL);
  self->connection = system_connect_to_bus ();
  reply = g_dbus_connection_call_sync (self->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus.Monitoring", "BecomeMonitor",
                                       g_variant_new_parsed ("([%s, %s, %s], @u 0)", "type='method_call'," MONITORED,
                                                             "type='method_return',sender='" FP_POLKIT_NAME "'",
                                                             "type='error',sender='" FP_POLKIT_NAME "'"),
                                       NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  g_dbus_connection_add_filter (self->connection, filter_cb, self, NULL);
  return self;
}

void
polkit_watch_free (PolkitWatch *self)
{
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_object_unref (self->connection);
  g_hash_table_unref (self->pending);
  g_hash_table_unref (self->asked);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* How many checks polkit had to do at once */
guint
polkit_watch_get_most (PolkitWatch *self)
{
  guint most;

  g_mutex_lock (&self->mutex);
  most = self->most;
  g_mutex_unlock (&self->mutex);
  return most;
}
