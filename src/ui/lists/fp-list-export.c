// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-comparison.h"
#include "fp-export.h"
#include "fp-list-export.h"
#include "fp-message-dialog.h"

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

static GBytes *
make_text (FpTableView *view,
           const FpRowStyle *style,
           const char *file_name)
{
  GString *out = g_string_new (NULL);
  List list;

  list_init (&list, view, style);
  if (g_str_has_suffix (file_name, ".csv"))
    write_csv (&list, out);
  else if (g_str_has_suffix (file_name, ".json"))
    write_json (&list, out);
  else
    write_text (&list, out);
  g_ptr_array_unref (list.columns);
  return g_string_free_to_bytes (out);
}

static void
written_cb (GObject *source,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (GtkWidget) view = data;
  g_autofree char *name = g_file_get_basename (G_FILE (source)), *shown = g_filename_display_name (name), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    {
      text = g_strdup_printf (_ ("Saved as %s"), shown);
      gtk_widget_activate_action (view, "win.report", "s", text);
    }
  else
    fp_message_dialog_tell (view, _ ("The List Was Not Saved"), error->message);
  g_application_release (g_application_get_default ());
}

static void
response_cb (GtkNativeDialog *dialog,
             int response,
             gpointer data)
{
  Question *question = data;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
      g_autofree char *name = g_file_get_basename (file);
      g_autoptr (GBytes) text = make_text (question->view, &question->style, name);

      g_application_hold (g_application_get_default ());
      g_file_replace_contents_bytes_async (file, text, NULL, FALSE, G_FILE_CREATE_REPLACE_DESTINATION, NULL, written_cb,
                                           g_object_ref (question->view));
    }
  g_object_unref (dialog);
}

static void
question_free (gpointer data)
{
  Question *self = data;

  g_object_unref (self->view);
  g_free (self);
}

void
fp_list_export_ask (FpTableView *view,
                    const FpRowStyle *style,
                    const char *name)
{
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (_ ("Export List (.csv, .json or .txt)"),
                                   GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (view))), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  Question *question = g_new (Question, 1);

  *question = (Question){ g_object_ref (view), *style };
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_object_set_data_full (G_OBJECT (dialog), "question", question, question_free);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}
