// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-program.h"

/* A time to sleep that only this test's children have: all PIDs have 7 digits at most. */
const char *
program_get_sign (void)
{
  g_autofree char *sign = g_strdup_printf ("4711.%07d", getpid ());

  return g_intern_string (sign);
}

const char *
program_get_search (void)
{
  g_autofree char *search = g_strdup_printf ("program:sleep %s", program_get_sign ());

  return g_intern_string (search);
}

static void
start (Ui *ui,
       const char *const *arguments,
       const char *const *environment)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();

  g_ptr_array_add (argv, (gpointer)g_getenv ("FOOTPRINT"));
  for (; arguments && *arguments; arguments++)
    g_ptr_array_add (argv, (gpointer)*arguments);
  g_ptr_array_add (argv, NULL);
  ui_start (ui, (const char *const *)argv->pdata, environment);
}

void
program_start (Ui *ui,
               const char *const *arguments)
{
  start (ui, arguments, NULL);
}

void
program_start_at_once_a_second (Ui *ui,
                                const char *const *arguments)
{
  static const char text[] = "[io/github/footprint_app/Footprint]\ninterval='one'\n";
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", NULL);
  g_autofree char *file = g_build_filename (folder, "keyfile", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  start (ui, arguments, (const char *const[]){ "GSETTINGS_BACKEND=keyfile", NULL });
}

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

GPid
child_start_argv (const char *const *argv)
{
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, (char **)argv, NULL,
                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                     G_SPAWN_STDERR_TO_DEV_NULL,
                 end_with_parent, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

/* It sleeps; more: digits that tell it from others, or NULL */
GPid
child_start (const char *more)
{
  g_autofree char *seconds = g_strconcat (program_get_sign (), more, NULL);

  return child_start_argv ((const char *const[]){ "sleep", seconds, NULL });
}

void
child_stop (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* It remains to be stopped, as nobody else may have its PID before. */
gboolean
child_has_ended (GPid pid)
{
  siginfo_t info = { 0 };

  return waitid (P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

UiNode *
program_get_table (Ui *ui)
{
  return ui_table_wait_for (ui->window, "Processes");
}

const char *
program_get_cell (Ui *ui,
                  guint row,
                  const char *title)
{
  UiNode *table = program_get_table (ui);

  return ui_table_text (table, ui_table_row (table, row), title);
}

/* NULL: it is not on the screen */
UiNode *
program_find_pid (Ui *ui,
                  GPid pid)
{
  g_autofree char *text = g_strdup_printf ("%d", pid);

  return ui_table_find_row (program_get_table (ui), "PID", text);
}

void
program_search (Ui *ui,
                const char *text)
{
  ui_key ("ctrl+f");
  ui_wait_for (ui->window, ATSPI_ROLE_ENTRY, NULL);
  ui_pause (200);
  ui_key ("ctrl+a");
  ui_type (text);
}

void
program_save_picture (Ui *ui,
                      const char *name)
{
  const char *folder = g_getenv ("FOOTPRINT_PICTURES");
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  ui_screenshot (ui->window, path);
}

gboolean
program_has_text (Ui *ui,
                  const char *glob)
{
  return ui_find (ui->window, ATSPI_ROLE_LABEL, glob) != NULL;
}

/* Several views have what only one of them shows. */
UiNode *
program_find_shown (UiNode *root,
                    AtspiRole role,
                    const char *name)
{
  g_autoptr (GPtrArray) found = ui_find_all (root, role, name);

  for (guint i = 0; i < found->len; i++)
    if (ui_is_on_screen (g_ptr_array_index (found, i)))
      return g_ptr_array_index (found, i);
  return NULL;
}

gboolean
program_is_shown (UiNode *root,
                  AtspiRole role,
                  const char *name)
{
  return program_find_shown (root, role, name) != NULL;
}

/* The button of a list of choices; “chosen” is a glob. GTK 4.18 has the choice in its description alone. */
UiNode *
program_find_choice (UiNode *root,
                     const char *name,
                     const char *chosen)
{
  g_autofree char *both = g_strdup_printf ("%s: %s", name, chosen);
  g_autoptr (GPtrArray) found = ui_find_all (root, ATSPI_ROLE_PUSH_BUTTON, name);

  for (guint i = 0; i < found->len; i++)
    if (g_pattern_match_simple (chosen, ui_description (found->pdata[i])) && ui_is_on_screen (found->pdata[i]))
      return found->pdata[i];
  return program_find_shown (root, ATSPI_ROLE_PUSH_BUTTON, both);
}

/* The choice that is so many below another one. A list that has just come may have the focus anywhere, so that keys begin at
 * its start; one that comes before it is lost, so that they may take another turn. */
void
program_choose (UiNode *root,
                const char *name,
                const char *const *choices,
                const char *above,
                guint down)
{
  gint64 end = ui_patience ();
  guint place = down;
  UiNode *button;

  for (guint i = 0; choices[i]; i++)
    if (g_str_equal (choices[i], above))
      place = i + down;
  do
    {
      ui_breathe (end, G_STRFUNC, choices[place]);
      ui_await ((button = program_find_choice (root, name, "*")));
      ui_click (button);
      for (guint i = 0; choices[i]; i++)
        ui_key ("Up");
      for (guint i = 0; i < place; i++)
        ui_key ("Down");
      ui_key ("Return");
      ui_pause (300);
    }
  while (!program_find_choice (root, name, choices[place]));
}

/* The pane shows the sum of all processes. Its title differs where some are hidden, as in a container. */
gboolean
program_shows_all (Ui *ui)
{
  return program_is_shown (ui->window, ATSPI_ROLE_LABEL, "This machine") ||
         program_is_shown (ui->window, ATSPI_ROLE_LABEL, "All that is seen here");
}

/* The list of control groups, or what stands in its place on a machine that has no more than one. */
gboolean
program_shows_groups (Ui *ui)
{
  return program_is_shown (ui->window, ATSPI_ROLE_TREE_TABLE, "Groups") ||
         program_is_shown (ui->window, ATSPI_ROLE_LABEL, "All processes are in one group, which is the whole machine.");
}

/* NULL: there is none beside the first that is called so */
UiNode *
program_find_other_window (Ui *ui,
                           const char *title)
{
  for (int i = 0; i < atspi_accessible_get_child_count (ui->application, NULL); i++)
    {
      UiNode *window = ui_get_child (ui->application, i);

      if (window && window != ui->window && g_pattern_match_simple (title, ui_name (window)))
        return window;
    }
  return NULL;
}

/* Only GTK 4.18 says what a dialog is. */
UiNode *
program_await_dialog (Ui *ui,
                      const char *title)
{
  UiNode *dialog;

  ui_await ((dialog = ui_find (ui->application, ATSPI_ROLE_FILLER, title)) ||
            (dialog = ui_find (ui->application, ATSPI_ROLE_DIALOG, title)));
  ui_await (ui_find_focus (dialog));
  return dialog;
}

/* Drags the file of sample-drag above another window until it would be taken there. GTK 4.18 has the pointer in another
 * place while it moves faster than what it drags. */
void
program_drag_onto (Ui *source,
                   UiNode *window)
{
  UiBox from = ui_get_box (ui_wait_for (source->window, ATSPI_ROLE_LABEL, "Drag me")), to = ui_get_box (window);
  gint64 end = ui_patience ();
  int x = to.x + to.width / 2, y = to.y + to.height / 2;

  ui_drag_to (from.x + from.width / 2, from.y + from.height / 2, x, y);
  while (!ui_find (source->window, ATSPI_ROLE_LABEL, "It would be taken"))
    {
      ui_breathe (end, G_STRFUNC, "what is dragged to be taken");
      ui_drag_on (++x, y);
    }
}

void
program_answer_with_path (UiNode *dialog,
                          const char *path)
{
  ui_key ("ctrl+l");
  ui_await (ui_find_focus (dialog));
  ui_key ("ctrl+a");
  ui_type (path);
  ui_dismiss (dialog, "Return");
}

/* A recording leaves as much to others; without it the test is skipped. */
gboolean
program_has_room_to_record (void)
{
  struct statvfs status;

  if (statvfs (g_get_user_data_dir (), &status) != 0 || (guint64)status.f_bavail * status.f_frsize >= 600 * 1024 * 1024)
    return TRUE;
  g_test_skip ("the disk is too full for a recording");
  return FALSE;
}
