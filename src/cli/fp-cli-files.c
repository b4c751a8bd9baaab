// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "fp-cli-files.h"
#include "fp-comparison.h"
#include "fp-display.h"
#include "fp-mapped-records.h"
#include "fp-mapped-words.h"
#include "fp-restarts.h"

#define MAX_NAMED     10 /* programs that are to be restarted */
#define MAX_PIDS_EACH 3  /* of each of them */
#define MAX_PIDS      10 /* of processes that could not be read */

/* Kernel threads map nothing. */
static void
add_process (GArray *wanted,
             const FpProcess *process)
{
  const FpMappedProcess mapped = { { process->pid, process->start_ticks }, process->uid, process->shares_with };

  if (!fp_process_is_kernel_thread (process))
    g_array_append_val (wanted, mapped);
}

static FpMappedFiles *
read_processes (FpCliReader *reader,
                const GArray *wanted,
                GError **error)
{
  return fp_cli_reader_read_files (reader, (const FpMappedProcess *)(void *)wanted->data, wanted->len, error);
}

FpMappedFiles *
fp_cli_files_read_all (FpCliReader *reader,
                       const FpSnapshot *snapshot,
                       GError **error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));

  for (guint i = 0; i < snapshot->n_processes; i++)
    add_process (wanted, &snapshot->processes[i]);
  return read_processes (reader, wanted, error);
}

static FpRecords *
make_records (const FpCliView *view,
              FpMappedFiles *files)
{
  return view->before ? fp_comparison_new_files (view->files_before, files, view->snapshot)
                      : fp_mapped_records_new (files, view->snapshot);
}

/* Reads what the chosen processes map, unless that was saved. */
FpRecords *
fp_cli_files_read (const FpCliView *view,
                   GError **error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  g_autoptr (FpMappedFiles) files = NULL;
  guint n;
  const guint *chosen = fp_cli_view_get_chosen (view, &n);

  if ((view->before && !view->files_before) || (!view->saved_files && !view->reader))
    {
      fp_refuse_input (error, _ ("This snapshot does not tell the files that its processes map; save it with --with-files"));
      return NULL;
    }
  if (view->saved_files)
    return make_records (view, view->saved_files);
  for (guint i = 0; i < n; i++)
    if (!fp_records_has_ended (view->processes, chosen[i]))
      add_process (wanted, fp_process_records_get (view->processes, chosen[i]));
  files = read_processes (view->reader, wanted, error);
  return files ? make_records (view, files) : NULL;
}

static gboolean
can_root_help (const FpCliView *view)
{
  return geteuid () != 0 && !view->options->open_path;
}

/* Free the text; NULL: all could be read. */
char *
fp_cli_files_describe_unread (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  guint n = files->n_read + files->n_unread, n_refused = 0;
  g_autofree gint *pids = g_new (gint, files->n_unread + 1);
  g_autoptr (GString) list = NULL;
  GString *text;

  if (files->n_unread == 0)
    return NULL;
  for (guint i = 0; i < files->n_unread; i++)
    {
      pids[i] = files->processes[files->unread[i].process].id.pid;
      n_refused += files->unread[i].is_refused;
    }
  list = g_string_new (NULL);
  fp_restarts_append_pids (list, pids, files->n_unread, MAX_PIDS);
  text = g_string_new (NULL);
  g_string_printf (text,
                   /* Translators: how many, of how many, and which, as in “PID 12, 15 and 3 more” */
                   ngettext ("%u of %u processes could not be read (%s); the figures are without it.",
                             "%u of %u processes could not be read (%s); the figures are without them.", files->n_unread),
                   files->n_unread, n, list->str);
  if (n_refused == files->n_unread && can_root_help (view))
    fp_display_append_sentence (text, g_strdup (_ ("Root can read them.")));
  else if (n_refused > 0 && can_root_help (view))
    fp_display_append_sentence (text, g_strdup_printf (ngettext ("Root can read %u of them.", "Root can read %u of them.", n_refused), n_refused));
  return g_string_free (text, FALSE);
}

void
fp_cli_files_add_unread (const FpCliView *view,
                         FpJson *json)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);

  fp_json_add_number (json, "processes_read", files->n_read);
  fp_json_begin_array (json, "not_read");
  for (guint i = 0; i < files->n_unread; i++)
    {
      const FpMappedUnread *unread = &files->unread[i];

      fp_json_begin_object (json, NULL);
      fp_json_add_number (json, "pid", files->processes[unread->process].id.pid);
      fp_json_add_text (json, "reason", unread->is_refused ? fp_reason_get_name (FP_REASON_PERMISSION) : NULL);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

/* Somebody may have thousands of processes with one memory and as many files there, so that they are not listed for each
 * file. */
void
fp_cli_files_add_sharing (const FpCliView *view,
                          FpJson *json)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);

  fp_json_begin_array (json, "sharing");
  for (guint i = 0; i < files->n_processes; i++)
    {
      guint32 owner = files->owners[i];

      if (owner == FP_MAPPED_NOT_READ || owner == i)
        continue;
      fp_json_begin_object (json, NULL);
      fp_json_add_number (json, "pid", files->processes[i].id.pid);
      fp_json_add_number (json, "shares_with", files->processes[owner].id.pid);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

static GPtrArray *
list_restarts (const FpCliView *view,
               guint *n_processes)
{
  guint n;
  const guint *matches = fp_rows_get_matches (view->rows, &n);

  return fp_restarts_list (view->records, matches, n, view->snapshot, n_processes);
}

/* Free the text; NULL: no file that is listed was replaced or removed under its users. */
char *
fp_cli_files_describe_outdated (const FpCliView *view)
{
  guint n, n_more;
  g_autoptr (GPtrArray) restarts = list_restarts (view, &n);
  g_autofree char *text = NULL;

  if (restarts->len == 0)
    return NULL;
  text = fp_restarts_describe (restarts, n, MAX_NAMED, MAX_PIDS_EACH, &n_more);
  if (n_more == 0)
    return g_steal_pointer (&text);
  /* Translators: a sentence with a list of programs, and how many more there are */
  return g_strdup_printf (ngettext ("%s and %u more, which --json lists", "%s and %u more, which --json lists", n_more), text, n_more);
}

void
fp_cli_files_add_restarts (const FpCliView *view,
                           FpJson *json)
{
  guint n;
  g_autoptr (GPtrArray) restarts = list_restarts (view, &n);

  fp_json_begin_array (json, "restart");
  for (guint i = 0; i < restarts->len; i++)
    {
      const FpRestart *restart = restarts->pdata[i];

      fp_json_begin_object (json, NULL);
      fp_json_add_text (json, "unit", *restart->unit ? restart->unit : NULL);
      fp_json_add_text (json, "program", restart->program);
      fp_json_add_text (json, "user", restart->user);
      fp_json_add_number (json, "uid", restart->uid);
      fp_json_add_text (json, "container", *restart->container ? restart->container : NULL);
      fp_json_begin_array (json, "pids");
      for (guint j = 0; j < restart->pids->len; j++)
        fp_json_add_number (json, NULL, g_array_index (restart->pids, gint, j));
      fp_json_end_array (json);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}
