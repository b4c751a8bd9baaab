// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <grp.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli-runner.h"
#include "cli-terminal.h"
#include "fp-columns.h"
#include "fp-display.h"

#define N_HOLDERS 3

/* Stopped processes of one program in a folder of its own. It shares no page with anybody else, so that its figures stay. */
typedef struct
{
  char *folder;
  char *path;
  GPid pids[N_HOLDERS];
  char *list; /* their PIDs, separated by commas */
} Fixture;

static void
copy_holder (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_HOLDER"), &text, &length, NULL));
  g_assert_true (g_file_set_contents_full (path, text, (gssize)length, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
}

/* func: (nullable): runs in the child */
static GPid
start_holder (const char *path,
              GSpawnChildSetupFunc func)
{
  char *argv[] = { (char *)path, NULL };
  GPid pid;
  int output;
  char c = 0;

  g_assert_true (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, func, NULL, &pid, NULL, &output,
                                           NULL, NULL));
  g_assert_cmpint (read (output, &c, 1), ==, 1);
  close (output);
  kill (pid, SIGSTOP);
  return pid;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *name = NULL;

  self->folder = cli_make_folder ();
  name = g_strdup_printf ("held-by-%d", getpid ());
  self->path = g_build_filename (self->folder, name, NULL);
  copy_holder (self->path);
  for (guint i = 0; i < N_HOLDERS; i++)
    {
      self->pids[i] = start_holder (self->path, NULL);
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", self->pids[i]);
    }
  self->list = g_string_free (g_steal_pointer (&list), FALSE);
}

static void
stop_holder (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  for (guint i = 0; i < N_HOLDERS; i++)
    stop_holder (self->pids[i]);
  g_free (self->list);
  g_free (self->path);
  cli_remove_folder (self->folder);
}

static JsonArray *
get_array (JsonNode *root,
           const char *name)
{
  return json_object_get_array_member (json_node_get_object (root), name);
}

static JsonObject *
find (JsonArray *array,
      const char *key,
      const char *text)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    if (g_str_equal (cli_json_get_text (json_array_get_object_element (array, i), key), text))
      return json_array_get_object_element (array, i);
  return NULL;
}

static gint64
sum_up (JsonArray *array,
        const char *key)
{
  gint64 sum = 0;

  for (guint i = 0; i < json_array_get_length (array); i++)
    sum += cli_json_get_int (json_array_get_object_element (array, i), key);
  return sum;
}

static gboolean
is_known (JsonArray *array,
          const char *key)
{
  return !json_object_get_null_member (json_array_get_object_element (array, 0), key);
}

/* Every figure of every file is the sum of what --mappings --by file says of each process. */
static void
test_sums (Fixture *self,
           gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  JsonArray *files = get_array (root, "files"), *groups[N_HOLDERS];
  JsonNode *roots[N_HOLDERS];
  guint n = 0;

  for (guint i = 0; i < N_HOLDERS; i++)
    {
      g_autofree char *pid = g_strdup_printf ("%d", self->pids[i]);

      roots[i] = cli_get_json ("--json", "--mappings", "--by", "file", "--pid", pid, NULL);
      groups[i] = get_array (roots[i], "groups");
      g_assert_cmpuint (json_array_get_length (groups[i]), ==, json_array_get_length (files));
    }
  for (guint f = 0; f < json_array_get_length (files); f++)
    {
      JsonObject *file = json_array_get_object_element (files, f);
      const char *name = cli_json_get_text (file, "file");

      g_assert_cmpint (cli_json_get_int (file, "processes"), ==, N_HOLDERS);
      g_assert_cmpint (cli_json_get_int (file, "users"), ==, 1);
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (file, "pids")), ==, N_HOLDERS);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          const char *id = fp_field_infos[field].name;
          gint64 sum = 0;

          if (!fp_columns_find (id, FP_RECORD_MAPPED_FILE) || !is_known (files, id))
            continue;
          for (guint i = 0; i < N_HOLDERS; i++)
            sum += cli_json_get_int (find (groups[i], "name", name), id);
          g_test_message ("%s %s", name, id);
          g_assert_cmpint (cli_json_get_int (file, id), ==, sum);
          n++;
        }
    }
  g_assert_cmpuint (n, >=, 4 * 20);
  for (guint i = 0; i < N_HOLDERS; i++)
    json_node_unref (roots[i]);
}

/* Known answers: each has 8 MiB, of which 1 MiB is locked, and all run one program. */
static void
test_known (Fixture *self,
            gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  JsonArray *files = get_array (root, "files");
  JsonObject *anonymous = find (files, "kind", "anonymous"), *program = find (files, "file", self->path);

  g_assert_cmpint (cli_json_get_int (anonymous, "locked"), ==, N_HOLDERS * (1 << 20));
  g_assert_cmpint (cli_json_get_int (anonymous, "size"), >=, N_HOLDERS * (8 << 20));
  g_assert_cmpstr (cli_json_get_text (program, "kind"), ==, "code");
  g_assert_cmpstr (cli_json_get_text (program, "file_state"), ==, "present");
  g_assert_false (json_object_get_boolean_member (program, "outdated"));
  for (guint i = 0; i < N_HOLDERS; i++)
    g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (program, "pids"), i), ==, self->pids[i]);
}

static void
test_table (Fixture *self,
            gconstpointer data)
{
  g_autofree char *table = cli_get_output ("--by", "file", "--pid", self->list, NULL);
  g_autofree char *limited = cli_get_output ("--by", "file", "--pid", self->list, "--limit", "1", NULL);
  g_autofree char *sorted = cli_get_output ("--by", "file", "--pid", self->list, "--sort", "file", "--columns", "file", NULL);
  g_autofree char *filtered = cli_get_output ("--by", "file", "--pid", self->list, "--filter", "kind:code", "--columns",
                                              "processes,file", NULL);
  g_autofree char *code = g_strdup_printf ("\n +%d  %s\n", N_HOLDERS, self->path);

  g_assert_true (g_regex_match_simple ("^ *Memory +Processes +Private +Private Dirty +Users +Resident +Swap +Size +File\n.* Anonymous\n",
                                       table, 0, 0));
  g_assert_true (g_regex_match_simple ("\n.* [0-9]+ files and kinds\n$", table, 0, 0));
  g_assert_true (g_regex_match_simple ("^[^\n]*\n[^\n]* Anonymous\n[^\n]* [0-9]+ files and kinds\n$", limited, 0, 0));
  g_assert_true (g_str_has_prefix (sorted, "File\n/"));
  g_assert_true (g_regex_match_simple (code, filtered, 0, 0));
  g_assert_null (strstr (filtered, "Anonymous"));
}

static void
test_csv (Fixture *self,
          gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  JsonArray *files = get_array (root, "files");
  g_autofree char *csv = cli_get_output ("--csv", "--by", "file", "--pid", self->list, "--columns", "processes,pss,file", NULL);
  g_autofree char *total = cli_get_output ("--csv", "--total", "--by", "file", "--pid", self->list, "--columns", "pss,size", NULL);
  JsonObject *json_total = json_object_get_object_member (json_node_get_object (root), "total");
  g_autofree char *line = g_strdup_printf ("\r\n%d,%" G_GINT64_FORMAT ",%s\r\n", N_HOLDERS,
                                           cli_json_get_int (find (files, "file", self->path), "pss"), self->path);
  g_autofree char *sums = g_strdup_printf ("pss,size\r\n%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "\r\n", sum_up (files, "pss"),
                                           sum_up (files, "size"));

  g_assert_nonnull (strstr (csv, line));
  g_assert_cmpstr (total, ==, sums);
  g_assert_cmpint (cli_json_get_int (json_total, "pss"), ==, sum_up (files, "pss"));
}

/* A new version takes the place of the program that runs. */
static void
test_updated (Fixture *self,
              gconstpointer data)
{
  g_autofree char *before = cli_get_output ("--by", "file", "--pid", self->list, NULL), *after = NULL, *filtered = NULL;
  g_autofree char *name = g_path_get_basename (self->path), *deleted = g_strconcat (self->path, " (deleted)", NULL);
  g_autofree char *line = g_strdup_printf ("\n%d processes use old versions of files that were updated or deleted\\. "
                                           "Restart: %s \\((user [^ ]+, )?PID %d, %d, %d\\)\n",
                                           N_HOLDERS, name, self->pids[0], self->pids[1], self->pids[2]);
  g_autofree char *elsewhere = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *file;

  g_assert_null (strstr (before, "Restart"));
  g_assert_cmpint (g_unlink (self->path), ==, 0);
  copy_holder (self->path);
  after = cli_get_output ("--by", "file", "--pid", self->list, NULL);
  if (!strstr (after, ".service"))
    g_assert_true (g_regex_match_simple (line, after, 0, 0));
  g_assert_nonnull (strstr (after, "3 processes use old versions of files"));
  filtered = cli_get_output ("--by", "file", "--pid", self->list, "--filter", "file_state:updated", "--columns", "file", NULL);
  g_assert_nonnull (strstr (filtered, deleted));
  g_assert_null (strstr (filtered, "Anonymous"));
  elsewhere = cli_get_output ("--by", "file", "--pid", self->list, "--filter", "kind:anonymous", NULL);
  g_assert_null (strstr (elsewhere, "Restart"));
  root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  file = find (get_array (root, "files"), "file", deleted);
  g_assert_cmpstr (cli_json_get_text (file, "file_state"), ==, "updated");
  g_assert_true (json_object_get_boolean_member (file, "outdated"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (file, "outdated_pids")), ==, N_HOLDERS);
}

#define N_PROGRAMS 14

/* As many programs as are not all named, which were all replaced; names: of their files */
static void
start_outdated (Fixture *self,
                char *const *names,
                guint n,
                GSpawnChildSetupFunc func,
                GPid *pids,
                GString *list)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_build_filename (self->folder, names[i], NULL);

      copy_holder (path);
      pids[i] = start_holder (path, func);
      g_string_append_printf (list, "%s%d", i > 0 ? "," : "", pids[i]);
      g_assert_cmpint (g_unlink (path), ==, 0);
    }
}

/* The text says how many more there are, and JSON has all of them with all their processes. */
static void
test_many_outdated (Fixture *self,
                    gconstpointer data)
{
  g_autoptr (GString) list = g_string_new (NULL);
  g_auto (GStrv) names = g_new0 (char *, N_PROGRAMS + 1);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  GPid pids[N_PROGRAMS];
  JsonArray *restart;

  for (guint i = 0; i < N_PROGRAMS; i++)
    names[i] = g_strdup_printf ("old-%02u", i);
  start_outdated (self, names, N_PROGRAMS, NULL, pids, list);
  text = cli_get_output ("--by", "file", "--pid", list->str, NULL);
  root = cli_get_json ("--json", "--by", "file", "--pid", list->str, NULL);
  restart = get_array (root, "restart");
  if (!strstr (text, ".service"))
    {
      g_assert_true (g_regex_match_simple ("\n14 processes use old versions of files [^\n]* Restart: old-00 [^\n]* and 4 more, which --json lists\n",
                                           text, 0, 0));
      g_assert_cmpuint (json_array_get_length (restart), ==, N_PROGRAMS);
    }
  for (guint i = 0, n = 0; i < json_array_get_length (restart); i++)
    {
      JsonObject *object = json_array_get_object_element (restart, i);
      JsonArray *found = json_object_get_array_member (object, "pids");

      g_assert_cmpint (cli_json_get_int (object, "uid"), ==, getuid ());
      for (guint j = 0; j < json_array_get_length (found); j++)
        g_assert_cmpint (json_array_get_int_element (found, j), ==, pids[n++]);
    }
  for (guint i = 0; i < N_PROGRAMS; i++)
    stop_holder (pids[i]);
}

/* Somebody can call a program like a service of the system's, or by signs that a terminal obeys. */
static void
test_hostile_names (Fixture *self,
                    gconstpointer data)
{
  static char *const names[] = { (char *)"ssh.service", (char *)"\033]0;x\a\033[31m", (char *)"a (PID 1), sshd" };
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *text = NULL;
  GPid pids[G_N_ELEMENTS (names)];

  start_outdated (self, names, G_N_ELEMENTS (names), NULL, pids, list);
  text = cli_get_output ("--by", "file", "--pid", list->str, NULL);
  g_assert_null (strchr (text, '\033'));
  g_assert_null (strchr (text, '\a'));
  if (g_regex_match_simple ("Restart: [^(]*ssh\\.service", text, 0, 0))
    {
      g_assert_true (g_regex_match_simple ("[ :]ssh\\.service \\((user [^ ]+, )?PID [0-9]+\\)", text, 0, 0));
      g_assert_nonnull (strstr (text, "“a (PID 1), sshd” ("));
    }
  for (guint i = 0; i < G_N_ELEMENTS (pids); i++)
    stop_holder (pids[i]);
}

static void
become_nobody (gpointer data)
{
  if (setgroups (0, NULL) != 0 || setgid (65534) != 0 || setuid (65534) != 0)
    _exit (1);
}

/* The owner is named where it is not root. */
static void
test_owner (Fixture *self,
            gconstpointer data)
{
  static char *const names[] = { (char *)"ssh.service" };
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *restart;
  GPid pid;

  if (geteuid () != 0)
    {
      g_test_skip ("Only root can start a program of another user");
      return;
    }
  g_assert_cmpint (g_chmod (self->folder, 0755), ==, 0);
  start_outdated (self, names, 1, become_nobody, &pid, list);
  text = cli_get_output ("--by", "file", "--pid", list->str, NULL);
  g_assert_nonnull (strstr (text, " (user "));
  root = cli_get_json ("--json", "--by", "file", "--pid", list->str, NULL);
  restart = json_array_get_object_element (get_array (root, "restart"), 0);
  g_assert_cmpint (cli_json_get_int (restart, "uid"), ==, 65534);
  stop_holder (pid);
}

/* The parts of a filter that are about processes choose those that are read, and the others the files that are listed. */
static void
test_filters (Fixture *self,
              gconstpointer data)
{
  g_autofree char *name = g_path_get_basename (self->path), *program = g_strconcat ("program=", name, NULL);
  g_autofree char *both = g_strconcat ("kind:code ", program, NULL), *one = g_strdup_printf ("pid:%d", self->pids[1]);
  g_autofree char *user = g_strdup_printf ("uid:%u", getuid ()), *nobody = g_strdup_printf ("uid:%u", getuid () + 1);
  g_autofree char *mixed = g_strconcat (program, " or kind:code", NULL);
  g_autoptr (JsonNode) all = cli_get_json ("--json", "--by", "file", "--filter", program, NULL);
  g_autoptr (JsonNode) code = cli_get_json ("--json", "--by", "file", "--filter", both, NULL);
  g_autoptr (JsonNode) single = cli_get_json ("--json", "--by", "file", "--pid", self->list, "--filter", one, NULL);
  g_autoptr (JsonNode) own = cli_get_json ("--json", "--by", "file", "--pid", self->list, "--filter", user, NULL);
  g_autoptr (JsonNode) none = cli_get_json ("--json", "--by", "file", "--pid", self->list, "--filter", nobody, NULL);

  g_assert_cmpint (cli_json_get_int (find (get_array (all, "files"), "kind", "anonymous"), "processes"), ==, N_HOLDERS);
  g_assert_cmpint (cli_json_get_int (find (get_array (code, "files"), "file", self->path), "processes"), ==, N_HOLDERS);
  g_assert_null (find (get_array (code, "files"), "kind", "anonymous"));
  g_assert_cmpint (cli_json_get_int (find (get_array (single, "files"), "file", self->path), "processes"), ==, 1);
  g_assert_cmpint (json_array_get_int_element (
                       json_object_get_array_member (find (get_array (single, "files"), "file", self->path), "pids"), 0),
                   ==, self->pids[1]);
  g_assert_cmpint (cli_json_get_int (json_node_get_object (own), "processes_read"), ==, N_HOLDERS);
  g_assert_cmpint (cli_json_get_int (json_node_get_object (none), "processes_read"), ==, 0);
  g_assert_cmpuint (json_array_get_length (get_array (none, "files")), ==, 0);
  cli_assert_refused (2, "apart", "--by", "file", "--filter", mixed, NULL);
  cli_assert_refused (2, "by file", "--by", "file", "--filter", "pss_anon>0", NULL);
  cli_assert_refused (2, "There is no control group “/there/is/none”", "--by", "file", "--filter",
                      "control_group=/there/is/none kind:code", NULL);
  cli_assert_refused (2, "There is no control group “/there/is/none”", "--filter", "control_group=/there/is/none", NULL);
}

/* Memory is read by file alone, so that nothing is said of figures that are not shown. */
static void
test_no_other_notes (Fixture *self,
                     gconstpointer data)
{
  g_autofree char *text = cli_get_output ("--by", "file", NULL);
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  JsonObject *system = json_object_get_object_member (json_node_get_object (root), "system");

  g_assert_null (strstr (text, "≤"));
  g_assert_null (strstr (text, "measured"));
  g_assert_false (json_object_has_member (system, "shares"));
  g_assert_true (json_object_has_member (system, "ledger"));
}

/* Three processes, of which two have mappings that can't be read. */
static char *
make_unreadable (Fixture *self)
{
  for (guint pid = 7; pid <= 9; pid++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/proc/%u", self->folder, pid);
      g_autofree char *stat = g_build_filename (folder, "stat", NULL), *smaps = g_build_filename (folder, "smaps", NULL);
      g_autofree char *text =
          g_strdup_printf ("%u (x) S 1 1 1 0 -1 0 1 0 1 0 1 1 0 0 20 0 2 0 7100 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 1 1 1 1 0\n", pid);

      g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
      g_assert_true (g_file_set_contents (stat, text, -1, NULL));
      if (pid == 8)
        g_assert_true (g_file_set_contents (smaps, "10000-20000 r--p 0 08:01 7 /lib/x\nRss: 4 kB\nPss: 4 kB\n", -1, NULL));
      else
        g_assert_cmpint (g_mkdir (smaps, 0755), ==, 0);
    }
  return g_build_filename (self->folder, "proc", NULL);
}

/* Everybody is told which processes the figures are without, in every form. */
static void
test_unread (Fixture *self,
             gconstpointer data)
{
  g_autofree char *proc = make_unreadable (self);
  g_autofree char *text = cli_get_output ("--by", "file", "--proc", proc, NULL);
  g_auto (CliResult) csv = { 0 };
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--proc", proc, NULL);
  JsonArray *not_read = get_array (root, "not_read");

  g_assert_nonnull (strstr (text, "\n2 of 3 processes could not be read (PID 7, 9); the figures are without them.\n"));
  g_assert_cmpint (cli_json_get_int (json_node_get_object (root), "processes_read"), ==, 1);
  g_assert_cmpuint (json_array_get_length (not_read), ==, 2);
  g_assert_cmpint (cli_json_get_int (json_array_get_object_element (not_read, 1), "pid"), ==, 9);
  cli_run (&csv, "--csv", "--by", "file", "--proc", proc, "--columns", "pss,file", NULL);
  g_assert_cmpint (csv.status, ==, 0);
  g_assert_cmpstr (csv.out, ==, "pss,file\r\n4096,/lib/x\r\n");
  g_assert_cmpstr (csv.err, ==, "footprint-cli: 2 of 3 processes could not be read (PID 7, 9); the figures are without them.\n");
}

/* A saved snapshot says of its files what the processes said, and the rest of it is shown as that of any other. */
static void
test_saved (Fixture *self,
            gconstpointer data)
{
  g_autofree char *proc = make_unreadable (self), *path = g_build_filename (self->folder, "saved", NULL);
  g_autofree char *plain = g_build_filename (self->folder, "plain", NULL);
  g_autofree char *live = cli_get_output ("--by", "file", "--proc", proc, NULL), *saved = NULL;
  g_autofree char *processes = cli_get_output ("--csv", "--proc", proc, "--columns", "pid,program,rss", NULL), *again = NULL;
  g_auto (CliResult) first = { 0 }, second = { 0 };
  g_autoptr (JsonNode) root = NULL;

  cli_run (&first, "--proc", proc, "--save", path, "--with-files", NULL);
  g_assert_cmpint (first.status, ==, 0);
  saved = cli_get_output ("--by", "file", "--open", path, NULL);
  g_assert_true (g_str_has_prefix (saved, "Saved snapshot: "));
  g_assert_cmpstr (strchr (saved, '\n') + 2, ==, live);
  again = cli_get_output ("--csv", "--open", path, "--columns", "pid,program,rss", NULL);
  g_assert_cmpstr (again, ==, processes);
  root = cli_get_json ("--json", "--by", "file", "--open", path, NULL);
  g_assert_cmpuint (json_array_get_length (get_array (root, "not_read")), ==, 2);
  cli_assert_refused (2, "cannot choose among them", "--by", "file", "--open", path, "--pid", "8", NULL);
  cli_assert_refused (2, "cannot choose among them", "--by", "file", "--open", path, "--filter", "pid:8", NULL);
  cli_run (&second, "--proc", proc, "--save", plain, NULL);
  g_assert_cmpint (second.status, ==, 0);
  cli_assert_refused (2, "save it with --with-files", "--by", "file", "--open", plain, NULL);
  cli_assert_refused (2, "add --save", "--with-files", NULL);
}

/* Every file, and every holder in JSON, is there however many there are. */
static void
test_holders (Fixture *self,
              gconstpointer data)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  JsonArray *files = get_array (root, "files");

  g_assert_cmpuint (json_array_get_length (get_array (root, "sharing")), ==, 0);
  g_assert_cmpuint (json_array_get_length (get_array (root, "restart")), ==, 0);
  for (guint i = 0; i < json_array_get_length (files); i++)
    {
      JsonObject *file = json_array_get_object_element (files, i);

      g_assert_cmpint (cli_json_get_int (file, "processes"), ==,
                       json_array_get_length (json_object_get_array_member (file, "pids")));
      g_assert_false (json_object_has_member (file, "outdated_pids"));
    }
}

static int
be_twin (void *data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  while (pause () < 0)
    ;
  return 0;
}

/* Starts a process and another one that has the same memory, and writes the PID of that to fd. */
static GPid
start_twins (int fd)
{
  static char stack[1 << 16];
  GPid pid = fork (), twin;

  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  twin = clone (be_twin, stack + sizeof stack, CLONE_VM | SIGCHLD, NULL);
  if (write (fd, &twin, sizeof twin) != sizeof twin)
    _exit (1);
  for (;;)
    pause ();
}

/* Two processes with one memory count as two, and their memory once. */
static void
test_sharing (Fixture *self,
              gconstpointer data)
{
  g_autofree char *list = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *anonymous, *sharing;
  GPid pid, twin = 0;
  int fds[2];

  g_assert_cmpint (pipe (fds), ==, 0);
  pid = start_twins (fds[1]);
  g_assert_cmpint (read (fds[0], &twin, sizeof twin), ==, sizeof twin);
  close (fds[0]);
  close (fds[1]);
  if (syscall (SYS_kcmp, pid, twin, KCMP_VM, 0, 0) == 0)
    {
      list = g_strdup_printf ("%d,%d", pid, twin);
      root = cli_get_json ("--json", "--by", "file", "--pid", list, NULL);
      anonymous = find (get_array (root, "files"), "kind", "anonymous");
      sharing = json_array_get_object_element (get_array (root, "sharing"), 0);
      g_assert_cmpint (cli_json_get_int (json_node_get_object (root), "processes_read"), ==, 2);
      g_assert_cmpint (cli_json_get_int (anonymous, "processes"), ==, 2);
      g_assert_cmpuint (json_array_get_length (json_object_get_array_member (anonymous, "pids")), ==, 1);
      /* The clock may tick too slowly to say which is older. */
      g_assert_cmpint (cli_json_get_int (sharing, "pid") + cli_json_get_int (sharing, "shares_with"), ==, pid + twin);
      g_assert_true (cli_json_get_int (sharing, "pid") == twin || cli_json_get_int (sharing, "pid") == pid);
    }
  else
    g_test_skip ("This kernel does not tell whether two processes have one memory");
  stop_holder (pid);
}

static void
assert_copies (const Fixture *self,
               const char *list,
               const char *copy)
{
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", list, NULL);
  JsonArray *copies = get_array (root, "copies"), *files = get_array (root, "files");
  JsonObject *found = find (copies, "file", copy) ? find (copies, "file", copy) : find (copies, "file", self->path);
  JsonObject *first = find (files, "file", self->path), *second = find (files, "file", copy);
  gint64 memory = cli_json_get_int (found, "memory_at_least");

  g_assert_cmpuint (json_array_get_length (copies), ==, 1);
  g_assert_cmpint (cli_json_get_int (found, "copies"), ==, 2);
  g_assert_cmpint (memory, >, 0);
  g_assert_cmpint (memory, <=, cli_json_get_int (first, "pss") + cli_json_get_int (second, "pss"));
  g_assert_cmpint (cli_json_get_int (found, "one_at_least"), <=, memory);
  g_assert_cmpint (cli_json_get_int (found, "one_at_least"), >=, memory / 2);
  g_assert_cmpint (cli_json_get_int (first, "copies"), ==, 2);
  g_assert_cmpint (cli_json_get_int (second, "copies"), ==, 2);
  g_assert_cmpstr (cli_json_get_text (first, "build_id"), ==, cli_json_get_text (found, "build_id"));
  g_assert_cmpstr (cli_json_get_text (second, "build_id"), ==, cli_json_get_text (found, "build_id"));
  g_assert_true (json_object_get_null_member (find (files, "kind", "anonymous"), "copies"));
}

/* The same program in another place */
static void
test_copies (Fixture *self,
             gconstpointer data)
{
  g_autofree char *copy = g_strconcat (self->path, "-copy", NULL), *list = NULL, *before = NULL, *after = NULL;
  g_autofree char *elsewhere = NULL, *columns = NULL;
  g_autoptr (JsonNode) root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  GPid pid;

  before = cli_get_output ("--by", "file", "--pid", self->list, NULL);
  g_assert_null (strstr (before, "more than once"));
  g_assert_cmpuint (json_array_get_length (get_array (root, "copies")), ==, 0);
  if (!*cli_json_get_text (find (get_array (root, "files"), "file", self->path), "build_id"))
    {
      g_test_skip ("The linker writes no build ID, or the folder for temporary files is on a server");
      return;
    }
  copy_holder (copy);
  pid = start_holder (copy, NULL);
  list = g_strdup_printf ("%s,%d", self->list, pid);
  after = cli_get_output ("--by", "file", "--pid", list, NULL);
  columns = cli_get_output ("--by", "file", "--pid", list, "--filter", "copies>1", "--columns", "copies,file", NULL);
  elsewhere = cli_get_output ("--by", "file", "--pid", list, "--filter", "kind:anonymous", NULL);
  assert_copies (self, list, copy);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  g_assert_true (g_regex_match_simple ("\nIn memory more than once: held-by-[^ ]+ \\(2 copies, .*; one would need at least .*\\)\\.\n$",
                                       after, G_REGEX_DOTALL, 0));
  g_assert_nonnull (strstr (columns, copy));
  g_assert_null (strstr (columns, "Anonymous"));
  g_assert_null (strstr (elsewhere, "more than once"));
}

/* The figures that people look for first are the last to go. */
static void
test_narrow (Fixture *self,
             gconstpointer data)
{
  for (guint width = 40; width <= 80; width += 20)
    {
      g_autofree char *output = cli_terminal_get_output (width, "--by", "file", "--pid", self->list, NULL);
      g_auto (GStrv) lines = g_strsplit (output, "\n", -1);

      g_assert_nonnull (strstr (output, "Memory"));
      g_assert_nonnull (strstr (output, "Anonymous"));
      g_assert_true (g_regex_match_simple ("There is no room for these\\s+columns:[^.]*\\sSize\\.", output, 0, 0));
      for (char **line = lines; *line; line++)
        {
          g_autoptr (GRegex) signs = g_regex_new ("\033\\[[0-9;]*m|\r", 0, 0, NULL);
          g_autofree char *plain = g_regex_replace_literal (signs, *line, -1, 0, "", 0, NULL);

          g_assert_cmpuint (fp_display_width (plain), <=, width);
        }
    }
}

/* The last words of smem's last line, which has the sums: in KiB. */
static gint64
get_sum_of_smem (GPtrArray *words,
                 guint from_end)
{
  return g_ascii_strtoll (words->pdata[words->len - from_end], NULL, 10) * 1024;
}

static void
test_smem (Fixture *self,
           gconstpointer data)
{
  static const char *const figures[] = { "rss", "pss", "uss", "swap" };
  g_autofree char *smem = g_find_program_in_path ("smem"), *script = NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_auto (CliResult) result = { 0 };
  g_autoptr (JsonNode) root = NULL;
  g_auto (GStrv) cut = NULL;

  if (!smem)
    {
      g_test_skip ("There is no smem");
      return;
    }
  script = g_strdup_printf ("smem -m -t -H -c 'map pids swap uss pss rss' -P '%s/[h]eld-by-' | tail -1", self->folder);
  cli_run_shell (&result, script);
  g_assert_cmpint (result.status, ==, 0);
  root = cli_get_json ("--json", "--by", "file", "--pid", self->list, NULL);
  cut = g_strsplit_set (result.out, " \n", -1);
  for (char **word = cut; *word; word++)
    if (**word)
      g_ptr_array_add (words, *word);
  g_assert_cmpuint (words->len, >=, G_N_ELEMENTS (figures));
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    g_assert_cmpint (get_sum_of_smem (words, i + 1), ==, sum_up (get_array (root, "files"), figures[i]));
}

#define ADD(name, func) g_test_add ("/cli/by-file/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  ADD ("sums", test_sums);
  ADD ("known", test_known);
  ADD ("table", test_table);
  ADD ("csv", test_csv);
  ADD ("updated", test_updated);
  ADD ("many-outdated", test_many_outdated);
  ADD ("hostile-names", test_hostile_names);
  ADD ("owner", test_owner);
  ADD ("filters", test_filters);
  ADD ("no-other-notes", test_no_other_notes);
  ADD ("unread", test_unread);
  ADD ("saved", test_saved);
  ADD ("holders", test_holders);
  ADD ("sharing", test_sharing);
  ADD ("copies", test_copies);
  ADD ("narrow", test_narrow);
  ADD ("smem", test_smem);
  return g_test_run ();
}
