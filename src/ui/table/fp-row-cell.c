// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-control-values.h"
#include "fp-control-words.h"
#include "fp-display.h"
#include "fp-growth.h"
#include "fp-heap-records.h"
#include "fp-heap-size-records.h"
#include "fp-heap-values.h"
#include "fp-holder-records.h"
#include "fp-mapped-records.h"
#include "fp-mapped-values.h"
#include "fp-mapping-changes.h"
#include "fp-mapping-kind.h"
#include "fp-palette.h"
#include "fp-row-badge.h"
#include "fp-row-cell.h"
#include "fp-comparison.h"
#include "fp-totals.h"
#include "fp-trend-cell.h"

#define N_SHARE_PARTS 5

/* NULL: it is no sum. */
static const FpTotal *
get_total (const FpRows *rows,
           const FpRow *row)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);

  return records->class->kind & (FP_RECORD_TOTAL | FP_RECORD_FOLD) ? fp_totals_get (records, row->index) : NULL;
}

static gboolean
is_control_group (const FpRows *rows,
                  const FpRow *row)
{
  return fp_rows_get_records (rows, row->kind)->class->kind == FP_RECORD_CONTROL_GROUP;
}

static gboolean
is_file (const FpRows *rows,
         const FpRow *row)
{
  return fp_rows_get_records (rows, row->kind)->class->kind == FP_RECORD_MAPPED_FILE;
}

static gboolean
is_heap_place (const FpRecords *records)
{
  return (records->class->kind & FP_KINDS_CODE) != 0;
}

/* A process with its part of a file; the file is the row above. */
static gboolean
is_part (const FpRow *row)
{
  return row->kind == FP_ROW_PART;
}

static const FpProcess *
get_process (const FpRows *rows,
             const FpRow *row)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);

  return records->class->kind == FP_RECORD_PROCESS ? fp_process_records_get (records, row->index) : NULL;
}

/* NULL: rows of this kind have nothing there. */
static const FpColumn *
find_column (const FpRows *rows,
             const FpRow *row,
             const FpColumn *column)
{
  return column->kinds & fp_records_get_kinds (fp_rows_get_records (rows, row->kind)) ? column : NULL;
}

/* Its file, what the kernel calls it, or what it is for. */
static void
format_mapping_name (const FpRows *rows,
                     const FpRow *row,
                     char *text,
                     gsize size)
{
  static const FpColumnRole roles[] = { FP_ROLE_NAME, FP_ROLE_MAPPING_KIND };
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  char name[FP_CELL_SIZE] = "";

  for (guint i = 0; i < G_N_ELEMENTS (roles) && !*name; i++)
    fp_column_format (fp_columns_get_role (roles[i], FP_RECORD_MAPPING), records, row->index, NULL, name, sizeof name);
  fp_display_escape (name, text, size);
}

static void
format_name (const FpRows *rows,
             const FpRow *row,
             const FpRowStyle *style,
             char *text,
             gsize size)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpTotal *total = get_total (rows, row);
  const char *name = total ? total->name : NULL;
  char control[FP_CELL_SIZE];

  if (is_control_group (rows, row))
    {
      fp_column_format (fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_CONTROL_GROUP), records, row->index, &style->format,
                        control, sizeof control);
      fp_display_escape (control, text, size);
      return;
    }
  if (is_part (row))
    {
      fp_holder_records_write_name (records, row->index, text, size);
      return;
    }
  if (is_file (rows, row))
    {
      fp_display_escape (fp_text_mapped_file (records, row->index, &style->format), text, size);
      return;
    }
  if (is_heap_place (records))
    {
      fp_display_escape (fp_heap_records_get_name (records, row->index), text, size);
      return;
    }
  if (records->class->kind == FP_RECORD_HEAP_SIZE)
    {
      g_strlcpy (text, fp_heap_size_records_get_name (records, row->index), size);
      return;
    }
  if (!total && !get_process (rows, row))
    {
      format_mapping_name (rows, row, text, size);
      return;
    }
  if (!total)
    name = fp_process_records_get_text (records, row->index, FP_TEXT_PROGRAM);
  if (row->kind == FP_ROW_TOTAL)
    name = _ ("Total");
  else if (!*name)
    name = total ? style->nobody : fp_process_records_get_text (records, row->index, FP_TEXT_COMM);
  fp_display_escape (name, text, size);
}

/* Calls are all alike, those with others in them, too. */
static gboolean
is_sum (const FpRows *rows,
        const FpRow *row)
{
  return row->kind == FP_ROW_TOTAL || (row->kind == FP_ROW_GROUP && !is_heap_place (fp_rows_get_records (rows, row->kind)));
}

static FpArrow
choose_arrow (const FpRow *row,
              const FpRowStyle *style)
{
  if (row->can_expand)
    return row->is_expanded ? FP_ARROW_OPEN : FP_ARROW_CLOSED;
  return style->is_tree || is_part (row) ? FP_ARROW_BLANK : FP_ARROW_NONE;
}

/* Most files are mapped once, and the name needs the room. */
static gboolean
is_single_mapping (const FpRows *rows,
                   const FpRow *row,
                   const FpTotal *total)
{
  return total->n_members == 1 && fp_rows_get_records (rows, row->kind)->class->kind == FP_RECORD_FOLD;
}

static void
fill_name (FpCell *cell,
           const FpRows *rows,
           const FpRow *row,
           const FpRowStyle *style)
{
  const FpTotal *total = get_total (rows, row);
  char text[FP_CELL_SIZE], count[32], badge[FP_FIGURE_TEXT_SIZE];

  format_name (rows, row, style, text, sizeof text);
  fp_cell_set_is_path (cell, *text == '/');
  if (style->icons)
    fp_cell_set_icon (cell, fp_row_icons_find (style->icons, rows, row, style->grouping,
                                               gtk_widget_get_scale_factor (GTK_WIDGET (cell))));
  fp_cell_set_tree (cell, row->depth, choose_arrow (row, style));
  if (is_sum (rows, row) && total)
    {
      g_snprintf (count, sizeof count, "%u", total->n_members);
      fp_cell_set_text (cell, text, FP_CELL_BOLD);
      fp_cell_set_badge (cell, style->has_counts || is_single_mapping (rows, row, total) ? NULL : count);
      fp_cell_set_badge_colour (cell, NULL);
      return;
    }
  fp_cell_set_text (cell, text, row->kind == FP_ROW_ENDED ? FP_CELL_DIM : is_sum (rows, row) ? FP_CELL_BOLD
                                                                                             : FP_CELL_PLAIN);
  fp_cell_set_badge (cell, fp_row_badge_get (rows, row, badge));
  fp_cell_set_badge_colour (cell, fp_row_badge_get_colour (rows, row));
}

static FpCellTone
choose_tone (const FpRows *rows,
             const FpRow *row,
             FpFigure figure)
{
  if (row->kind == FP_ROW_ENDED || figure.kind == FP_FIGURE_AT_MOST || !fp_figure_is_known (figure))
    return FP_CELL_DIM;
  return is_sum (rows, row) ? FP_CELL_BOLD : FP_CELL_PLAIN;
}

/* A column with a larger bar of the same makes this one superfluous. */
static gboolean
has_memory_bar (const FpRecords *records,
                const FpColumn *column,
                const FpRowStyle *style)
{
  return column->role == FP_ROLE_MEMORY && style->format.memory_total > 0 && style->share_whole == 0 &&
         (records->class->kind & (FP_RECORD_PROCESS | FP_RECORD_TOTAL | FP_RECORD_CONTROL_GROUP));
}

/* Memory as a part of the machine's, swap as a part of all that is used, what a function allocated as a part of the whole, and
 * what is used of a limit: from FP_NEAR_LIMIT on in the colour of a warning. */
static void
fill_bar (FpCell *cell,
          const FpRecords *records,
          guint index,
          const FpColumn *column,
          const FpRowStyle *style,
          FpFigure figure)
{
  if (is_heap_place (records))
    fp_cell_set_bar (cell, fp_heap_column_get_part (column, records, index), "blue_2");
  else if (records->class->kind == FP_RECORD_HEAP_SIZE)
    fp_cell_set_bar (cell, fp_heap_size_records_get_part (column, records, index), "blue_2");
  else if (column->get_figure == fp_value_control_closeness && fp_figure_is_known (figure))
    fp_cell_set_bar (cell, (double)figure.low / 100, figure.low >= FP_NEAR_LIMIT ? "orange_2" : "blue_2");
  else if (column->field == FP_FIELD_SWAP_PSS && style->swap_used > 0 && fp_figure_is_known (figure))
    fp_cell_set_bar (cell, (double)figure.low / (double)style->swap_used, "purple_2");
  else if (has_memory_bar (records, column, style) && fp_figure_is_known (figure))
    fp_cell_set_bar (cell, (double)figure.low / (double)style->format.memory_total, "blue_2");
  else
    fp_cell_set_bar (cell, -1, "purple_2");
}

/* The uncertain rest up to the upper end has two parts: for processes that were read, and for others. */
static guint
make_parts (const FpRecords *records,
            guint index,
            FpBarPart *parts)
{
  FpFigure pss = fp_records_get_figure (records, index, FP_FIELD_PSS);
  FpFigure uss = fp_records_get_figure (records, index, FP_FIELD_USS);
  FpFigure swap = fp_records_get_figure (records, index, FP_FIELD_SWAP_PSS);
  guint64 private = MIN (uss.low, pss.low), more = 0, unread = 0;

  if (fp_figure_is_known (pss) && pss.high != G_MAXUINT64)
    {
      more = pss.kind == FP_FIGURE_RANGE     ? pss.high - pss.low
             : pss.kind == FP_FIGURE_PARTIAL ? fp_total_get_spread (fp_totals_get (records, index), FP_FIELD_PSS)
                                             : 0;
      unread = pss.kind == FP_FIGURE_AT_MOST || pss.kind == FP_FIGURE_PARTIAL ? pss.high - pss.low - more : 0;
    }
  parts[0] = (FpBarPart){ N_ ("Private"), private, FP_COLOUR_BLUE, FP_PATTERN_SOLID };
  parts[1] = (FpBarPart){ N_ ("Shared"), pss.low - private, FP_COLOUR_LIGHT_BLUE, FP_PATTERN_DOTTED };
  parts[2] = (FpBarPart){ N_ ("In swap"), fp_figure_is_known (swap) ? swap.low : 0, FP_COLOUR_PINK, FP_PATTERN_SOLID };
  parts[3] = (FpBarPart){ N_ ("Uncertain, at most"), more, FP_COLOUR_LIGHT_BLUE, FP_PATTERN_STRIPED };
  parts[4] = (FpBarPart){ N_ ("Not measured, at most"), unread, FP_COLOUR_RED, FP_PATTERN_STRIPED };
  return N_SHARE_PARTS;
}

/* How long the bar of a row is. */
guint64
fp_row_cell_get_share (const FpRows *rows,
                       guint position)
{
  const FpRow *row = fp_rows_get (rows, position);
  FpBarPart parts[N_SHARE_PARTS];
  guint64 sum = 0;
  guint n = make_parts (fp_rows_get_records (rows, row->kind), row->index, parts);

  for (guint i = 0; i < n; i++)
    sum += parts[i].value;
  return sum;
}

static void
fill_share (FpCell *cell,
            const FpRecords *records,
            guint index,
            const FpRowStyle *style)
{
  FpBarPart parts[N_SHARE_PARTS];
  guint n = make_parts (records, index, parts);

  fp_cell_set_parts (cell, parts, n, style->share_whole);
}

void
fp_row_cell_fill (FpCell *cell,
                  const FpRows *rows,
                  guint position,
                  const FpColumn *wanted,
                  const FpRowStyle *style)
{
  const FpRow *row = fp_rows_get (rows, position);
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpColumn *column = find_column (rows, row, wanted);
  char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];
  FpFigure figure = { FP_FIGURE_NONE, 0, 0 };

  if (fp_column_is_name (wanted))
    {
      fill_name (cell, rows, row, style);
      return;
    }
  if (!column)
    {
      fp_cell_set_text (cell, "", FP_CELL_PLAIN);
      return;
    }
  if (column->presentation == FP_PRESENT_TREND)
    {
      fp_trend_cell_fill (cell, records, row->index, &style->format);
      return;
    }
  fp_column_format (column, records, row->index, &style->format, text, sizeof text);
  if (column->presentation == FP_PRESENT_TEXT)
    {
      fp_display_escape (text, shown, sizeof shown);
      fp_cell_set_text (cell, shown, row->kind == FP_ROW_ENDED ? FP_CELL_DIM : FP_CELL_PLAIN);
      return;
    }
  figure = fp_column_get_figure (column, records, row->index);
  fp_cell_set_text (cell, text, choose_tone (rows, row, figure));
  if (column->presentation == FP_PRESENT_SHARE)
    fill_share (cell, records, row->index, style);
  fill_bar (cell, records, row->index, column, style, figure);
}

/* Writes a cell as text: a name, or nothing where rows of its kind have nothing. */
void
fp_row_cell_write (const FpRows *rows,
                   guint position,
                   const FpColumn *wanted,
                   const FpRowStyle *style,
                   char *text,
                   gsize size)
{
  const FpRow *row = fp_rows_get (rows, position);
  const FpColumn *column = find_column (rows, row, wanted);
  char value[FP_CELL_SIZE];

  *text = '\0';
  if (fp_column_is_name (wanted))
    format_name (rows, row, style, text, size);
  else if (column)
    {
      fp_column_format (column, fp_rows_get_records (rows, row->kind), row->index, &style->format, value, sizeof value);
      fp_display_escape (value, text, size);
    }
}

/* Outside its column: with its unit, and a range in words. text: of FP_FIGURE_WORDS_SIZE; TRUE: it is a range */
static gboolean
write_figure (const FpColumn *column,
              FpFigure figure,
              const FpRowStyle *style,
              char *text)
{
  return fp_figure_describe (figure, column->unit,
                             column->presentation == FP_PRESENT_SHARE ? FP_STYLE_PERCENT : style->format.style,
                             fp_format_get_whole (&style->format, column->field), text, FP_FIGURE_WORDS_SIZE);
}

/* Many processes have the same name, so the number and the user tell them apart. Takes the text; free the result. */
static char *
add_owner (const FpRows *rows,
           const FpRow *row,
           char *text)
{
  const FpProcess *process = get_process (rows, row);
  g_autofree char *fact = NULL;
  char user[FP_CELL_SIZE];

  if (!process)
    return text;
  fact = text;
  fp_column_format (fp_columns_get_role (FP_ROLE_USER, FP_RECORD_PROCESS), fp_rows_get_records (rows, row->kind), row->index, NULL,
                    user, sizeof user);
  /* Translators: a row of the list as it is read aloud: the process and its memory, its process ID, its user */
  return g_strdup_printf (_ ("%s, PID %d, %s"), fact, process->pid, user);
}

/* A row in words, for who can't see it: its name, and what it is sorted by; a total, which has its place anyway, has its
 * memory instead of what is no sum. Free the text. */
char *
fp_row_cell_describe (const FpRows *rows,
                      guint position,
                      const FpColumn *sort_column,
                      const FpRowStyle *style)
{
  const FpRow *row = fp_rows_get (rows, position);
  const FpColumn *column = sort_column ? find_column (rows, row, sort_column) : NULL;
  char name[FP_CELL_SIZE], figure[FP_FIGURE_WORDS_SIZE], buffer[FP_FIGURE_TEXT_SIZE];
  const char *badge = fp_row_badge_get (rows, row, buffer);
  GString *text = g_string_new (NULL);
  const FpTotal *total = get_total (rows, row);
  guint n;

  if (!column && row->kind == FP_ROW_TOTAL)
    column = fp_columns_get_role (FP_ROLE_MEMORY, fp_rows_get_records (rows, row->kind)->class->kind);
  format_name (rows, row, style, name, sizeof name);
  g_string_append (text, name);
  if (badge)
    fp_display_append_item (text, g_strdup (badge));
  if (total)
    {
      n = total->n_members;
      g_string_append (text, _ (", "));
      if (fp_rows_get_records (rows, FP_ROW_RECORD)->class->kind == FP_RECORD_MAPPED_FILE)
        g_string_append_printf (text, ngettext ("%u file", "%u files", n), n);
      else if (fp_rows_get_records (rows, row->kind)->class->kind == FP_RECORD_FOLD)
        g_string_append_printf (text, ngettext ("%u mapping", "%u mappings", n), n);
      else
        g_string_append_printf (text, ngettext ("%u process", "%u processes", n), n);
    }
  if (column && fp_column_is_figure (column))
    {
      write_figure (column, fp_column_get_figure (column, fp_rows_get_records (rows, row->kind), row->index), style,
                    figure);
      fp_display_append_item (text, g_strdup_printf ("%s %s", _ (column->title), figure));
    }
  return add_owner (rows, row, g_string_free (text, FALSE));
}

/* For who can't see the arrow. */
void
fp_row_cell_tell_state (GtkAccessible *widget,
                        const FpRows *rows,
                        guint position)
{
  const FpRow *row = fp_rows_get (rows, position);

  if (row->can_expand)
    gtk_accessible_update_state (widget, GTK_ACCESSIBLE_STATE_EXPANDED, row->is_expanded, -1);
  else
    gtk_accessible_reset_state (widget, GTK_ACCESSIBLE_STATE_EXPANDED);
}

static const char *
explain_reason (FpReason reason)
{
  static const char *const texts[FP_N_REASONS] = {
    [FP_REASON_PENDING] = N_ ("Not measured yet"),
    [FP_REASON_PERMISSION] = N_ ("Only its user and root may read this"),
    [FP_REASON_TOO_COSTLY] = N_ ("It was too large to be measured when this was saved"),
    [FP_REASON_KERNEL_THREAD] = N_ ("Part of the kernel: it has no memory of its own"),
    [FP_REASON_ENDED] = N_ ("It has ended"),
    [FP_REASON_ZOMBIE] = N_ ("It has ended, and its parent has not noticed yet"),
    [FP_REASON_SHARED_MEMORY] = N_ ("Counted with the process it shares all of its memory with"),
    [FP_REASON_UNSUPPORTED] = N_ ("This kernel does not provide it"),
    [FP_REASON_NO_ANSWER] = N_ ("It keeps its memory locked, or processes of its user took too long to read"),
  };

  return reason < FP_N_REASONS && texts[reason] ? _ (texts[reason]) : NULL;
}

static void
explain_share (const FpRecords *records,
               guint index,
               const FpFormat *format,
               GString *text)
{
  FpBarPart parts[N_SHARE_PARTS];
  guint n = make_parts (records, index, parts);
  char size[FP_FIGURE_TEXT_SIZE];

  for (guint i = 0; i < n; i++)
    if (parts[i].value > 0)
      {
        fp_format_memory (format, fp_figure_exact (parts[i].value), size);
        g_string_append_printf (text, "\n%s: %s", _ (parts[i].name), size);
      }
}

static void
explain_swap (const FpFigure figure,
              const FpRowStyle *style,
              GString *text)
{
  if (style->swap_used > 0)
    g_string_append_printf (text, _ ("\n%.1f %% of the swap that is used"),
                            (double)figure.low * 100 / (double)style->swap_used);
  if (style->format.swap_total > 0)
    g_string_append_printf (text, _ ("\n%.1f %% of all swap"),
                            (double)figure.low * 100 / (double)style->format.swap_total);
}

static char *
explain_flags (const FpRecords *records,
               guint index)
{
  g_auto (GStrv) sentences = NULL;
  FpMapping mapping;

  fp_mapping_records_get_facts (records, index, &mapping);
  sentences = fp_mapping_describe_flags (mapping.flags);
  return g_strjoinv ("\n", sentences);
}

/* The name of a sum, which may be cut off; of mappings of a kind what that is. NULL: it is no sum; free the text. */
static char *
explain_total (const FpRows *rows,
               const FpRow *row,
               const FpRowStyle *style)
{
  const FpTotal *total = get_total (rows, row);
  gboolean is_fold = fp_rows_get_records (rows, row->kind)->class->kind == FP_RECORD_FOLD;
  char name[FP_CELL_SIZE];

  if (!total)
    return NULL;
  for (guint i = 0; i < FP_N_MAPPING_KINDS && is_fold; i++)
    if (g_str_equal (total->name, _ (fp_mapping_kind_infos[i].title)))
      return g_strdup (_ (fp_mapping_kind_infos[i].explanation));
  format_name (rows, row, style, name, sizeof name);
  return g_strdup (name);
}

/* Adds the figure at the mark and the present one. */
static void
explain_change (const FpRecords *records,
                guint index,
                const FpColumn *column,
                const FpRowStyle *style,
                GString *text)
{
  char was[FP_CELL_SIZE], is[FP_CELL_SIZE];
  FpMemory before, after;

  if (!(fp_mapping_changes_get_both (records, index, &before, &after) >> column->field & 1))
    return;
  write_figure (column, fp_figure_exact (fp_memory_get (&before, column->field)), style, was);
  write_figure (column, fp_figure_exact (fp_memory_get (&after, column->field)), style, is);
  /* Translators: amounts of memory: before, and now */
  g_string_append_printf (text, _ ("\nFrom %s to %s"), was, is);
}

static char *
entitle (const FpColumn *column,
         const char *figure)
{
  /* Translators: title of a column, and a figure */
  return g_strdup_printf (_ ("%s: %s"), _ (column->title), figure);
}

/* NULL: the column says all there is; free the text */
static char *
explain_heap_place (const FpRecords *records,
                    guint index,
                    const FpColumn *column,
                    const FpRowStyle *style)
{
  double part = fp_heap_column_get_part (column, records, index);
  char value[FP_FIGURE_WORDS_SIZE];

  if (column->presentation == FP_PRESENT_TEXT)
    return fp_heap_records_explain (records, index);
  write_figure (column, fp_column_get_figure (column, records, index), style, value);
  if (part < 0)
    return entitle (column, value);
  /* Translators: title of a column, a figure, and how much of the whole it is */
  return g_strdup_printf (_ ("%s: %s\n%.1f %% of all"), _ (column->title), value, part * 100);
}

static void
explain_age (const FpRecords *records,
             guint index,
             gboolean is_range,
             GString *text)
{
  FpFigure age = fp_column_get_figure (fp_columns_get_role (FP_ROLE_AGE, FP_RECORD_PROCESS), records, index);
  double seconds = (double)age.low / G_USEC_PER_SEC;

  if (is_range && fp_figure_is_known (age))
    g_string_append_printf (text, _ ("\nRead %.0f s ago, and it has changed since"), seconds);
  else if (is_range)
    g_string_append (text, _ ("\nIt has not been read whole yet"));
  else if (fp_figure_is_known (age) && seconds < 0.5)
    g_string_append (text, _ ("\nMeasured just now"));
  else if (fp_figure_is_known (age))
    g_string_append_printf (text, _ ("\nMeasured %.0f s ago"), seconds);
}

/* Writes a figure with its title, and why it is not known; of a name also its place in the tree. Free the text. */
static char *
explain_control_group (const FpRows *rows,
                       const FpRow *row,
                       const FpColumn *column,
                       const FpRowStyle *style)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpControlGroups *groups = fp_control_records_get_groups (records);
  g_autofree char *titled = NULL;
  const char *missing = NULL;
  char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];

  fp_column_format (column, records, row->index, &style->format, text, sizeof text);
  fp_display_escape (text, shown, sizeof shown);
  if (fp_column_is_name (column))
    {
      fp_display_escape (fp_control_records_get (records, row->index)->path, text, sizeof text);
      return g_strdup_printf ("%s\n%s", shown, text);
    }
  if (!fp_column_is_figure (column))
    return *shown ? g_strdup (shown) : NULL;
  if (fp_column_get_figure (column, records, row->index).kind == FP_FIGURE_UNKNOWN)
    missing = fp_control_words_explain_missing (groups);
  titled = entitle (column, shown);
  return g_strdup_printf ("%s\n%s", titled, missing ? missing : _ (column->meaning));
}

/* Several processes of one program differ by their commands. Free the text. */
static char *
explain_name (const FpRecords *records,
              guint index,
              const char *name)
{
  const char *command = fp_process_records_get_text (records, index, FP_TEXT_COMMAND);
  char shown[FP_CELL_SIZE];

  fp_display_escape (command, shown, sizeof shown);
  return *shown && !g_str_equal (shown, name) ? g_strdup_printf ("%s\n%s", name, shown) : g_strdup (name);
}

static char *
explain_cell (const FpRows *rows,
              const FpRow *row,
              const FpColumn *wanted,
              const FpRowStyle *style)
{
  const FpRecords *records = fp_rows_get_records (rows, row->kind);
  const FpColumn *column = find_column (rows, row, wanted);
  const FpProcess *process = get_process (rows, row);
  char value[FP_CELL_SIZE], shown[FP_CELL_SIZE];
  g_autoptr (GString) text = NULL;
  g_autofree char *titled = NULL;
  gboolean is_range, is_growth;
  FpFigure figure;

  if (wanted->presentation == FP_PRESENT_TREND)
    return column ? fp_trend_cell_describe (records, row->index, &style->format) : NULL;
  if (is_control_group (rows, row))
    return explain_control_group (rows, row, wanted, style);
  if (is_part (row) && fp_column_is_name (wanted))
    return fp_holder_records_explain (records, row->index);
  if (column && is_heap_place (records))
    return explain_heap_place (records, row->index, column, style);
  if (!column)
    return fp_column_is_name (wanted) ? explain_total (rows, row, style) : NULL;
  if (column->role == FP_ROLE_MAPPING_FLAGS)
    return explain_flags (records, row->index);
  fp_column_format (column, records, row->index, &style->format, value, sizeof value);
  fp_display_escape (value, shown, sizeof shown);
  if (process && fp_column_is_name (column))
    return explain_name (records, row->index, shown);
  if (!fp_column_is_figure (column))
    return *shown ? g_strdup (shown) : NULL;

  text = g_string_new (NULL);
  is_growth = column->get_figure == fp_records_get_growth;
  figure = fp_column_get_figure (column, records, row->index);
  is_range = write_figure (column, figure, style, value);
  titled = entitle (column, value);
  g_string_append (text, titled);
  if (column->field == FP_FIELD_SWAP_PSS && fp_figure_is_known (figure))
    explain_swap (figure, style, text);
  if (records->class->kind == FP_RECORD_CHANGE && column->field != FP_FIELD_NONE)
    explain_change (records, row->index, column, style, text);
  if (column->presentation == FP_PRESENT_SHARE)
    explain_share (records, row->index, &style->format, text);
  if (process && explain_reason ((FpReason)process->reason))
    g_string_append_printf (text, "\n%s", explain_reason ((FpReason)process->reason));
  if (!process && is_range)
    g_string_append (text, _ ("\nSome of it has changed since it was read"));
  if (is_growth && !fp_figure_is_known (figure))
    g_string_append (text, _ ("\nIt does not grow, or was not watched for half a minute yet"));
  if (process && row->kind == FP_ROW_RECORD && !is_growth)
    explain_age (records, row->index, is_range, text);
  if (row->is_possible && is_range)
    g_string_append (text, _ ("\nIt matches the search only possibly"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Writes a cell's text in full for a tooltip, with explanations. NULL: nothing to add; free the text. */
char *
fp_row_cell_explain (const FpRows *rows,
                     guint position,
                     const FpColumn *column,
                     const FpRowStyle *style)
{
  const FpRow *row = fp_rows_get (rows, position);
  g_autofree char *badge = fp_column_is_name (column) ? fp_row_badge_explain (rows, row) : NULL;
  g_autofree char *text = explain_cell (rows, row, column, style);

  return text && badge ? g_strdup_printf ("%s\n%s", text, badge) : g_steal_pointer (&text);
}
