// SPDX-License-Identifier: GPL-3.0-or-later
/* The view Files, over files that do not exist. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "ui-program.h"

static void
start_as (Ui *ui,
          const char *mode,
          const char *const *environment)
{
  ui_start (ui, (const char *const[]){ g_getenv ("UI_SAMPLE_FILES"), mode, NULL }, environment);
  ui_resize (ui, 1280, 780);
}

static UiNode *
get_table (Ui *ui)
{
  return ui_table_wait_for (ui->window, "Files");
}

static void
show_files (Ui *ui)
{
  ui_wait_for (ui->window, ATSPI_ROLE_TREE_TABLE, "Processes");
  ui_key ("alt+5");
}

static void
start (Ui *ui)
{
  start_as (ui, "whole", NULL);
  show_files (ui);
  ui_await (ui_table_n_rows (get_table (ui)) == 7);
}

static UiNode *
find_row (Ui *ui,
          const char *name)
{
  UiNode *row;

  ui_await ((row = ui_table_find_row (get_table (ui), "Name", name)));
  return row;
}

static const char *
get_text (Ui *ui,
          const char *name,
          const char *title)
{
  return ui_table_text (get_table (ui), find_row (ui, name), title);
}

static gboolean
has_first (Ui *ui,
           const char *name)
{
  return ui_table_n_rows (get_table (ui)) > 0 &&
         g_str_equal (ui_table_text (get_table (ui), ui_table_row (get_table (ui), 0), "Name"), name);
}

/* Hidden views have buttons of the same name. */
static void
press (Ui *ui,
       const char *name)
{
  UiNode *button;

  ui_await ((button = program_find_shown (ui->window, ATSPI_ROLE_PUSH_BUTTON, name)));
  ui_click (button);
}

static void
group_by_next (Ui *ui,
               const char *now)
{
  static const char *const choices[] = { "Nothing", "Kind", "User", "Program", NULL };

  program_choose (ui->window, "Group by", choices, now, 1);
}

#define CRYPTO "/usr/lib/x86_64-linux-gnu/libcrypto.so.3"
#define LIBC   "/usr/lib/x86_64-linux-gnu/libc.so.6"
#define XUL    "/usr/lib/firefox-esr/libxul.so"

/* The biggest first, exact figures, and in words who is to be started again. */
static void
test_list (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  g_assert_true (has_first (&ui, "Heap"));
  g_assert_cmpstr (get_text (&ui, "Heap", "Memory"), ==, "610 MiB");
  g_assert_cmpstr (get_text (&ui, "Heap", "Processes"), ==, "6");
  g_assert_cmpstr (get_text (&ui, CRYPTO, "Processes"), ==, "3");
  g_assert_cmpstr (get_text (&ui, CRYPTO, "Users"), ==, "2");
  g_assert_cmpstr (get_text (&ui, CRYPTO, "Private"), ==, "14.0 MiB");
  g_assert_cmpstr (get_text (&ui, CRYPTO, "File State"), ==, "Updated");
  g_assert_true (g_str_has_prefix (ui_name (find_row (&ui, CRYPTO)), CRYPTO ", updated, Memory 22"));
  ui_await (program_has_text (&ui, "Read just now · 6 processes"));
  ui_await (program_has_text (&ui, "4 processes use old versions of files that were updated or deleted. Restart: postgresql.service "
                                   "(user postgres), ssh.service, firefox-esr (user anna), gnome-builder (user anna)"));
  ui_await (program_has_text (&ui, "7 files and kinds of memory · Memory 853* · Swap 103*"));
  program_save_picture (&ui, "files-list.png");
  ui_click (ui_table_title (get_table (&ui), "Processes"));
  ui_await (has_first (&ui, "Heap") && ui_table_find_row (get_table (&ui), "Name", LIBC) == ui_table_row (get_table (&ui), 1));
  ui_stop (&ui);
}

/* F5 and the button read again; nothing else does. */
static void
test_again (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ui_key ("F5");
  ui_await (g_str_equal (get_text (&ui, "Heap", "Memory"), "620 MiB"));
  press (&ui, "*Read Again");
  ui_await (g_str_equal (get_text (&ui, "Heap", "Memory"), "630 MiB"));
  ui_stop (&ui);
}

static void
search (Ui *ui,
        const char *text,
        guint n)
{
  program_search (ui, text);
  ui_await (ui_table_n_rows (get_table (ui)) == n);
}

/* By name and by figures; only what is outdated; by kind, by keyboard. */
static void
test_choices (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  search (&ui, "libx", 1);
  search (&ui, "processes>2 users>1", 3);
  program_search (&ui, "nowhere");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No File Matches");
  ui_await (program_has_text (&ui, "0 files and kinds of memory*"));
  ui_key ("Escape");
  ui_await (ui_table_n_rows (get_table (&ui)) == 7);
  press (&ui, "Updated or Deleted*");
  ui_await (ui_table_n_rows (get_table (&ui)) == 2 && has_first (&ui, CRYPTO));
  program_save_picture (&ui, "files-outdated.png");
  press (&ui, "All*");
  ui_await (ui_table_n_rows (get_table (&ui)) == 7);
  group_by_next (&ui, "Nothing");
  ui_await (ui_table_n_rows (get_table (&ui)) == 4 && has_first (&ui, "Heap"));
  program_save_picture (&ui, "files-kinds.png");
  ui_click (find_row (&ui, "Code"));
  ui_key ("Right");
  ui_await (ui_table_n_rows (get_table (&ui)) == 8);
  group_by_next (&ui, "Kind");
  ui_await (ui_table_n_rows (get_table (&ui)) == 3 && has_first (&ui, "Several users"));
  program_save_picture (&ui, "files-users.png");
  group_by_next (&ui, "User");
  ui_await (ui_table_n_rows (get_table (&ui)) == 2 && has_first (&ui, "Several programs"));
  g_assert_cmpstr (get_text (&ui, "postgres", "Memory"), ==, "5.0 MiB");
  ui_stop (&ui);
}

/* From a file to the processes that map it, to the details of one, and from its mappings back to the file. */
static void
test_way_and_back (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *mappings, *row;

  start (&ui);
  ui_resize (&ui, 1280, 900);
  ui_click (find_row (&ui, CRYPTO));
  ui_await (program_has_text (&ui, "3 processes map it"));
  ui_await (program_has_text (&ui, "Another file has its name now. These processes use the old one until they are started again.\n"
                                   "2 copies of it are in memory and use 22.0*MiB; one would need at least 18.0*MiB."));
  program_save_picture (&ui, "files-details.png");
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "gnome-builder*"));
  ui_await (program_has_text (&ui, "Process 4711 of anna"));
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"));
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
  mappings = ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Mappings");
  ui_await ((row = ui_table_find_row (mappings, "Name", "Code")));
  ui_click (row);
  ui_key ("Right");
  ui_await ((row = ui_table_find_row (mappings, "Name", LIBC)));
  ui_click_with (row, 3, NULL);
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_MENU_ITEM, "Who Else Maps This"));
  ui_await (ui_table_n_rows (get_table (&ui)) == 1 && has_first (&ui, LIBC));
  ui_stop (&ui);
}

/* By keyboard and by the arrow a file opens to the processes that map it, each with its part, in the order of the list; each
 * shows its details, and leads to them. Another reading leaves it open. */
static void
test_open (void)
{
  g_auto (Ui) ui = { 0 };
  UiNode *row;

  start (&ui);
  ui_click (find_row (&ui, CRYPTO));
  g_assert_true (ui_has_state (find_row (&ui, CRYPTO), ATSPI_STATE_EXPANDABLE));
  g_assert_false (ui_has_state (find_row (&ui, CRYPTO), ATSPI_STATE_EXPANDED));
  ui_key ("Right");
  ui_await (ui_table_n_rows (get_table (&ui)) == 10);
  ui_await (ui_has_state (find_row (&ui, CRYPTO), ATSPI_STATE_EXPANDED));
  g_assert_cmpstr (get_text (&ui, "sshd (412)", "Memory"), ==, "8.0 MiB");
  g_assert_cmpstr (get_text (&ui, "sshd (412)", "Private"), ==, "6.0 MiB");
  g_assert_cmpstr (get_text (&ui, "sshd (412)", "Private Dirty"), ==, "2.0 MiB");
  g_assert_cmpstr (get_text (&ui, "sshd (412)", "Swap"), ==, "1.0 MiB");
  g_assert_cmpstr (get_text (&ui, "sshd (412)", "Processes"), ==, "");
  g_assert_cmpstr (get_text (&ui, "firefox-esr (2310)", "Memory"), ==, "7.0 MiB");
  g_assert_cmpstr (get_text (&ui, "gnome-builder (4711)", "Private"), ==, "4.0 MiB");
  g_assert_cmpstr (ui_name (find_row (&ui, "sshd (412)")), ==, "sshd (412), updated, Memory 8.0 MiB");
  program_save_picture (&ui, "files-open.png");
  ui_key ("Down");
  ui_await (program_has_text (&ui, "Process 412 of root"));
  ui_key ("F5");
  ui_await (g_str_equal (get_text (&ui, "Heap", "Memory"), "620 MiB"));
  g_assert_cmpuint (ui_table_n_rows (get_table (&ui)), ==, 10);
  ui_await (program_has_text (&ui, "Process 412 of root"));
  ui_key ("Return");
  ui_await (program_is_shown (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"));
  ui_await ((row = ui_table_find_row (ui_wait_for (ui.window, ATSPI_ROLE_TREE_TABLE, "Processes"), "Name", "sshd")) &&
            ui_has_state (row, ATSPI_STATE_SELECTED));
  ui_key ("alt+5");
  ui_click (find_row (&ui, CRYPTO));
  ui_key ("Left");
  ui_await (ui_table_n_rows (get_table (&ui)) == 7);
  ui_stop (&ui);
}

static gboolean
has_entry (Ui *ui,
           const char *text)
{
  return strstr (ui_text (ui_wait_for (ui->window, ATSPI_ROLE_ENTRY, NULL)), text) != NULL;
}

/* A process below a file is told and copied with what it has of that file, and files beside it with what they have. */
static void
test_part_selected (void)
{
  static const char *const first = "412\tsshd\t8388608\t6291456\t2097152\t8388608\t1048576\t" CRYPTO;
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ui_click (find_row (&ui, CRYPTO));
  ui_await (program_has_text (&ui, "Selected: 1 file or kind of memory · Memory 22*"));
  ui_key ("Right");
  ui_await (ui_table_n_rows (get_table (&ui)) == 10);
  ui_click (find_row (&ui, "sshd (412)"));
  ui_await (program_has_text (&ui, "Selected: sshd (412)’s part of " CRYPTO " · Memory 8.0*MiB · Swap 1.0*MiB*"));
  program_save_picture (&ui, "files-part-selected.png");
  ui_key ("ctrl+c");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Copied");
  ui_click_with (find_row (&ui, "firefox-esr (2310)"), 1, "ctrl");
  ui_await (program_has_text (&ui, "Selected: 2 processes’ parts of files · Memory 15.0*MiB · Swap 1.0*MiB*"));
  ui_click_with (find_row (&ui, LIBC), 1, "ctrl");
  ui_await (program_has_text (&ui, "Selected: 1 file or kind of memory · Memory 9.0*MiB · Swap 0*B*; 2 processes’ parts of files · Memory 15.0*"));
  ui_key ("ctrl+f");
  ui_key ("ctrl+v");
  ui_await (has_entry (&ui, first));
  g_assert_true (has_entry (&ui, "PID\tProgram\tMemory\t"));
  g_assert_false (has_entry (&ui, "2310\t"));
  ui_stop (&ui);
}

static char *
make_go (char **variable)
{
  char *file = g_strdup_printf ("%s/footprint-go-%d", g_get_tmp_dir (), (int)getpid ());

  *variable = g_strconcat ("SAMPLE_GO=", file, NULL);
  g_unlink (file);
  return file;
}

/* It says how far it is, can be given up and begun anew; what was read before stays. */
static void
test_cancel (void)
{
  g_autofree char *variable = NULL, *go = make_go (&variable);
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "whole", (const char *const[]){ variable, NULL });
  show_files (&ui);
  ui_await (program_has_text (&ui, "412 of 1003 processes, about * s left"));
  program_save_picture (&ui, "files-reading.png");
  press (&ui, "*Cancel");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Files Not Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Reading was cancelled.");
  program_save_picture (&ui, "files-cancelled.png");
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  press (&ui, "*Read");
  ui_await (ui_table_n_rows (get_table (&ui)) == 7);
  g_unlink (go);
  ui_key ("F5");
  press (&ui, "*Cancel");
  ui_await (program_has_text (&ui, "Read just now. Reading was cancelled."));
  g_assert_cmpuint (ui_table_n_rows (get_table (&ui)), ==, 7);
  ui_stop (&ui);
}

/* A file that was read is shown before all are, and stays where the rest is given up. */
static void
test_part (void)
{
  g_autofree char *variable = NULL, *go = make_go (&variable);
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "whole", (const char *const[]){ variable, "SAMPLE_PART=1", NULL });
  show_files (&ui);
  ui_await (ui_table_n_rows (get_table (&ui)) == 3);
  g_assert_cmpstr (get_text (&ui, "Heap", "Memory"), ==, "610 MiB");
  ui_await (program_has_text (&ui, "412 of 1003 processes*"));
  g_assert_false (program_has_text (&ui, "*Restart:*"));
  program_save_picture (&ui, "files-part.png");
  press (&ui, "*Cancel");
  ui_await (program_has_text (&ui, "Read just now. Reading was cancelled."));
  ui_await (program_has_text (&ui, "*Only 4 of 6 processes were read; the figures count what these map."));
  g_assert_cmpuint (ui_table_n_rows (get_table (&ui)), ==, 3);
  program_save_picture (&ui, "files-part-cancelled.png");
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  press (&ui, "*Read Again");
  ui_await (ui_table_n_rows (get_table (&ui)) == 7);
  g_assert_false (program_has_text (&ui, "*Only 4 of 6*"));
  g_unlink (go);
  ui_key ("F5");
  ui_await (program_has_text (&ui, "412 of 1003 processes*"));
  g_assert_cmpuint (ui_table_n_rows (get_table (&ui)), ==, 7);
  ui_stop (&ui);
}

/* A picture of the view shows all files, so it waits for them, though the window has some. */
static void
test_picture (void)
{
  g_autofree char *variable = NULL, *go = make_go (&variable);
  g_autofree char *picture = g_build_filename (g_get_user_runtime_dir (), "files-picture.png", NULL);
  g_autofree char *wanted = g_strconcat ("SAMPLE_PICTURE=", picture, NULL);
  g_auto (Ui) ui = { 0 };

  g_unlink (picture);
  start_as (&ui, "whole", (const char *const[]){ variable, wanted, "SAMPLE_PART=1", NULL });
  ui_await (ui_table_n_rows (get_table (&ui)) == 3);
  ui_await (program_has_text (&ui, "412 of 1003 processes*"));
  g_assert_false (g_file_test (picture, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  ui_await (!ui_is_running (&ui));
  if (!g_file_test (picture, G_FILE_TEST_EXISTS))
    ui_fail ("there is no picture");
  g_unlink (go);
  g_unlink (picture);
}

static void
test_denied (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "denied", NULL);
  show_files (&ui);
  ui_await (program_has_text (&ui, "*2 of 6 processes could not be read; the figures are without them."));
  ui_wait_for (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Unlock");
  program_save_picture (&ui, "files-denied.png");
  ui_stop (&ui);
}

/* A filter that finds nothing says so. */
static void
test_current (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "current", NULL);
  show_files (&ui);
  ui_await (ui_table_n_rows (get_table (&ui)) == 5);
  g_assert_false (program_has_text (&ui, "*updated or deleted. Restart*"));
  press (&ui, "Updated or Deleted*");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Files to See");
  program_save_picture (&ui, "files-nothing.png");
  ui_stop (&ui);
}

static void
test_none (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "none", NULL);
  show_files (&ui);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "Files Not Read");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "There are no files here");
  ui_stop (&ui);
}

static void
test_dark (void)
{
  g_auto (Ui) ui = { 0 };

  start_as (&ui, "whole", (const char *const[]){ "SAMPLE_DARK=1", NULL });
  show_files (&ui);
  ui_click (find_row (&ui, XUL));
  ui_await (program_has_text (&ui, "2 processes map it"));
  ui_key ("Right");
  ui_await (find_row (&ui, "Web Content (2311)"));
  program_save_picture (&ui, "files-dark.png");
  ui_stop (&ui);
}

static void
start_saved (Ui *ui,
             const char *file,
             const char *option)
{
  const char *argv[] = { g_getenv ("FOOTPRINT_CLI"), "--save", file, option, NULL };
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)argv, NULL, 0, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  program_start (ui, (const char *const[]){ "--open", file, "--view", "files", NULL });
}

/* Saved files are there at once, and are not read again. */
static void
test_saved (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "files.snapshot", NULL);

  start_saved (&ui, file, "--with-files");
  ui_await (find_row (&ui, "Heap"));
  ui_await (program_has_text (&ui, "As they were when the snapshot was saved"));
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read*"));
  program_save_picture (&ui, "files-saved.png");
  ui_stop (&ui);
  g_unlink (file);
}

static void
test_not_saved (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *file = g_build_filename (g_get_user_runtime_dir (), "none.snapshot", NULL);

  start_saved (&ui, file, NULL);
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "No Files in This Snapshot");
  ui_wait_for (ui.window, ATSPI_ROLE_LABEL, "To have them in one, open this view before you save it, *");
  g_assert_false (program_is_shown (ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read*"));
  program_save_picture (&ui, "files-not-saved.png");
  ui_stop (&ui);
  g_unlink (file);
}

/* The program itself, over the processes of this machine that it may read. */
static void
test_program (void)
{
  g_auto (Ui) ui = { 0 };

  program_start (&ui, (const char *const[]){ "--view", "files", NULL });
  ui_await (find_row (&ui, "Heap"));
  ui_await (program_has_text (&ui, "Read just now · * processes"));
  ui_stop (&ui);
}

static guint
count_titles (Ui *ui)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (ui));

  return g_strv_length (titles);
}

/* In 360 pixels there is room for the name and the memory. */
static void
test_narrow (void)
{
  g_auto (Ui) ui = { 0 };

  start (&ui);
  ui_resize (&ui, 580, 700);
  ui_await (count_titles (&ui) == 2);
  ui_resize (&ui, 360, 700);
  program_save_picture (&ui, "files-narrow.png");
  ui_click (find_row (&ui, CRYPTO));
  ui_key ("Right");
  ui_await (find_row (&ui, "sshd (412)"));
  program_save_picture (&ui, "files-narrow-open.png");
  ui_key ("alt+Return");
  ui_await (program_has_text (&ui, "3 processes map it"));
  program_save_picture (&ui, "files-narrow-details.png");
  g_assert_false (ui_is_marked (ui_find (ui.window, ATSPI_ROLE_LABEL, "/usr/*libcrypto.so.3")));
  ui_stop (&ui);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/files/list", test_list);
  g_test_add_func ("/files/again", test_again);
  g_test_add_func ("/files/choices", test_choices);
  g_test_add_func ("/files/way-and-back", test_way_and_back);
  g_test_add_func ("/files/open", test_open);
  g_test_add_func ("/files/part-selected", test_part_selected);
  g_test_add_func ("/files/cancel", test_cancel);
  g_test_add_func ("/files/part", test_part);
  g_test_add_func ("/files/picture", test_picture);
  g_test_add_func ("/files/denied", test_denied);
  g_test_add_func ("/files/current", test_current);
  g_test_add_func ("/files/none", test_none);
  g_test_add_func ("/files/saved", test_saved);
  g_test_add_func ("/files/not-saved", test_not_saved);
  g_test_add_func ("/files/program", test_program);
  g_test_add_func ("/files/dark", test_dark);
  g_test_add_func ("/files/narrow", test_narrow);
  return g_test_run ();
}
