// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test-capture.h"
#include "ui-program.h"

static char *
make_path (const char *name)
{
  return g_build_filename (g_get_user_runtime_dir (), name, NULL);
}

/* Free the output. */
static char *
run_cli (const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *out = NULL;
  int status;

  g_ptr_array_add (argv, (gpointer)g_getenv ("FOOTPRINT_CLI"));
  for (; *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer)*arguments);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return out;
}

#define RUN(...) run_cli ((const char *const[]){ __VA_ARGS__, NULL })

/* GTK 4.8's file chooser forgets some memory. */
static void
start (Ui *ui,
       const char *const *arguments)
{
  g_autofree char *sanitizer = g_strdup (g_getenv ("ASAN_OPTIONS"));

  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  program_start (ui, arguments);
  g_setenv ("ASAN_OPTIONS", sanitizer ? sanitizer : "", TRUE);
}

static void
choose_in_menu (Ui *ui,
                const char *item)
{
  ui_key ("F10");
  ui_click (ui_wait_for (ui->window, ATSPI_ROLE_MENU_ITEM, item));
}

static gboolean
has_command (const char *file)
{
  g_autofree char *text = RUN ("--open", file, "--columns", "command", "--filter", "program:sleep");

  return strstr (text, program_get_sign ()) != NULL;
}

/* Saved by a key, without command lines unless they are asked for; what is saved is there for its owner alone. */
static void
test_save (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("monday.footprint"), *whole = make_path ("whole.footprint");
  GPid child = child_start (NULL);
  UiNode *dialog, *choice;
  GStatBuf st;

  start (&ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&ui, child));
  ui_key ("ctrl+s");
  dialog = program_await_dialog (&ui, "Save Snapshot");
  program_save_picture (&ui, "saved-dialog.png");
  ui_key ("ctrl+a");
  ui_type (file);
  ui_dismiss (dialog, "Return");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as monday.footprint");
  g_assert_cmpint (g_stat (file, &st), ==, 0);
  g_assert_cmpint (st.st_mode & 0777, ==, 0600);
  g_assert_false (has_command (file));

  choose_in_menu (&ui, "Save…");
  dialog = program_await_dialog (&ui, "Save Snapshot");
  choice = ui_wait_for (dialog, ATSPI_ROLE_CHECK_BOX, "Include command lines*");
  g_assert_false (ui_has_state (choice, ATSPI_STATE_CHECKED));
  ui_click (choice);
  ui_await (ui_has_state (choice, ATSPI_STATE_CHECKED));
  program_answer_with_path (dialog, whole);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as whole.footprint");
  g_assert_true (has_command (whole));
  ui_stop (&ui);
  child_stop (child);
  g_remove (file);
  g_remove (whole);
}

/* It has its name and time as its title, and nothing in it can be read again. */
static void
test_open (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("monday.footprint");
  GPid child = child_start (NULL);
  UiNode *dialog, *window;

  g_free (RUN ("--save", file, "--with-commands"));
  child_stop (child);
  start (&ui, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  ui_key ("ctrl+o");
  dialog = program_await_dialog (&ui, "Open Snapshot or Heap Profile");
  program_answer_with_path (dialog, file);
  ui_await ((window = program_find_other_window (&ui, "monday.footprint — Today *")));
  ui.window = window;
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved snapshot: monday.footprint — *");
  program_search (&ui, program_get_search ());
  ui_await (program_find_pid (&ui, child));
  ui_key ("Escape");
  ui_key ("F10");
  ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Save…");
  program_save_picture (&ui, "saved-open.png");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_MENU_ITEM, "Measure All Now"));
  ui_stop (&ui);
  g_remove (file);
}

/* A file that was opened once is in the menu of the next window. */
static void
test_recent (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("recent_one.footprint");

  g_free (RUN ("--save", file));
  start (&ui, (const char *const[]){ file, NULL });
  ui_await (g_pattern_match_simple ("recent_one.footprint — Today *", ui_name (ui.window)));
  ui_key ("F10");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Open Recent"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "recent_one.footprint"));
  ui_await (program_find_other_window (&ui, "recent_one.footprint — Today *"));
  ui_stop (&ui);
  g_remove (file);
}

/* What a file manager does: the file is dropped on the window of the machine, which stays, and opens beside it. */
static void
test_drop (void)
{
  g_auto (Ui) ui = { 0 }, source = { 0 };
  g_autofree char *file = make_path ("dropped.footprint");

  g_free (RUN ("--save", file));
  start (&ui, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  ui_start (&source, (const char *const[]){ g_getenv ("UI_SAMPLE_DRAG"), file, NULL }, NULL);
  program_drag_onto (&source, ui.window);
  g_assert_null (program_find_other_window (&ui, "dropped.footprint*"));
  ui_drop ();
  ui_await (program_find_other_window (&ui, "dropped.footprint — Today *"));
  ui_stop (&source);
  ui_stop (&ui);
  g_remove (file);
}

static void
capture (const char *file,
         GPid child)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  capture_begin (bytes, CAPTURE_OF_SMEM, "/proc");
  capture_add_process (bytes, CAPTURE_OF_SMEM, "/proc", getpid (), NULL);
  capture_add_process (bytes, CAPTURE_OF_SMEM, "/proc", child, NULL);
  g_assert_true (g_file_set_contents (file, (const char *)bytes->data, (gssize)bytes->len, NULL));
}

/* A capture of smemcap opens by what is in it, whatever it is called, with its processes and what they map. */
static void
test_capture (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("monday"), *pss = NULL;
  g_auto (GStrv) lines = NULL;
  GPid child = child_start (NULL);
  UiNode *dialog, *window, *row;

  capture (file, child);
  pss = RUN ("--open", file, "--columns", "pss", "--filter", program_get_search ());
  lines = g_strsplit (pss, "\n", 5);
  child_stop (child);
  start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  ui_key ("ctrl+o");
  dialog = program_await_dialog (&ui, "Open Snapshot or Heap Profile");
  program_answer_with_path (dialog, file);
  ui_await ((window = program_find_other_window (&ui, "monday — *")));
  ui.window = window;
  ui_key ("alt+2");
  ui_await ((row = program_find_pid (&ui, child)));
  g_assert_cmpstr (ui_table_text (program_get_table (&ui), row, "Memory"), ==, g_strstrip (lines[3]));
  program_save_picture (&ui, "capture-processes.png");
  ui_key ("alt+5");
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Files");
  program_save_picture (&ui, "capture-files.png");
  program_search (&ui, "bin/sleep");
  ui_await (ui_table_find_row (ui_find (ui.window, ATSPI_ROLE_TREE_TABLE, "Files"), "Name", "*sleep*"));
  ui_key ("Escape");
  ui_key ("alt+1");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved snapshot: monday*");
  program_save_picture (&ui, "capture-system.png");
  ui_stop (&ui);
  g_remove (file);
}

static void
damage (const char *file,
        const char *how)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (file, &text, &size, NULL));
  if (g_str_equal (how, "cut"))
    size /= 2;
  else if (g_str_equal (how, "later"))
    text[16] = 3;
  else if (g_str_equal (how, "foreign"))
    memcpy (text, "%PDF-1.7", 8);
  else
    text[size / 2] ^= 1;
  g_assert_true (g_file_set_contents (file, text, (gssize)size, NULL));
}

/* One clear message on a page, in each view, and no empty labels. */
static void
test_damaged (gconstpointer how)
{
  static const char *const messages[][2] = {
    { "cut", "*cut short*" }, { "later", "*newer version*" }, { "foreign", "*other kind of file*" }, { "changed", "*damaged*" }
  };
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("damaged.footprint"), *picture = g_strdup_printf ("saved-%s.png", (const char *)how);
  const char *message = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    if (g_str_equal (messages[i][0], how))
      message = messages[i][1];
  g_free (RUN ("--save", file));
  damage (file, how);
  start (&ui, (const char *const[]){ "--view", "processes", file, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, message);
  program_save_picture (&ui, picture);
  ui_key ("alt+1");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, message));
  ui_key ("alt+3");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, message));
  ui_stop (&ui);
  g_remove (file);
}

static void
assert_row (Ui *ui,
            GPid pid,
            const char *title,
            const char *glob)
{
  const char *text;

  ui_await (program_find_pid (ui, pid));
  text = ui_table_text (program_get_table (ui), program_find_pid (ui, pid), title);
  if (!g_pattern_match_simple (glob, text))
    ui_fail ("%s is “%s”, not “%s”", title, text, glob);
}

static gboolean
has_title (UiNode *table,
           const char *title)
{
  g_auto (GStrv) titles = ui_table_titles (table);

  return g_strv_contains ((const char *const *)titles, title);
}

static gboolean
is_in_row (Ui *ui,
           guint row,
           GPid pid)
{
  g_autofree char *text = g_strdup_printf ("%d", pid);

  return g_strcmp0 (program_get_cell (ui, row, "PID"), text) == 0;
}

static const char *const outcomes[] = { "Any", "Changed", "New", "Ended", "Grown", "Shrunk" };

static UiNode *
find_outcome (Ui *ui,
              guint *now)
{
  UiNode *button = NULL;

  for (*now = 0; *now < G_N_ELEMENTS (outcomes) && !button; *now += !button)
    button = program_find_choice (ui->window, "Outcome", outcomes[*now]);
  return button;
}

/* A key that comes before the choices are shown is lost, so that it may take another turn. */
static void
choose_outcome (Ui *ui,
                guint other,
                guint n)
{
  for (gint64 end = ui_patience ();; ui_breathe (end, G_STRLOC, outcomes[other]))
    {
      guint now;
      UiNode *button = find_outcome (ui, &now);

      if (button && now == other)
        break;
      if (!button)
        continue;
      ui_click (button);
      for (guint i = 0; i < MAX (now, other) - MIN (now, other); i++)
        ui_key (other > now ? "Down" : "Up");
      ui_key ("Return");
      ui_pause (200);
    }
  ui_await (ui_table_n_rows (program_get_table (ui)) == n);
}

static UiNode *
get_other_table (Ui *ui,
                 const char *name)
{
  return ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, name);
}

/* Only this group and those around it are shown then. */
static void
choose_group_outcome (Ui *ui,
                      guint outcome,
                      const char *name)
{
  ui_click (program_find_choice (ui->window, "Outcome", "Any"));
  for (guint i = 0; i < outcome; i++)
    ui_key ("Down");
  ui_key ("Return");
  ui_await (ui_table_n_rows (get_other_table (ui, "Groups")) <= 2 && ui_table_find_row (get_other_table (ui, "Groups"), "Name", name));
}

static void
compare_with (Ui *ui,
              const char *file)
{
  UiNode *dialog;

  choose_in_menu (ui, "Compare With…");
  dialog = program_await_dialog (ui, "Compare With an Earlier Snapshot");
  program_answer_with_path (dialog, file);
}

/* It has 8 MiB, and waits for somebody to read what it writes into a pipe. */
static GPid
start_large (int *pipe)
{
  g_autofree char *path = make_path (program_get_sign ()), *output = g_strconcat ("of=", path, NULL);
  GPid pid;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  *pipe = open (path, O_RDWR | O_CLOEXEC);
  g_assert_cmpint (*pipe, >=, 0);
  pid = child_start_argv ((const char *const[]){ "dd", "bs=8M", "if=/dev/zero", output, NULL });
  g_assert_cmpint (poll (&(struct pollfd){ .fd = *pipe, .events = POLLIN }, 1, -1), ==, 1);
  g_remove (path);
  return pid;
}

/* A file and now, side by side in the same list: what has ended stays, what is new is there, and the line above says when.
 * What has grown most is first, and each outcome can be chosen. Then it is as before. */
static void
test_compare (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("before.footprint");
  int pipe;
  GPid ended = child_start ("1"), stays = start_large (&pipe), begun;

  g_free (RUN ("--save", file, "--with-commands", "--with-files"));
  child_stop (ended);
  begun = child_start_argv ((const char *const[]){ "tail", "-s", program_get_sign (), "-f", "/dev/null", NULL });
  start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  program_search (&ui, program_get_sign ());
  ui_await (program_find_pid (&ui, stays));
  g_assert_false (has_title (program_get_table (&ui), "Before"));
  compare_with (&ui, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Before: before.footprint — Today * · After: now");
  assert_row (&ui, ended, "Outcome", "Ended");
  assert_row (&ui, ended, "After", "0 B");
  assert_row (&ui, begun, "Outcome", "New");
  assert_row (&ui, begun, "Before", "0 B");
  /* A page that it shared with the one that has ended may be its own now. */
  assert_row (&ui, stays, "Before", "8.* MiB");
  assert_row (&ui, stays, "After", "8.* MiB");
  ui_await (is_in_row (&ui, 0, begun) && is_in_row (&ui, 1, stays) && is_in_row (&ui, 2, ended));
  program_save_picture (&ui, "compare-processes.png");
  choose_outcome (&ui, 3, 1);
  g_assert_true (is_in_row (&ui, 0, ended));
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "1 process · Memory * before, 0*B after: −*");
  program_save_picture (&ui, "compare-ended.png");
  choose_outcome (&ui, 2, 1);
  g_assert_true (is_in_row (&ui, 0, begun));
  choose_outcome (&ui, 0, 3);
  ui_key ("alt+1");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "Change since *"));
  program_save_picture (&ui, "compare-system.png");
  ui_key ("alt+3");
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Users");
  ui_await (has_title (ui_find (ui.window, ATSPI_ROLE_TREE_TABLE, "Users"), "Change in Memory"));
  program_save_picture (&ui, "compare-users.png");
  ui_key ("alt+2");
  ui_await (program_find_pid (&ui, ended));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Stop Comparing"));
  ui_await (!program_find_pid (&ui, ended));
  g_assert_false (has_title (program_get_table (&ui), "Before"));
  g_assert_null (program_find_choice (ui.window, "Outcome", "*"));
  ui_await (is_in_row (&ui, 0, stays) && is_in_row (&ui, 1, begun));
  ui_stop (&ui);
  close (pipe);
  child_stop (stays);
  child_stop (begun);
  g_remove (file);
}

static void
copy_sleep (const char *to)
{
  g_autofree char *path = g_find_program_in_path ("sleep"), *bytes = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  g_assert_true (g_file_set_contents_full (to, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
}

/* Files are compared where both moments know them; else a sentence says that they are not. */
static void
test_compare_files (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *with = make_path ("with.footprint"), *without = make_path ("without.footprint"), *program = make_path ("lonely");
  GPid child;

  copy_sleep (program);
  g_free (RUN ("--save", with, "--with-files"));
  g_free (RUN ("--save", without));
  child = child_start_argv ((const char *const[]){ program, program_get_sign (), NULL });
  start (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, NULL);
  compare_with (&ui, without);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Before: without.footprint *");
  ui_key ("alt+5");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The earlier snapshot has no list of files*");
  g_assert_false (has_title (get_other_table (&ui, "Files"), "Before"));
  program_save_picture (&ui, "compare-no-files.png");
  compare_with (&ui, with);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Before: with.footprint *");
  ui_await (has_title (get_other_table (&ui, "Files"), "Before"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "The earlier snapshot has no list of files*"));
  program_save_picture (&ui, "compare-files.png");
  program_search (&ui, "lonely");
  ui_await (ui_table_n_rows (get_other_table (&ui, "Files")) == 1);
  g_assert_cmpstr (ui_table_text (get_other_table (&ui, "Files"), ui_table_row (get_other_table (&ui, "Files"), 0), "Outcome"), ==, "New");
  g_assert_cmpstr (ui_table_text (get_other_table (&ui, "Files"), ui_table_row (get_other_table (&ui, "Files"), 0), "Before"), ==, "0 B");
  ui_stop (&ui);
  child_stop (child);
  g_remove (program);
  g_remove (with);
  g_remove (without);
}

static void
start_sample (Ui *ui,
              const char *mode)
{
  g_autofree char *sanitizer = g_strdup (g_getenv ("ASAN_OPTIONS"));

  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  ui_start (ui, (const char *const[]){ g_getenv ("UI_SAMPLE_GROUPS"), mode, NULL }, NULL);
  g_setenv ("ASAN_OPTIONS", sanitizer ? sanitizer : "", TRUE);
  ui_resize (ui, 1280, 780);
  ui_await (ui_table_n_rows (get_other_table (ui, "Groups")) > 10);
}

/* NULL: there is no such row or column */
static const char *
get_of_group (Ui *ui,
              const char *name,
              const char *title)
{
  UiNode *table = get_other_table (ui, "Groups"), *row = ui_table_find_row (table, "Name", name);

  return row && has_title (table, title) ? ui_table_text (table, row, title) : NULL;
}

static void
await_of_group (Ui *ui,
                const char *name,
                const char *title,
                const char *text)
{
  ui_await (g_strcmp0 (get_of_group (ui, name, title), text) == 0);
}

/* The groups of a machine are in its file without being asked for, and there they are as they were. */
static void
save_groups (const char *file)
{
  g_auto (Ui) ui = { 0 };
  UiNode *dialog;

  start_sample (&ui, "whole");
  choose_in_menu (&ui, "Save…");
  dialog = program_await_dialog (&ui, "Save Snapshot");
  program_answer_with_path (dialog, file);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved as groups.footprint");
  ui_stop (&ui);
}

static void
test_groups (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("groups.footprint");
  g_auto (GStrv) titles = NULL;

  save_groups (file);
  start (&ui, (const char *const[]){ "--view", "groups", file, NULL });
  ui_resize (&ui, 1280, 780);
  await_of_group (&ui, "system", "Memory", "11.3 GiB");
  await_of_group (&ui, "render-worker", "Memory", "983 MiB");
  await_of_group (&ui, "render-worker", "Of Limit", "95 %");
  await_of_group (&ui, "render-worker", "Waited", "11.24 s");
  await_of_group (&ui, "postgresql", "Swap", "64.0 MiB");
  ui_await (program_has_text (&ui, "43 groups · Memory * · Swap * · as the kernel counts it for its groups"));
  titles = ui_table_titles (get_other_table (&ui, "Groups"));
  for (guint i = 0; titles[i]; i++)
    g_assert_false (g_str_has_prefix (titles[i], "Since"));
  ui_click (ui_table_find_row (get_other_table (&ui, "Groups"), "Name", "render-worker"));
  ui_await (program_has_text (&ui, "It uses 95 % of its limit of 1.0*. It was held back at a limit 214 times. The kernel killed 1 *"));
  program_save_picture (&ui, "saved-groups.png");
  ui_key ("alt+1");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Saved snapshot: groups*");
  program_save_picture (&ui, "saved-groups-system.png");
  ui_stop (&ui);
  g_remove (file);
}

/* One group has grown, one is gone, and all others are the same. */
static void
test_compare_groups (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = make_path ("groups.footprint");
  g_autofree char *old = g_build_filename (g_getenv ("UI_FIXTURES"), "saved", "plain-1.footprint", NULL);

  save_groups (file);
  start_sample (&ui, "fewer");
  compare_with (&ui, old);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "The earlier snapshot has no groups*");
  g_assert_false (has_title (get_other_table (&ui, "Groups"), "Before"));
  program_save_picture (&ui, "compare-no-groups.png");
  compare_with (&ui, file);
  await_of_group (&ui, "org.gnome.Builder", "Before", "1.6 GiB");
  await_of_group (&ui, "org.gnome.Builder", "After", "1.9 GiB");
  await_of_group (&ui, "org.gnome.Builder", "Change in Memory", "+288 MiB");
  await_of_group (&ui, "org.gnome.Builder", "Outcome", "Grown");
  await_of_group (&ui, "anna", "Change in Memory", "+288 MiB");
  await_of_group (&ui, "firefox-esr", "Change in Memory", "0 B");
  await_of_group (&ui, "firefox-esr", "Outcome", "Same");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_LABEL, "The earlier snapshot has no groups*"));
  ui_await (program_has_text (&ui, "* groups · Memory * before, * after: +282*MiB · Swap *"));
  program_save_picture (&ui, "compare-groups.png");
  choose_group_outcome (&ui, 3, "bluetooth");
  await_of_group (&ui, "bluetooth", "Before", "6.0 MiB");
  await_of_group (&ui, "bluetooth", "After", "0 B");
  await_of_group (&ui, "bluetooth", "Change in Memory", "−6.0 MiB");
  await_of_group (&ui, "bluetooth", "Outcome", "Ended");
  g_assert_false (has_title (get_other_table (&ui, "Groups"), "Own Memory"));
  g_assert_false (has_title (get_other_table (&ui, "Groups"), "Waited"));
  program_save_picture (&ui, "compare-groups-ended.png");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Stop Comparing"));
  ui_await (!has_title (get_other_table (&ui, "Groups"), "Before"));
  ui_await (!get_of_group (&ui, "bluetooth", "Memory"));
  ui_await (has_title (get_other_table (&ui, "Groups"), "Own Memory"));
  ui_stop (&ui);
  g_remove (file);
}

/* Files from before groups were saved say so in the place of the list. */
static void
test_no_groups (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *old = g_build_filename (g_getenv ("UI_FIXTURES"), "saved", "plain-1.footprint", NULL);

  start (&ui, (const char *const[]){ "--view", "groups", old, NULL });
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Groups in This Snapshot");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Groups were not saved with it.");
  program_save_picture (&ui, "saved-no-groups.png");
  ui_stop (&ui);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/saved/save", test_save);
  g_test_add_func ("/saved/open", test_open);
  g_test_add_func ("/saved/recent", test_recent);
  g_test_add_func ("/saved/drop", test_drop);
  g_test_add_func ("/saved/capture", test_capture);
  g_test_add_data_func ("/saved/damaged/cut", "cut", test_damaged);
  g_test_add_data_func ("/saved/damaged/later", "later", test_damaged);
  g_test_add_data_func ("/saved/damaged/foreign", "foreign", test_damaged);
  g_test_add_data_func ("/saved/damaged/changed", "changed", test_damaged);
  g_test_add_func ("/saved/compare", test_compare);
  g_test_add_func ("/saved/compare-files", test_compare_files);
  g_test_add_func ("/saved/groups", test_groups);
  g_test_add_func ("/saved/compare-groups", test_compare_groups);
  g_test_add_func ("/saved/no-groups", test_no_groups);
  return g_test_run ();
}
