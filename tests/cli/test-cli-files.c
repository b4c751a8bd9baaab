// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli-runner.h"
#include "cli-terminal.h"

typedef struct
{
  char *folder;
  char *saved;
  char *other;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autofree char *output = NULL;

  self->folder = cli_make_folder ();
  self->saved = g_build_filename (self->folder, "saved", NULL);
  self->other = g_build_filename (self->folder, "other", NULL);
  output = cli_get_output ("--save", self->saved, NULL);
  g_assert_cmpstr (output, ==, "");
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_free (self->saved);
  g_free (self->other);
  cli_remove_folder (self->folder);
}

static void
test_same_json (Fixture *self,
                gconstpointer data)
{
  g_autofree char *first = cli_get_output ("--open", self->saved, "--json", "--kernel", NULL);
  g_autofree char *second = cli_get_output ("--open", self->saved, "--json", "--kernel", NULL);
  g_autoptr (JsonNode) root = cli_parse_json (first);
  JsonObject *process = cli_json_find (root, "processes", "pid", getpid ());

  g_assert_cmpstr (first, ==, second);
  g_assert_nonnull (process);
  g_assert_cmpint (cli_json_get_int (process, "ppid"), ==, getppid ());
  g_assert_cmpint (cli_json_get_int (process, "rss"), >, 0);
  g_assert_true (g_str_has_prefix (cli_json_get_text (process, "comm"), "test-cli-files"));
}

/* A recorded /proc does not change, so the figures must be the same by either way. */
static void
test_as_read (Fixture *self,
              gconstpointer data)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autoptr (JsonNode) read_root = NULL, opened_root = NULL;
  g_autofree char *output = NULL;
  JsonObject *read, *opened;

  output = cli_get_output ("--proc", proc, "--save", self->other, "--with-commands", NULL);
  read_root =
      cli_get_json ("--proc", proc, "--json", "--kernel", "--columns",
                    "pid,ppid,comm,command,program,user,rss,pss,uss,swap_whole,swap,threads,cpu_time_us,reason", NULL);
  opened_root =
      cli_get_json ("--open", self->other, "--json", "--kernel", "--columns",
                    "pid,ppid,comm,command,program,user,rss,pss,uss,swap_whole,swap,threads,cpu_time_us,reason", NULL);
  read = json_node_get_object (read_root);
  opened = json_node_get_object (opened_root);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (read, "processes")), >, 2);
  g_assert_true (
      json_node_equal (json_object_get_member (read, "processes"), json_object_get_member (opened, "processes")));
  g_assert_true (json_node_equal (json_object_get_member (read, "total"), json_object_get_member (opened, "total")));
  g_assert_true (json_node_equal (json_object_get_member (json_object_get_object_member (read, "system"), "ledger"),
                                  json_object_get_member (json_object_get_object_member (opened, "system"), "ledger")));
}

static void
test_other_faces (Fixture *self,
                  gconstpointer data)
{
  g_autofree char *table = cli_get_output ("--open", self->saved, "--total", NULL);
  g_autofree char *page = cli_get_output ("--open", self->saved, "--system", NULL);
  g_autofree char *csv = cli_get_output ("--open", self->saved, "--csv", NULL);
  g_autoptr (JsonNode) users = cli_get_json ("--open", self->saved, "--by", "user", "--json", NULL);

  g_assert_true (strlen (table) > 0 && strlen (page) > 0 && strlen (csv) > 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (json_node_get_object (users), "groups")), >,
                    0);
}

/* Command lines of everybody are in it. */
static void
test_private (Fixture *self,
              gconstpointer data)
{
  struct stat st;

  g_assert_cmpint (stat (self->saved, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 07777, ==, 0600);
}

static void
test_truncated (Fixture *self,
                gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (self->saved, &bytes, &length, NULL));
  for (guint i = 0; i < 24; i++)
    {
      gsize cut = i < 8 ? i * 8 : i < 16 ? length - (i - 7)
                                         : length * (i - 15) / 9;

      g_test_message ("%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT, cut, length);
      g_assert_true (g_file_set_contents (self->other, bytes, (gssize)cut, NULL));
      cli_assert_refused (1, self->other, "--open", self->other, NULL);
    }
}

static void
test_damaged (Fixture *self,
              gconstpointer data)
{
  g_autofree char *bytes = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (self->saved, &bytes, &length, NULL));
  for (gsize i = 0; i < 64; i += 4)
    {
      g_auto (CliResult) result = { 0 };
      g_autofree char *damaged = g_memdup2 (bytes, length);

      memset (damaged + i, 0xff, 4);
      g_assert_true (g_file_set_contents (self->other, damaged, (gssize)length, NULL));
      cli_run (&result, "--open", self->other, "--json", NULL);
      if (result.status == 0)
        json_node_unref (cli_parse_json (result.out));
      else
        cli_assert_refused (1, self->other, "--open", self->other, "--json", NULL);
      g_assert_true (i >= 8 || result.status == 1);
    }
}

static void
test_foreign (Fixture *self,
              gconstpointer data)
{
  g_autofree char *own = g_file_read_link ("/proc/self/exe", NULL);

  cli_assert_refused (1, own, "--open", own, NULL);
  cli_assert_refused (1, "/etc/passwd", "--open", "/etc/passwd", NULL);
  cli_assert_refused (1, self->folder, "--open", self->folder, NULL);
  cli_assert_refused (1, self->other, "--open", self->other, NULL);
  cli_assert_refused (1, "/dev/null", "--open", "/dev/null", NULL);
}

static void
test_unwritable (Fixture *self,
                 gconstpointer data)
{
  cli_assert_refused (1, "/no/such/folder/file: No such file", "--save", "/no/such/folder/file", NULL);
  cli_assert_refused (1, self->folder, "--save", self->folder, NULL);
}

/* A file that is not a plain one is written to, never replaced: with --save /dev/null the machine keeps its /dev/null. */
static void
test_special_file (Fixture *self,
                   gconstpointer data)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_auto (CliResult) result = { 0 };
  struct stat st;
  int reader;

  g_assert_cmpint (mkfifo (self->other, 0600), ==, 0);
  reader = open (self->other, O_RDONLY | O_NONBLOCK);
  cli_run (&result, "--proc", proc, "--save", self->other, NULL);
  close (reader);
  g_assert_cmpint (result.status, ==, 0);
  g_assert_cmpint (lstat (self->other, &st), ==, 0);
  g_assert_true (S_ISFIFO (st.st_mode));
}

static void
test_standard_streams (Fixture *self,
                       gconstpointer data)
{
  g_auto (CliResult) piped = { 0 };
  g_autofree char *read = NULL, *opened = cli_get_output ("--open", self->saved, "--csv", NULL);
  g_autofree char *script = g_strdup_printf ("\"$CLI\" --open - --csv <'%s'", self->saved);
  g_auto (CliResult) redirected = { 0 };

  cli_run_shell (&piped, "\"$CLI\" --save - | \"$CLI\" --open - --json");
  g_assert_cmpstr (piped.err, ==, "");
  g_assert_cmpint (piped.status, ==, 0);
  json_node_unref (cli_parse_json (piped.out));
  cli_run_shell (&redirected, script);
  g_assert_cmpstr (redirected.out, ==, opened);
  g_assert_false (g_file_test ("-", G_FILE_TEST_EXISTS));
}

/* A terminal would take the bytes for commands. */
static void
test_not_to_a_terminal (Fixture *self,
                        gconstpointer data)
{
  g_auto (CliTerminal) terminal = { 0 };

  cli_terminal_start (&terminal, 80, 24, "--save", "-", NULL);
  g_assert_cmpint (cli_terminal_finish (&terminal), ==, 2);
  g_assert_nonnull (strstr (terminal.output->str, "terminal"));
  g_assert_null (strstr (terminal.output->str, "FOOTPRNT"));
}

static void
test_twice (Fixture *self,
            gconstpointer data)
{
  g_autofree char *output = cli_get_output ("--save", self->saved, NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--open", self->saved, "--json", NULL);
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);

  g_assert_nonnull (cli_json_find (root, "processes", "pid", getpid ()));
  g_assert_cmpstr (g_dir_read_name (folder), ==, "saved");
  g_assert_null (g_dir_read_name (folder));
}

#define ADD(name, func) g_test_add ("/cli/files/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("same-json", test_same_json);
  ADD ("as-read", test_as_read);
  ADD ("other-faces", test_other_faces);
  ADD ("private", test_private);
  ADD ("truncated", test_truncated);
  ADD ("damaged", test_damaged);
  ADD ("foreign", test_foreign);
  ADD ("unwritable", test_unwritable);
  ADD ("special-file", test_special_file);
  ADD ("standard-streams", test_standard_streams);
  ADD ("not-to-a-terminal", test_not_to_a_terminal);
  ADD ("twice", test_twice);
  return g_test_run ();
}
