// SPDX-License-Identifier: GPL-3.0-or-later
/* Desktop entries in folders of the test's own: which icon an app, a program has. No display is needed. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>

#include "fp-app-icons.h"
#include "fp-desktop-index.h"

typedef struct
{
  char *root;
  char *folders[3];
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->root = g_dir_make_tmp ("footprint-icons-XXXXXX", NULL);
  self->folders[0] = g_build_filename (self->root, "first", NULL);
  self->folders[1] = g_build_filename (self->root, "second", NULL);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !g_file_test (inner, G_FILE_TEST_IS_SYMLINK))
        remove_tree (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  remove_tree (self->root);
  g_free (self->root);
  g_free (self->folders[0]);
  g_free (self->folders[1]);
}

static void
write_file (const char *folder,
            const char *name,
            const char *text,
            gssize length)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_mkdir_with_parents (parent, 0700);
  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);
}

/* keys: all but the type */
static void
write_entry (const char *folder,
             const char *name,
             const char *keys)
{
  g_autofree char *text = g_strconcat ("[Desktop Entry]\nType=Application\nName=x\n", keys, "\n", NULL);

  write_file (folder, name, text, -1);
}

static FpDesktopIndex *
read_index (Fixture *self)
{
  return fp_desktop_index_new ((const char *const *)self->folders);
}

static void
assert_icon (GIcon *icon,
             const char *name)
{
  g_autofree char *text = icon ? g_icon_to_string (icon) : NULL;

  g_assert_cmpstr (text, ==, name);
}

#define assert_app(index, app, name)         assert_icon (fp_desktop_index_find_app (index, app), name)
#define assert_program(index, program, name) assert_icon (fp_desktop_index_find_program (index, program), name)

static void
test_app_id (Fixture *self,
             gconstpointer data)
{
  g_autoptr (FpDesktopIndex) index = NULL;

  write_entry (self->folders[0], "org.gnome.Loupe.desktop", "Exec=loupe %U\nIcon=org.gnome.Loupe");
  write_entry (self->folders[0], "firefox.desktop", "Exec=/usr/lib/firefox/firefox %u\nIcon=firefox");
  write_entry (self->folders[0], "kde/marble.desktop", "Exec=marble\nIcon=marble");
  write_entry (self->folders[0], "office.desktop", "Exec=soffice\nIcon=office\nX-Flatpak=org.Office");
  write_entry (self->folders[0], "spotify_spotify.desktop", "Exec=/snap/bin/spotify\nIcon=spot\nX-SnapInstanceName=spotify");
  write_file (self->folders[0], "notes.txt", "[Desktop Entry]\nType=Application\nExec=notes\nIcon=notes\n", -1);
  index = read_index (self);
  assert_app (index, "org.gnome.Loupe", "org.gnome.Loupe");
  assert_app (index, "firefox", "firefox");
  assert_app (index, "kde-marble", "marble");
  assert_app (index, "org.Office", "office");
  assert_app (index, "spotify", "spot");
  assert_app (index, "loupe", NULL);
  assert_app (index, "notes", NULL);
  assert_app (index, "", NULL);
  assert_program (index, "notes", NULL);
}

static void
test_exec (Fixture *self,
           gconstpointer data)
{
  static const struct
  {
    const char *exec;
    const char *program; /* NULL: none */
  } cases[] = {
    { "c00", "c00" },
    { "/usr/bin/c01 %U", "c01" },
    { "\"/opt/with blanks/c02\" --new %f", "c02" },
    { "env c03", "c03" },
    { "env -u LANG GDK_BACKEND=x11 A=/b/c /usr/bin/c04 %u", "c04" },
    { "/usr/bin/env -i c05", "c05" },
    { "LANG=C c06", "c06" },
    { "pkexec /usr/sbin/c07", "c07" },
    { "python3 /usr/share/c08/c08.py %F", "c08.py" },
    { "/usr/bin/python3 -m c09", "c09" },
    { "env A=b sh /usr/bin/c10", "c10" },
    { "java -jar /opt/c11.jar", "c11.jar" },
    { "flatpak run --branch=stable --command=c12 org.c12 @@u %u @@", "c12" },
    { "/usr/bin/flatpak run org.c13", NULL },
    { "sh -c \"c14 --x\"", NULL },
    { "flatpak run --command=sh org.c15", NULL },
    { "\"c16", NULL },
    { "   ", NULL },
    { "env A=b", NULL },
    { "env", NULL },
    { "flatpak run", NULL },
    { "pkexec", NULL },
    { "c22/", "c22" },
  };
  static const char *const starters[] = { "env", "flatpak", "java", "pkexec", "python3", "sh", "", "/", ".", NULL };
  g_autoptr (FpDesktopIndex) index = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *keys = g_strdup_printf ("Exec=%s\nIcon=i%u", cases[i].exec, i);
      g_autofree char *name = g_strdup_printf ("e%u.desktop", i);

      write_entry (self->folders[0], name, keys);
    }
  index = read_index (self);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *icon = g_strdup_printf ("i%u", i);
      g_autofree char *id = g_strdup_printf ("e%u", i);

      if (cases[i].program)
        assert_program (index, cases[i].program, icon);
      assert_app (index, id, icon);
    }
  for (const char *const *name = starters; *name; name++)
    if (fp_desktop_index_find_program (index, *name))
      g_error ("“%s” has an icon", *name);
  assert_app (index, "org.c12", "i12");
  assert_app (index, "org.c13", "i13");
}

static void
test_other_names (Fixture *self,
                  gconstpointer data)
{
  g_autoptr (FpDesktopIndex) index = NULL;

  write_entry (self->folders[0], "a.desktop", "Exec=sh -c gimp\nTryExec=/usr/bin/gimp-2.10\nIcon=gimp");
  write_entry (self->folders[0], "b.desktop", "Exec=sh -c x\nTryExec=bash\nIcon=none");
  write_entry (self->folders[0], "c.desktop", "Exec=term\nStartupWMClass=Term-Server\nIcon=term");
  write_entry (self->folders[0], "d.desktop", "Exec=term-server\nIcon=server");
  write_entry (self->folders[0], "e.desktop", "Exec=hidden\nNoDisplay=true\nIcon=hidden");
  index = read_index (self);
  assert_program (index, "gimp-2.10", "gimp");
  assert_program (index, "bash", NULL);
  assert_program (index, "hidden", "hidden");
  /* The program that runs says more than the class of a window. */
  assert_program (index, "term-server", "server");
  g_clear_pointer (&index, fp_desktop_index_free);
  write_entry (self->folders[0], "d.desktop", "Exec=other\nIcon=server");
  index = read_index (self);
  assert_program (index, "term-server", "term");
  assert_program (index, "Term-Server", NULL);
}

/* The order of the file system does not matter. */
static void
test_precedence (Fixture *self,
                 gconstpointer data)
{
  g_autoptr (FpDesktopIndex) index = NULL;

  write_entry (self->folders[1], "same.desktop", "Exec=same\nIcon=later");
  write_entry (self->folders[0], "same.desktop", "Exec=same\nIcon=earlier");
  write_entry (self->folders[1], "deleted.desktop", "Exec=deleted\nIcon=deleted");
  write_entry (self->folders[0], "deleted.desktop", "Exec=deleted\nIcon=deleted\nHidden=true");
  write_entry (self->folders[0], "z.desktop", "Exec=twice\nIcon=z");
  write_entry (self->folders[0], "b.desktop", "Exec=twice\nIcon=b");
  write_entry (self->folders[0], "m.desktop", "Exec=twice\nIcon=m");
  write_entry (self->folders[0], "panel-a.desktop", "Exec=control a\nIcon=panel-a\nNoDisplay=true");
  write_entry (self->folders[0], "panel-b.desktop", "Exec=control b\nIcon=panel-b");
  write_entry (self->folders[1], "panel.desktop", "Exec=control %u\nIcon=whole\nNoDisplay=true");
  write_entry (self->folders[0], "a-writer.desktop", "Exec=office --writer\nIcon=writer");
  write_entry (self->folders[0], "b-start.desktop", "Exec=office\nIcon=start");
  write_entry (self->folders[1], "org.lib.Office.desktop", "Exec=office --any\nIcon=own");
  index = read_index (self);
  assert_app (index, "same", "earlier");
  assert_program (index, "same", "earlier");
  assert_app (index, "deleted", NULL);
  assert_program (index, "deleted", NULL);
  assert_program (index, "twice", "b");
  assert_program (index, "control", "whole");
  assert_program (index, "office", "own");
  assert_app (index, "a-writer", "writer");
}

static void
test_bad_entries (Fixture *self,
                  gconstpointer data)
{
  static const char binary[] = "[Desktop Entry]\nType=Application\nExec=bin\0ary\nIcon=\xff\xfe\n";
  g_autofree char *fifo = g_build_filename (self->folders[0], "fifo.desktop", NULL);
  g_autofree char *loop = g_build_filename (self->folders[0], "loop", NULL);
  g_autofree char *dangling = g_build_filename (self->folders[0], "dangling.desktop", NULL);
  g_autofree char *folder = g_build_filename (self->folders[0], "folder.desktop", NULL);
  g_autofree char *large = g_strnfill (2 << 20, '#');
  g_autofree char *large_entry = g_strconcat ("[Desktop Entry]\nType=Application\nExec=large\nIcon=large\n", large, NULL);
  g_autoptr (FpDesktopIndex) index = NULL;

  write_entry (self->folders[0], "good.desktop", "Exec=good\nIcon=good.png");
  write_file (self->folders[0], "empty.desktop", "", 0);
  write_file (self->folders[0], ".desktop", "[Desktop Entry]\nType=Application\nExec=dot\nIcon=dot\n", -1);
  write_file (self->folders[0], "binary.desktop", binary, sizeof binary - 1);
  write_file (self->folders[0], "cut.desktop", "[Desktop Entry]\nType=Appl", -1);
  write_file (self->folders[0], "no-group.desktop", "Type=Application\nExec=nogroup\nIcon=i\n", -1);
  write_file (self->folders[0], "no-type.desktop", "[Desktop Entry]\nExec=notype\nIcon=i\n", -1);
  write_file (self->folders[0], "link.desktop", "[Desktop Entry]\nType=Link\nExec=link\nIcon=i\n", -1);
  write_file (self->folders[0], "large.desktop", large_entry, -1);
  write_entry (self->folders[0], "no-icon.desktop", "Exec=noicon");
  write_entry (self->folders[0], "empty-icon.desktop", "Exec=emptyicon\nIcon=");
  write_entry (self->folders[0], "no-exec.desktop", "Icon=noexec");
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink ("..", loop), ==, 0);
  g_assert_cmpint (symlink ("nowhere", dangling), ==, 0);
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  index = read_index (self);
  assert_app (index, "good", "good");
  assert_app (index, "no-exec", "noexec");
  for (const char *const *name = (const char *const[]){ "nogroup", "notype", "link", "large", "noicon", "emptyicon", "bin", NULL };
       *name;
       name++)
    if (fp_desktop_index_find_program (index, *name))
      g_error ("“%s” has an icon", *name);
}

static void
test_icon_names (Fixture *self,
                 gconstpointer data)
{
  g_autofree char *picture = g_build_filename (self->root, "picture.png", NULL);
  g_autofree char *fifo = g_build_filename (self->root, "fifo.png", NULL);
  g_autofree char *keys = g_strdup_printf ("Exec=file\nIcon=%s", picture);
  g_autofree char *fifo_keys = g_strdup_printf ("Exec=fifo\nIcon=%s", fifo);
  g_autoptr (FpDesktopIndex) index = NULL;

  write_file (self->root, "picture.png", "x", 1);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  write_entry (self->folders[0], "a.desktop", keys);
  write_entry (self->folders[0], "b.desktop", fifo_keys);
  write_entry (self->folders[0], "c.desktop", "Exec=up\nIcon=../../etc/passwd");
  write_entry (self->folders[0], "d.desktop", "Exec=inner\nIcon=apps/thing");
  write_entry (self->folders[0], "e.desktop", "Exec=gone\nIcon=/nowhere/at/all.png");
  write_entry (self->folders[0], "f.desktop", "Exec=device\nIcon=/dev/zero");
  write_entry (self->folders[0], "g.desktop", "Exec=suffix\nIcon=thing.svg");
  write_entry (self->folders[0], "h.desktop", "Exec=dotted\nIcon=org.thing.View");
  write_entry (self->folders[0], "i.desktop", "Exec=only-suffix\nIcon=.png");
  index = read_index (self);
  g_assert_true (G_IS_FILE_ICON (fp_desktop_index_find_program (index, "file")));
  assert_program (index, "fifo", NULL);
  assert_program (index, "up", NULL);
  assert_program (index, "inner", NULL);
  assert_program (index, "gone", NULL);
  assert_program (index, "device", NULL);
  assert_program (index, "suffix", "thing");
  assert_program (index, "dotted", "org.thing.View");
  assert_program (index, "only-suffix", NULL);
}

static void
count_cb (FpAppIcons *icons,
          gpointer data)
{
  (*(guint *)data)++;
}

static void
await (const guint *n,
       guint wanted,
       FpAppIcons *icons)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (*n < wanted && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
      fp_app_icons_find (icons, "", "program-of-test");
    }
  g_assert_cmpuint (*n, ==, wanted);
}

/* The icons alone of a host are seen; an entry knows better. */
static void
test_theme (Fixture *self,
            gconstpointer data)
{
  g_autofree char *theme = g_build_filename (self->root, "hicolor", NULL);
  g_autoptr (FpDesktopIndex) index = NULL;

  write_entry (self->folders[0], "org.test.Known.desktop", "Exec=known\nIcon=of-entry");
  write_file (theme, "48x48/apps/org.test.Known.png", "", 0);
  write_file (theme, "48x48/apps/org.test.Viewer.png", "", 0);
  write_file (theme, "scalable/apps/editor.svg", "", 0);
  write_file (theme, "scalable/apps/editor.svg.bak", "", 0);
  write_file (theme, "scalable/actions/go-home.svg", "", 0);
  write_file (theme, "index.theme", "", 0);
  index = read_index (self);
  g_assert_null (fp_desktop_index_find_app (index, "org.test.Viewer"));
  fp_desktop_index_add_theme (index, theme);
  assert_app (index, "org.test.Known", "of-entry");
  assert_program (index, "known", "of-entry");
  assert_app (index, "org.test.Viewer", "org.test.Viewer");
  assert_program (index, "viewer", "org.test.Viewer");
  assert_program (index, "editor", "editor");
  g_assert_null (fp_desktop_index_find_program (index, "go-home"));
  fp_desktop_index_add_theme (index, "/nonexistent");
}

/* From the data folders that main () has chosen; new entries are found without a new start. */
static void
test_machine (void)
{
  g_autofree char *folder = g_build_filename (g_get_system_data_dirs ()[0], "applications", NULL);
  g_autofree char *exported =
      g_build_filename (g_get_home_dir (), ".local", "share", "flatpak", "exports", "share", "applications", NULL);
  g_autoptr (FpAppIcons) icons = fp_app_icons_new ();
  guint n_changed = 0;
  gint64 start;

  g_signal_connect (icons, "changed", G_CALLBACK (count_cb), &n_changed);
  write_entry (folder, "org.test.App.desktop", "Exec=program-of-test\nIcon=first");
  write_entry (exported, "org.test.Flatpak.desktop", "Exec=flatpak run org.test.Flatpak\nIcon=flat");
  g_assert_null (fp_app_icons_find (icons, "org.test.App", ""));
  await (&n_changed, 1, icons);
  assert_icon (fp_app_icons_find (icons, "org.test.App", "something"), "first");
  assert_icon (fp_app_icons_find (icons, "unknown", "program-of-test"), "first");
  assert_icon (fp_app_icons_find (icons, "", "program-of-test"), "first");
  assert_icon (fp_app_icons_find (icons, "org.test.Flatpak", "bwrap"), "flat");
  g_assert_null (fp_app_icons_find (icons, "", ""));
  g_assert_null (fp_app_icons_find (icons, "unknown", "unknown"));

  start = g_get_monotonic_time ();
  write_entry (folder, "org.test.Other.desktop", "Exec=other-of-test\nIcon=second");
  await (&n_changed, 2, icons);
  g_assert_cmpint (g_get_monotonic_time () - start, >, G_USEC_PER_SEC);
  /* An app comes before a program. */
  assert_icon (fp_app_icons_find (icons, "org.test.Other", "program-of-test"), "second");
}

int
main (int argc,
      char *argv[])
{
  g_autofree char *root = g_dir_make_tmp ("footprint-data-XXXXXX", NULL);
  g_autofree char *applications = g_build_filename (root, "system", "applications", NULL);
  g_autofree char *system = g_path_get_dirname (applications);
  int status;

  g_mkdir_with_parents (applications, 0700);
  g_setenv ("HOME", root, TRUE);
  g_setenv ("XDG_DATA_HOME", root, TRUE);
  g_setenv ("XDG_DATA_DIRS", system, TRUE);
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define add(name, test) g_test_add ("/app-icons/" name, Fixture, NULL, set_up, test, tear_down)
  add ("app-id", test_app_id);
  add ("exec", test_exec);
  add ("other-names", test_other_names);
  add ("precedence", test_precedence);
  add ("bad-entries", test_bad_entries);
  add ("icon-names", test_icon_names);
  add ("theme", test_theme);
  g_test_add_func ("/app-icons/machine", test_machine);
  status = g_test_run ();
  remove_tree (root);
  return status;
}
