// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-copies.h"
#include "fp-cli-files.h"
#include "fp-cli-groups.h"
#include "fp-cli-table.h"
#include "fp-growth.h"
#include "fp-column-sets.h"
#include "fp-display.h"
#include "fp-mapped-words.h"

#define GAP         2
#define MAX_TEXT    24 /* of a column that is not the last */
#define MIN_TEXT    14
#define MIN_FILE    26
#define MIN_COMMAND 20
#define MAX_NAMED   10 /* matches that are named */
#define BOLD        "\033[1m"
#define DIM         "\033[2m"
#define PLAIN       "\033[0m"

typedef struct
{
  const FpColumn *column;
  guint width;
  GPtrArray *cells; /* title, one a row, sum */
} Stripe;

static void
stripe_clear (gpointer data)
{
  g_ptr_array_unref (((Stripe *)data)->cells);
}

/* Whether a column has an exact figure that is not 0. A bound such as "≤ RSS" only repeats another column. */
static gboolean
has_news (const FpCliView *view,
          const FpColumn *column)
{
  for (guint i = 0; i < fp_rows_get_n (view->rows); i++)
    {
      FpFigure figure = fp_column_get_figure (column, view->records, fp_rows_get (view->rows, i)->index);

      if (figure.kind == FP_FIGURE_EXACT && figure.low != 0)
        return TRUE;
    }
  return FALSE;
}

/* Leaves out columns that are unknown or 0 in every row. */
static const FpColumn **
choose_mapping_columns (const FpCliView *view)
{
  GPtrArray *columns = g_ptr_array_new ();

  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);

      if (!(column->kinds & FP_RECORD_MAPPING) || column->flags & FP_COLUMN_REPEATED)
        continue;
      if (column->presentation != FP_PRESENT_FIGURE || has_news (view, column))
        g_ptr_array_add (columns, (gpointer)column);
    }
  g_ptr_array_add (columns, NULL);
  return (const FpColumn **)g_ptr_array_free (columns, FALSE);
}

/* Adds the column that the rows are sorted by in front of the texts at the end of the line. */
static void
show_sort (const FpColumn **columns,
           guint n,
           const FpColumn *sort)
{
  guint place = n;

  for (guint i = 0; i < n; i++)
    if (columns[i] == sort)
      return;
  while (place > 0 && columns[place - 1]->presentation == FP_PRESENT_TEXT)
    place--;
  memmove (&columns[place + 1], &columns[place], sizeof *columns * (n - place));
  columns[place] = sort;
}

/* Free the array. A terminal has no room for every field of a mapping; a file has. */
static const FpColumn **
get_columns (const FpCliView *view,
             const FpCliPaper *paper)
{
  const FpCliOptions *options = view->options;
  const FpColumnSet *set = fp_column_set_find (fp_cli_options_get_kinds (options));
  const FpColumn **columns;
  guint n = 0;

  if (options->columns)
    {
      while (options->columns[n])
        n++;
      return g_memdup2 (options->columns, sizeof *columns * (n + 1));
    }
  if (options->kind == FP_RECORD_MAPPING && !paper->width)
    return choose_mapping_columns (view);
  columns = g_new0 (const FpColumn *, FP_COLUMN_SET_MAX + 2);
  while ((columns[n] = fp_column_set_get (set, n)))
    n++;
  if (options->sort)
    show_sort (columns, n, options->sort);
  return columns;
}

static void
add_cell (Stripe *stripe,
          const char *text)
{
  char shown[FP_CELL_SIZE];

  fp_display_escape (*text ? text : "—", shown, sizeof shown);
  stripe->width = MAX (stripe->width, fp_display_width (shown));
  g_ptr_array_add (stripe->cells, g_strdup (shown));
}

static void
describe_sum (const FpCliView *view,
              char *text,
              gsize size)
{
  const gboolean has_rows = view->options->kind != FP_RECORD_PROCESS;
  guint n = has_rows ? fp_rows_get_n (view->rows) : fp_cli_view_get_sum (view)->n_members;

  if (view->options->by || fp_cli_groups_are_shown (view->options))
    g_snprintf (text, size, ngettext ("%u group", "%u groups", n), n);
  else if (view->options->mappings)
    g_snprintf (text, size, ngettext ("%u mapping", "%u mappings", n), n);
  else if (view->options->files)
    g_snprintf (text, size, ngettext ("%u file or kind", "%u files and kinds", n), n);
  else
    g_snprintf (text, size, ngettext ("%u process", "%u processes", n), n);
}

static void
add_sum (const FpCliView *view,
         Stripe *stripe,
         gboolean is_label)
{
  char text[FP_CELL_SIZE] = " ";

  if (is_label)
    describe_sum (view, text, sizeof text);
  else if (view->row_sum && fp_column_is_summed (stripe->column))
    fp_column_format (stripe->column, view->row_sum, 0, &view->format, text, sizeof text);
  add_cell (stripe, text);
}

static GArray *
make_stripes (const FpCliView *view,
              const FpCliPaper *paper)
{
  g_autofree const FpColumn **columns = get_columns (view, paper);
  guint n = fp_cli_view_get_n_rows (view);
  GArray *stripes = g_array_new (FALSE, FALSE, sizeof (Stripe));
  gboolean has_label = FALSE;
  char text[FP_CELL_SIZE];

  g_array_set_clear_func (stripes, stripe_clear);
  for (const FpColumn **column = columns; *column; column++)
    {
      Stripe stripe = { *column, 0, g_ptr_array_new_with_free_func (g_free) };
      gboolean is_label =
          !has_label && (*column)->presentation == FP_PRESENT_TEXT && (column[1] == NULL || column[2] == NULL);

      add_cell (&stripe, _ ((*column)->title));
      for (guint i = 0; i < n && !view->options->total && (paper->n_lines == 0 || i < paper->n_lines); i++)
        {
          fp_column_format (*column, view->records, fp_rows_get (view->rows, i)->index, &view->format, text, sizeof text);
          add_cell (&stripe, text);
        }
      add_sum (view, &stripe, is_label);
      has_label |= is_label;
      g_array_append_val (stripes, stripe);
    }
  return stripes;
}

static guint
sum_widths (GArray *stripes)
{
  guint sum = 0;

  for (guint i = 0; i < stripes->len; i++)
    sum += g_array_index (stripes, Stripe, i).width + (i > 0 ? GAP : 0);
  return sum;
}

/* Addresses and the like are useless when they are cut. */
static gboolean
may_be_cut (GArray *stripes,
            guint i)
{
  const FpColumn *column = g_array_index (stripes, Stripe, i).column;

  return column->presentation == FP_PRESENT_TEXT && (!(column->kinds & FP_RECORD_MAPPING) || i + 1 == stripes->len);
}

/* Returns FALSE if no text is wider than that. */
static gboolean
narrow_widest_text (GArray *stripes,
                    guint least)
{
  Stripe *widest = NULL;

  for (guint i = 0; i < stripes->len; i++)
    {
      Stripe *stripe = &g_array_index (stripes, Stripe, i);

      if (may_be_cut (stripes, i) && stripe->width > least && (!widest || stripe->width >= widest->width))
        widest = stripe;
    }
  if (widest)
    widest->width--;
  return widest != NULL;
}

/* A command that is cut to nothing says less than the program beside it. */
static void
drop_useless_command (GArray *stripes,
                      const FpColumn *sort,
                      guint width)
{
  Stripe *last = &g_array_index (stripes, Stripe, stripes->len - 1);
  guint others = sum_widths (stripes) - last->width;

  if (last->column->role == FP_ROLE_COMMAND && last->column != sort && others + MIN_COMMAND > width)
    g_array_remove_index (stripes, stripes->len - 1);
}

/* Keeps the figure that the rows are sorted by, or else the first. */
static gboolean
drop_last_figure (GArray *stripes,
                  const FpColumn *sort,
                  GPtrArray *dropped)
{
  gboolean has_kept = sort && fp_column_is_figure (sort);
  guint n_droppable = 0, last = 0;

  for (guint i = 0; i < stripes->len; i++)
    {
      const FpColumn *column = g_array_index (stripes, Stripe, i).column;

      if (column->presentation != FP_PRESENT_FIGURE || column == sort)
        continue;
      n_droppable++;
      last = i;
    }
  if (n_droppable < (has_kept ? 1 : 2))
    return FALSE;
  g_ptr_array_add (dropped, (gpointer)g_array_index (stripes, Stripe, last).column);
  g_array_remove_index (stripes, last);
  return TRUE;
}

/* Narrows texts first, then drops figures, unless the columns were asked for. */
static void
fit (GArray *stripes,
     const FpColumn *sort,
     guint width,
     guint least_text,
     gboolean may_drop,
     GPtrArray *dropped)
{
  for (guint i = 0; i + 1 < stripes->len; i++)
    if (may_be_cut (stripes, i))
      g_array_index (stripes, Stripe, i).width = MIN (g_array_index (stripes, Stripe, i).width, MAX_TEXT);
  if (may_drop && stripes->len > 1)
    drop_useless_command (stripes, sort, width);
  while (sum_widths (stripes) > width)
    if (!narrow_widest_text (stripes, least_text) && !(may_drop && drop_last_figure (stripes, sort, dropped)))
      return;
}

static gboolean
is_uncertain (const char *cell)
{
  return g_str_has_prefix (cell, "—") || g_str_has_prefix (cell, "≤");
}

/* Cuts a path at its beginning, since its end says most, and any other text at its end. */
static char *
cut (const Stripe *stripe,
     const char *cell)
{
  guint room = stripe->width - 1;

  if (!(stripe->column->flags & FP_COLUMN_PATH) || (*cell != '/' && !(stripe->column->kinds & FP_RECORD_MAPPING)))
    return g_strdup_printf ("%.*s…", (int)fp_display_fit (cell, room), cell);
  while (fp_display_width (cell) > room)
    cell = g_utf8_next_char (cell);
  return g_strconcat ("…", cell, NULL);
}

static void
append_blanks (GString *out,
               guint n)
{
  while (n-- > 0)
    g_string_append_c (out, ' ');
}

static void
print_cell (const Stripe *stripe,
            const char *cell,
            gboolean colour,
            GString *out)
{
  g_autofree char *shown = fp_display_width (cell) > stripe->width ? cut (stripe, cell) : g_strdup (cell);
  guint blanks = stripe->width - MIN (fp_display_width (shown), stripe->width);
  gboolean is_dim = colour && is_uncertain (cell);
  gboolean is_left = stripe->column->presentation == FP_PRESENT_TEXT;

  append_blanks (out, is_left ? 0 : blanks);
  if (is_dim)
    g_string_append (out, DIM);
  g_string_append (out, shown);
  if (is_dim)
    g_string_append (out, PLAIN);
  append_blanks (out, (is_left ? blanks : 0) + GAP);
}

static void
print_line (GArray *stripes,
            guint line,
            gboolean colour,
            gboolean bold,
            GString *out)
{
  gsize start = out->len;

  if (bold && colour)
    g_string_append (out, BOLD);
  for (guint i = 0; i < stripes->len; i++)
    {
      const Stripe *stripe = &g_array_index (stripes, Stripe, i);

      print_cell (stripe, g_ptr_array_index (stripe->cells, line), colour && !bold, out);
    }
  while (out->len > start && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append (out, bold && colour ? PLAIN "\n" : "\n");
}

/* Breaks lines between words. */
static void
append_wrapped (GString *out,
                const char *text,
                guint width)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint used = 0;

  for (char **word = words; *word; word++)
    {
      guint length = fp_display_width (*word);

      if (used > 0 && width && used + 1 + length > width)
        {
          g_string_append_c (out, '\n');
          used = 0;
        }
      g_string_append_printf (out, "%s%s", used > 0 ? " " : "", *word);
      used += length + (used > 0 ? 1 : 0);
    }
  g_string_append_c (out, '\n');
}

/* Says which columns there was no room for, in the order in which they would stand. */
static void
print_dropped (const GPtrArray *dropped,
               guint width,
               GString *out)
{
  g_autoptr (GString) names = g_string_new (NULL);
  g_autofree char *note = NULL;

  if (dropped->len == 0)
    return;
  for (guint i = dropped->len; i-- > 0;)
    fp_display_append_item (names, g_strdup (_ (((const FpColumn *)dropped->pdata[i])->title)));
  note = g_strdup_printf (ngettext ("There is no room for this column: %s. A wider window or --columns shows it.",
                                    "There is no room for these columns: %s. A wider window or --columns shows them.",
                                    dropped->len),
                          names->str);
  append_wrapped (out, note, width);
}

/* notes: gets what the table could not show */
void
fp_cli_table_print (const FpCliView *view,
                    const FpCliPaper *paper,
                    GString *out,
                    GString *notes)
{
  g_autoptr (GArray) stripes = make_stripes (view, paper);
  g_autoptr (GPtrArray) dropped = g_ptr_array_new ();
  guint n_lines = g_array_index (stripes, Stripe, 0).cells->len;

  if (paper->width)
    fit (stripes, fp_cli_view_get_sort (view), paper->width, view->options->files && !view->options->columns ? MIN_FILE : MIN_TEXT,
         !view->options->columns, dropped);
  for (guint line = 0; line < n_lines; line++)
    print_line (stripes, line, paper->colour, line == 0 || line + 1 == n_lines, out);
  print_dropped (dropped, paper->width, notes);
}

/* Gives only the reasons that the reader can do something about. */
static void
append_reasons (const FpCliView *view,
                GString *note)
{
  guint counts[FP_N_REASONS] = { 0 }, n, permission, pending, unsupported, silent;
  const guint *chosen = fp_cli_view_get_chosen (view, &n);

  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = fp_process_records_get (view->processes, chosen[i]);

      if (fp_process_is_unread (process) && process->reason < FP_N_REASONS)
        counts[process->reason]++;
    }
  permission = counts[FP_REASON_PERMISSION];
  pending = counts[FP_REASON_PENDING];
  unsupported = counts[FP_REASON_UNSUPPORTED];
  silent = counts[FP_REASON_NO_ANSWER];
  if (permission > 0 && geteuid () != 0 && !view->options->open_path)
    {
      if (permission == fp_cli_view_get_sum (view)->n_unread)
        fp_display_append_sentence (note, g_strdup (_ ("Root can read them; --all asks for an administrator’s password.")));
      else
        fp_display_append_sentence (note, g_strdup_printf (ngettext ("Root can read %u of them; --all asks for an administrator’s password.", "Root can read %u of them; --all asks for an administrator’s password.", permission),
                                                           permission));
    }
  if (pending > 0)
    fp_display_append_sentence (note, g_strdup_printf (ngettext ("%u has not been measured yet.", "%u have not been measured yet.", pending),
                                                       pending));
  if (unsupported > 0)
    fp_display_append_sentence (note, g_strdup_printf (ngettext ("For %u of them this kernel has no figures.",
                                                                 "For %u of them this kernel has no figures.", unsupported),
                                                       unsupported));
  if (silent > 0)
    fp_display_append_sentence (note, g_strdup_printf (ngettext ("%u of them does not answer.", "%u of them do not answer.", silent), silent));
}

/* Names up to MAX_NAMED of the processes that may not match the search. */
static void
append_possible (const FpCliView *view,
                 GString *note)
{
  guint n;
  const guint *possible = fp_cli_view_get_possible (view, &n);
  g_autoptr (GString) pids = g_string_new (NULL);

  for (guint i = 0; i < MIN (n, MAX_NAMED); i++)
    fp_display_append_item (pids, g_strdup_printf ("%d", fp_process_records_get (view->processes, possible[i])->pid));
  g_string_prepend (pids, "PID ");
  if (n > MAX_NAMED)
    fp_display_append_item (pids, g_strdup ("…"));
  else
    fp_display_end_sentence (pids);
  g_string_append_printf (note,
                          /* Translators: a number, and a list of processes with its full stop, such as “PID 12, 15.” */
                          ngettext ("%u process matches only possibly, because its memory has changed since it was read: %s",
                                    "%u processes match only possibly, because their memory has changed since it was read: %s", n),
                          n, pids->str);
}

/* Says what the figures of files do not include, which files are only still there because they are mapped, and which are
 * there more than once. */
static void
print_files_notes (const FpCliView *view,
                   const FpCliPaper *paper,
                   GString *out)
{
  g_autofree char *unread = fp_cli_files_describe_unread (view), *outdated = fp_cli_files_describe_outdated (view);
  g_autofree char *copies = fp_cli_copies_describe (view), *part = fp_mapped_words_describe_part (view->records);

  if (part)
    append_wrapped (out, part, paper->width);
  if (unread)
    append_wrapped (out, unread, paper->width);
  if (outdated)
    append_wrapped (out, outdated, paper->width);
  if (copies)
    append_wrapped (out, copies, paper->width);
}

/* One reading knows no growth, and --watch not from its beginning. */
static gboolean
awaits_growth (const FpCliView *view)
{
  if (view->options->open_path || fp_cli_view_get_sort (view)->get_figure != fp_records_get_growth)
    return FALSE;
  for (guint i = 0; i < view->records->n; i++)
    if (fp_figure_is_known (fp_records_get_growth (view->records, i)))
      return FALSE;
  return view->records->n > 0;
}

/* Says what the sum does not include. */
void
fp_cli_notes_print (const FpCliView *view,
                    const FpCliPaper *paper,
                    GString *out)
{
  const FpTotal *sum = fp_cli_view_get_sum (view);
  guint64 hidden = fp_system_get (&view->snapshot->system, FP_SYSTEM_HIDDEN_TASKS);
  g_autoptr (GString) note = g_string_new (NULL);
  g_autofree char *of_groups = fp_cli_groups_are_shown (view->options) ? fp_cli_groups_describe (view) : NULL;
  const gboolean is_of_processes = !view->options->mappings && !view->options->files && !fp_cli_groups_are_shown (view->options);
  guint n_possible;

  if (view->options->files)
    print_files_notes (view, paper, out);
  if (awaits_growth (view))
    append_wrapped (out, _ ("How fast each grows is known with --watch, from about half a minute on."), paper->width);
  if (of_groups)
    append_wrapped (out, of_groups, paper->width);
  if (sum->n_unread > 0 && is_of_processes)
    {
      g_string_append_printf (note,
                              /* Translators: how many could not be read, of how many */
                              ngettext ("%u of %u processes could not be read; “≤” and the upper ends of ranges say what it has at most.",
                                        "%u of %u processes could not be read; “≤” and the upper ends of ranges say what they have at most.",
                                        sum->n_unread),
                              sum->n_unread, sum->n_members);
      append_reasons (view, note);
      append_wrapped (out, note->str, paper->width);
    }
  fp_cli_view_get_possible (view, &n_possible);
  if (n_possible > 0 && is_of_processes)
    {
      g_string_truncate (note, 0);
      append_possible (view, note);
      append_wrapped (out, note->str, paper->width);
    }
  if (hidden > 0)
    {
      g_string_printf (note,
                       ngettext ("%lu task of this machine is hidden from here.", "%lu tasks of this machine are hidden from here.", (gulong)hidden),
                       (gulong)hidden);
      append_wrapped (out, note->str, paper->width);
    }
}

void
fp_cli_columns_print (GString *out)
{
  static const struct
  {
    FpRecordKind kind;
    const char *title;
  } kinds[] = {
    { FP_RECORD_PROCESS, N_ ("Columns of processes") },
    { FP_RECORD_TOTAL, N_ ("Columns of groups (--by)") },
    { FP_RECORD_MAPPING, N_ ("Columns of mappings (--mappings)") },
    { FP_RECORD_FOLD, N_ ("Columns of groups of mappings (--mappings --by)") },
    { FP_RECORD_MAPPED_FILE, N_ ("Columns of files (--by file)") },
    { FP_RECORD_CONTROL_GROUP, N_ ("Columns of the kernel’s control groups (--by group)") },
    { FP_RECORD_COMPARED, N_ ("Columns of two moments (--compare)") },
  };

  for (guint kind = 0; kind < G_N_ELEMENTS (kinds); kind++)
    {
      g_string_append_printf (out, "%s%s\n", kind ? "\n" : "", _ (kinds[kind].title));
      for (guint i = 0; i < fp_columns_get_n (); i++)
        if (fp_columns_get (i)->kinds & kinds[kind].kind)
          g_string_append_printf (out, "  %-18s %s\n", fp_columns_get (i)->id, _ (fp_columns_get (i)->meaning));
    }
}
