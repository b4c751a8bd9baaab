// SPDX-License-Identifier: GPL-3.0-or-later
/* A list on paper: all of its rows, on as many pages as they need. */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "fixture-snapshot.h"
#include "fp-list-print.h"

#define N_PROCESSES 150
#define MIB         (G_GUINT64_CONSTANT (1) << 20)

static FpRecords *
make_records (FixtureSnapshot *snapshot)
{
  fixture_snapshot_init (snapshot, N_PROCESSES);
  for (gint i = 0; i < N_PROCESSES; i++)
    fixture_set_figures (fixture_snapshot_add (snapshot, i + 2, "a-program-with-a-rather-long-name"), (guint64)(i + 1) * MIB,
                         200 * MIB, 0);
  return fixture_snapshot_make_records (snapshot);
}

/* Returns the number of pages. */
static int
print (const FpTableLayout *layout,
       FpRecords *records,
       const char *path)
{
  g_autoptr (GtkWidget) view = g_object_ref_sink (fp_table_view_new (layout, "Processes"));
  FpRowStyle style = { .format = { .style = FP_STYLE_IEC }, .nobody = "" };
  g_autoptr (GtkPrintOperation) operation = NULL;
  g_autoptr (GError) error = NULL;
  GtkPrintOperationResult result;
  int n_pages;

  fp_table_view_update (FP_TABLE_VIEW (view), records, &style);
  operation = fp_list_print_new (FP_TABLE_VIEW (view), &style, "Processes");
  gtk_print_operation_set_allow_async (operation, FALSE);
  gtk_print_operation_set_export_filename (operation, path);
  result = gtk_print_operation_run (operation, GTK_PRINT_OPERATION_ACTION_EXPORT, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result, ==, GTK_PRINT_OPERATION_RESULT_APPLY);
  g_object_get (operation, "n-pages", &n_pages, NULL);
  return n_pages;
}

/* More columns than a page is wide take no more pages: texts are cut off. */
static void
test_pages (void)
{
  static const FpTableLayout few = { .kinds = FP_RECORD_PROCESS, .columns = { { "program", 230, TRUE }, { "pss", 118, TRUE }, { NULL } }, .text_width = 140, .figure_width = 110 };
  g_autofree char *path = g_build_filename (g_get_user_runtime_dir (), "list.pdf", NULL), *text = NULL;
  g_auto (FixtureSnapshot) snapshot = { 0 };
  g_autoptr (FpRecords) records = make_records (&snapshot);
  int n_pages;
  gsize length;

  n_pages = print (&few, records, path);
  g_assert_cmpint (n_pages, >, 1);
  g_assert_cmpint (n_pages, <, 10);
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  g_assert_cmpint (strncmp (text, "%PDF", 4), ==, 0);
  g_assert_cmpuint (length, >, 4096);
  g_assert_cmpint (print (&fp_table_layouts[FP_TABLE_PROCESSES], records, path), ==, n_pages);
  g_remove (path);
}

/* A bar and a line need a screen: files and paper have the columns in which their figures stand. */
static void
test_drawings (void)
{
  static const FpTableLayout layout = { .kinds = FP_RECORD_PROCESS, .columns = { { "program", 230, TRUE }, { "share", 118, TRUE }, { "trend", 118, TRUE }, { "pss", 118, TRUE }, { NULL } }, .text_width = 140, .figure_width = 110 };
  g_autoptr (GtkWidget) view = g_object_ref_sink (fp_table_view_new (&layout, "Processes"));
  g_autoptr (GPtrArray) written = fp_table_columns_get_written (fp_table_view_get_columns (FP_TABLE_VIEW (view)));

  g_assert_cmpuint (written->len, ==, 2);
  g_assert_cmpstr (((const FpColumn *)written->pdata[0])->id, ==, "program");
  g_assert_cmpstr (((const FpColumn *)written->pdata[1])->id, ==, "pss");
}

int
main (int argc,
      char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add_func ("/list-print/pages", test_pages);
  g_test_add_func ("/list-print/drawings", test_drawings);
  return g_test_run ();
}
