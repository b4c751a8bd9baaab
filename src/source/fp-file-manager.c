// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-file-manager.h"

#define NAME      "org.freedesktop.FileManager1"
#define PATH      "/org/freedesktop/FileManager1"
#define INTERFACE "org.freedesktop.FileManager1"

static void
opened_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_app_info_launch_uris_finish (G_APP_INFO (object), result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Anybody may have put something else in the folder's place, so only the program for folders is started. */
static void
looked_at_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, &error);
  g_autoptr (GAppInfo) program = g_app_info_get_default_for_type ("inode/directory", FALSE);
  g_autofree char *uri = g_file_get_uri (G_FILE (object));
  GList uris = { .data = uri };

  if (!info)
    g_task_return_error (task, g_steal_pointer (&error));
  else if (g_file_info_get_file_type (info) != G_FILE_TYPE_DIRECTORY)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY, "%s is no folder any more", uri);
  else if (!program)
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "There is no program that opens folders");
  else
    g_app_info_launch_uris_async (program, &uris, NULL, g_task_get_cancellable (task), opened_cb, g_object_ref (task));
}

static void
open_folder (GTask *task)
{
  g_autofree char *path = g_path_get_dirname (g_task_get_task_data (task));
  g_autoptr (GFile) folder = g_file_new_for_path (path);

  g_file_query_info_async (folder, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, G_PRIORITY_DEFAULT,
                           g_task_get_cancellable (task), looked_at_cb, g_object_ref (task));
}

static void
shown_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) reply = g_dbus_connection_call_finish (G_DBUS_CONNECTION (object), result, NULL);

  if (reply)
    g_task_return_boolean (task, TRUE);
  else if (!g_task_return_error_if_cancelled (task))
    open_folder (task);
}

static void
connected_cb (GObject *object,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GDBusConnection) connection = g_bus_get_finish (result, NULL);
  g_autofree char *uri = NULL;
  const char *uris[] = { NULL, NULL };

  if (!connection)
    {
      if (!g_task_return_error_if_cancelled (task))
        open_folder (task);
      return;
    }
  uris[0] = uri = g_filename_to_uri (g_task_get_task_data (task), NULL, NULL);
  g_dbus_connection_call (connection, NAME, PATH, INTERFACE, "ShowItems", g_variant_new ("(^ass)", uris, ""), NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, g_task_get_cancellable (task), shown_cb, g_object_ref (task));
}

/* path: absolute, in any encoding */
void
fp_file_manager_show_async (const char *path,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_return_if_fail (g_path_is_absolute (path));

  g_task_set_source_tag (task, fp_file_manager_show_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  g_bus_get (G_BUS_TYPE_SESSION, cancellable, connected_cb, g_object_ref (task));
}

gboolean
fp_file_manager_show_finish (GAsyncResult *result,
                             GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fp_file_manager_show_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
