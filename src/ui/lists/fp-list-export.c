// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-export.h"
#include "fp-list-export.h"
#include "fp-text-saver.h"

/* The list as it is at one moment. Each form begins with the name, and has the level of each row if there are several. */
typedef struct
{
  const FpRows *rows;
  FpRowStyle style;
  const FpColumn *name;
  GPtrArray *columns; /* without the name; ends with NULL */
  gboolean has_levels;
} List;

/* The dialog that asks for the file, and the view that it is about */
typedef struct
{
  FpTableView *view;
  FpRowStyle style;
  GString *text; /* NULL: no file was chosen yet, or the text was taken */
} Question;

static void
list_init (List *self,
           FpTableView *view,
           const FpRowStyle *style)
{
  g_autoptr (GPtrArray) shown = fp_table_columns_get_written (fp_table_view_get_columns (view));

  *self = (List){ .rows = fp_table_get_rows (fp_table_view_get_table (view)), .style = *style, .columns = g_ptr_array_new () };
  self->style.format.style = FP_STYLE_EXACT;
  self->style.format.is_for_programs = TRUE;
  for (guint i = 0; i < shown->len; i++)
    {
      const FpColumn *column = g_ptr_array_index (shown, i);

      if (fp_column_is_name (column))
        self->name = column;
      else
        g_ptr_array_add (self->columns, (gpointer)column);
    }
  g_ptr_array_add (self->columns, NULL);
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    self->has_levels |= fp_rows_get (self->rows, i)->depth > 0;
}

static void
write_name (const List *self,
            guint position,
            char text[FP_CELL_SIZE])
{
  fp_row_cell_write (self->rows, position, self->name, &self->style, text, FP_CELL_SIZE);
}

static void
write_csv (const List *self,
           GString *out)
{
  const FpColumn *const *columns = (const FpColumn *const *)self->columns->pdata;
  char name[FP_CELL_SIZE];

  g_string_append (out, self->has_levels ? "level,name," : "name,");
  fp_export_csv_header (columns, out);
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    {
      const FpRow *row = fp_rows_get (self->rows, i);

      if (self->has_levels)
        g_string_append_printf (out, "%d,", row->depth + 1);
      write_name (self, i, name);
      fp_export_csv_text (out, name);
      g_string_append_c (out, ',');
      fp_export_csv_record (fp_rows_get_records (self->rows, row->kind), row->index, columns, &self->style.format, out);
    }
}

/* Rows of another kind lack members. */
static void
write_json_row (const List *self,
                guint position,
                FpJson *json)
{
  const FpRow *row = fp_rows_get (self->rows, position);
  const FpRecords *records = fp_rows_get_records (self->rows, row->kind);
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  char name[FP_CELL_SIZE];

  for (guint i = 0; i + 1 < self->columns->len; i++)
    if (((const FpColumn *)self->columns->pdata[i])->kinds & fp_records_get_kinds (records))
      g_ptr_array_add (columns, self->columns->pdata[i]);
  g_ptr_array_add (columns, NULL);
  write_name (self, position, name);
  fp_json_begin_object (json, NULL);
  if (self->has_levels)
    fp_json_add_number (json, "level", row->depth + 1);
  fp_json_add_text (json, "name", name);
  fp_export_json_members (json, records, row->index, (const FpColumn *const *)columns->pdata, &self->style.format);
  fp_json_end_object (json);
}

static void
write_json (const List *self,
            GString *out)
{
  FpJson json = { .out = out, .is_pretty = TRUE, .is_first = TRUE };

  fp_json_begin_array (&json, NULL);
  for (guint i = 0; i < fp_rows_get_n (self->rows); i++)
    write_json_row (self, i, &json);
  fp_json_end_array (&json);
  g_string_append_c (out, '\n');
}

/* As rows are copied, but names stand as far in as in the list */
static void
write_text (const List *self,
            GString *out)
{
  char cell[FP_CELL_SIZE];

  g_string_append (out, _ ("Name"));
  for (guint i = 0; i + 1 < self->columns->len; i++)
    g_string_append_printf (out, "\t%s", _ (((const FpColumn *)self->columns->pdata[i])->title));
  g_string_append_c (out, '\n');
  for (guint row = 0; row < fp_rows_get_n (self->rows); row++)
    {
      write_name (self, row, cell);
      g_string_append_printf (out, "%*s%s", (int)(2 * fp_rows_get (self->rows, row)->depth), "", cell);
      for (guint i = 0; i + 1 < self->columns->len; i++)
        {
          fp_row_cell_write (self->rows, row, self->columns->pdata[i], &self->style, cell, sizeof cell);
          g_string_append_printf (out, "\t%s", cell);
        }
      g_string_append_c (out, '\n');
    }
}

static void
question_free (gpointer data)
{
  Question *self = data;

  g_object_unref (self->view);
  if (self->text)
    g_string_free (self->text, TRUE);
  g_free (self);
}

/* The rows change with each refresh, and growth is told by a history that does, too, so the text is made at once. */
static void
begin_list (gpointer data,
            const char *file_name)
{
  Question *self = data;
  List list;

  self->text = g_string_new (NULL);
  list_init (&list, self->view, &self->style);
  if (g_str_has_suffix (file_name, ".csv"))
    write_csv (&list, self->text);
  else if (g_str_has_suffix (file_name, ".json"))
    write_json (&list, self->text);
  else
    write_text (&list, self->text);
  g_ptr_array_unref (list.columns);
}

static GString *
take_list (gpointer data,
           const gint *is_cancelled)
{
  return g_steal_pointer (&((Question *)data)->text);
}

static const FpTextKind lists = { begin_list, take_list, question_free };

void
fp_list_export_ask (FpTableView *view,
                    const FpRowStyle *style,
                    const char *name)
{
  Question *question = g_new (Question, 1);

  *question = (Question){ g_object_ref (view), *style, NULL };
  fp_text_saver_ask (GTK_WIDGET (view), &lists, question, _ ("Export List (.csv, .json or .txt)"), name);
}
