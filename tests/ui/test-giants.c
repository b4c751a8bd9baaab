// SPDX-License-Identifier: GPL-3.0-or-later
/* A process of more than a GiB that grows all the time, looked at in the window for some seconds; with FP_TEST_LONG=1
 * for five minutes, after which its history is saved as a picture. */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test-length.h"
#include "ui-program.h"

#define MIB        1048576.0
#define SIZE       "1200" /* MiB: its walk takes more than 10 ms */
#define RATE       "5"    /* MiB a second */
#define NEEDED     (3 * 1024 * MIB)
#define MEMORY     12   /* seconds: what is shown may be the last refresh’s */
#define MAX_WIDTH  0.03 /* of what is resident */
#define LOOK_MS    250
#define MAX_TRUTHS (3 * MEMORY * 1000 / LOOK_MS)

typedef struct
{
  gint64 time_us;
  double pss;
} Truth;

typedef struct
{
  GPid giant;
  Truth truths[MAX_TRUTHS];
  guint n_truths; /* of all time */
  guint n_looks;
} Look;

/* What a text says, with what its rounding hides */
typedef struct
{
  double low;
  double high;
  double slack;
} Range;

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
get_unit (const char *text)
{
  static const char prefixes[] = "KMGT";
  double unit = 1;

  for (const char *prefix = prefixes; *prefix; prefix++)
    {
      unit *= 1024;
      if (*text == *prefix)
        return unit;
    }
  return 1;
}

/* “1.2 GiB”, “1.2–1.3 GiB” or “1020 MiB–1.0 GiB” */
static Range
parse_range (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("([0-9]+)(\\.[0-9]+)?(?:[ \u00a0]([KMGT]?i?B))?(?:–([0-9.]+)[ \u00a0]([KMGT]?i?B))?", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_auto (GStrv) parts = NULL;
  Range range;
  double unit, digits = 1;

  if (!g_regex_match (regex, text, 0, &match))
    ui_fail ("“%s” is no size", text);
  parts = g_match_info_fetch_all (match);
  unit = get_unit (*parts[3] ? parts[3] : parts[5]);
  for (gsize i = 1; i < strlen (parts[2]); i++)
    digits *= 10;
  range.slack = unit / digits / 2;
  range.low = range.high = (g_ascii_strtod (parts[1], NULL) + g_ascii_strtod (parts[2], NULL)) * unit;
  if (g_strv_length (parts) > 5)
    {
      range.high = g_ascii_strtod (parts[4], NULL) * get_unit (parts[5]);
      range.slack = MAX (range.slack, get_unit (parts[5]) / digits / 2);
    }
  return range;
}

static void
take_truth (Look *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/smaps_rollup", self->giant);

  self->truths[self->n_truths++ % MAX_TRUTHS] = (Truth){ g_get_monotonic_time (), find_kib (path, "\nPss:") };
}

/* It was true at some moment of the last seconds. */
static gboolean
is_true (Look *self,
         const char *text)
{
  Range range = parse_range (text);
  const Truth *last;

  take_truth (self);
  last = &self->truths[(self->n_truths - 1) % MAX_TRUTHS];
  g_assert_cmpfloat (range.high - range.low, <=, MAX_WIDTH * last->pss + 2 * range.slack);
  for (guint i = 0; i < MIN (self->n_truths, MAX_TRUTHS); i++)
    if (last->time_us - self->truths[i].time_us < MEMORY * G_USEC_PER_SEC && range.low - range.slack <= self->truths[i].pss &&
        self->truths[i].pss <= range.high + range.slack)
      return TRUE;
  return FALSE;
}

/* On a busy machine a refresh is late. */
static void
await_truth (Look *self,
             Ui *ui,
             const char *title)
{
  UiNode *table = program_get_table (ui), *row = program_find_pid (ui, self->giant);

  g_assert_nonnull (row);
  ui_await (is_true (self, ui_table_text (table, row, title)));
}

/* Its user has at least as much. */
static void
check_user (Look *self,
            Ui *ui)
{
  g_autofree char *start = g_strdup_printf ("●\u00a0%s\u00a0", g_get_user_name ());
  g_autofree char *glob = g_strdup_printf ("*%s*", start);
  UiNode *legend = ui_find (ui->window, ATSPI_ROLE_LABEL, glob);
  const char *text = legend ? strstr (ui_name (legend), start) : NULL;
  Range range;

  if (!text)
    ui_fail ("the legend does not name %s", g_get_user_name ());
  range = parse_range (text + strlen (start));
  g_assert_cmpfloat (range.high + range.slack, >=, g_ascii_strtod (SIZE, NULL) * MIB * (1 - MAX_WIDTH));
}

static void
look (Look *self,
      Ui *ui)
{
  take_truth (self);
  await_truth (self, ui, "Memory");
  await_truth (self, ui, "Private");
  check_user (self, ui);
  self->n_looks++;
}

static void
save_picture (Ui *ui,
              const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOOTPRINT_PICTURES"), name, NULL);

  g_assert_cmpint (g_mkdir_with_parents (g_getenv ("FOOTPRINT_PICTURES"), 0755), ==, 0);
  ui_screenshot (ui->window, path);
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
  save_picture (ui, "giant.png");
}

static void
test_growing (void)
{
  g_auto (Ui) ui = { 0 };
  g_autofree Look *self = g_new0 (Look, 1);
  gint64 end_us;

  if (find_kib ("/proc/meminfo", "MemAvailable:") < NEEDED)
    {
      g_test_skip ("a process of more than a GiB does not fit into this machine’s memory");
      return;
    }
  self->giant = child_start_argv ((const char *const[]){ g_getenv ("FOOTPRINT_GIANT"), "grow", SIZE, RATE, NULL });
  do
    take_truth (self);
  while (self->truths[(self->n_truths - 1) % MAX_TRUTHS].pss < g_ascii_strtod (SIZE, NULL) * MIB);
  program_start_at_once_a_second (&ui, (const char *const[]){ "--view", "processes", NULL });
  ui_await (program_find_pid (&ui, self->giant));
  end_us = g_get_monotonic_time () + (test_is_long () ? 300 : 10) * G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end_us)
    {
      look (self, &ui);
      ui_pause (LOOK_MS);
    }
  g_test_message ("%u looks", self->n_looks);
  check_details (self, &ui);
  program_search (&ui, "pss>100M");
  ui_await (program_find_pid (&ui, self->giant));
  ui_stop (&ui);
  child_stop (self->giant);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/giants/growing", test_growing);
  return g_test_run ();
}
