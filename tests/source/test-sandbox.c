// SPDX-License-Identifier: GPL-3.0-or-later
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "async-result.h"
#include "fp-helper-source.h"
#include "fp-sandbox.h"

typedef struct
{
  char *folder;
  char *info_path;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->folder = g_dir_make_tmp ("sandbox-XXXXXX", NULL);
  self->info_path = g_build_filename (self->folder, ".flatpak-info", NULL);
}

static void
remove_named (Fixture *self,
              const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, name, NULL);

  g_remove (path);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  static const char *const names[] = { "my app/libexec/footprint-helper", "my app/libexec", "my app", "the runtime" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    remove_named (self, names[i]);
  g_remove (self->info_path);
  g_assert_cmpint (g_rmdir (self->folder), ==, 0);
  g_free (self->folder);
  g_free (self->info_path);
}

static FpSandbox *
read_info (Fixture *self,
           const char *text)
{
  g_assert_true (g_file_set_contents (self->info_path, text, -1, NULL));
  return fp_sandbox_new (self->info_path);
}

static void
test_outside (Fixture *self,
              gconstpointer data)
{
  g_assert_null (fp_sandbox_new (self->info_path));
}

/* As Flatpak writes it, with a home that has blanks. */
static void
test_paths (Fixture *self,
            gconstpointer data)
{
  g_autoptr (FpSandbox) sandbox =
      read_info (self, "[Application]\nname=io.github.footprint_app.Footprint\n\n[Instance]\ninstance-id=1\n"
                       "app-path=/home/ada b/.local/share/flatpak/app/x/files\n"
                       "runtime-path=/var/lib/flatpak/runtime/org.gnome.Platform/x86_64/49/c0ffee/files\n");

  g_assert_cmpstr (sandbox->app_path, ==, "/home/ada b/.local/share/flatpak/app/x/files");
  g_assert_cmpstr (sandbox->runtime_path, ==, "/var/lib/flatpak/runtime/org.gnome.Platform/x86_64/49/c0ffee/files");
}

/* In a sandbox all the same: what its /proc holds is not the machine. */
static void
test_incomplete (Fixture *self,
                 gconstpointer data)
{
  static const char *const texts[] = { "", "[Instance]\napp-path=/a\n", "[Instance]\nruntime-path=/r\n",
                                       "[Instance]\napp-path=\nruntime-path=/r\n", "[Instance]\napp-path=a\nruntime-path=r\n" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (FpSandbox) sandbox = read_info (self, texts[i]);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (sandbox);
      g_assert_null (fp_sandbox_make_command (sandbox, "/app/libexec/footprint-helper", &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
    }
}

static void
test_damaged (Fixture *self,
              gconstpointer data)
{
  g_autoptr (FpSandbox) sandbox = NULL;

  g_test_expect_message ("footprint", G_LOG_LEVEL_MESSAGE, "*flatpak-info*");
  sandbox = read_info (self, "\177ELF");
  g_test_assert_expected_messages ();
  g_assert_nonnull (sandbox);
  g_assert_null (sandbox->app_path);
}

/* NULL: the loader of this machine lies elsewhere */
static char **
make_command (const FpSandbox *sandbox,
              const char *program)
{
  g_autoptr (GError) error = NULL;
  char **command = fp_sandbox_make_command (sandbox, program, &error);

  if (!command)
    g_test_skip ("the loader of this machine is not below /usr");
  return command;
}

static void
test_command (Fixture *self,
              gconstpointer data)
{
  g_autoptr (FpSandbox) sandbox = read_info (self, "[Instance]\napp-path=/the app\nruntime-path=/the runtime\n");
  g_auto (GStrv) command = make_command (sandbox, "/app/libexec/footprint-helper");
  g_auto (GStrv) folders = NULL;

  if (!command)
    return;
  g_assert_cmpuint (g_strv_length (command), ==, 6);
  g_assert_true (g_str_has_prefix (command[0], "/the runtime/lib"));
  g_assert_nonnull (strstr (command[0], "ld-"));
  g_assert_cmpstr (command[1], ==, "--inhibit-cache");
  g_assert_cmpstr (command[2], ==, "--library-path");
  g_assert_cmpstr (command[4], ==, "/the app/libexec/footprint-helper");
  g_assert_cmpstr (command[5], ==, "--stdio");
  folders = g_strsplit (command[3], ":", -1);
  g_assert_cmpuint (g_strv_length (folders), >=, 4);
  for (char **folder = folders; *folder; folder++)
    g_assert_true (g_str_has_prefix (*folder, "/the runtime/") || g_str_has_prefix (*folder, "/the app/"));
}

static void
test_elsewhere (Fixture *self,
                gconstpointer data)
{
  g_autoptr (FpSandbox) sandbox = read_info (self, "[Instance]\napp-path=/a\nruntime-path=/r\n");
  g_autoptr (GError) error = NULL;

  g_assert_null (fp_sandbox_make_command (sandbox, "/opt/footprint-helper", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

/* The command as it is made does run: a real helper, by a loader and from folders that have blanks in their names,
 * whatever this process's own environment says of libraries. */
static void
test_run (Fixture *self,
          gconstpointer data)
{
  g_autofree char *app = g_build_filename (self->folder, "my app", NULL);
  g_autofree char *libexec = g_build_filename (app, "libexec", NULL);
  g_autofree char *helper = g_build_filename (libexec, "footprint-helper", NULL);
  g_autofree char *runtime = g_build_filename (self->folder, "the runtime", NULL);
  g_autofree char *info = g_strdup_printf ("[Instance]\napp-path=%s\nruntime-path=%s\n", app, runtime);
  g_autoptr (FpSandbox) sandbox = read_info (self, info);
  g_auto (GStrv) command = make_command (sandbox, "/app/libexec/footprint-helper");
  g_autoptr (FpSource) source = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  if (!command)
    return;
  g_assert_cmpint (g_mkdir_with_parents (libexec, 0700), ==, 0);
  g_assert_cmpint (symlink (g_getenv ("FOOTPRINT_HELPER"), helper), ==, 0);
  g_assert_cmpint (symlink ("/usr", runtime), ==, 0);
  g_setenv ("LD_LIBRARY_PATH", "/nonexistent", TRUE);
  source = fp_helper_source_new_for_command ((const char *const *)command, FALSE);
  snapshot = async_result_ask (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, &error);
  g_unsetenv ("LD_LIBRARY_PATH");
  g_assert_no_error (error);
  g_assert_nonnull (fp_snapshot_find (snapshot, getpid ()));
}

int
main (int argc,
      char **argv)
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself; its children have this setting. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_unsetenv ("G_DEBUG");
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/sandbox/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("outside", test_outside);
  ADD ("paths", test_paths);
  ADD ("incomplete", test_incomplete);
  ADD ("damaged", test_damaged);
  ADD ("command", test_command);
  ADD ("elsewhere", test_elsewhere);
  ADD ("run", test_run);
  return g_test_run ();
}
