// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-files.h"
#include "fp-display.h"
#include "fp-mapped-records.h"

#define MAX_NAMED 10 /* programs that are to be restarted */

/* Reads what the chosen processes map; kernel threads map nothing. */
FpRecords *
fp_cli_files_read (const FpCliView *view,
                   GError **error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  g_autoptr (FpMappedFiles) files = NULL;
  guint n;
  const guint *chosen = fp_cli_view_get_chosen (view, &n);

  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = fp_process_records_get (view->processes, chosen[i]);
      const FpMappedProcess mapped = { { process->pid, process->start_ticks }, process->uid, process->shares_with };

      if (!fp_process_is_kernel_thread (process))
        g_array_append_val (wanted, mapped);
    }
  files = fp_cli_reader_read_files (view->reader, (const FpMappedProcess *)(void *)wanted->data, wanted->len, error);
  return files ? fp_mapped_records_new (files) : NULL;
}

/* Free the text; NULL: all could be read. */
char *
fp_cli_files_describe_unread (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  guint n = files->n_read + files->n_unread;

  if (files->n_unread == 0)
    return NULL;
  return g_strdup_printf (ngettext ("%u of %u process could not be read; the figures are without it.",
                                    "%u of %u processes could not be read; the figures are without them.", n),
                          files->n_unread, n);
}

/* Services are what people restart; else it is the program. */
static const char *
get_restarted (const FpCliView *view,
               const FpMappedProcess *mapped)
{
  const FpProcess *process = fp_snapshot_find (view->snapshot, mapped->id.pid);
  const char *unit = process ? fp_snapshot_get_text (view->snapshot, process, FP_TEXT_UNIT) : "";

  if (g_str_has_suffix (unit, ".service"))
    return unit;
  return process ? fp_snapshot_get_text (view->snapshot, process, FP_TEXT_PROGRAM) : "";
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *)a, *(const char *const *)b);
}

static char *
list_names (const FpCliView *view,
            GHashTable *holders)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GString *list = g_string_new (NULL);
  GHashTableIter iter;
  gpointer holder;

  g_hash_table_iter_init (&iter, holders);
  while (g_hash_table_iter_next (&iter, &holder, NULL))
    {
      const char *name = get_restarted (view, holder);

      if (*name && g_hash_table_add (names, (gpointer)name))
        g_ptr_array_add (sorted, (gpointer)name);
    }
  g_ptr_array_sort (sorted, compare_names);
  for (guint i = 0; i < MIN (sorted->len, MAX_NAMED); i++)
    {
      char name[512];

      fp_display_escape (sorted->pdata[i], name, sizeof name);
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", name);
    }
  if (sorted->len > MAX_NAMED)
    g_string_append (list, ", …");
  return g_string_free (list, FALSE);
}

/* Free the text; NULL: no file that is listed was replaced or removed under its users. */
char *
fp_cli_files_describe_outdated (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  g_autoptr (GHashTable) holders = g_hash_table_new (NULL, NULL);
  g_autofree char *names = NULL;
  guint n;
  const guint *matches = fp_rows_get_matches (view->rows, &n);

  for (guint i = 0; i < n; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, matches[i]);

      for (guint j = 0; fp_mapped_file_is_outdated (file) && j < file->n_processes; j++)
        g_hash_table_add (holders, (gpointer)fp_mapped_files_get_holder (files, file, j));
    }
  n = g_hash_table_size (holders);
  if (n == 0)
    return NULL;
  names = list_names (view, holders);
  return g_strdup_printf (ngettext ("%u process still uses files that were updated or deleted since. Restart: %s",
                                    "%u processes still use files that were updated or deleted since. Restart: %s", n),
                          n, names);
}
