// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-copies.h"
#include "fp-display.h"
#include "fp-mapped-records.h"
#include "fp-mapped-values.h"

#define MAX_NAMED 3 /* libraries in one sentence */

/* Marks the copies of which at least one file is listed. */
static gboolean *
find_listed (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  gboolean *listed = g_new0 (gboolean, files->copies->len + 1);
  guint n;
  const guint *matches = fp_rows_get_matches (view->rows, &n);

  for (guint i = 0; i < n; i++)
    {
      guint copies = fp_mapped_files_get (files, matches[i])->copies;

      if (copies > 0)
        listed[copies - 1] = TRUE;
    }
  return listed;
}

static void
append_copies (GString *list,
               const FpCliView *view,
               const FpFileCopies *copies)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  g_autofree char *base = g_path_get_basename (fp_mapped_files_get (files, copies->largest)->shown);
  g_autoptr (GString) name = g_string_new (NULL);
  char all[FP_FIGURE_TEXT_SIZE], one[FP_FIGURE_TEXT_SIZE];

  fp_display_append_name (name, base);
  fp_format_kept_memory (&view->format, fp_file_copies_get_memory (copies), all);
  fp_format_kept_memory (&view->format, fp_figure_exact (fp_file_copies_get_least (files, copies)), one);
  g_string_append_printf (list,
                          /* Translators: a file, a number, and two amounts of memory: of all copies, and of a single one */
                          ngettext ("%s (%u copy, %s; one would need at least %s)",
                                    "%s (%u copies, %s; one would need at least %s)", copies->n),
                          name->str, copies->n, all, one);
}

/* Free the text; NULL: nothing that is listed is in memory more than once. */
char *
fp_cli_copies_describe (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  g_autofree gboolean *listed = find_listed (view);
  g_autoptr (GString) list = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < files->copies->len; i++)
    {
      if (!listed[i] || n++ >= MAX_NAMED)
        continue;
      g_string_append (list, n > 1 ? _ (", ") : "");
      append_copies (list, view, &g_array_index (files->copies, FpFileCopies, i));
    }
  if (n == 0)
    return NULL;
  if (n <= MAX_NAMED)
    return g_strdup_printf (_ ("In memory more than once: %s."), list->str);
  /* Translators: a list of files, and how many more there are */
  return g_strdup_printf (ngettext ("In memory more than once: %s and %u more.", "In memory more than once: %s and %u more.",
                                    n - MAX_NAMED),
                          list->str, n - MAX_NAMED);
}

static void
add_one (FpJson *json,
         const FpMappedFiles *files,
         const FpFileCopies *copies)
{
  const FpMappedFile *largest = fp_mapped_files_get (files, copies->largest);

  fp_json_begin_object (json, NULL);
  fp_json_add_text (json, "build_id", largest->build_id);
  fp_json_add_text (json, "file", largest->name);
  fp_json_add_number (json, "copies", copies->n);
  if (copies->is_bound)
    fp_json_add_text (json, "memory", NULL);
  else
    fp_json_add_bytes (json, "memory", copies->unchanged);
  fp_json_add_bytes (json, "memory_at_least", copies->unchanged);
  fp_json_add_bytes (json, "one_at_least", fp_file_copies_get_least (files, copies));
  fp_json_end_object (json);
}

void
fp_cli_copies_add_json (FpJson *json,
                        const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  g_autofree gboolean *listed = find_listed (view);

  fp_json_begin_array (json, "copies");
  for (guint i = 0; i < files->copies->len; i++)
    if (listed[i])
      add_one (json, files, &g_array_index (files->copies, FpFileCopies, i));
  fp_json_end_array (json);
}
