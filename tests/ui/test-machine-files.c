// SPDX-License-Identifier: GPL-3.0-or-later
/* The files of a file system in memory, from outside: each mount opens a list of its biggest files. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "fake-service.h"
#include "ui-program.h"

#define MIB         ((guint64)1 << 20)
#define MANAGER     "org.freedesktop.FileManager1"
#define BIG_MIB     300
#define RUNTIME_DIR "listed"

/* The test has a mount namespace of its own, so that its mounts go with it, whatever becomes of it. */
static gboolean has_mounts;

static char *
in_mount (const char *name)
{
  return g_build_filename (g_get_user_runtime_dir (), RUNTIME_DIR, name, NULL);
}

static int
make_file (const char *name,
           guint64 size)
{
  g_autofree char *path = in_mount (name), *block = g_malloc (MIB);
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  memset (block, 'f', MIB);
  for (guint64 done = 0; done < size; done += MIN (size - done, MIB))
    g_assert_cmpint (write (fd, block, MIN (size - done, MIB)), >, 0);
  return fd;
}

/* One file is big, so that the mount is among those that are shown. */
static gboolean
mount_files (void)
{
  g_autofree char *place = in_mount (NULL), *folder = in_mount ("build/cache");

  if (!has_mounts)
    {
      g_test_skip ("mounts of one's own need root");
      return FALSE;
    }
  g_assert_true (g_mkdir (place, 0755) == 0 || errno == EEXIST);
  g_assert_cmpint (mount ("footprint", place, "tmpfs", 0, "size=1g"), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  close (make_file ("build/cache/a rather long name of a file that was made by a program.bin", BIG_MIB * MIB));
  close (make_file ("notes.txt", 2 * MIB));
  return TRUE;
}

static void
unmount_files (void)
{
  g_autofree char *place = in_mount (NULL);

  g_assert_cmpint (umount2 (place, MNT_DETACH), ==, 0);
  g_assert_cmpint (g_rmdir (place), ==, 0);
}

static UiNode *
open_line (Ui *ui,
           const char *glob)
{
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_LIST_ITEM, "Files kept in memory, *"));
  return ui_wait_for (ui->window, ATSPI_ROLE_LIST_ITEM, glob);
}

/* A key may have its effect after the next one was sent, which then leads too far. */
static void
walk_to (Ui *ui,
         UiNode *line)
{
  gint64 end = ui_patience ();

  while (!ui_is_on_screen (line))
    {
      UiBox window = ui_get_box (ui->window), box = ui_get_box (line);

      ui_breathe (end, G_STRLOC, "the line to be on the screen");
      ui_key (box.y > window.y + window.height / 2 ? "Down" : "Up");
    }
}

static UiNode *
open_files (Ui *ui)
{
  g_autofree char *row = g_strdup_printf ("*/" RUNTIME_DIR ", *"), *title = g_strdup_printf ("Files in */" RUNTIME_DIR);
  UiNode *line;

  line = open_line (ui, row);
  walk_to (ui, line);
  ui_click (line);
  return ui_wait_for (ui->application, ATSPI_ROLE_FRAME, title);
}

static void
save_picture (UiNode *window,
              const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOOTPRINT_PICTURES"), name, NULL);

  ui_screenshot (window, path);
}

/* The manager of files that the program finds on the bus, in a thread of its own. */
typedef struct
{
  GMainContext *context;
  GMainLoop *loop;
  GMutex mutex;
  char *uri;
} Manager;

static Manager manager;

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
  g_autofree const char **uris = NULL;

  g_variant_get (arguments, "(^a&s&s)", &uris, NULL);
  g_mutex_lock (&manager.mutex);
  g_free (manager.uri);
  manager.uri = g_strdup (uris[0]);
  g_mutex_unlock (&manager.mutex);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static gboolean
was_shown (const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&manager.mutex);

  return g_strcmp0 (uri, manager.uri) == 0;
}

static gpointer
serve (gpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb };
  static const char xml[] = "<node><interface name='" MANAGER "'><method name='ShowItems'>"
                            "<arg type='as' direction='in'/><arg type='s' direction='in'/></method></interface></node>";
  g_autoptr (GDBusConnection) connection = NULL;

  g_main_context_push_thread_default (manager.context);
  connection = fake_service_start (g_getenv ("DBUS_SESSION_BUS_ADDRESS"), MANAGER, "/org/freedesktop/FileManager1", xml,
                                   &vtable, NULL);
  g_main_loop_run (manager.loop);
  g_main_context_pop_thread_default (manager.context);
  return NULL;
}

/* With the mouse and by keyboard: all that the mount has is in the list, and a file is shown where it lies. */
static void
test_files (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *big = NULL, *notes = NULL;
  UiNode *window, *row;
  int held;

  if (!mount_files ())
    return;
  held = make_file ("gone", 5 * MIB);
  big = in_mount ("gone");
  g_unlink (big);
  g_free (g_steal_pointer (&big));
  big = in_mount ("build/cache/a rather long name of a file that was made by a program.bin");
  notes = in_mount ("notes.txt");
  program_start (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_resize (&ui, 1200, 980);
  row = open_line (&ui, "*/" RUNTIME_DIR ", 307 MiB*");
  g_assert_true (g_str_has_suffix (ui_description (row), "mapped ones included · Show Files"));
  program_save_picture (&ui, "files-mounts.png");
  ui_click (row);
  window = ui_wait_for (ui.application, ATSPI_ROLE_FRAME, "Files in */" RUNTIME_DIR);
  row = ui_wait_for (window, ATSPI_ROLE_LIST_ITEM, "build/cache/a rather long *.bin, 300*MiB");
  g_assert_cmpstr (ui_description (row), ==, "root · changed just now");
  row = ui_wait_for (window, ATSPI_ROLE_LIST_ITEM, "Not seen, 5.0*MiB");
  g_assert_cmpstr (ui_description (row), ==, "Deleted files that a program still holds open");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "307*MiB · 2 files seen");
  g_assert_cmpuint (ui_find_all (window, ATSPI_ROLE_LIST_ITEM, NULL)->len, ==, 3);
  save_picture (window, "files.png");

  /* The first row has the focus. */
  ui_key ("Return");
  ui_await (was_shown (big));
  ui_double_click (ui_find (window, ATSPI_ROLE_LIST_ITEM, "notes.txt, *"));
  ui_await (was_shown (notes));
  ui_act (ui_find_nth (window, ATSPI_ROLE_PUSH_BUTTON, "Show in Folder", 0));
  ui_await (was_shown (big));
  ui_key ("ctrl+c");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Path copied");

  close (held);
  ui_key ("F5");
  ui_wait_until_gone (window, ATSPI_ROLE_LIST_ITEM, "Not seen, *");
  /* The first one is for the toast. */
  ui_key ("Escape");
  ui_wait_until_gone (window, ATSPI_ROLE_LABEL, "Path copied");
  ui_key ("Escape");
  ui_wait_until_gone (ui.application, ATSPI_ROLE_FRAME, "Files in *");
  ui_stop (&ui);
  unmount_files ();
}

/* A list that is as narrow and dark as can be: all of it is inside the window. */
static void
test_narrow (void)
{
  static const char *const dark[] = { "ADW_DEBUG_COLOR_SCHEME=prefer-dark", NULL };
  const char *const argv[] = { g_getenv ("FOOTPRINT"), "--view", "system", NULL };
  g_auto (Ui) ui = { 0 };
  UiNode *window, *row;
  UiBox outer, inner;

  if (!mount_files ())
    return;
  ui_start (&ui, argv, dark);
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Files kept in memory, *");
  /* Buttons give way when the window has become narrow, and only then it can become narrower still. */
  ui_resize (&ui, 360, 980);
  ui_await (ui_get_box (ui.window).width <= 520);
  ui_resize (&ui, 360, 980);
  ui_await (ui_get_content (&ui).width == 360);
  window = open_files (&ui);
  row = ui_wait_for (window, ATSPI_ROLE_LIST_ITEM, "build/cache/a rather long *.bin, 300*MiB");
  outer = ui_get_box (window);
  g_assert_cmpint (outer.width, <=, 420);
  inner = ui_get_box (row);
  g_assert_cmpint (inner.x, >=, outer.x);
  g_assert_cmpint (inner.x + inner.width, <=, outer.x + outer.width);
  save_picture (window, "files-narrow-dark.png");
  ui_stop (&ui);
  unmount_files ();
}

/* Files that only processes in another mount namespace see: their paths are said to be inside, and nothing here opens them. */
static void
test_namespace (void)
{
  g_autofree char *place = in_mount (NULL);
  g_autofree char *script = g_strdup_printf ("mount -t tmpfs -o size=1g footprint '%s' && cp \"$1\" '%s/inside' && exec sleep %s", place,
                                             place, program_get_sign ());
  g_autofree char *source = g_build_filename (g_get_user_runtime_dir (), "source", NULL), *block = g_malloc0 (BIG_MIB * MIB);
  g_auto (Ui) ui = { 0 };
  UiNode *window;
  GPid child;

  if (!has_mounts)
    {
      g_test_skip ("mounts of one's own need root");
      return;
    }
  g_assert_true (g_file_set_contents (source, block, BIG_MIB * MIB, NULL));
  g_assert_cmpint (g_mkdir (place, 0755), ==, 0);
  child = child_start_argv ((const char *const[]){ "unshare", "--mount", "sh", "-c", script, "sh", source, NULL });
  program_start (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_click (open_line (&ui, "*/" RUNTIME_DIR " of sleep, 300 MiB*"));
  window = ui_wait_for (ui.application, ATSPI_ROLE_FRAME, "Files in */" RUNTIME_DIR " of sleep");
  ui_wait_for (window, ATSPI_ROLE_LIST_ITEM, "inside, 300*MiB");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "*container or sandbox*from inside*");
  g_assert_null (ui_find (window, ATSPI_ROLE_PUSH_BUTTON, "Show in Folder"));
  g_assert_nonnull (ui_find (window, ATSPI_ROLE_PUSH_BUTTON, "Copy Path"));
  save_picture (window, "files-inside.png");

  /* It ends, and its files with it. */
  child_stop (child);
  ui_key ("F5");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "*can’t be opened any more");
  save_picture (window, "files-gone.png");
  ui_stop (&ui);
  g_rmdir (place);
  g_unlink (source);
}

int
main (int argc,
      char *argv[])
{
  GThread *thread;
  int result;

  g_test_init (&argc, &argv, NULL);
  manager.context = g_main_context_new ();
  manager.loop = g_main_loop_new (manager.context, FALSE);
  has_mounts = unshare (CLONE_NEWNS) == 0 && mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
  thread = g_thread_new ("manager", serve, NULL);
  g_test_add_func ("/machine-files/files", test_files);
  g_test_add_func ("/machine-files/narrow", test_narrow);
  g_test_add_func ("/machine-files/namespace", test_namespace);
  result = g_test_run ();
  g_main_loop_quit (manager.loop);
  g_thread_join (thread);
  g_main_loop_unref (manager.loop);
  g_main_context_unref (manager.context);
  g_free (manager.uri);
  return result;
}
