// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <unistd.h>

#include "async-result.h"
#include "fake-service.h"
#include "fp-file-manager.h"

#define NAME "org.freedesktop.FileManager1"
#define PATH "/org/freedesktop/FileManager1"

static const char introspection[] = "<node><interface name='org.freedesktop.FileManager1'><method name='ShowItems'>"
                                    "<arg type='as' direction='in'/><arg type='s' direction='in'/></method></interface></node>";

static char *folder;

typedef struct
{
  char *uri; /* that was to be shown */
  gboolean fails;
} Manager;

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
  Manager *self = data;
  g_autofree const char **uris = NULL;

  g_variant_get (arguments, "(^a&s&s)", &uris, NULL);
  g_assert_cmpuint (g_strv_length ((char **)uris), ==, 1);
  self->uri = g_strdup (uris[0]);
  if (self->fails)
    g_dbus_method_invocation_return_dbus_error (invocation, "org.freedesktop.DBus.Error.Failed", "It has no window");
  else
    g_dbus_method_invocation_return_value (invocation, NULL);
}

static gboolean
show (const char *path,
      GCancellable *cancellable,
      GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fp_file_manager_show_async (path, cancellable, async_result_cb, &result);
  return fp_file_manager_show_finish (async_result_await (&result), error);
}

static GDBusConnection *
start_manager (Manager *self)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };

  return fake_service_start (g_getenv ("DBUS_SESSION_BUS_ADDRESS"), NAME, PATH, introspection, &vtable, self);
}

static void
stop_manager (GDBusConnection *connection)
{
  g_dbus_connection_close_sync (connection, NULL, NULL);
  g_object_unref (connection);
}

/* A path need not be UTF-8, and its URI has every byte of it. */
static void
test_shown (void)
{
  Manager manager = { 0 };
  GDBusConnection *connection = start_manager (&manager);
  g_autoptr (GError) error = NULL;

  g_assert_true (show ("/tmp/a b/\xff#", NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (manager.uri, ==, "file:///tmp/a%20b/%FF%23");
  stop_manager (connection);
  g_free (manager.uri);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_false (show ("/tmp/file", cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Without a program that opens folders either, it says that nothing could be opened. */
static void
test_nothing (void)
{
  g_autofree char *file = NULL;
  g_autoptr (GError) error = NULL;

  /* GLib keeps its list of programs and notices late that one came, as the next test needs it. */
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      return;
    }
  file = g_build_filename (folder, "file", NULL);
  g_assert_false (show (file, NULL, &error));
  g_assert_nonnull (error);
}

/* Something else was put in the folder's place. */
static void
assert_not_opened (const char *place)
{
  g_autofree char *file = g_build_filename (place, "file", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (show (file, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
}

/* A file manager that fails, or that there is none of: the folder is opened by the program that opens folders. */
static void
test_folder (void)
{
  g_autofree char *applications = g_build_filename (g_get_user_data_dir (), "applications", NULL);
  g_autofree char *entry = g_build_filename (applications, "opener.desktop", NULL);
  g_autofree char *list = g_build_filename (g_get_user_config_dir (), "mimeapps.list", NULL);
  g_autofree char *file = g_build_filename (folder, "file", NULL), *opened = g_build_filename (folder, "opened", NULL), *replaced = NULL;
  g_autofree char *text = g_strdup_printf ("[Desktop Entry]\nType=Application\nName=Opener\nMimeType=inode/directory;\n"
                                           "Exec=mkdir %%f/opened\n");
  Manager manager = { .fails = TRUE };

  g_assert_cmpint (g_mkdir_with_parents (applications, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (g_get_user_config_dir (), 0700), ==, 0);
  g_assert_true (g_file_set_contents (entry, text, -1, NULL));
  g_assert_true (g_file_set_contents (list, "[Default Applications]\ninode/directory=opener.desktop\n", -1, NULL));
  for (guint has_manager = 0; has_manager < 2; has_manager++)
    {
      GDBusConnection *connection = has_manager ? start_manager (&manager) : NULL;
      g_autoptr (GError) error = NULL;

      g_assert_true (show (file, NULL, &error));
      g_assert_no_error (error);
      while (!g_file_test (opened, G_FILE_TEST_IS_DIR))
        g_usleep (1000);
      g_rmdir (opened);
      if (connection)
        stop_manager (connection);
      g_assert_cmpint (manager.uri != NULL, ==, has_manager);
    }
  g_free (manager.uri);
  replaced = g_build_filename (folder, "replaced", NULL);
  g_assert_true (g_file_set_contents (replaced, "#!/bin/sh\n", -1, NULL));
  assert_not_opened (replaced);
  g_unlink (replaced);
  g_assert_cmpint (symlink (folder, replaced), ==, 0);
  assert_not_opened (replaced);
  g_unlink (replaced);
  g_unlink (entry);
  g_unlink (list);
  g_rmdir (applications);
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GTestDBus) bus = NULL;
  g_autofree char *data = NULL, *config = NULL;
  int result;

  folder = g_dir_make_tmp ("footprint-manager-XXXXXX", NULL);
  data = g_build_filename (folder, "data", NULL);
  config = g_build_filename (folder, "config", NULL);
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  g_setenv ("XDG_DATA_DIRS", "/nonexistent", TRUE);
  /* G_TEST_OPTION_ISOLATE_DIRS sets these for each case anew, and GLib 2.74 leaks the former ones. */
  g_setenv ("XDG_DATA_HOME", data, TRUE);
  g_setenv ("XDG_CONFIG_HOME", config, TRUE);
  g_test_init (&argc, &argv, NULL);
  bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (bus);
  g_test_add_func ("/file-manager/shown", test_shown);
  g_test_add_func ("/file-manager/cancelled", test_cancelled);
  g_test_add_func ("/file-manager/nothing", test_nothing);
  g_test_add_func ("/file-manager/folder", test_folder);
  result = g_test_run ();
  g_test_dbus_stop (bus);
  g_rmdir (data);
  g_rmdir (config);
  g_rmdir (folder);
  g_free (folder);
  return result;
}
