// SPDX-License-Identifier: GPL-3.0-or-later
/* A process of more than a GiB that grows all the time, looked at in the window for some seconds; with FP_TEST_LONG=1
 * for five minutes, after which the machine’s history is saved as a picture. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test-length.h"
#include "test-machine.h"
#include "ui-program.h"
#include "ui-range.h"

#define MIB       1048576.0
#define SIZE      "1200" /* MiB: its walk takes more than 10 ms */
#define RATE      "5"    /* MiB a second */
#define NEEDED    (3 * 1024 * MIB)
#define MEMORY    12   /* seconds: what is shown may be the last refresh’s */
#define MAX_WIDTH 0.03 /* of what is resident */
#define LOOK_MS   250

typedef struct
{
  gint64 time_us;
  double pss;
} Truth;

typedef struct
{
  GPid giant;
  GArray *truths; /* of the last seconds */
  guint n_looks;
} Look;

static double
find_kib (const char *path,
          const char *name)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, name);
  g_assert_nonnull (line);
  return g_ascii_strtod (line + strlen (name), NULL) * 1024;
}

static double
take_truth (Look *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", self->giant);
  const Truth truth = { g_get_monotonic_time (), find_kib (path, "\nPss:") };
  guint n_old = 0;

  while (n_old < self->truths->len &&
         truth.time_us - g_array_index (self->truths, Truth, n_old).time_us > MEMORY * G_USEC_PER_SEC)
    n_old++;
  g_array_remove_range (self->truths, 0, n_old);
  g_array_append_val (self->truths, truth);
  return truth.pss;
}

/* The text matches what was measured in the last seconds. */
static gboolean
is_true (Look *self,
         const char *text)
{
  UiRange range = ui_range_parse (text);
  double pss = take_truth (self);

  if (range.high - range.low > MAX_WIDTH * pss + 2 * range.slack)
    return FALSE;
  for (guint i = 0; i < self->truths->len; i++)
    {
      const Truth *truth = &g_array_index (self->truths, Truth, i);

      if (range.low - range.slack <= truth->pss && truth->pss <= range.high + range.slack)
        return TRUE;
    }
  return FALSE;
}

/* A row is read out with more digits than its cell has room for. */
static gboolean
is_memory_true (Look *self,
                Ui *ui)
{
  static const char title[] = ", Memory ";
  const char *name = ui_name (program_find_pid (ui, self->giant)), *text = strstr (name, title);
  g_autofree char *memory = NULL;

  if (!text)
    ui_fail ("“%s” tells no memory", name);
  text += strlen (title);
  memory = g_strndup (text, strcspn (text, ","));
  return is_true (self, memory);
}

/* The total of its user includes the giant. It has no upper end while one of the user's processes was never measured. */
static void
check_user (Look *self,
            Ui *ui)
{
  g_autofree char *start = g_strdup_printf ("●\u00a0%s\u00a0", g_get_user_name ());
  g_autofree char *glob = g_strdup_printf ("*%s*", start);
  UiNode *legend = ui_find (ui->window, ATSPI_ROLE_LABEL, glob);
  const char *text = legend ? strstr (ui_name (legend), start) : NULL;
  g_auto (GStrv) sizes = NULL;
  UiRange range;

  if (!text)
    ui_fail ("the legend does not name %s", g_get_user_name ());
  sizes = g_strsplit (text + strlen (start), "   ", 2);
  if (g_str_has_prefix (sizes[0], "≥"))
    return;
  range = ui_range_parse (sizes[0]);
  g_assert_cmpfloat (range.high + range.slack, >=, g_ascii_strtod (SIZE, NULL) * MIB * (1 - MAX_WIDTH));
}

/* On a busy machine a refresh is late. */
static void
look (Look *self,
      Ui *ui)
{
  take_truth (self);
  ui_await (is_memory_true (self, ui));
  ui_await (is_true (self, ui_table_text (program_get_table (ui), program_find_pid (ui, self->giant), "Private")));
  check_user (self, ui);
  self->n_looks++;
}

static void
check_details (Look *self,
               Ui *ui)
{
  ui_click (program_find_pid (ui, self->giant));
  ui_wait_for (ui->window, ATSPI_ROLE_LABEL, "Uses *GiB*");
  ui_wait_for (ui->window, ATSPI_ROLE_LABEL, "Ending it gives back *GiB now.*");
  g_assert_false (program_has_text (ui, "*hrink*"));
  g_assert_false (program_has_text (ui, "*on demand*"));
  program_save_picture (ui, "giant.png");
}

static void
test_growing (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree Look *self = g_new0 (Look, 1);
  gint64 end_us;

  if (test_get_available () < NEEDED)
    {
      g_test_skip ("a process of more than a GiB does not fit into this machine’s memory");
      return;
    }
  self->truths = g_array_new (FALSE, FALSE, sizeof (Truth));
  self->giant = child_start_argv ((const char *const[]){ g_getenv ("FOOTPRINT_GIANT"), "grow", SIZE, RATE, NULL });
  while (take_truth (self) < g_ascii_strtod (SIZE, NULL) * MIB)
    g_usleep (1000 * LOOK_MS);
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (program_find_pid (&ui, self->giant));
  end_us = g_get_monotonic_time () + (test_is_long () ? 300 : 10) * G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end_us)
    {
      look (self, &ui);
      ui_pause (LOOK_MS);
    }
  g_test_message ("%u looks", self->n_looks);
  program_save_picture (&ui, "machine-with-giant.png");
  check_details (self, &ui);
  program_search (&ui, "pss>100M");
  ui_await (program_find_pid (&ui, self->giant));
  ui_stop (&ui);
  child_stop (self->giant);
  g_array_unref (self->truths);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/growing/giant", test_growing);
  return g_test_run ();
}
