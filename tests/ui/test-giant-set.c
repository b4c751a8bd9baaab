// SPDX-License-Identifier: GPL-3.0-or-later
/* Big processes of every sort and of two users, looked at in the window once a second: each of them, and the totals of
 * their users, of their programs and of all of them. With FP_TEST_LONG=1 five minutes long, with all sorts, as large as
 * the machine has memory for. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "giant-set.h"
#include "test-length.h"
#include "test-machine.h"
#include "ui-program.h"
#include "ui-range.h"

#define MIB         ((guint64)1024 * 1024)
#define MEMORY      12          /* seconds: what is shown may be the last refresh’s */
#define SHORT_UNIT  (200 * MIB) /* so that one of them is a giant */
#define N_KEPT      3           /* truths, however long ago: on a busy machine a look takes long */
#define MAX_WIDTH   0.03        /* of what is resident */
#define SEARCH      "program:footprint-test-set-member or program:footprint-lonely-workload"
#define N_TOTALS    6
#define MAX_FIGURES (N_TOTALS + 16)

typedef enum
{
  ROOT,
  NOBODY,
  GIANTS,
  WORKLOADS,
  ALL,
  MACHINE
} Total;

typedef struct
{
  double pss;
  double rss;
  double foreign; /* resident, of processes that are not the set’s and do what they want */
} Amount;

typedef struct
{
  gint64 time_us;
  Amount totals[N_TOTALS];
  Amount giants[MAX_FIGURES - N_TOTALS];
} Truth;

/* The sizes that the window shows at one look */
typedef struct
{
  UiRange ranges[MAX_FIGURES];
  gboolean is_shown[MAX_FIGURES];
} Ranges;

typedef struct
{
  Ui ui;
  GiantSet set;
  UiNode *table;
  UiNode *legend;
  UiNode *footer;
  UiNode *machine;
  GArray *truths;      /* of the last seconds */
  double not_measured; /* of other processes, whoever’s they are */
  UiRange last[N_TOTALS];
  guint n_untrue; /* looks in a row at which a total of others was not true */
  guint n_looks;
} Watch;

static const char *const total_names[N_TOTALS] = { "root", "nobody", "footprint-test-set-member", "footprint-lonely-workload", "all",
                                                   "the machine" };

static double
find_kib (const char *text,
          const char *name)
{
  const char *line = strstr (text, name);

  return line ? g_ascii_strtod (line + strlen (name), NULL) * 1024 : 0;
}

/* FALSE: it has ended, or has no memory. */
static gboolean
read_amount (const char *pid,
             Amount *amount)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "smaps_rollup", NULL);
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  *amount = (Amount){ find_kib (text, "\nPss:"), find_kib (text, "\nRss:") };
  return TRUE;
}

static void
add (Truth *truth,
     Total total,
     const Amount *amount,
     gboolean is_foreign)
{
  truth->totals[total].pss += amount->pss;
  truth->totals[total].rss += amount->rss;
  truth->totals[total].foreign += is_foreign ? amount->rss : 0;
}

static void
add_process (Truth *truth,
             const GiantSet *set,
             const char *pid)
{
  g_autofree char *path = g_build_filename ("/proc", pid, NULL);
  g_autofree char *link = g_build_filename (path, "exe", NULL);
  g_autofree char *exe = g_file_read_link (link, NULL);
  g_autofree char *program = exe ? g_path_get_basename (exe) : NULL;
  gboolean is_giant, is_foreign;
  Amount amount;
  GStatBuf info;

  if (!program || !read_amount (pid, &amount) || g_stat (path, &info) != 0)
    return;
  for (guint i = 0; i < set->n; i++)
    if (set->giants[i].pid == atoi (pid))
      truth->giants[i] = amount;
  is_giant = g_str_equal (program, total_names[GIANTS]);
  is_foreign = !is_giant && !g_str_equal (program, total_names[WORKLOADS]);
  add (truth, MACHINE, &amount, is_foreign);
  if (info.st_uid == 0 || info.st_uid == 65534)
    add (truth, info.st_uid == 0 ? ROOT : NOBODY, &amount, is_foreign);
  if (is_foreign)
    return;
  add (truth, is_giant ? GIANTS : WORKLOADS, &amount, FALSE);
  add (truth, ALL, &amount, FALSE);
}

static void
take_truth (Watch *self)
{
  Truth truth = { .time_us = g_get_monotonic_time () };
  g_autoptr (GDir) folder = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint n_old = 0;

  while ((name = g_dir_read_name (folder)))
    if (g_ascii_isdigit (*name))
      add_process (&truth, &self->set, name);
  while (n_old + N_KEPT < self->truths->len &&
         truth.time_us - g_array_index (self->truths, Truth, n_old).time_us > MEMORY * G_USEC_PER_SEC)
    n_old++;
  g_array_remove_range (self->truths, 0, n_old);
  g_array_append_val (self->truths, truth);
}

static const Amount *
get_amount (const Truth *truth,
            guint figure)
{
  return figure < N_TOTALS ? &truth->totals[figure] : &truth->giants[figure - N_TOTALS];
}

/* Totals of others count processes, too, that are not the set’s. */
static gboolean
is_of_others (guint figure)
{
  return figure == ROOT || figure == NOBODY || figure == MACHINE;
}

/* The memory that may have moved between two truths */
static double
get_step (Watch *self,
          guint figure)
{
  double sum = 0, least = G_MAXDOUBLE, most = 0;

  if (figure >= N_TOTALS)
    return (double)self->set.giants[figure - N_TOTALS].step;
  for (guint i = 0; i < self->set.n; i++)
    sum += (double)self->set.giants[i].step;
  for (guint i = 0; i < self->truths->len; i++)
    {
      double foreign = g_array_index (self->truths, Truth, i).totals[figure].foreign;

      least = MIN (least, foreign);
      most = MAX (most, foreign);
    }
  return sum + most - least;
}

/* A true range is as narrow as it has to be, and matches the truth of the last seconds. */
static gboolean
is_true (Watch *self,
         guint figure,
         const UiRange *range)
{
  double step = get_step (self, figure);
  double high = range->high + (is_of_others (figure) ? self->not_measured : 0);
  double least = G_MAXDOUBLE, most = 0, rss = 0;

  for (guint i = 0; i < self->truths->len; i++)
    {
      const Amount *amount = get_amount (&g_array_index (self->truths, Truth, i), figure);

      least = MIN (least, amount->pss);
      most = MAX (most, amount->pss);
      rss = MAX (rss, amount->rss);
    }
  if (range->low - range->slack <= most + step && high + range->slack >= least - step &&
      range->high - range->low <= MAX_WIDTH * rss + 2 * range->slack + (is_of_others (figure) ? self->not_measured : 0))
    return TRUE;
  g_test_message ("%s: %.1f to %.1f MiB is shown, %.1f to %.1f MiB of %.1f MiB is true",
                  figure < N_TOTALS ? total_names[figure] : self->set.giants[figure - N_TOTALS].name,
                  range->low / (double)MIB, range->high / (double)MIB, least / (double)MIB, most / (double)MIB,
                  rss / (double)MIB);
  return FALSE;
}

/* Parses the size between two parts of a text. */
static gboolean
find_range (const char *text,
            const char *start,
            const char *end,
            UiRange *range)
{
  const char *found = text ? strstr (text, start) : NULL;
  g_auto (GStrv) parts = found ? g_strsplit (found + strlen (start), end, 2) : NULL;

  if (parts)
    *range = ui_range_parse (parts[0]);
  return parts != NULL;
}

/* A total of others has no upper end while a new process of theirs is not measured. */
static gboolean
find_total_of_others (const char *text,
                      const char *start,
                      UiRange *range)
{
  g_autofree char *bound = g_strconcat (start, "≥", NULL);

  return !strstr (text, bound) && find_range (text, start, "   ", range);
}

/* The text has ordinary blanks. */
static char *
get_text (Watch *self,
          UiNode **node,
          const char *glob)
{
  g_auto (GStrv) parts = NULL;

  if (!*node)
    *node = ui_find (self->ui.window, ATSPI_ROLE_LABEL, glob);
  parts = g_strsplit (*node ? ui_name (*node) : "", "\u00a0", 0);
  return g_strjoinv (" ", parts);
}

static void
read_legend (Watch *self,
             Ranges *ranges)
{
  g_autofree char *legend = get_text (self, &self->legend, "*●\u00a0root\u00a0*");
  UiRange not_measured;

  self->not_measured = find_range (legend, "Not measured, at most ", "   ", &not_measured) ? not_measured.high : 0;
  ranges->is_shown[ROOT] = find_total_of_others (legend, "● root ", &ranges->ranges[ROOT]);
  ranges->is_shown[NOBODY] = find_total_of_others (legend, "● nobody ", &ranges->ranges[NOBODY]);
}

/* N_TOTALS and more: a process */
static guint
find_figure (Watch *self,
             UiNode *row)
{
  const char *text = ui_table_text (self->table, row, "PID");
  guint figure = GIANTS;

  if (!*text)
    {
      text = ui_table_text (self->table, row, "Name");
      while (figure <= WORKLOADS && !g_str_equal (text, total_names[figure]))
        figure++;
      return figure <= WORKLOADS ? figure : MAX_FIGURES;
    }
  for (guint i = 0; i < self->set.n; i++)
    if (self->set.giants[i].pid == atoi (text))
      return N_TOTALS + i;
  return MAX_FIGURES;
}

static void
read_ranges (Watch *self,
             Ranges *ranges)
{
  g_autofree char *footer = get_text (self, &self->footer, "* processes · Memory *");
  g_autofree char *machine = get_text (self, &self->machine, "Now*Memory*Private*");
  g_autoptr (GPtrArray) rows = ui_table_get_rows (self->table, G_MAXUINT);

  *ranges = (Ranges){ 0 };
  read_legend (self, ranges);
  ranges->is_shown[MACHINE] = find_total_of_others (machine, "● Memory ", &ranges->ranges[MACHINE]);
  ranges->is_shown[ALL] = find_range (footer, "Memory ", " · ", &ranges->ranges[ALL]);
  for (guint i = 0; i < rows->len; i++)
    {
      UiNode *row = g_ptr_array_index (rows, i);
      guint figure = find_figure (self, row);

      if (figure < MAX_FIGURES)
        ranges->is_shown[figure] = find_range (ui_name (row), ", Memory ", ", ", &ranges->ranges[figure]);
    }
}

static gboolean
is_wanted (Watch *self,
           guint figure)
{
  if (figure == ROOT || figure == NOBODY)
    return getuid () == 0;
  if (figure == WORKLOADS)
    return self->set.n_workloads > 0;
  return figure < N_TOTALS + self->set.n;
}

/* A total moves no more than the truth did, but for 3 %. */
static void
check_jump (Watch *self,
            Total total,
            const UiRange *range)
{
  const Truth *truth = &g_array_index (self->truths, Truth, self->truths->len - 1);
  const UiRange *last = &self->last[total];
  double moved = MAX_WIDTH * truth->totals[total].pss + range->slack + last->slack, least = G_MAXDOUBLE, most = 0;

  for (guint i = 0; i < self->truths->len; i++)
    {
      double pss = g_array_index (self->truths, Truth, i).totals[total].pss;

      least = MIN (least, pss);
      most = MAX (most, pss);
    }
  moved += most - least;
  if (self->n_looks > 0 && (fabs (range->low - last->low) > moved || fabs (range->high - last->high) > moved))
    ui_fail ("the total of %s was %.1f to %.1f MiB and is %.1f to %.1f MiB", total_names[total], last->low / (double)MIB,
             last->high / (double)MIB, range->low / (double)MIB, range->high / (double)MIB);
  self->last[total] = *range;
}

/* The truth is taken behind what is shown, so that it is never older. Other processes may come and go between two truths,
 * so that a total with them may be wrong or without an upper end once, but not at two looks in a row. */
static gboolean
look (Watch *self)
{
  gboolean has_untrue = FALSE;
  Ranges shown;

  read_ranges (self, &shown);
  take_truth (self);
  for (guint i = 0; i < MAX_FIGURES; i++)
    {
      if (!is_wanted (self, i))
        continue;
      if (!shown.is_shown[i] || !is_true (self, i, &shown.ranges[i]))
        {
          if (!is_of_others (i) || self->n_looks == 0 || self->n_untrue > 0)
            return FALSE;
          has_untrue = TRUE;
        }
      else if (i < N_TOTALS && !is_of_others (i))
        check_jump (self, i, &shown.ranges[i]);
    }
  self->n_untrue = has_untrue ? self->n_untrue + 1 : 0;
  self->n_looks++;
  return TRUE;
}

static void
watch (Watch *self)
{
  gint64 end_us;

  ui_await (look (self));
  end_us = g_get_monotonic_time () + (test_is_long () ? 300 : 10) * G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end_us)
    {
      gint64 start_us = g_get_monotonic_time ();

      if (!look (self))
        ui_fail ("what is shown is not true");
      ui_pause ((guint)CLAMP (1000 - (g_get_monotonic_time () - start_us) / 1000, 100, 1000));
    }
  g_test_message ("%u looks", self->n_looks);
}

static void
test_watched (void)
{
  Watch self = { .truths = g_array_new (FALSE, FALSE, sizeof (Truth)) };
  guint64 largest = (guint64)((double)test_get_available () / 2 / GIANT_SET_UNITS);

  giant_set_init (&self.set, test_is_long () ? MIN (largest, 1024 * MIB) : MIN (largest, SHORT_UNIT));
  giant_set_start_programs (&self.set, getuid () == 0);
  if (test_is_long ())
    giant_set_start_workloads (&self.set);
  program_start_at_once_a_second (&self.ui, (const char *const[]){ "--view", "processes", "--filter", SEARCH, NULL });
  ui_resize (&self.ui, 1500, 940);
  ui_key ("ctrl+3");
  self.table = program_get_table (&self.ui);
  watch (&self);
  program_save_picture (&self.ui, "giant-set.png");
  ui_stop (&self.ui);
  giant_set_stop (&self.set);
  g_array_unref (self.truths);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/giant-set/watched", test_watched);
  return g_test_run ();
}
