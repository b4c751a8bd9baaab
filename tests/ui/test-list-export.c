// SPDX-License-Identifier: GPL-3.0-or-later
/* A list as a file and on paper. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui-program.h"

#define N_CHILDREN 3

typedef struct
{
  Ui ui;
  GPid children[N_CHILDREN];
} Fixture;

/* GTK 4.8's dialogs forget some memory. */
static void
set_up (Fixture *self,
        gconstpointer data)
{
  g_autofree char *sanitizer = g_strdup (g_getenv ("ASAN_OPTIONS"));

  for (guint i = 0; i < N_CHILDREN; i++)
    self->children[i] = child_start (NULL);
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  program_start (&self->ui, (const char *const[]){ "--view", "processes", "--filter", program_get_search (), NULL });
  g_setenv ("ASAN_OPTIONS", sanitizer ? sanitizer : "", TRUE);
  ui_resize (&self->ui, 1280, 780);
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) == N_CHILDREN);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  ui_stop (&self->ui);
  for (guint i = 0; i < N_CHILDREN; i++)
    child_stop (self->children[i]);
}

/* Free the text. */
static char *
export_as (Fixture *self,
           const char *name)
{
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), name, NULL), *toast = g_strdup_printf ("Saved as %s", name);
  char *text = NULL;

  ui_key ("ctrl+e");
  program_answer_with_path (program_await_dialog (&self->ui, "Export List*"), path);
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, toast);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_remove (path);
  return text;
}

static guint
count_lines_with (const char *text,
                  const char *part)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i]; i++)
    n += strstr (lines[i], part) != NULL;
  return n;
}

static gboolean
is_sorted_by_pid (Fixture *self)
{
  gboolean ascending = TRUE;

  for (guint i = 1; i < N_CHILDREN; i++)
    ascending &= atoi (program_get_cell (&self->ui, i - 1, "PID")) < atoi (program_get_cell (&self->ui, i, "PID"));
  return ascending;
}

/* The columns are those that are shown, in their order, and so are the rows. */
static void
test_csv (Fixture *self,
          gconstpointer data)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  /* Their places by memory may change at any time. */
  ui_click (ui_table_title (program_get_table (&self->ui), "PID"));
  ui_await (is_sorted_by_pid (self));
  text = export_as (self, "list.csv");
  lines = g_strsplit (text, "\r\n", -1);
  g_assert_true (g_str_has_prefix (lines[0], "name,pid,user,pss,uss,rss,swap,"));
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + N_CHILDREN + 1);
  for (guint i = 0; i < N_CHILDREN; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[1 + i], ",", -1);

      g_assert_cmpstr (fields[0], ==, "sleep");
      g_assert_cmpstr (fields[1], ==, program_get_cell (&self->ui, i, "PID"));
      /* Bytes, of whole pages or parts of them */
      g_assert_cmpint (atoi (fields[5]), >, 4096);
    }
}

/* Groups are there with their sums, and how deep each row is. */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  g_autofree char *csv = NULL, *json = NULL, *text = NULL;

  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) == 1 + N_CHILDREN);
  csv = export_as (self, "list.csv");
  g_assert_true (g_str_has_prefix (csv, "level,name,pid,"));
  g_assert_cmpuint (count_lines_with (csv, "1,sleep,,"), ==, 1);
  g_assert_cmpuint (count_lines_with (csv, "2,sleep,"), ==, N_CHILDREN);
  json = export_as (self, "list.json");
  g_assert_cmpuint (count_lines_with (json, "\"level\" : 1"), ==, 1);
  g_assert_cmpuint (count_lines_with (json, "\"level\" : 2"), ==, N_CHILDREN);
  g_assert_cmpuint (count_lines_with (json, "\"pid\" : "), ==, N_CHILDREN);
  text = export_as (self, "list.txt");
  g_assert_true (g_str_has_prefix (text, "Name\tPID\tUser\tMemory\t"));
  g_assert_cmpuint (count_lines_with (text, "  sleep\t"), ==, N_CHILDREN);
}

/* The dialog of the toolkit does the rest. */
static void
test_print (Fixture *self,
            gconstpointer data)
{
  UiNode *dialog;

  ui_key ("ctrl+p");
  ui_await ((dialog = program_find_other_window (&self->ui, "Print")));
  ui_await (ui_find_focus (dialog));
  program_save_picture (&(Ui){ .window = dialog }, "print.png");
  ui_dismiss (dialog, "Escape");
  ui_key ("ctrl+3");
  ui_await (ui_table_n_rows (program_get_table (&self->ui)) == 1 + N_CHILDREN);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/export/csv", Fixture, NULL, set_up, test_csv, tear_down);
  g_test_add ("/export/groups", Fixture, NULL, set_up, test_groups, tear_down);
  g_test_add ("/export/print", Fixture, NULL, set_up, test_print, tear_down);
  return g_test_run ();
}
