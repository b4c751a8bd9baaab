// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"
#include "folders.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-csv.h"
#include "fp-cli-freed.h"
#include "fp-cli-json.h"
#include "fp-cli-system.h"
#include "fp-cli-terminal.h"
#include "fp-helper-protocol.h"
#include "fp-snapshot-file.h"

#define EXIT_FAILED  1
#define EXIT_USAGE   2
#define CLEAR_SCREEN "\033[H\033[2J"

static FpSnapshot *
open_snapshot (const char *path,
               GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  g_autoptr (GBytes) bytes = NULL;
  FpSnapshot *snapshot;

  if (!file)
    return NULL;
  bytes = g_mapped_file_get_bytes (file);
  snapshot = fp_snapshot_from_bytes (bytes, error);
  if (!snapshot)
    g_prefix_error (error, "%s: ", path);
  return snapshot;
}

static gboolean
write_to_special_file (const char *path,
                       const char *data,
                       gsize size,
                       GError **error)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  gboolean ok = fd >= 0 && fp_cli_terminal_write_to (fd, data, size, NULL);

  if (!ok)
    g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (errno), _ ("Can’t write %s: %s"), path,
                 g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return ok;
}

static gboolean
save_snapshot (const FpSnapshot *snapshot,
               const char *path,
               GError **error)
{
  g_autoptr (GBytes) bytes = fp_snapshot_to_bytes (snapshot);
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  /* A device or a pipe is written to, never replaced. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return write_to_special_file (path, data, size, error);
  /* Command lines of everybody are in it. */
  return g_file_set_contents_full (path, data, (gssize)size, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

static guint
count_lines (const char *text)
{
  guint n = 0;

  for (; (text = strchr (text, '\n')); text++)
    n++;
  return n;
}

static void
keep_lines (GString *text,
            guint n)
{
  const char *end = text->str;

  while (n-- > 0 && (end = strchr (end, '\n')))
    end++;
  if (end)
    g_string_truncate (text, (gsize)(end - text->str));
}

/* The header, the sum and the notes stay; rows are what gives way on a screen of n_lines. */
static void
print_for_people (const FpCliView *view,
                  gboolean is_watching,
                  GString *out)
{
  g_autoptr (GString) body = g_string_new (NULL), notes = g_string_new (NULL);
  FpCliPaper paper;
  guint n_lines, left;

  fp_cli_terminal_measure (&paper, &n_lines);
  fp_cli_notes_print (view, &paper, notes);
  left = n_lines - MIN (n_lines, count_lines (notes->str) + 1);
  if (is_watching && n_lines)
    paper.n_lines = left > 3 ? left - 2 : 1;
  if (view->options->system)
    fp_cli_system_print (view, &paper, body);
  else
    fp_cli_table_print (view, &paper, body);
  if (is_watching && n_lines)
    {
      keep_lines (body, left);
      g_string_append (out, CLEAR_SCREEN);
    }
  g_string_append_len (out, body->str, (gssize)body->len);
  g_string_append_len (out, notes->str, (gssize)notes->len);
  if (is_watching && !n_lines)
    g_string_append_c (out, '\n');
}

static gboolean
print_freed (const FpCliView *view,
             gboolean is_watching,
             GString *out,
             GError **error)
{
  FpCliPaper paper;
  guint n_lines;

  if (view->options->output == FP_CLI_JSON)
    return fp_cli_freed_print_json (view, !is_watching, out, error);
  fp_cli_terminal_measure (&paper, &n_lines);
  if (is_watching && n_lines)
    g_string_append (out, CLEAR_SCREEN);
  return fp_cli_freed_print (view, &paper, out, error);
}

static gboolean
print_view (const FpCliView *view,
            gboolean is_watching,
            GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (view->options->freed)
    return print_freed (view, is_watching, out, error) && fp_cli_terminal_write (out->str, out->len, error);
  switch (view->options->output)
    {
    case FP_CLI_JSON:
      fp_cli_json_print (view, !is_watching, out);
      break;
    case FP_CLI_CSV:
      fp_cli_csv_print (view, out);
      break;
    case FP_CLI_TABLE:
    default:
      print_for_people (view, is_watching, out);
      break;
    }
  return fp_cli_terminal_write (out->str, out->len, error);
}

static gboolean
show (const FpCliOptions *options,
      FpCliReader *reader,
      const FpProcessId *ids,
      FpSnapshot *snapshot,
      gboolean is_watching,
      GError **error)
{
  g_auto (FpCliView) view = { 0 };

  return fp_cli_view_init (&view, options, reader, ids, snapshot, error) && print_view (&view, is_watching, error);
}

/* From now on a number that is used anew is somebody else's. 0-terminated. */
static GArray *
find_ids (const FpCliOptions *options,
          const FpSnapshot *snapshot)
{
  GArray *ids = g_array_new (TRUE, TRUE, sizeof (FpProcessId));

  for (const gint *pid = options->pids; pid && *pid; pid++)
    g_array_append_val (ids, ((FpProcessId){ *pid, fp_snapshot_find (snapshot, *pid)->start_ticks }));
  return ids;
}

static gboolean
have_ended (const GArray *ids,
            const FpSnapshot *snapshot)
{
  for (guint i = 0; i < ids->len; i++)
    {
      const FpProcessId *id = &g_array_index (ids, FpProcessId, i);
      const FpProcess *process = fp_snapshot_find (snapshot, id->pid);

      if (process && process->start_ticks == id->start_ticks && process->reason != FP_REASON_ZOMBIE &&
          process->reason != FP_REASON_ENDED)
        return FALSE;
    }
  return ids->len > 0;
}

static void
report_ended (const GArray *ids)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < ids->len; i++)
    g_string_append_printf (list, "%s%d", i ? ", " : "", g_array_index (ids, FpProcessId, i).pid);
  g_printerr ("footprint-cli: ");
  g_printerr (ngettext ("Process %s has ended", "Processes %s have ended", ids->len), list->str);
  g_printerr ("\n");
}

/* The first picture. A wrong option is told on the screen that stays. */
static gboolean
begin_watch (const FpCliOptions *options,
             FpCliReader *reader,
             FpSnapshot *snapshot,
             GArray **ids,
             GError **error)
{
  g_auto (FpCliView) trial = { 0 };

  if (!fp_cli_view_init (&trial, options, reader, NULL, snapshot, error))
    return FALSE;
  *ids = find_ids (options, snapshot);
  fp_cli_terminal_begin_watch ();
  return TRUE;
}

/* Between being listed and its mappings being read: then that is no error. */
static gboolean
ended_meanwhile (FpCliReader *reader,
                 const GArray *ids,
                 GError **error)
{
  g_autoptr (FpSnapshot) snapshot = fp_cli_reader_collect (reader, NULL);

  if (!snapshot || !have_ended (ids, snapshot))
    return FALSE;
  g_clear_error (error);
  return TRUE;
}

static gboolean
watch (const FpCliOptions *options,
       FpCliReader *reader,
       GError **error)
{
  g_autoptr (GArray) ids = NULL;
  gboolean is_over = FALSE;
  gboolean ok;

  do
    {
      g_autoptr (FpSnapshot) snapshot = fp_cli_reader_collect (reader, error);

      ok = snapshot && (ids || begin_watch (options, reader, snapshot, &ids, error));
      is_over = ok && have_ended (ids, snapshot);
      if (!ok || is_over)
        break;
      ok = show (options, reader, (const FpProcessId *)(void *)ids->data, snapshot, TRUE, error);
      if (!ok && options->mappings)
        is_over = ok = ended_meanwhile (reader, ids, error);
    }
  while (ok && !is_over && fp_cli_terminal_wait (options->watch_seconds) != FP_CLI_KEY_QUIT);
  if (ids)
    fp_cli_terminal_end_watch ();
  if (is_over)
    report_ended (ids);
  return ok;
}

static gboolean
run (const FpCliOptions *options,
     GError **error)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (FpCliReader) reader = NULL;

  if (options->open_path)
    return (snapshot = open_snapshot (options->open_path, error)) && show (options, NULL, NULL, snapshot, FALSE, error);
  if (!(reader = fp_cli_reader_new (options, error)))
    return FALSE;
  if (options->watch_seconds > 0)
    return watch (options, reader, error);
  if (!(snapshot = fp_cli_reader_collect (reader, error)))
    return FALSE;
  if (options->save_path)
    return save_snapshot (snapshot, options->save_path, error);
  return show (options, reader, NULL, snapshot, FALSE, error);
}

static int
report (const GError *error)
{
  const char *advice = NULL;

  if (error->domain == FP_HELPER_ERROR && error->code != FP_HELPER_ERROR_CANCELLED)
    advice = fp_helper_error_get_advice ((FpHelperError)error->code);
  g_printerr ("footprint-cli: %s\n", error->message);
  if (advice)
    g_printerr ("%s\n", advice);
  return error->domain == G_OPTION_ERROR ? EXIT_USAGE : EXIT_FAILED;
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = NULL;
  FpCliOptions options;
  int status = 0;

  setlocale (LC_ALL, "");
  bindtextdomain (FP_GETTEXT_DOMAIN, FP_LOCALE_DIR);
  bind_textdomain_codeset (FP_GETTEXT_DOMAIN, "UTF-8");
  textdomain (FP_GETTEXT_DOMAIN);

  text = g_string_new (NULL);
  if (!fp_cli_options_parse (&options, &argc, &argv, &error))
    status = report (error);
  else if (options.version)
    g_string_append (text, "footprint-cli " FP_VERSION "\n");
  else if (options.list_columns)
    fp_cli_columns_print (text);
  else if (!run (&options, &error))
    status = report (error);
  if (text->len && !fp_cli_terminal_write (text->str, text->len, &error))
    status = report (error);
  fp_cli_options_clear (&options);
  return status;
}
