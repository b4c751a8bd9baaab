// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs of each kind are looked at; each one that can't be recorded has its reason. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fp-program.h"
#include "fp-recorder.h"

static char *
make_folder (void)
{
  char *folder = g_dir_make_tmp ("footprint-program-XXXXXX", NULL);

  g_assert_nonnull (folder);
  return folder;
}

/* Takes the folder. */
static void
remove_folder (char *folder)
{
  const char *argv[] = { "rm", "-rf", folder, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  g_free (folder);
}

/* Free the path. */
static char *
write_file (const char *folder,
            const char *name,
            const char *content,
            gssize length)
{
  char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  /* It would write over what is there, and leave the rest. */
  g_remove (path);
  g_assert_true (g_file_set_contents_full (path, content, length, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  g_assert_cmpint (chmod (path, 0755), ==, 0);
  return path;
}

static void
assert_kind (const char *name,
             const char *folder,
             char **environment,
             FpProgramKind expected,
             const char *words)
{
  g_auto (FpProgram) program = { 0 };
  g_autofree char *description = NULL;

  fp_program_look (&program, name, folder, environment);
  description = fp_program_describe (&program);
  g_test_message ("%s: %s", name, description ? description : "can be recorded");
  g_assert_cmpint (program.kind, ==, expected);
  g_assert_cmpint (fp_program_can_be_recorded (&program), ==, expected < FP_PROGRAM_MISSING);
  if (words)
    g_assert_nonnull (strstr (description, words));
  else
    g_assert_null (description);
}

static void
test_linked (void)
{
  static const struct
  {
    const char *variable;
    FpProgramKind kind;
    const char *words;
  } cases[] = {
    { "FOOTPRINT_TEST_PLAIN", FP_PROGRAM_RECORDABLE, NULL },
    { "FOOTPRINT_TEST_STATIC", FP_PROGRAM_STATIC, "linked statically" },
    { "FOOTPRINT_TEST_GO", FP_PROGRAM_GO, "runtime/pprof" },
    { "FOOTPRINT_TEST_MUSL", FP_PROGRAM_MUSL, "glibc" },
    { "FOOTPRINT_TEST_ALLOCATOR", FP_PROGRAM_OWN_ALLOCATOR, "pprof" },
    { "FOOTPRINT_TEST_C_ALLOCATOR", FP_PROGRAM_RECORDABLE, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_kind (g_getenv (cases[i].variable), NULL, NULL, cases[i].kind, cases[i].words);
}

static void
test_files (void)
{
  g_autofree char *folder = make_folder ();
  g_autofree char *data = write_file (folder, "data", "no program", -1), *text = write_file (folder, "text", "hello", -1);

  g_assert_cmpint (chmod (text, 0644), ==, 0);
  assert_kind ("footprint-no-such-program", NULL, NULL, FP_PROGRAM_MISSING, "There is no program “footprint-no-such-program”");
  assert_kind ("./nothing", folder, NULL, FP_PROGRAM_MISSING, "nothing");
  assert_kind (data, NULL, NULL, FP_PROGRAM_NOT_EXECUTABLE, "is not a program");
  assert_kind (text, NULL, NULL, FP_PROGRAM_NOT_EXECUTABLE, "is not a program");
  assert_kind (folder, NULL, NULL, FP_PROGRAM_NOT_EXECUTABLE, "is not a program");
  remove_folder (g_steal_pointer (&folder));
}

/* A program of another kind of processor, or of another width, is a program all the same. */
static void
test_foreign (void)
{
  g_autofree char *folder = make_folder (), *content = NULL, *other = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_TEST_PLAIN"), &content, &length, NULL));
  content[18] = (char)0x2a;
  other = write_file (folder, "other", content, (gssize)length);
  assert_kind (other, NULL, NULL, FP_PROGRAM_FOREIGN, "another kind of processor");
  remove_folder (g_steal_pointer (&folder));
}

/* Cut off anywhere, or with other bytes in its head, it is looked at without a fault. */
static void
test_damaged (void)
{
  g_autofree char *folder = make_folder (), *content = NULL;
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_TEST_GO"), &content, &length, NULL));
  for (guint i = 0; i < 500; i++)
    {
      g_autofree char *copy = g_memdup2 (content, length), *path = NULL;
      gsize kept = i < 250 ? (gsize)g_rand_int_range (random, 0, (gint)length) : length;

      for (guint j = 0; i >= 250 && j < 4; j++)
        copy[g_rand_int_range (random, 16, 1024)] = (char)g_rand_int (random);
      path = write_file (folder, "damaged", copy, (gssize)kept);
      {
        g_auto (FpProgram) program = { 0 };

        fp_program_look (&program, path, NULL, NULL);
        g_assert_cmpint (program.kind, !=, FP_PROGRAM_MISSING);
      }
    }
  remove_folder (g_steal_pointer (&folder));
}

/* The interpreter of a script decides, however many scripts are in between. */
static void
test_scripts (void)
{
  g_autofree char *folder = make_folder (), *line = g_strdup_printf ("#! %s -x\n", g_getenv ("FOOTPRINT_TEST_PLAIN"));
  g_autofree char *python_line = NULL, *variable = NULL;
  g_autofree char *shell = write_file (folder, "shell", "#!/bin/sh\nexec sort\n", -1);
  g_autofree char *plain = write_file (folder, "plain", line, -1), *python = NULL, *through = NULL;
  g_autofree char *missing = write_file (folder, "missing", "#!/no/such/interpreter\n", -1);
  g_autofree char *self = g_build_filename (folder, "self", NULL), *self_line = g_strdup_printf ("#!%s\n", self);
  g_auto (GStrv) environment = NULL, all_seen = NULL;

  g_assert_cmpint (symlink (g_getenv ("FOOTPRINT_TEST_PLAIN"), (variable = g_build_filename (folder, "python3.99", NULL))), ==, 0);
  environment = g_environ_setenv (NULL, "PATH", folder, TRUE);
  all_seen = g_environ_setenv (g_strdupv (environment), "PYTHONMALLOC", "malloc", TRUE);
  python = write_file (folder, "reader", "#!/usr/bin/env -S A=1 python3.99 -u\n", -1);
  python_line = g_strdup_printf ("#!%s\n", python);
  through = write_file (folder, "through", python_line, -1);
  g_free (write_file (folder, "self", self_line, -1));

  assert_kind (shell, NULL, NULL, FP_PROGRAM_SHELL_SCRIPT, "run by a shell");
  assert_kind ("./shell", folder, NULL, FP_PROGRAM_SHELL_SCRIPT, "“./shell” is run by a shell");
  assert_kind (plain, NULL, NULL, FP_PROGRAM_RECORDABLE, NULL);
  assert_kind (missing, NULL, NULL, FP_PROGRAM_MISSING, "interpreter");
  assert_kind ("reader", NULL, environment, FP_PROGRAM_PYTHON, "PYTHONMALLOC=malloc");
  assert_kind ("through", NULL, environment, FP_PROGRAM_PYTHON, "PYTHONMALLOC=malloc");
  assert_kind ("through", NULL, all_seen, FP_PROGRAM_RECORDABLE, NULL);
  assert_kind (self, NULL, NULL, FP_PROGRAM_NOT_EXECUTABLE, "can’t be started");
  remove_folder (g_steal_pointer (&folder));
}

/* Programs that start another one are known by their names. */
static void
test_names (void)
{
  g_autofree char *folder = make_folder (), *path = NULL, *exported = NULL;
  g_auto (GStrv) environment = g_environ_setenv (NULL, "PATH", folder, TRUE);

  g_free (write_file (folder, "bash", "", 0));
  g_free (write_file (folder, "env", "", 0));
  g_free (write_file (folder, "flatpak", "", 0));
  exported = write_file (folder, "share/flatpak/exports/bin/org.example.Program", "#!/bin/sh\n", -1);
  assert_kind ("bash", NULL, environment, FP_PROGRAM_SHELL_SCRIPT, "shell");
  assert_kind ("env", NULL, environment, FP_PROGRAM_STARTER, "“env” starts another program");
  assert_kind ("flatpak", NULL, environment, FP_PROGRAM_SANDBOXED, "sandbox");
  assert_kind (exported, NULL, environment, FP_PROGRAM_SANDBOXED, "sandbox");
  remove_folder (g_steal_pointer (&folder));
}

static void
test_privileged (void)
{
  g_autofree char *folder = make_folder (), *content = NULL, *path = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_TEST_PLAIN"), &content, &length, NULL));
  path = write_file (folder, "own", content, (gssize)length);
  /* The rights of its owner are no more than those that its user has anyway. */
  g_assert_cmpint (chmod (path, 04755), ==, 0);
  assert_kind (path, NULL, NULL, FP_PROGRAM_RECORDABLE, NULL);
  if (chown (path, 12345, getegid ()) != 0)
    g_test_skip ("only root can give a file to another user");
  else
    {
      g_assert_cmpint (chmod (path, 04755), ==, 0);
      assert_kind (path, NULL, NULL, FP_PROGRAM_PRIVILEGED, "rights that you don’t have");
    }
  remove_folder (g_steal_pointer (&folder));
}

/* The recorder is found wherever systems put it; else there is the command that installs it. */
static void
test_recorder (void)
{
  static const struct
  {
    const char *release, *command;
  } systems[] = {
    { "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n", "sudo apt install heaptrack" },
    { "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n", "sudo apt install heaptrack" },
    { "ID=arch\n", "sudo pacman -S heaptrack" },
    { "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "sudo zypper install heaptrack" },
    { "ID=other\nHOME_URL=\"https://debian.example\"\n", NULL },
  };
  static const char *const places[] = { "usr/lib/heaptrack", "usr/lib64/heaptrack", "usr/lib/x86_64-linux-gnu/heaptrack", "usr/local/lib/heaptrack" };
  g_autofree char *root = make_folder (), *none = fp_recorder_find_command (root);

  g_assert_null (fp_recorder_find (root));
  g_assert_null (none);
  for (guint i = 0; i < G_N_ELEMENTS (systems); i++)
    {
      g_autofree char *file = write_file (root, "etc/os-release", systems[i].release, -1), *command = fp_recorder_find_command (root);

      g_assert_cmpstr (command, ==, systems[i].command);
    }
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *name = g_build_filename (places[i], "libheaptrack_preload.so", NULL);
      g_autofree char *file = write_file (root, name, "", 0), *found = fp_recorder_find (root);

      g_assert_cmpstr (found, ==, file);
      g_remove (file);
    }
  remove_folder (g_steal_pointer (&root));
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program/linked", test_linked);
  g_test_add_func ("/program/files", test_files);
  g_test_add_func ("/program/foreign", test_foreign);
  g_test_add_func ("/program/damaged", test_damaged);
  g_test_add_func ("/program/scripts", test_scripts);
  g_test_add_func ("/program/names", test_names);
  g_test_add_func ("/program/privileged", test_privileged);
  g_test_add_func ("/program/recorder", test_recorder);
  return g_test_run ();
}
