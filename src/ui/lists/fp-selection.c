// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-holder-records.h"
#include "fp-query-term.h"
#include "fp-selection.h"
#include "fp-sum.h"
#include "fp-totals.h"

/* Several processes as one; known by who they are, so that another choice has another history. */
static FpRecords *
sum_up (const FpRecords *records,
        const char *name,
        const guint *indices,
        guint n)
{
  FpRecords *sum = fp_totals_new_empty (FP_RECORD_PROCESS);
  FpKey key = { n, G_MAXUINT64 - 1 };
  guint group;

  for (guint i = 0; i < n; i++)
    {
      FpKey member = fp_records_get_key (records, indices[i]);

      key.a = key.a * 31 + (member.a ^ member.b * 17);
    }
  group = fp_totals_add (sum, name, key);
  for (guint i = 0; i < n; i++)
    fp_totals_add_member (sum, group, records, indices[i]);
  return sum;
}

/* A process that maps a file, or that file where the process has ended since */
static FpRecords *
get_part (const FpRows *rows,
          const FpRow *row,
          const FpRecords *processes,
          guint *index)
{
  const FpRecords *parts = fp_rows_get_records (rows, FP_ROW_PART);

  *index = processes ? fp_holder_records_find_process (parts, row->index, processes) : G_MAXUINT;
  if (*index != G_MAXUINT)
    return fp_records_ref ((FpRecords *)processes);
  *index = fp_holder_records_get_file (parts, row->index);
  return fp_records_ref ((FpRecords *)fp_rows_get_records (rows, FP_ROW_RECORD));
}

/* Finds the process that a row of a file's processes stands for. 0: the row is another one, or the process has ended */
gint
fp_selection_find_process (const FpRows *rows,
                           guint position,
                           const FpRecords *processes)
{
  const FpRow *row = fp_rows_get (rows, position);
  guint index = G_MAXUINT;

  if (row->kind == FP_ROW_PART && processes)
    index = fp_holder_records_find_process (fp_rows_get_records (rows, FP_ROW_PART), row->index, processes);
  return index != G_MAXUINT ? fp_process_records_get (processes, index)->pid : 0;
}

/* The row that is selected, or the sum of several. NULL: none is */
FpRecords *
fp_selection_get_target (FpTable *table,
                         const FpRecords *records,
                         const FpRecords *processes,
                         const char *nobody,
                         guint *index,
                         char **title)
{
  FpRows *rows = fp_table_get_rows (table);
  g_autoptr (GtkBitset) positions = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (table));
  g_autoptr (GArray) selected = NULL;
  const FpRow *row;

  *index = 0;
  *title = NULL;
  if (gtk_bitset_get_size (positions) == 1)
    {
      row = fp_rows_get (rows, gtk_bitset_get_nth (positions, 0));
      if (row->kind == FP_ROW_PART)
        return get_part (rows, row, processes, index);
      /* A sum of files has no details. */
      if (row->kind == FP_ROW_GROUP && records->class->kind == FP_RECORD_MAPPED_FILE)
        return NULL;
      *index = row->index;
      if (row->kind == FP_ROW_GROUP && records->class->kind == FP_RECORD_PROCESS &&
          !*fp_totals_get (fp_rows_get_records (rows, row->kind), *index)->name)
        *title = g_strdup (nobody);
      return fp_records_ref ((FpRecords *)fp_rows_get_records (rows, row->kind));
    }
  selected = g_array_new (FALSE, FALSE, sizeof (guint));
  fp_table_add_selected (table, selected);
  if (selected->len == 0)
    return NULL;
  /* The figures of a control group count those within it, and files have no details together. */
  if (records->class->kind != FP_RECORD_PROCESS)
    return NULL;
  *title = g_strdup (_ ("Selected processes"));
  return sum_up (records, *title, (const guint *)selected->data, selected->len);
}

/* Lists the selected processes, also those in selected groups. NULL: fewer than two are selected; free the text. */
char *
fp_selection_describe_members (FpTable *table,
                               const FpRecords *records,
                               const FpFormat *format)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_table_add_selected (table, members);
  if (members->len < 2 || records->class->kind != FP_RECORD_PROCESS)
    return NULL;
  return fp_sum_describe_members (records, (guint *)members->data, members->len, format);
}

/* The selected row's icon, owned by the cache. icons: (nullable); NULL: none, not loaded yet, or not exactly one row is selected */
GdkPaintable *
fp_selection_find_icon (FpTable *table,
                        FpRowIcons *icons,
                        FpGrouping grouping,
                        int scale)
{
  FpRows *rows = fp_table_get_rows (table);
  g_autoptr (GtkBitset) positions = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (table));

  if (!icons || gtk_bitset_get_size (positions) != 1)
    return NULL;
  return fp_row_icons_find (icons, rows, fp_rows_get (rows, gtk_bitset_get_nth (positions, 0)), grouping, scale);
}

/* Makes a search for the group at this position, within all groups around it. Free the text. */
char *
fp_selection_make_search (const FpRows *rows,
                          FpGrouping grouping,
                          guint position)
{
  const char *const *columns = fp_grouping_infos[grouping].columns;
  GString *text = g_string_new (NULL);
  const FpRow *row = fp_rows_get (rows, position);
  guint depth = row->depth;

  for (guint at = position + 1; at-- > 0;)
    {
      const FpRow *above = fp_rows_get (rows, at);
      g_autofree char *term = NULL;
      const char *name;

      if (above->kind != FP_ROW_GROUP || above->depth > depth)
        continue;
      name = fp_totals_get (fp_rows_get_records (rows, FP_ROW_GROUP), above->index)->name;
      if (*name)
        term = fp_query_term_make (columns[above->depth], name);
      if (term)
        g_string_append_printf (text, "%s%s", text->len ? " " : "", term);
      if (depth-- == 0)
        break;
    }
  return g_string_free (text, FALSE);
}

static gboolean
has_member (const FpRows *rows,
            guint position,
            guint index)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_rows_add_members (rows, position, members);
  for (guint i = 0; i < members->len; i++)
    if (g_array_index (members, guint, i) == index)
      return TRUE;
  return FALSE;
}

/* Opens the groups that the record is in. has_opened: there were such groups, so that the table is to be updated. FALSE: the
 * list does not show the record */
gboolean
fp_selection_select_record (FpTable *table,
                            guint index,
                            gboolean *has_opened)
{
  FpRows *rows = fp_table_get_rows (table);

  *has_opened = FALSE;
  for (guint i = 0; i < fp_rows_get_n (rows); i++)
    {
      const FpRow *row = fp_rows_get (rows, i);

      if (row->kind == FP_ROW_RECORD && row->index == index)
        {
          fp_table_tell_all (table);
          gtk_selection_model_select_item (GTK_SELECTION_MODEL (table), i, TRUE);
          return TRUE;
        }
      if (row->kind == FP_ROW_GROUP && !row->is_expanded && has_member (rows, i, index))
        {
          fp_table_set_expanded (table, i, TRUE);
          *has_opened = TRUE;
        }
    }
  return FALSE;
}
