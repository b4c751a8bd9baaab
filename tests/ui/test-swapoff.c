// SPDX-License-Identifier: GPL-3.0-or-later
/* A real swap file comes and goes while the window is shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

#include "ui-program.h"
#include "ui-range.h"
#include "workload.h"

#define MIB     1048576.0
#define SWAPPED 61 /* MiB */
#define WHOLE   77
#define MODE    "swapfile 61 77"
#define SLACK   (2.5 * MIB) /* the program's own pages, and two rounded figures */

#define MAX_ELSEWHERE 8 /* MiB */

typedef struct
{
  Workload workload;
  char *path; /* of the swap file */
  gboolean is_only_one;
} Swap;

static char *
read_swaps (void)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/swaps", &text, NULL, NULL));
  return text;
}

/* FALSE: the test is skipped, and the workload has said why. */
static gboolean
start_swap (Swap *self)
{
  g_autofree char *before = read_swaps (), *after = NULL;
  g_auto (GStrv) lines = NULL;

  *self = (Swap){ 0 };
  if (!workload_start (&self->workload, MODE))
    return FALSE;
  after = read_swaps ();
  lines = g_strsplit (after, "\n", -1);
  for (guint i = 1; lines[i] && *lines[i]; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (lines[i], " \t", 2);

      if (strstr (words[0], "/swap") && !strstr (before, words[0]))
        self->path = g_strdup (words[0]);
    }
  self->is_only_one = strchr (before, '/') == NULL;
  g_assert_nonnull (self->path);
  return TRUE;
}

static void
stop_swap (Swap *self)
{
  workload_stop (&self->workload);
  g_free (self->path);
}

static gboolean
has_bar (Ui *ui,
         const Swap *swap)
{
  g_autofree char *glob = g_strdup_printf ("Swap %s: *", swap->path);

  return program_has_text (ui, glob);
}

/* The row is made of one reading; texts that are read one after the other may be of two. FALSE: they were, or it has not been
 * measured yet. */
static gboolean
read_row (Ui *ui,
          UiRange *memory,
          UiRange *swapped)
{
  g_autofree char *text = g_strdup (program_get_cell (ui, 0, "Memory"));
  const char *in_swap = program_get_cell (ui, 0, "Swap");

  if (!g_ascii_isdigit (*text) || !g_ascii_isdigit (*in_swap))
    return FALSE;
  *memory = ui_range_parse (text);
  *swapped = ui_range_parse (in_swap);
  return g_str_equal (text, program_get_cell (ui, 0, "Memory"));
}

static gpointer
swap_off (gpointer path)
{
  return GINT_TO_POINTER (swapoff (path));
}

/* All that was in swap is the program's memory again, and at no time is any of it in both or in neither. */
static void
test_process (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *search = NULL;
  UiRange memory, swapped;
  GThread *thread;
  Swap swap;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  program_get_table (&ui);
  if (!start_swap (&swap))
    {
      ui_stop (&ui);
      return;
    }
  search = g_strdup_printf ("pid=%d", workload_get_pid (&swap.workload, "parent"));
  program_search (&ui, search);
  ui_await (ui_table_n_rows (program_get_table (&ui)) == 1);
  ui_await (read_row (&ui, &memory, &swapped) && fabs (swapped.low - SWAPPED * MIB) < SLACK);
  ui_await (has_bar (&ui, &swap));
  ui_resize (&ui, 1000, 600);
  thread = g_thread_new ("swapoff", swap_off, swap.path);
  do
    {
      if (!read_row (&ui, &memory, &swapped))
        continue;
      g_test_message ("memory %.1f to %.1f MiB, swap %.1f", memory.low / MIB, memory.high / MIB, swapped.low / MIB);
      g_assert_cmpfloat (memory.low + swapped.low, <, WHOLE * MIB + SLACK);
      g_assert_cmpfloat (memory.high + swapped.high, >, WHOLE * MIB - SLACK);
    }
  while (swapped.high > 0 || memory.low < WHOLE * MIB - SLACK);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==, 0);
  /* A window that needs more room takes it, whatever it was asked for. */
  g_assert_cmpint (ui_get_content (&ui).height, ==, 600);
  ui_await (!has_bar (&ui, &swap));
  ui_stop (&ui);
  stop_swap (&swap);
}

/* "Programs, 1.2 GiB, +1 MiB" is "Programs". */
static char *
list_lines (Ui *ui)
{
  static const char *const titles[] = { "Programs", "Files kept in memory", "Swap in memory", "Cache", "Kernel", "Free", "Not explained", NULL };
  g_autoptr (GPtrArray) items = ui_find_all (ui->window, ATSPI_ROLE_LIST_ITEM, NULL);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < items->len; i++)
    {
      const char *name = ui_name (items->pdata[i]);
      g_auto (GStrv) words = g_strsplit (name ? name : "", ", ", 2);

      if (words[0] && g_strv_contains (titles, words[0]))
        g_string_append_printf (text, "%s\n", words[0]);
    }
  return g_string_free (text, FALSE);
}

static int
get_top (Ui *ui)
{
  return ui_get_box (ui_wait_for (ui->window, ATSPI_ROLE_LIST_ITEM, "Programs, *")).y;
}

/* The kernel says how much lies in it: where a machine has other swap, a processor first fills the cluster of that which it has begun. */
static double
get_used (const Swap *swap)
{
  g_autofree char *text = read_swaps ();
  guint64 size_kib, used_kib;

  g_assert_cmpint (sscanf (strstr (text, swap->path) + strlen (swap->path), " file %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                           &size_kib, &used_kib),
                   ==, 2);
  return (double)used_kib * 1024;
}

/* Negative: it is not shown. */
static double
get_shown (Ui *ui,
           const char *row)
{
  UiNode *shown = program_find_shown (ui->window, ATSPI_ROLE_LIST_ITEM, row);
  const char *name = shown ? ui_name (shown) : NULL, *figure = name ? strrchr (name, ',') : NULL;

  return figure ? ui_range_parse (figure + 2).high : -1;
}

/* The device's row says how much is in it until it goes; the lines stay in their places, on the screen, too. */
static void
test_line (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree char *row = NULL, *before = NULL, *after = NULL;
  int top;
  Swap swap;

  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "system", NULL });
  ui_resize (&ui, 1200, 980);
  ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Programs, *");
  if (!start_swap (&swap))
    {
      ui_stop (&ui);
      return;
    }
  ui_click (ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Swap in memory, *"));
  row = g_strdup_printf ("%s, *", swap.path);
  g_assert_cmpfloat (get_used (&swap), >, (SWAPPED - MAX_ELSEWHERE) * MIB);
  ui_await (fabs (get_shown (&ui, row) - get_used (&swap)) < 0.1 * MIB);
  ui_await (has_bar (&ui, &swap));
  program_save_picture (&ui, "swap-before.png");
  before = list_lines (&ui);
  top = get_top (&ui);
  g_assert_cmpint (swapoff (swap.path), ==, 0);
  while (program_is_shown (ui.window, ATSPI_ROLE_LIST_ITEM, row))
    g_assert_cmpfloat (get_shown (&ui, row), <=, (SWAPPED + 0.95) * MIB);
  ui_await (!has_bar (&ui, &swap));
  after = list_lines (&ui);
  g_assert_cmpstr (after, ==, before);
  if (swap.is_only_one)
    {
      UiNode *line = ui_wait_for (ui.window, ATSPI_ROLE_LIST_ITEM, "Swap in memory, 0 B, *");

      g_assert_cmpstr (ui_description (line), ==, "There is no swap");
      g_assert_cmpint (get_top (&ui), ==, top);
    }
  program_save_picture (&ui, "swap-after.png");
  ui_stop (&ui);
  stop_swap (&swap);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/swapoff/process", test_process);
  g_test_add_func ("/swapoff/line", test_line);
  return g_test_run ();
}
