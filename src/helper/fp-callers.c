// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint-helper"
#include "config.h"

#include <pwd.h>

#include "fp-callers.h"
#include "fp-permission.h"

#define MAX_CALLS 4 /* of one caller at a time */

struct _FpCallers
{
  GDBusConnection *connection;
  GHashTable *callers; /* name → FpCaller */
  FpCallerGone gone;
  gpointer data;
};

static void
caller_free (gpointer data)
{
  FpCaller *caller = data;

  g_bus_unwatch_name (caller->watch);
  g_free (caller->name);
  g_free (caller);
}

FpCallers *
fp_callers_new (GDBusConnection *connection,
                FpCallerGone gone,
                gpointer data)
{
  FpCallers *self = g_new0 (FpCallers, 1);

  self->connection = g_object_ref (connection);
  self->callers = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, caller_free);
  self->gone = gone;
  self->data = data;
  return self;
}

void
fp_callers_free (FpCallers *self)
{
  g_hash_table_unref (self->callers);
  g_object_unref (self->connection);
  g_free (self);
}

static void
vanished_cb (GDBusConnection *connection,
             const char *name,
             gpointer data)
{
  FpCallers *self = data;

  self->gone (name, self->data);
  g_hash_table_remove (self->callers, name);
}

/* FALSE: it has too many on their way. */
gboolean
fp_callers_begin_call (FpCallers *self,
                       const char *name)
{
  FpCaller *caller = g_hash_table_lookup (self->callers, name);

  if (!caller)
    {
      caller = g_new0 (FpCaller, 1);
      caller->name = g_strdup (name);
      caller->uid = G_MAXUINT32;
      caller->gid = G_MAXUINT32;
      g_hash_table_insert (self->callers, caller->name, caller);
      caller->watch = g_bus_watch_name_on_connection (self->connection, name, G_BUS_NAME_WATCHER_FLAGS_NONE, NULL,
                                                      vanished_cb, self, NULL);
    }
  if (caller->n_calls >= MAX_CALLS)
    return FALSE;
  caller->n_calls++;
  return TRUE;
}

/* The caller may be gone. */
void
fp_callers_end_call (FpCallers *self,
                     const char *name)
{
  FpCaller *caller = g_hash_table_lookup (self->callers, name);

  if (caller)
    caller->n_calls--;
}

typedef struct
{
  GDBusConnection *connection;
  char *name;
  guint32 uid;
  guint32 gid;
} Inquiry;

static void
inquiry_free (gpointer data)
{
  Inquiry *inquiry = data;

  g_object_unref (inquiry->connection);
  g_free (inquiry->name);
  g_free (inquiry);
}

static guint32
find_group (guint32 uid)
{
  g_autofree char *buffer = g_malloc (16384);
  struct passwd entry, *found = NULL;

  if (getpwuid_r (uid, &entry, buffer, 16384, &found) != 0 || !found)
    return G_MAXUINT32;
  return entry.pw_gid;
}

static void
fp_callers_identify_worker (GTask *task,
                            gpointer source,
                            gpointer data,
                            GCancellable *cancellable)
{
  Inquiry *inquiry = data;
  GError *error = NULL;
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (
      inquiry->connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
      "GetConnectionUnixUser", g_variant_new ("(s)", inquiry->name), G_VARIANT_TYPE ("(u)"), G_DBUS_CALL_FLAGS_NONE, -1,
      NULL, &error);

  if (!reply)
    {
      g_task_return_error (task, error);
      return;
    }
  g_variant_get (reply, "(u)", &inquiry->uid);
  inquiry->gid = find_group (inquiry->uid);
  g_task_return_boolean (task, TRUE);
}

/* By its user alone, and the group that one has by the book. */
void
fp_callers_identify_async (FpCallers *self,
                           const char *name,
                           GAsyncReadyCallback callback,
                           gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  const FpCaller *caller = g_hash_table_lookup (self->callers, name);
  Inquiry inquiry = { .connection = g_object_ref (self->connection), .name = g_strdup (name) };

  g_task_set_source_tag (task, fp_callers_identify_async);
  g_task_set_task_data (task, g_memdup2 (&inquiry, sizeof inquiry), inquiry_free);
  if (caller && caller->uid != G_MAXUINT32)
    g_task_return_boolean (task, TRUE);
  else
    g_task_run_in_thread (task, fp_callers_identify_worker);
}

const FpCaller *
fp_callers_identify_finish (FpCallers *self,
                            GAsyncResult *result,
                            GError **error)
{
  const Inquiry *inquiry = g_task_get_task_data (G_TASK (result));
  FpCaller *caller = g_hash_table_lookup (self->callers, inquiry->name);

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  if (!caller)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, "It has left the bus");
      return NULL;
    }
  if (caller->uid == G_MAXUINT32)
    {
      caller->uid = inquiry->uid;
      caller->gid = inquiry->gid;
    }
  return caller;
}
