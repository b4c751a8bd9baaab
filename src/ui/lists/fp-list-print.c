// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-list-print.h"
#include "fp-message-dialog.h"

#define FONT           "Sans 8"
#define GAP            10.0 /* between two columns, in points */
#define LINE_SPACING   1.25
#define HEAD_LINES     4   /* for the title, the titles of the columns and the room around them */
#define MAX_TEXT_WIDTH 0.4 /* of the page; longer texts are cut off */

/* The cells as they were when printing began, as the list goes on changing meanwhile. */
typedef struct
{
  char *title;
  GPtrArray *columns; /* const FpColumn */
  GStringChunk *texts;
  GPtrArray *cells; /* row by row */
  guint n_rows;

  /* Known once there is a page */
  double *widths;
  double line_height;
  guint rows_per_page;
} Printout;

static void
printout_free (gpointer data)
{
  Printout *self = data;

  g_free (self->title);
  g_ptr_array_unref (self->columns);
  g_ptr_array_unref (self->cells);
  g_string_chunk_free (self->texts);
  g_free (self->widths);
  g_free (self);
}

static Printout *
printout_new (FpTableView *view,
              const FpRowStyle *style,
              const char *title)
{
  const FpRows *rows = fp_table_get_rows (fp_table_view_get_table (view));
  Printout *self = g_new0 (Printout, 1);
  char cell[FP_CELL_SIZE];

  self->title = g_strdup (title);
  self->columns = fp_table_columns_get_written (fp_table_view_get_columns (view));
  self->texts = g_string_chunk_new (4096);
  self->cells = g_ptr_array_new ();
  self->n_rows = fp_rows_get_n (rows);
  for (guint row = 0; row < self->n_rows; row++)
    for (guint i = 0; i < self->columns->len; i++)
      {
        const FpColumn *column = g_ptr_array_index (self->columns, i);
        guint indent = fp_column_is_name (column) ? 3u * fp_rows_get (rows, row)->depth : 0;
        g_autofree char *text = NULL;

        fp_row_cell_write (rows, row, column, style, cell, sizeof cell);
        text = g_strdup_printf ("%*s%s", (int)indent, "", cell);
        g_ptr_array_add (self->cells, g_string_chunk_insert_const (self->texts, text));
      }
  return self;
}

static const char *
get_cell (const Printout *self,
          guint row,
          guint column)
{
  return g_ptr_array_index (self->cells, row * self->columns->len + column);
}

static gboolean
is_text (const Printout *self,
         guint column)
{
  return ((const FpColumn *)self->columns->pdata[column])->presentation == FP_PRESENT_TEXT;
}

static const char *
get_title (const Printout *self,
           guint column)
{
  const FpColumn *info = g_ptr_array_index (self->columns, column);

  return fp_column_get_heading (info);
}

static PangoLayout *
create_layout (GtkPrintContext *context,
               gboolean is_bold)
{
  PangoLayout *layout = gtk_print_context_create_pango_layout (context);
  PangoFontDescription *font = pango_font_description_from_string (is_bold ? FONT " Bold" : FONT);

  pango_layout_set_font_description (layout, font);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_font_description_free (font);
  return layout;
}

static double
measure (PangoLayout *layout,
         const char *text,
         double *height)
{
  int width, lines;

  pango_layout_set_width (layout, -1);
  pango_layout_set_text (layout, text, -1);
  pango_layout_get_size (layout, &width, &lines);
  if (height)
    *height = (double)lines / PANGO_SCALE;
  return (double)width / PANGO_SCALE;
}

/* The text with the most letters is about the widest. */
static const char *
find_longest (const Printout *self,
              guint column)
{
  const char *longest = get_title (self, column);

  for (guint row = 0; row < self->n_rows; row++)
    if (g_utf8_strlen (get_cell (self, row, column), -1) > g_utf8_strlen (longest, -1))
      longest = get_cell (self, row, column);
  return longest;
}

/* Figures keep their room, and texts share what they leave. */
static void
measure_columns (Printout *self,
                 PangoLayout *layout,
                 double page_width)
{
  double texts = 0, figures = 0, room;

  self->widths = g_renew (double, self->widths, self->columns->len);
  for (guint i = 0; i < self->columns->len; i++)
    {
      double width = measure (layout, find_longest (self, i), NULL) + GAP;

      self->widths[i] = is_text (self, i) ? MIN (width, page_width * MAX_TEXT_WIDTH) : width;
      *(is_text (self, i) ? &texts : &figures) += self->widths[i];
    }
  room = MAX (page_width - figures, 0);
  for (guint i = 0; i < self->columns->len && texts > room; i++)
    if (is_text (self, i))
      self->widths[i] *= room / texts;
}

static void
begin_print_cb (GtkPrintOperation *operation,
                GtkPrintContext *context,
                Printout *self)
{
  g_autoptr (PangoLayout) layout = create_layout (context, TRUE);
  double height;

  measure_columns (self, layout, gtk_print_context_get_width (context));
  measure (layout, "X", &height);
  self->line_height = height * LINE_SPACING;
  self->rows_per_page = (guint)MAX (gtk_print_context_get_height (context) / self->line_height - HEAD_LINES, 1);
  gtk_print_operation_set_n_pages (operation, (int)MAX ((self->n_rows + self->rows_per_page - 1) / self->rows_per_page, 1));
}

static void
draw_text (cairo_t *cr,
           PangoLayout *layout,
           const char *text,
           double x,
           double y,
           double width,
           PangoAlignment alignment)
{
  pango_layout_set_width (layout, (int)(MAX (width, 0) * PANGO_SCALE));
  pango_layout_set_alignment (layout, alignment);
  pango_layout_set_text (layout, text, -1);
  cairo_move_to (cr, x, y);
  pango_cairo_show_layout (cr, layout);
}

/* row: -1 for the titles of the columns */
static void
draw_row (const Printout *self,
          cairo_t *cr,
          PangoLayout *layout,
          gint row,
          double y)
{
  double x = 0;

  for (guint i = 0; i < self->columns->len; i++)
    {
      draw_text (cr, layout, row < 0 ? get_title (self, i) : get_cell (self, (guint)row, i), x, y, self->widths[i] - GAP,
                 is_text (self, i) ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT);
      x += self->widths[i];
    }
}

static void
draw_page_cb (GtkPrintOperation *operation,
              GtkPrintContext *context,
              gint page,
              Printout *self)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  g_autoptr (PangoLayout) bold = create_layout (context, TRUE), plain = create_layout (context, FALSE);
  double width = gtk_print_context_get_width (context), y = 2 * self->line_height;
  guint first = (guint)page * self->rows_per_page;
  g_autofree char *number = NULL;
  int n_pages;

  g_object_get (operation, "n-pages", &n_pages, NULL);
  /* Translators: the number of a page, and how many there are */
  number = g_strdup_printf (_ ("%d of %d"), page + 1, n_pages);
  draw_text (cr, bold, self->title, 0, 0, width * 0.8, PANGO_ALIGN_LEFT);
  draw_text (cr, plain, number, width * 0.8, 0, width * 0.2, PANGO_ALIGN_RIGHT);
  draw_row (self, cr, bold, -1, y);
  y += self->line_height;
  cairo_set_line_width (cr, 0.5);
  cairo_move_to (cr, 0, y);
  cairo_line_to (cr, width, y);
  cairo_stroke (cr);
  y += self->line_height / 4;
  for (guint row = first; row < MIN (first + self->rows_per_page, self->n_rows); row++, y += self->line_height)
    draw_row (self, cr, plain, (gint)row, y);
}

GtkPrintOperation *
fp_list_print_new (FpTableView *view,
                   const FpRowStyle *style,
                   const char *title)
{
  GtkPrintOperation *operation = gtk_print_operation_new ();
  g_autoptr (GtkPageSetup) setup = gtk_page_setup_new ();
  Printout *printout = printout_new (view, style, title);

  /* Most lists are wider than high. */
  gtk_page_setup_set_orientation (setup, GTK_PAGE_ORIENTATION_LANDSCAPE);
  gtk_print_operation_set_default_page_setup (operation, setup);
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_object_set_data_full (G_OBJECT (operation), "printout", printout, printout_free);
  g_signal_connect (operation, "begin-print", G_CALLBACK (begin_print_cb), printout);
  g_signal_connect (operation, "draw-page", G_CALLBACK (draw_page_cb), printout);
  return operation;
}

static void
done_cb (GtkPrintOperation *operation,
         GtkPrintOperationResult result,
         GtkWidget *widget)
{
  g_autoptr (GError) error = NULL;

  if (result == GTK_PRINT_OPERATION_RESULT_ERROR)
    {
      gtk_print_operation_get_error (operation, &error);
      fp_message_dialog_tell (widget, _ ("The List Was Not Printed"), error ? error->message : "");
    }
  g_object_unref (operation);
}

/* Takes the operation. */
void
fp_list_print_run (GtkPrintOperation *operation,
                   GtkWidget *widget)
{
  g_signal_connect_data (operation, "done", G_CALLBACK (done_cb), g_object_ref (widget), (GClosureNotify)(GCallback)g_object_unref, 0);
  gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_PRINT_DIALOG, GTK_WINDOW (gtk_widget_get_root (widget)), NULL);
}
