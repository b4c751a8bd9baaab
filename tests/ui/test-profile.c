// SPDX-License-Identifier: GPL-3.0-or-later
/* Programs are profiled from the window: what can't be recorded says why, what can is shown while it runs, and lives on. */
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui-program.h"

#define DARK  "ADW_DEBUG_COLOR_SCHEME=prefer-dark"
/* The menu lists the last files, of which GTK 4.8 forgets the times. */
#define LEAKY "ASAN_OPTIONS=detect_leaks=0"

static char *
make_path (const char *name)
{
  return g_build_filename (g_get_user_runtime_dir (), name, NULL);
}

/* A program with a path that no other test has, so that its process is known by that. */
static char *
copy_program (const char *name)
{
  char *path = make_path (name);
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FOOTPRINT_TEST_ENDLESS"), &content, &length, NULL));
  g_assert_true (g_file_set_contents (path, content, (gssize)length, NULL));
  g_assert_cmpint (chmod (path, 0755), ==, 0);
  return path;
}

/* 0: there is none */
static GPid
find_process (const char *program)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (proc)))
    {
      g_autofree char *link = g_build_filename ("/proc", name, "exe", NULL);
      g_autofree char *path = g_ascii_isdigit (*name) ? g_file_read_link (link, NULL) : NULL;

      if (g_strcmp0 (path, program) == 0)
        return atoi (name);
    }
  return 0;
}

/* NULL: there is none yet */
static char *
find_recording (const char *glob)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "footprint", "recordings", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    if (g_pattern_match_simple (glob, name))
      return g_build_filename (folder, name, NULL);
  return NULL;
}

static goffset
get_size (const char *path)
{
  GStatBuf status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return status.st_size;
}

/* Whether the program writes its recording where no file can reach. */
static gboolean
has_ended (GPid pid,
           const char *recording)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/fd", pid);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *link = g_build_filename (folder, name, NULL), *path = g_file_read_link (link, NULL);
      g_autofree char *info = g_strdup_printf ("/proc/%d/fdinfo/%s", pid, name), *text = NULL;

      if (g_strcmp0 (path, recording) == 0 && g_file_get_contents (info, &text, NULL, NULL) && g_str_has_prefix (text, "pos:"))
        return g_ascii_strtoll (text + strlen ("pos:") + strspn (text + strlen ("pos:"), "\t "), NULL, 10) > get_size (recording);
    }
  return FALSE;
}

static void
start (Ui *ui)
{
  ui_start (ui, (const char *const[]){ g_getenv ("FOOTPRINT"), NULL }, (const char *const[]){ LEAKY, NULL });
}

static UiNode *
open_dialog (Ui *ui)
{
  UiNode *dialog;

  ui_key ("F10");
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, "Profile a Program…"));
  ui_await ((dialog = program_find_other_window (ui, "Profile a Program")));
  return dialog;
}

typedef struct
{
  UiNode *entry;
  const char *text;
} Entered;

static gboolean
is_entered (gpointer data)
{
  Entered *self = data;

  return g_strcmp0 (ui_text (self->entry), self->text) == 0;
}

static gboolean
try_to_enter (Entered *self)
{
  ui_key ("ctrl+a");
  ui_type (self->text);
  return ui_wait_for_ms (2000, is_entered, self);
}

/* The focus is in the entry, which can't be seen from outside: until the dialog has the keyboard, nothing arrives. */
static void
enter (UiNode *dialog,
       const char *command)
{
  Entered entered = { ui_wait_for (dialog, ATSPI_ROLE_TEXT, "Command"), command };

  ui_await (try_to_enter (&entered));
}

static gboolean
can_record (UiNode *dialog)
{
  UiNode *button = ui_find (dialog, ATSPI_ROLE_PUSH_BUTTON, "*Record");

  return button && ui_has_state (button, ATSPI_STATE_SENSITIVE);
}

/* Returns the window of the recording. argument: (nullable) */
static UiNode *
record_with (Ui *ui,
             const char *program,
             const char *argument)
{
  g_autofree char *command = argument ? g_strconcat (program, " ", argument, NULL) : g_strdup (program);
  g_autofree char *name = g_path_get_basename (program), *title = g_strdup_printf ("heaptrack.%s.*.raw", name);
  UiNode *dialog = open_dialog (ui), *window;

  enter (dialog, command);
  ui_await (can_record (dialog));
  ui_key ("Return");
  ui_await ((window = program_find_other_window (ui, title)));
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recording · *");
  return window;
}

static UiNode *
record (Ui *ui,
        const char *program)
{
  return record_with (ui, program, NULL);
}

static const char *
get_allocations (UiNode *table,
                 const char *function)
{
  UiNode *row = ui_table_find_row (table, "Name", function);

  return row ? ui_table_text (table, row, "Allocations") : "";
}

/* Each command that can't be recorded has its own reason, and one that can has none. */
static void
test_refused (void)
{
  static const struct
  {
    const char *command, *words;
  } cases[] = {
    { "footprint-no-such-program", "There is no program “footprint-no-such-program”." },
    { "FOOTPRINT_TEST_STATIC", "*is linked statically*" },
    { "FOOTPRINT_TEST_GO", "*is a Go program*runtime/pprof*" },
    { "FOOTPRINT_TEST_MUSL", "*musl*glibc*" },
    { "sh -c sort", "“sh” is run by a shell*" },
    { "env A=1 sort", "“env” starts another program*" },
    { "/var/lib/flatpak/exports/bin/org.example.Program", "“org.example.Program” runs in a sandbox or container*" },
    { "sort 'file", "The quotation marks of the command don’t match." },
    { "FOOTPRINT_TEST_ALLOCATOR", "*memory allocator of its own*pprof." },
  };
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start (&ui);
  dialog = open_dialog (&ui);
  program_save_picture (&ui, "profile-empty.png");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *path = g_getenv (cases[i].command);
      gboolean is_possible = strstr (cases[i].command, "ALLOCATOR") != NULL;

      enter (dialog, path ? path : cases[i].command);
      ui_wait_for (dialog, ATSPI_ROLE_LABEL, cases[i].words);
      ui_await (can_record (dialog) == is_possible);
      if (i == 1)
        program_save_picture (&ui, "profile-refused.png");
    }
  program_save_picture (&ui, "profile-in-part.png");
  ui_dismiss (dialog, "Escape");
  ui_stop (&ui);
}

/* Without the recorder there is the way to get it. */
static void
test_missing (void)
{
  static const char *const argv[] = { "unshare", "--mount", "sh", "-c", "mount -t tmpfs none /usr/lib/heaptrack && exec \"$0\"", NULL, NULL };
  g_autofree const char **whole = g_memdup2 (argv, sizeof argv);
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  if (geteuid () != 0 || !g_file_test ("/usr/lib/heaptrack", G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("only root can hide the recorder, and only in the folder that Debian has it in");
      return;
    }
  whole[5] = g_getenv ("FOOTPRINT");
  ui_start (&ui, whole, (const char *const[]){ LEAKY, NULL });
  dialog = open_dialog (&ui);
  ui_wait_for (dialog, ATSPI_ROLE_LABEL, "*heaptrack, which is not installed. * heaptrack*");
  enter (dialog, "sort");
  g_assert_false (can_record (dialog));
  program_save_picture (&ui, "profile-missing.png");
  ui_dismiss (dialog, "Escape");
  ui_stop (&ui);
}

/* The profile grows while the program runs; the recording ends, though its file has another name, and the program goes on. */
static void
test_stop (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *program = copy_program ("holder"), *before = NULL, *path = NULL, *other = make_path ("renamed.raw");
  UiNode *window, *table;
  GPid pid;

  if (!program_has_room_to_record ())
    return;
  start (&ui);
  window = record (&ui, program);
  table = ui_wait_for (window, ATSPI_ROLE_TREE_TABLE, "Functions");
  ui_await (ui_table_find_row (table, "Name", "hold") && ui_table_find_row (table, "Name", "pass"));
  before = g_strdup (get_allocations (table, "pass"));
  ui_await (strcmp (get_allocations (table, "pass"), before) != 0);
  program_save_picture (&ui, "profile-recording.png");
  pid = find_process (program);
  g_assert_cmpint (pid, >, 0);
  ui_click (ui_wait_for (window, ATSPI_ROLE_PUSH_BUTTON, "*Stop…"));
  ui_wait_for (ui.application, ATSPI_ROLE_DIALOG, "Stop Recording?");
  program_save_picture (&ui, "profile-stop.png");
  path = find_recording ("heaptrack.holder.*.raw");
  g_assert_cmpint (g_rename (path, other), ==, 0);
  ui_dismiss (ui_wait_for (ui.application, ATSPI_ROLE_DIALOG, "Stop Recording?"), "alt+o");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recorded * The program goes on without being recorded.");
  g_assert_cmpint (kill (pid, SIGUSR1), ==, 0);
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recorded * The program has ended with the status 7.");
  ui_wait_for (window, ATSPI_ROLE_PUSH_BUTTON, "*Show in Folder");
  program_save_picture (&ui, "profile-stopped.png");
  ui_stop (&ui);
}

/* A program that becomes another one goes on without the recorder, and the window says so. */
static void
test_left (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *program = copy_program ("leaver");
  UiNode *window;
  GPid pid;

  if (!program_has_room_to_record ())
    return;
  start (&ui);
  window = record_with (&ui, program, "leave");
  ui_await (ui_table_find_row (ui_wait_for (window, ATSPI_ROLE_TREE_TABLE, "Functions"), "Name", "hold"));
  pid = find_process (program);
  g_assert_cmpint (pid, >, 0);
  g_assert_cmpint (kill (pid, SIGUSR1), ==, 0);
  ui_wait_for (window, ATSPI_ROLE_LABEL,
               "Recorded *, until the program closed the file or became another program. The program goes on without being recorded.");
  program_save_picture (&ui, "profile-left.png");
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  ui_wait_for (window, ATSPI_ROLE_LABEL, "*became another program. The program was ended by a signal: Killed.");
  ui_stop (&ui);
}

/* In the dark, and with little room. The program is asked to end. */
static void
test_end (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *program = copy_program ("ender");
  UiNode *window, *table;
  Ui narrow;

  if (!program_has_room_to_record ())
    return;
  ui_start (&ui, (const char *const[]){ g_getenv ("FOOTPRINT"), NULL }, (const char *const[]){ LEAKY, DARK, NULL });
  window = record (&ui, program);
  table = ui_wait_for (window, ATSPI_ROLE_TREE_TABLE, "Functions");
  ui_await (ui_table_find_row (table, "Name", "hold"));
  narrow = ui;
  narrow.window = window;
  ui_resize (&narrow, 360, 720);
  ui_await (ui_get_content (&narrow).width == 360);
  program_save_picture (&ui, "profile-recording-narrow-dark.png");
  ui_click (ui_wait_for (window, ATSPI_ROLE_PUSH_BUTTON, "*Stop…"));
  ui_dismiss (ui_wait_for (ui.application, ATSPI_ROLE_DIALOG, "Stop Recording?"), "alt+e");
  ui_wait_for (window, ATSPI_ROLE_LABEL, "Recorded * The program was ended by a signal: Terminated.");
  g_assert_cmpint (find_process (program), ==, 0);
  ui_stop (&ui);
}

/* The recording ends with its window; the program goes on, and the file opens. */
static void
test_close (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *program = copy_program ("survivor"), *path = NULL, *out = NULL;
  UiNode *window;
  goffset size;
  GPid pid;

  if (!program_has_room_to_record ())
    return;
  start (&ui);
  window = record (&ui, program);
  ui_await (ui_table_find_row (ui_wait_for (window, ATSPI_ROLE_TREE_TABLE, "Functions"), "Name", "hold"));
  ui_close (window);
  ui_await (!program_find_other_window (&ui, "heaptrack.survivor.*"));
  pid = find_process (program);
  g_assert_cmpint (pid, >, 0);
  path = find_recording ("heaptrack.survivor.*.raw");
  ui_await (has_ended (pid, path));
  size = get_size (path);
  g_assert_cmpint (kill (pid, SIGUSR1), ==, 0);
  ui_await (find_process (program) == 0);
  g_assert_cmpint (get_size (path), ==, size);
  g_spawn_sync (NULL, (char *[]){ (char *)g_getenv ("FOOTPRINT_CLI"), (char *)"--heap", path, NULL }, NULL, 0, NULL, NULL, &out, NULL,
                NULL, NULL);
  g_assert_nonnull (strstr (out, " hold "));
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/refused", test_refused);
  g_test_add_func ("/profile/missing", test_missing);
  g_test_add_func ("/profile/stop", test_stop);
  g_test_add_func ("/profile/left", test_left);
  g_test_add_func ("/profile/end", test_end);
  g_test_add_func ("/profile/close", test_close);
  return g_test_run ();
}
