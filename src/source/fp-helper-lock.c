// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-helper-protocol.h"
#include "fp-helper-lock.h"

#define TIMEOUT_MS (5 * 1000)

static void
take_reply (GDBusConnection *connection,
            GAsyncResult *result,
            GVariant **reply)
{
  g_autoptr (GError) error = NULL;

  *reply = g_dbus_connection_call_finish (connection, result, &error);
  if (!*reply)
    g_debug ("%s", error->message);
}

/* Called once for each call that was made; what polkit refuses is no reason to keep the connection. */
static void
leave (GTask *task)
{
  guint *n_left = g_task_get_task_data (task);

  if (--*n_left > 0)
    return;
  g_dbus_connection_close (g_task_get_source_object (task), NULL, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
revoked_cb (GObject *object,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = NULL;

  take_reply (G_DBUS_CONNECTION (object), result, &reply);
  leave (task);
}

/* polkit lets any program of a session revoke what the session was given; outside of a session, only the program that
 * it was given to. */
static void
revoke_kept (GTask *task,
             const char *id)
{
  guint *n_left = g_task_get_task_data (task);

  (*n_left)++;
  g_dbus_connection_call (g_task_get_source_object (task), FP_POLKIT_NAME, FP_POLKIT_PATH, FP_POLKIT_INTERFACE,
                          "RevokeTemporaryAuthorizationById", g_variant_new ("(s)", id), NULL, G_DBUS_CALL_FLAGS_NONE,
                          TIMEOUT_MS, NULL, revoked_cb, g_object_ref (task));
}

static void
locked_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) ids = NULL;

  take_reply (G_DBUS_CONNECTION (object), result, &reply);
  if (reply)
    g_variant_get (reply, "(@as)", &ids);
  for (gsize i = 0; ids && i < g_variant_n_children (ids); i++)
    {
      const char *id;

      g_variant_get_child (ids, i, "&s", &id);
      revoke_kept (task, id);
    }
  leave (task);
}

void
fp_helper_lock_async (GDBusConnection *connection,
                      GAsyncReadyCallback callback,
                      gpointer data)
{
  GTask *task = g_task_new (connection, NULL, callback, data);
  guint n_left = 1;

  g_task_set_source_tag (task, fp_helper_lock_async);
  g_task_set_task_data (task, g_memdup2 (&n_left, sizeof n_left), g_free);
  g_dbus_connection_call (connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "Lock", NULL,
                          G_VARIANT_TYPE ("(as)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, TIMEOUT_MS, NULL, locked_cb, task);
}
