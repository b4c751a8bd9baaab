// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-files.h"
#include "fp-display.h"
#include "fp-mapped-records.h"

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

/* Reads what the chosen processes map, unless that was saved. */
FpRecords *
fp_cli_files_read (const FpCliView *view,
                   GError **error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (FpMappedProcess));
  g_autoptr (FpMappedFiles) files = NULL;
  guint n;
  const guint *chosen = fp_cli_view_get_chosen (view, &n);

  if (view->saved_files)
    return fp_mapped_records_new (view->saved_files);
  if (!view->reader)
    {
      fp_refuse_input (error, _ ("This snapshot does not tell the files that its processes map; save it with --with-files"));
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    add_process (wanted, fp_process_records_get (view->processes, chosen[i]));
  files = read_processes (view->reader, wanted, error);
  return files ? fp_mapped_records_new (files) : NULL;
}

static gboolean
can_root_help (const FpCliView *view)
{
  return geteuid () != 0 && !view->options->open_path;
}

static void
append_pids (GString *text,
             const gint *pids,
             guint n,
             guint max)
{
  /* With one more than these, its number is as short as saying so. */
  guint n_named = n <= max + 1 ? n : max;

  g_string_append (text, "PID ");
  for (guint i = 0; i < n_named; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? ", " : "", pids[i]);
  if (n > n_named)
    /* Translators: after a list of numbers of processes, "PID 12, 15" */
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", n - n_named), n - n_named);
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
  append_pids (list, pids, files->n_unread, MAX_PIDS);
  text = g_string_new (NULL);
  /* Translators: the last of these is "PID 12, 15 and 3 more" */
  g_string_printf (text,
                   ngettext ("%u of %u processes could not be read (%s); the figures are without it.",
                             "%u of %u processes could not be read (%s); the figures are without them.", files->n_unread),
                   files->n_unread, n, list->str);
  if (n_refused == files->n_unread && can_root_help (view))
    g_string_append (text, _ (" Root can read them."));
  else if (n_refused > 0 && can_root_help (view))
    g_string_append_printf (text, ngettext (" Root can read %u of them.", " Root can read %u of them.", n_refused), n_refused);
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

/* Finds the processes of which one of the listed files is outdated, with those that share their memory. */
static gboolean *
find_outdated (const FpCliView *view)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  gboolean *outdated = g_new0 (gboolean, files->n_processes + 1);
  guint n;
  const guint *matches = fp_rows_get_matches (view->rows, &n);

  for (guint i = 0; i < n; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, matches[i]);
      const FpMappedHolder *holders = fp_mapped_files_get_holders (files, file);

      for (guint j = 0; j < file->n_holders && fp_mapped_file_is_outdated (file); j++)
        outdated[holders[j].process] |= fp_mapped_holder_is_outdated (&holders[j], file);
    }
  for (guint i = 0; i < files->n_processes; i++)
    if (files->owners[i] != FP_MAPPED_NOT_READ)
      outdated[i] |= outdated[files->owners[i]];
  return outdated;
}

/* A service, or the processes of one program, of one user and of one container. Texts belong to the snapshot. */
typedef struct
{
  const char *unit; /* empty: it is no service */
  const char *program;
  const char *container;
  const char *user;
  guint32 uid;
  GArray *pids; /* ascending */
} Restart;

static void
restart_free (gpointer data)
{
  g_array_unref (((Restart *)data)->pids);
  g_free (data);
}

/* Services are what people restart; else it is the program. */
static const char *
get_name (const Restart *self)
{
  return *self->unit ? self->unit : self->program;
}

static guint
restart_hash (gconstpointer data)
{
  return g_str_hash (get_name (data)) * 31 + ((const Restart *)data)->uid;
}

static gboolean
restart_equal (gconstpointer a,
               gconstpointer b)
{
  const Restart *x = a, *y = b;

  return x->uid == y->uid && strcmp (x->unit, y->unit) == 0 && strcmp (x->container, y->container) == 0 &&
         (*x->unit || strcmp (x->program, y->program) == 0);
}

static int
compare_restarts (gconstpointer a,
                  gconstpointer b)
{
  const Restart *x = *(const Restart *const *)a, *y = *(const Restart *const *)b;
  int order = strcmp (get_name (x), get_name (y));

  return order ? order : g_array_index (x->pids, gint, 0) - g_array_index (y->pids, gint, 0);
}

static int
compare_pids (gconstpointer a,
              gconstpointer b)
{
  return *(const gint *)a - *(const gint *)b;
}

static void
add_restart (GHashTable *found,
             GPtrArray *restarts,
             const FpSnapshot *snapshot,
             const FpProcess *process)
{
  const char *unit = fp_snapshot_get_text (snapshot, process, FP_TEXT_UNIT);
  const Restart wanted = {
    .unit = g_str_has_suffix (unit, ".service") ? unit : "",
    .program = fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM),
    .container = fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTAINER),
    .user = fp_snapshot_get_text (snapshot, process, FP_TEXT_USER),
    .uid = process->uid,
  };
  Restart *restart = g_hash_table_lookup (found, &wanted);

  if (!restart)
    {
      restart = g_memdup2 (&wanted, sizeof wanted);
      restart->pids = g_array_new (FALSE, FALSE, sizeof (gint));
      g_hash_table_add (found, restart);
      g_ptr_array_add (restarts, restart);
    }
  g_array_append_val (restart->pids, process->pid);
}

/* n: how many processes */
static GPtrArray *
list_restarts (const FpCliView *view,
               guint *n)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (view->records);
  g_autofree gboolean *outdated = find_outdated (view);
  g_autoptr (GHashTable) found = g_hash_table_new (restart_hash, restart_equal);
  GPtrArray *restarts = g_ptr_array_new_with_free_func (restart_free);

  *n = 0;
  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpProcess *process = outdated[i] ? fp_snapshot_find (view->snapshot, files->processes[i].id.pid) : NULL;

      if (!process || !fp_process_is (process, &files->processes[i].id))
        continue;
      (*n)++;
      add_restart (found, restarts, view->snapshot, process);
    }
  for (guint i = 0; i < restarts->len; i++)
    g_array_sort (((Restart *)restarts->pdata[i])->pids, compare_pids);
  g_ptr_array_sort (restarts, compare_restarts);
  return restarts;
}

/* A user can call a program or a service of theirs like one of the system's, so that it is said whose it is. A service
 * needs no PID, since it has a name for systemctl. */
static void
append_restart (GString *text,
                const Restart *restart)
{
  const char *separator = " (";
  g_autoptr (GString) name = g_string_new (NULL);

  fp_display_append_name (text, get_name (restart));
  if (restart->uid != 0)
    {
      fp_display_append_name (name, restart->user);
      /* Translators: a user of the machine */
      g_string_append_printf (text, _ ("%suser %s"), separator, name->str);
      separator = ", ";
    }
  if (*restart->container)
    {
      g_string_truncate (name, 0);
      fp_display_append_name (name, restart->container);
      g_string_append_printf (text, _ ("%scontainer %s"), separator, name->str);
      separator = ", ";
    }
  if (!*restart->unit)
    {
      g_string_append (text, separator);
      append_pids (text, (const gint *)(void *)restart->pids->data, restart->pids->len, MAX_PIDS_EACH);
    }
  if (restart->uid != 0 || *restart->container || !*restart->unit)
    g_string_append_c (text, ')');
}

/* Free the text; NULL: no file that is listed was replaced or removed under its users. */
char *
fp_cli_files_describe_outdated (const FpCliView *view)
{
  guint n, n_named;
  g_autoptr (GPtrArray) restarts = list_restarts (view, &n);
  GString *text;

  if (restarts->len == 0)
    return NULL;
  n_named = restarts->len <= MAX_NAMED + 1 ? restarts->len : MAX_NAMED;
  text = g_string_new (NULL);
  g_string_printf (text,
                   ngettext ("%u process still uses files that were updated or deleted since. Restart: ",
                             "%u processes still use files that were updated or deleted since. Restart: ", n),
                   n);
  for (guint i = 0; i < n_named; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      append_restart (text, restarts->pdata[i]);
    }
  if (restarts->len > n_named)
    g_string_append_printf (text, ngettext (" and %u more, which --json lists", " and %u more, which --json lists", restarts->len - n_named),
                            restarts->len - n_named);
  return g_string_free (text, FALSE);
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
      const Restart *restart = restarts->pdata[i];

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
