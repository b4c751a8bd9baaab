// SPDX-License-Identifier: GPL-3.0-or-later
/* The details of one process, down to its mappings, driven from outside. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui-program.h"

#define ROW_FIRST  "*memfd:big-first*"
#define ROW_SECOND "*memfd:big-second*"
#define ROW_THIRD  "*memfd:big-third*"

/* A process with mappings that are known (sample-mappings.c), and the window that shows them. */
typedef struct
{
  Ui ui;
  GPid child;
  FILE *orders;
  FILE *answers;
} Pane;

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static void
await_answer (Pane *self,
              const char *answer)
{
  char line[64];

  g_assert_nonnull (fgets (line, sizeof line, self->answers));
  g_assert_cmpstr (line, ==, answer);
}

static void
order (Pane *self,
       const char *text)
{
  fputs (text, self->orders);
  fflush (self->orders);
  await_answer (self, "done\n");
}

static UiNode *
get_table (Pane *self)
{
  return ui_wait_for (self->ui.window, ATSPI_ROLE_TREE_TABLE, "Mappings");
}

static UiNode *
find (Pane *self,
      const char *name)
{
  return ui_table_find_row (get_table (self), "Name", name);
}

static const char *
get_text (Pane *self,
          const char *name,
          const char *column)
{
  return ui_table_text (get_table (self), find (self, name), column);
}

/* By its place in the list that opens, which AT-SPI has in another size than X. The first click may only take away what
 * hangs over it. */
static void
choose (Pane *self,
        const char *what,
        guint place,
        const char *item)
{
  UiNode *combo = ui_wait_for (self->ui.window, ATSPI_ROLE_COMBO_BOX, what);
  UiNode *button = ui_wait_for (combo, ATSPI_ROLE_PUSH_BUTTON, NULL);
  gint64 end = ui_patience ();

  while (!ui_find (button, ATSPI_ROLE_LABEL, item))
    {
      ui_breathe (end, G_STRLOC, item);
      if (!ui_has_state (button, ATSPI_STATE_PRESSED))
        {
          ui_click (combo);
          ui_pause (500);
          continue;
        }
      for (guint i = 0; i < 6; i++)
        ui_key ("Up");
      for (guint i = 0; i < place; i++)
        ui_key ("Down");
      ui_key ("Return");
      ui_pause (300);
    }
}

static void
show_all (Pane *self)
{
  choose (self, "Put Together By", 2, "All mappings");
}

/* The first row is their total. */
static guint
count_mappings (Pane *self)
{
  guint n = ui_table_n_rows (get_table (self));

  return n > 0 ? n - 1 : 0;
}

/* Below the total */
static UiNode *
get_first (Pane *self)
{
  return ui_table_row (get_table (self), 1);
}

/* In a column that is seen: the middle of a wide row is not. */
static UiNode *
get_name_cell (Pane *self,
               guint row)
{
  UiNode *table = get_table (self);

  return ui_table_cell (table, ui_table_row (table, row), "Name");
}

static void
choose_in_menu (Pane *self,
                const char *item)
{
  /* The first is what it stands in. */
  UiNode *button = ui_find_nth (self->ui.window, ATSPI_ROLE_PUSH_BUTTON, "More", 1);
  gint64 end = ui_patience ();

  while (!ui_has_state (button, ATSPI_STATE_FOCUSED))
    {
      ui_breathe (end, G_STRLOC, "the menu has the focus");
      ui_key ("Tab");
    }
  ui_key ("space");
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_MENU_ITEM, item));
}

static void
search (Pane *self,
        const char *text)
{
  ui_set_text (ui_wait_for (self->ui.window, ATSPI_ROLE_ENTRY, "Search in Mappings"), text);
}

static void
write_settings (const char *lines)
{
  g_autofree char *folder = g_build_filename (g_get_user_config_dir (), "glib-2.0", "settings", NULL);
  g_autofree char *file = g_build_filename (folder, "keyfile", NULL);
  g_autofree char *text = g_strconcat ("[io/github/footprint_app/Footprint]\n", lines, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (file, text, -1, &error);
  g_assert_no_error (error);
  g_setenv ("GSETTINGS_BACKEND", "keyfile", TRUE);
}

static void
open_mappings (Pane *self,
               GPid pid)
{
  g_autofree char *subtitle = g_strdup_printf ("Process %d of *", pid);

  ui_await (program_find_pid (&self->ui, pid));
  ui_click (program_find_pid (&self->ui, pid));
  ui_wait_for (self->ui.window, ATSPI_ROLE_LABEL, subtitle);
  ui_click (ui_wait_for (self->ui.window, ATSPI_ROLE_PAGE_TAB, "Mappings"));
}

static void
pane_start (Pane *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *filter = NULL;
  int orders, answers;

  g_spawn_async_with_pipes (NULL, (char *[]){ (char *)g_getenv ("UI_MAPPINGS"), NULL }, NULL, G_SPAWN_DO_NOT_REAP_CHILD,
                            end_with_parent, NULL, &self->child, &orders, &answers, NULL, &error);
  g_assert_no_error (error);
  self->orders = fdopen (orders, "w");
  self->answers = fdopen (answers, "r");
  await_answer (self, "ready\n");
  filter = g_strdup_printf ("pid=%d", self->child);
  program_start (&self->ui, (const char *const[]){ "--filter", filter, NULL });
  open_mappings (self, self->child);
}

static void
pane_stop (Pane *self)
{
  ui_stop (&self->ui);
  child_stop (self->child);
  fclose (self->orders);
  fclose (self->answers);
}

static void
pane_clear (Pane *self)
{
  ui_clear (&self->ui);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pane, pane_clear)

/* The first is the name; of the others the header is in no order. */
static gboolean
has_titles (Pane *self,
            guint n,
            const char *wanted)
{
  g_auto (GStrv) titles = ui_table_titles (get_table (self)), all = g_strsplit (wanted, ", ", 0);
  guint n_found = 0;

  for (guint i = 0; all[i]; i++)
    n_found += g_strv_contains ((const char *const *)titles, all[i]);
  return g_strv_length (titles) == n && n_found == g_strv_length (all);
}

/* The same mappings by kind, by file and one by one, with the columns for each question. */
static void
test_views (void)
{
  static const struct
  {
    const char *name;
    guint n;
    const char *titles;
  } sets[] = {
    { "Usual", 9, "Address Range, Access, Size, Memory, Private, Resident, Swap" },
    { "Private", 5, "Size, Private Clean, Private Dirty, Access" },
    { "Shared", 6, "Size, Resident, Shared Clean, Shared Dirty, Access" },
    { "As pmap -x", 6, "Start, Size, Resident, Access" },
    { "As pmap -X", 23, "Start, Access, Offset, Device, Inode, Resident, Memory, Swap" },
    { "Everything", 31, "Start, Access, Offset, Device, Inode, Flags, Memory, Shared Clean" },
  };
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  ui_await (find (&pane, "Heap"));
  g_assert_nonnull (find (&pane, "Code"));
  g_assert_null (find (&pane, ROW_SECOND));
  g_assert_true (has_titles (&pane, 5, "Name, Memory, Private, Resident, Swap"));

  choose (&pane, "Put Together By", 1, "By file");
  ui_await (find (&pane, ROW_SECOND));
  g_assert_null (find (&pane, "Code"));
  g_assert_cmpstr (get_text (&pane, ROW_SECOND, "Private"), ==, "2.0 MiB");

  show_all (&pane);
  for (guint i = 0; i < G_N_ELEMENTS (sets); i++)
    {
      choose (&pane, "Columns", i, sets[i].name);
      ui_await (has_titles (&pane, sets[i].n, sets[i].titles));
    }
  pane_stop (&pane);
}

static gboolean
is_first (Pane *self,
          const char *name)
{
  return g_pattern_match_simple (name, ui_table_text (get_table (self), get_first (self), "Name"));
}

static void
test_sort_and_search (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  show_all (&pane);
  search (&pane, "memfd size>1M");
  ui_await (count_mappings (&pane) == 2);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "2 mappings · Memory 6.0*MiB (each rounded down) · Private 6.0*MiB · *");

  /* One is larger, more of the other is in memory. */
  ui_click (ui_table_title (get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (get_table (&pane), "Memory"));
  ui_await (is_first (&pane, ROW_FIRST));
  ui_click (ui_table_title (get_table (&pane), "Memory"));
  ui_await (is_first (&pane, ROW_SECOND));

  search (&pane, "pss>3M memfd");
  ui_await (count_mappings (&pane) == 1 && is_first (&pane, ROW_FIRST));
  search (&pane, "no such mapping");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "No Mapping Matches");
  search (&pane, "memfd:big-second");
  ui_await (count_mappings (&pane) == 1 && is_first (&pane, ROW_SECOND));
  pane_stop (&pane);
}

/* What is new, gone and grown since the mark, and by how much. */
static void
test_mark (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  show_all (&pane);
  search (&pane, "memfd:big-");
  ui_await (count_mappings (&pane) == 2);
  ui_key ("ctrl+m");
  ui_await (has_titles (&pane, 10, "Name, Change, Δ Memory"));
  ui_await (g_str_equal (get_text (&pane, ROW_FIRST, "Change"), "The same"));

  order (&pane, "change\n");
  ui_key ("F5");
  ui_await (find (&pane, ROW_THIRD));
  g_assert_cmpstr (get_text (&pane, ROW_FIRST, "Change"), ==, "Gone");
  g_assert_cmpstr (get_text (&pane, ROW_SECOND, "Change"), ==, "Grown");
  g_assert_cmpstr (get_text (&pane, ROW_THIRD, "Change"), ==, "New");
  g_assert_cmpstr (get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  g_assert_cmpstr (get_text (&pane, ROW_SECOND, "Δ Private"), ==, "+1.0 MiB");
  g_assert_cmpstr (get_text (&pane, ROW_THIRD, "Δ Private"), ==, "+3.0 MiB");
  g_assert_cmpstr (get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  g_assert_cmpstr (get_text (&pane, "Total", "Δ Size"), ==, "−1.0 MiB");
  g_assert_cmpstr (get_text (&pane, "Total", "Change"), ==, "");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Since the mark: memory 0*B, address space −1.0*MiB");

  /* The same as sums: what is less and what is more in one */
  choose (&pane, "Put Together By", 1, "By file");
  ui_await (g_str_equal (get_text (&pane, ROW_SECOND, "Δ Private"), "+1.0 MiB"));
  g_assert_cmpstr (get_text (&pane, ROW_FIRST, "Δ Private"), ==, "−4.0 MiB");
  choose (&pane, "Put Together By", 0, "By kind");
  ui_await (count_mappings (&pane) == 1);
  g_assert_cmpstr (ui_table_text (get_table (&pane), get_first (&pane), "Δ Private"), ==, "0 B");
  g_assert_cmpstr (get_text (&pane, "Total", "Δ Private"), ==, "0 B");
  show_all (&pane);

  ui_key ("ctrl+m");
  ui_await (has_titles (&pane, 9, "Name, Memory, Size"));
  g_assert_cmpstr (get_text (&pane, ROW_SECOND, "Private"), ==, "3.0 MiB");
  g_assert_null (find (&pane, ROW_FIRST));
  pane_stop (&pane);
}

static char *
save_as (Pane *self,
         const char *name)
{
  g_autofree char *file = g_build_filename (g_get_home_dir (), name, NULL);
  UiNode *dialog;
  char *text = NULL;

  choose_in_menu (self, "Export…");
  dialog = ui_wait_for (self->ui.application, ATSPI_ROLE_FILLER, "Export Mappings*");
  ui_await (ui_find_focus (dialog));
  ui_key ("ctrl+a");
  ui_type (file);
  ui_dismiss (dialog, "Return");
  ui_await (g_file_get_contents (file, &text, NULL, NULL) && *text);
  g_remove (file);
  return text;
}

/* What is shown, for other programs, in the form that the name says, and as text for people. */
static void
test_export (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *csv = NULL, *json = NULL, *pmap = NULL;
  g_autofree char *sanitizer = g_strdup (g_getenv ("ASAN_OPTIONS"));
  UiNode *entry;

  /* GTK 4.8's file chooser forgets 18 KiB. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  pane_start (&pane);
  g_setenv ("ASAN_OPTIONS", sanitizer ? sanitizer : "", TRUE);
  show_all (&pane);
  search (&pane, "memfd size>1M");
  ui_await (count_mappings (&pane) == 2);

  csv = save_as (&pane, "mappings.csv");
  g_assert_true (g_pattern_match_simple ("*pss,*\r\n*,4194304,*memfd:big-first*\r\n*", csv));
  g_assert_null (strstr (csv, "memfd:rows"));
  g_assert_null (strstr (csv, "Total"));
  json = save_as (&pane, "mappings.json");
  g_assert_true (g_pattern_match_simple ("*\"pss\"*:*4194304*memfd:big-first*", json) ||
                 g_pattern_match_simple ("*memfd:big-first*\"pss\"*:*4194304*", json));
  pmap = save_as (&pane, "mappings.txt");
  g_assert_true (g_pattern_match_simple ("*Address*Perm*Pss*Mapping\n*4096*memfd:big-first*", pmap));

  choose_in_menu (&pane, "Copy as Text");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Copied");
  program_search (&pane.ui, "");
  ui_key ("ctrl+v");
  entry = ui_find (pane.ui.window, ATSPI_ROLE_ENTRY, "Search");
  ui_await (g_pattern_match_simple ("*Address*Mapping*memfd:big-first*", ui_text (entry)));
  pane_stop (&pane);
}

/* In bytes, as they are written */
static guint64
read_figure (Pane *self,
             guint row,
             const char *column)
{
  UiNode *table = get_table (self);
  guint64 figure = 0;

  for (const char *c = ui_table_text (table, ui_table_row (table, row), column); *c; c++)
    if (g_ascii_isdigit (*c))
      figure = figure * 10 + (guint64)g_ascii_digit_value (*c);
  return figure;
}

/* It stands above all others, which are on the screen, and is what they come to. */
static void
assert_total (Pane *self)
{
  static const char *const columns[] = { "Memory", "Private", "Resident", "Swap" };
  UiNode *table = get_table (self);

  g_assert_cmpstr (ui_table_text (table, ui_table_row (table, 0), "Name"), ==, "Total");
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      guint64 sum = 0;

      for (guint row = 1; row <= count_mappings (self); row++)
        sum += read_figure (self, row, columns[i]);
      g_test_message ("%s of %u: %" G_GUINT64_FORMAT, columns[i], count_mappings (self), sum);
      g_assert_cmpuint (read_figure (self, 0, columns[i]), ==, sum);
      g_assert_true (sum > 0 || g_str_equal (columns[i], "Swap"));
    }
}

/* Of what is shown and searched for, whatever it is sorted by. */
static void
test_total (void)
{
  g_auto (Pane) pane = { 0 };

  write_settings ("units='exact'\n");
  pane_start (&pane);
  ui_await (find (&pane, "Heap"));
  g_assert_cmpuint (count_mappings (&pane), >, 4);
  assert_total (&pane);
  for (guint i = 0; i < 2; i++)
    {
      const char *first = ui_table_text (get_table (&pane), get_first (&pane), "Name");

      ui_click (ui_table_title (get_table (&pane), "Name"));
      ui_await (!is_first (&pane, first));
      assert_total (&pane);
    }
  search (&pane, "memfd:big-");
  ui_await (count_mappings (&pane) == 1);
  assert_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Private"), ==, 6 * 1024 * 1024);

  show_all (&pane);
  ui_await (count_mappings (&pane) == 2);
  assert_total (&pane);
  g_assert_cmpuint (read_figure (&pane, 0, "Size"), ==, 20 * 1024 * 1024);
  g_assert_cmpstr (get_text (&pane, "Total", "Address Range"), ==, "");
  g_assert_true (g_str_has_prefix (ui_name (ui_table_row (get_table (&pane), 0)), "Total, 2 mappings, Memory 6291456 B"));
  search (&pane, "libc");
  ui_await (count_mappings (&pane) > 2);
  assert_total (&pane);
  pane_stop (&pane);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

static int
compare_with_saved (Pane *self,
                    const char *saved)
{
  g_autofree char *now = ui_table_to_text (get_table (self));

  return g_strcmp0 (saved, now);
}

/* Who reads it again finds the place, the order and what was selected as they were. */
static void
test_kept (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *before = NULL, *range = NULL;

  pane_start (&pane);
  show_all (&pane);
  ui_click (ui_table_title (get_table (&pane), "Size"));
  ui_await (is_first (&pane, ROW_SECOND));
  ui_click (ui_table_title (get_table (&pane), "Private"));
  ui_await (is_first (&pane, ROW_FIRST));
  ui_scroll (get_name_cell (&pane, 3), 12);
  ui_await (!find (&pane, ROW_FIRST) && find (&pane, "*memfd:rows*"));
  ui_click (get_name_cell (&pane, 5));
  ui_await (ui_table_n_selected (get_table (&pane)) == 1);
  range = g_strdup (ui_name (ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")));
  before = ui_table_to_text (get_table (&pane));

  /* The sum below tells that it was read. */
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 7.*MiB *");
  order (&pane, "touch\n");
  order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "* mappings · Memory 9.*MiB *");
  g_assert_cmpint (compare_with_saved (&pane, before), ==, 0);
  g_assert_cmpuint (ui_table_n_selected (get_table (&pane)), ==, 1);
  g_assert_cmpstr (ui_name (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "7*–7*, 4.0 KiB")), ==, range);
  pane_stop (&pane);
}

/* Who reads it again sees its pages as they are now, too. */
static void
test_pages_again (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  show_all (&pane);
  search (&pane, "big-second");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "1 mapping *");
  /* The first click may only take away what hangs over it. */
  for (guint i = 0; i < 3 && ui_table_n_selected (get_table (&pane)) == 0; i++)
    {
      ui_click (get_name_cell (&pane, 1));
      ui_pause (500);
    }
  g_assert_cmpuint (ui_table_n_selected (get_table (&pane)), ==, 1);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*2.0*MiB*Absent*14.0*MiB*");
  order (&pane, "touch\n");
  ui_key ("F5");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");

  /* A sum has none. */
  ui_click (get_name_cell (&pane, 0));
  ui_wait_until_gone (pane.ui.window, ATSPI_ROLE_LABEL, "*Private*3.0*MiB*Absent*13.0*MiB*");
  g_assert_cmpuint (ui_table_n_selected (get_table (&pane)), ==, 1);
  pane_stop (&pane);
}

static GPid
start_zombie (void)
{
  GPid pid = child_start (NULL);

  kill (pid, SIGKILL);
  while (!child_has_ended (pid))
    g_usleep (1000);
  return pid;
}

/* What has no mappings says why. */
static void
test_nothing_to_show (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *filter = NULL;
  GPid zombie = start_zombie ();

  filter = g_strdup_printf ("pid=%d", zombie);
  program_start (&pane.ui, (const char *const[]){ "--filter", filter, NULL });
  open_mappings (&pane, zombie);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "It has ended, *");
  ui_stop (&pane.ui);
  child_stop (zombie);

  program_start (&pane.ui, (const char *const[]){ "--filter", "pid=2", NULL });
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Kernel*"));
  open_mappings (&pane, 2);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "This is part of the kernel, *");
  ui_stop (&pane.ui);
}

/* It ends while it is shown, and the list has not noticed yet. */
static void
test_ends (void)
{
  g_auto (Pane) pane = { 0 };

  pane_start (&pane);
  ui_await (find (&pane, "Heap"));
  kill (pane.child, SIGKILL);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "It has ended, *");
  waitpid (pane.child, NULL, 0);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "No Process Chosen");
  ui_stop (&pane.ui);
  fclose (pane.orders);
  fclose (pane.answers);
}

/* A copy of a machine on which one process's mappings come when the test lets them. */
static char *
make_slow_proc (const char *pid,
                char **fifo)
{
  g_autofree char *folder = g_build_filename (g_get_user_runtime_dir (), "slow-proc-XXXXXX", NULL);
  g_autofree char *from = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", ".", NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_nonnull (g_mkdtemp (folder));
  g_spawn_sync (NULL, (char *[]){ (char *)"cp", (char *)"-r", from, folder, NULL }, NULL, G_SPAWN_SEARCH_PATH, NULL,
                NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  *fifo = g_build_filename (folder, pid, "smaps", NULL);
  g_assert_cmpint (g_remove (*fifo), ==, 0);
  g_assert_cmpint (mkfifo (*fifo, 0600), ==, 0);
  return g_steal_pointer (&folder);
}

/* Reading goes on beside, says so, and is given up by its button and by another choice. */
static void
test_cancel (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  int fd = open (fifo, O_RDWR | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  open_mappings (&pane, 1500);
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Not Read");

  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Read Its Mappings"));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel");
  open_mappings (&pane, 1211);
  ui_await (find (&pane, "Heap"));

  /* What comes too late is of nobody any more. */
  g_assert_cmpint (write (fd, "nonsense\n", 9), ==, 9);
  close (fd);
  ui_pause (500);
  g_assert_nonnull (find (&pane, "Heap"));
  ui_stop (&pane.ui);
}

static void
write_to_fifo (const char *fifo,
               const char *text)
{
  gsize length = strlen (text);
  int fd = open (fifo, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (write (fd, text, length), ==, (gssize)length);
  close (fd);
}

/* What was read before stays where reading it again takes long and comes to nothing. */
static void
test_fails_late (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  g_autofree char *from = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", "1500", "smaps", NULL);
  g_autofree char *stat = g_build_filename (folder, "1500", "stat", NULL);
  g_autofree char *smaps = NULL;

  g_assert_true (g_file_get_contents (from, &smaps, NULL, NULL));
  write_settings ("interval='paused'\n");
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  open_mappings (&pane, 1500);
  write_to_fifo (fifo, smaps);
  ui_await (find (&pane, "Heap"));

  choose_in_menu (&pane, "Read Again");
  ui_await (program_is_shown (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  g_assert_cmpint (g_remove (stat), ==, 0);
  write_to_fifo (fifo, "");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "Process 1500 has ended");
  ui_await (ui_is_on_screen (get_table (&pane)));
  g_assert_nonnull (find (&pane, "Heap"));
  g_assert_false (program_is_shown (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "*Cancel"));
  ui_stop (&pane.ui);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
}

static void
await_progress (UiNode *bar,
                const char *text,
                double kib)
{
  ui_await (g_str_equal (ui_description (bar), text));
  g_assert_cmpfloat_with_epsilon (ui_value (bar), kib / 27520, 0.001);
}

/* How much of its memory is behind, while the kernel tells of its mappings one by one. */
static void
test_progress (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *fifo = NULL, *folder = make_slow_proc ("1500", &fifo);
  g_autofree char *path = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", "1500", "smaps", NULL);
  g_autofree char *text = NULL;
  int fd = open (fifo, O_RDWR | O_CLOEXEC);
  const char *next;
  UiNode *bar;

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  program_start (&pane.ui, (const char *const[]){ "--proc", folder, NULL });
  open_mappings (&pane, 1500);
  bar = ui_wait_for (pane.ui.window, ATSPI_ROLE_PROGRESS_BAR, "Memory That Was Gone Through");
  await_progress (bar, "0 B of 26.9 MiB", 0);

  /* It is whole once the next one begins. */
  next = strchr (strchr (strstr (text, "VmFlags:"), '\n') + 1, '\n') + 1;
  g_assert_cmpint (write (fd, text, (gsize)(next - text)), ==, next - text);
  await_progress (bar, "1.6 MiB of 26.9 MiB", 1640);
  /* It is told no more often. */
  ui_pause (100);
  g_assert_cmpint (write (fd, next, strlen (next)), ==, strlen (next));
  await_progress (bar, "6.9 MiB of 26.9 MiB", 7040);
  close (fd);
  ui_await (find (&pane, "Heap"));
  ui_stop (&pane.ui);
}

/* Of a group its sum is shown, and who is in it. */
static void
test_group (void)
{
  g_auto (Pane) pane = { 0 };
  GPid one = child_start (NULL), two = child_start (NULL);
  g_autofree char *first = g_strdup_printf ("*KiB*sleep (%d)*", one);
  g_autofree char *second = g_strdup_printf ("*KiB*sleep (%d)*", two);

  program_start (&pane.ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (ui_table_n_rows (program_get_table (&pane.ui)) == 2);
  ui_click (ui_table_row (program_get_table (&pane.ui), 0));
  ui_key ("ctrl+3");
  /* With its members, as it is searched for. */
  ui_await (ui_table_n_rows (program_get_table (&pane.ui)) == 3);
  ui_click (ui_table_row (program_get_table (&pane.ui), 0));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "2 processes");
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, first);
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, second);
  ui_stop (&pane.ui);
  child_stop (one);
  child_stop (two);
}

/* Broken into lines at blanks */
static gboolean
is_text (UiNode *node,
         const char *expected)
{
  g_autofree char *text = g_strdelimit (g_strdup (ui_text (node)), "\n", ' ');

  return g_str_equal (text, expected);
}

/* 20 KiB of it, with characters that are not to be seen; nothing else is pushed away by it. */
static void
test_command (void)
{
  g_auto (Pane) pane = { 0 };
  g_autofree char *argument = g_strnfill (1023, 'a');
  const char *argv[] = { "sh", "-c", "sleep 1000; :", "\x01\n", [4 ... 23] = argument, "the end", NULL };
  g_autofree char *joined = g_strjoinv (" ", (char **)argv + 4), *whole = NULL;
  g_autofree char *short_command = g_strdup_printf ("sleep %s", program_get_sign ());
  GPid child = child_start_argv (argv), other = child_start (NULL);
  g_autofree char *filter = g_strdup_printf ("pid=%d", child);
  UiNode *beginning, *text;

  whole = g_strconcat ("sh -c sleep 1000; : \\x01\\n ", joined, NULL);
  program_start (&pane.ui, (const char *const[]){ "--filter", filter, NULL });
  ui_await (program_find_pid (&pane.ui, child));
  ui_click (program_find_pid (&pane.ui, child));
  beginning = ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, "sh -c sleep 1000; : \\x01\\n aaa*…");
  g_assert_cmpint (ui_get_box (beginning).height, <, 200);
  ui_scroll (ui_find (pane.ui.window, ATSPI_ROLE_SLIDER, "History"), 10);

  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Show More"));
  text = ui_wait_for (pane.ui.window, ATSPI_ROLE_TEXT, "Command");
  ui_await (is_text (text, whole));
  g_assert_cmpint (ui_get_box (ui_get_parent (text)).height, <, 200);
  ui_click (ui_wait_for (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Copy Command"));
  program_search (&pane.ui, "");
  ui_key ("ctrl+v");
  ui_await (is_text (ui_find (pane.ui.window, ATSPI_ROLE_ENTRY, "Search"), whole));

  program_search (&pane.ui, program_get_search ());
  ui_await (program_find_pid (&pane.ui, other));
  ui_click (program_find_pid (&pane.ui, other));
  ui_wait_for (pane.ui.window, ATSPI_ROLE_LABEL, short_command);
  ui_wait_until_gone (pane.ui.window, ATSPI_ROLE_PUSH_BUTTON, "Copy Command");
  ui_stop (&pane.ui);
  child_stop (child);
  child_stop (other);
}

/* Figures in the pane are written as in the list. */
static void
test_units (void)
{
  g_auto (Pane) pane = { 0 };
  GPid child = child_start (NULL);

  write_settings ("units='exact'\n");
  program_start (&pane.ui, (const char *const[]){ "--filter", program_get_search (), NULL });
  ui_await (program_find_pid (&pane.ui, child));
  ui_click (program_find_pid (&pane.ui, child));
  ui_wait_for (ui_wait_for (pane.ui.window, ATSPI_ROLE_SLIDER, "History"), ATSPI_ROLE_LABEL, "Now*Memory*B*Private*B*");
  g_assert_null (ui_find (pane.ui.window, ATSPI_ROLE_LABEL, "Now*iB*"));
  ui_stop (&pane.ui);
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  child_stop (child);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pane/views", test_views);
  g_test_add_func ("/pane/sort-and-search", test_sort_and_search);
  g_test_add_func ("/pane/total", test_total);
  g_test_add_func ("/pane/mark", test_mark);
  g_test_add_func ("/pane/export", test_export);
  g_test_add_func ("/pane/kept", test_kept);
  g_test_add_func ("/pane/pages-again", test_pages_again);
  g_test_add_func ("/pane/nothing-to-show", test_nothing_to_show);
  g_test_add_func ("/pane/ends", test_ends);
  g_test_add_func ("/pane/cancel", test_cancel);
  g_test_add_func ("/pane/fails-late", test_fails_late);
  g_test_add_func ("/pane/progress", test_progress);
  g_test_add_func ("/pane/group", test_group);
  g_test_add_func ("/pane/command", test_command);
  g_test_add_func ("/pane/units", test_units);
  return g_test_run ();
}
