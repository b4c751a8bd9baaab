// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"
#include "folders.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-csv.h"
#include "fp-cli-file.h"
#include "fp-cli-files.h"
#include "fp-cli-freed.h"
#include "fp-cli-heap-comparison.h"
#include "fp-cli-heap.h"
#include "fp-cli-sections.h"
#include "fp-cli-json.h"
#include "fp-cli-malloc.h"
#include "fp-cli-system.h"
#include "fp-cli-terminal.h"
#include "fp-display.h"
#include "fp-helper-protocol.h"

#define EXIT_FAILED  1
#define EXIT_USAGE   2
#define CLEAR_SCREEN "\033[H\033[2J"

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

/* Says which moments are compared. */
static void
print_moments (const FpCliView *view,
               GString *out)
{
  const guint64 times[] = { view->before->info.realtime_us, view->snapshot->info.realtime_us };
  char words[G_N_ELEMENTS (times)][FP_FIGURE_TEXT_SIZE];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    fp_figure_format (fp_figure_exact (times[i]), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, words[i], sizeof words[i]);
  /* Translators: two times or files that are compared */
  g_string_append_printf (out, _ ("Before: %s, after: %s"), words[0], words[1]);
  g_string_append (out, view->options->system ? "\n" : "\n\n");
}

/* A table of last week looks like one of now. */
static void
print_moment (const FpCliView *view,
              GString *out)
{
  char moment[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (view->snapshot->info.realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, moment, sizeof moment);
  /* Translators: a time of day or a date */
  g_string_append_printf (out, _ ("Saved snapshot: %s."), moment);
  g_string_append (out, view->options->system ? "\n" : "\n\n");
}

static void
print_body (const FpCliView *view,
            const FpCliPaper *paper,
            GString *out,
            GString *notes)
{
  if (view->before)
    print_moments (view, out);
  else if (view->options->open_path)
    print_moment (view, out);
  if (view->options->system)
    fp_cli_system_print (view, paper, out);
  else
    fp_cli_table_print (view, paper, out, notes);
}

/* Rows that a screen has room for below the header, and above the sum and as many lines of notes */
static guint
count_rows (guint n_lines,
            guint n_below)
{
  guint left = n_lines - MIN (n_lines, n_below + 1);

  return left > 3 ? left - 2 : 1;
}

/* Leaves out rows where the screen is too low, never the header, the sum or the notes. With fewer rows the table is no
 * wider, so that its notes do not get longer the second time. */
static void
print_for_people (const FpCliView *view,
                  gboolean is_watching,
                  GString *out)
{
  g_autoptr (GString) body = g_string_new (NULL), notes = g_string_new (NULL), more = g_string_new (NULL);
  FpCliPaper paper;
  guint n_lines, n_notes;

  fp_cli_terminal_measure (&paper, &n_lines);
  fp_cli_notes_print (view, &paper, notes);
  n_notes = count_lines (notes->str);
  if (is_watching && n_lines)
    paper.n_lines = count_rows (n_lines, n_notes);
  print_body (view, &paper, body, more);
  if (is_watching && n_lines)
    {
      if (more->len > 0)
        {
          paper.n_lines = count_rows (n_lines, n_notes + count_lines (more->str));
          g_string_truncate (body, 0);
          g_string_truncate (more, 0);
          print_body (view, &paper, body, more);
        }
      keep_lines (body, n_lines - MIN (n_lines, n_notes + count_lines (more->str) + 1));
      g_string_append (out, CLEAR_SCREEN);
    }
  g_string_append_len (out, body->str, (gssize)body->len);
  g_string_append_len (out, notes->str, (gssize)notes->len);
  g_string_append_len (out, more->str, (gssize)more->len);
  if (is_watching && !n_lines)
    g_string_append_c (out, '\n');
}

static gboolean
print_freed (const FpCliView *view,
             FpCliTurn turn,
             GString *out,
             GError **error)
{
  FpCliPaper paper;
  guint n_lines;

  if (view->options->output == FP_CLI_JSON)
    return fp_cli_freed_print_json (view, turn == FP_CLI_ONCE, out, error);
  fp_cli_terminal_measure (&paper, &n_lines);
  if (turn != FP_CLI_ONCE && n_lines)
    g_string_append (out, CLEAR_SCREEN);
  return fp_cli_freed_print (view, &paper, out, error);
}

/* The table is UTF-8 in every locale, and so are messages: g_printerr() would put "?" for quotes in the C locale. */
static void
print_message (const char *format,
               ...) G_GNUC_PRINTF (1, 2);

static void
print_message (const char *format,
               ...)
{
  g_autofree char *text = NULL, *valid = NULL, *line = NULL;
  char shown[FP_CELL_SIZE];
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (text, -1);
  fp_display_escape (valid, shown, sizeof shown);
  line = g_strconcat (shown, "\n", NULL);
  fp_cli_terminal_write_to (STDERR_FILENO, line, strlen (line), NULL);
}

/* A table of figures has no place for what they do not include. */
static void
print_beside (const FpCliView *view)
{
  g_autofree char *unread = view->options->files ? fp_cli_files_describe_unread (view) : NULL;

  if (unread)
    print_message ("footprint-cli: %s", unread);
}

static gboolean
print_sections (const FpCliView *view,
                GString *out,
                GError **error)
{
  return view->options->output == FP_CLI_JSON ? fp_cli_sections_print_json (view, TRUE, out, error)
                                              : fp_cli_sections_print (view, out, error);
}

static gboolean
print_malloc (const FpCliView *view,
              GString *out,
              GError **error)
{
  return view->options->output == FP_CLI_JSON ? fp_cli_malloc_print_json (view, TRUE, out, error)
                                              : fp_cli_malloc_print (view, out, error);
}

static gboolean
print_view (const FpCliView *view,
            FpCliTurn turn,
            GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  if (view->options->freed)
    return print_freed (view, turn, out, error) && fp_cli_terminal_write (out->str, out->len, error);
  if (view->options->sections)
    return print_sections (view, out, error) && fp_cli_terminal_write (out->str, out->len, error);
  if (view->options->malloc)
    return print_malloc (view, out, error) && fp_cli_terminal_write (out->str, out->len, error);
  switch (view->options->output)
    {
    case FP_CLI_JSON:
      fp_cli_json_print (view, turn == FP_CLI_ONCE, out);
      break;
    case FP_CLI_CSV:
      fp_cli_csv_print (view, turn, out);
      if (turn != FP_CLI_AGAIN)
        print_beside (view);
      break;
    case FP_CLI_TABLE:
    default:
      print_for_people (view, turn != FP_CLI_ONCE, out);
      break;
    }
  return fp_cli_terminal_write (out->str, out->len, error);
}

static gboolean
show (const FpCliOptions *options,
      FpCliReader *reader,
      const FpProcessId *ids,
      const FpCliMoments *moments,
      FpCliTurn turn,
      GError **error)
{
  g_auto (FpCliView) view = { 0 };

  return fp_cli_view_init (&view, options, reader, ids, moments, error) && print_view (&view, turn, error);
}

static void
append_pid (GString *list,
            gint pid)
{
  fp_display_append_item (list, g_strdup_printf ("%d", pid));
}

/* Says which processes of --pid there are not. That is an error only if none is left to be shown. */
static gboolean
check_pids (const FpCliOptions *options,
            const FpCliMoments *moments,
            gboolean *is_partial,
            GError **error)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint n_missing = 0, n = 0;

  for (const gint *pid = options->pids; pid && *pid; pid++, n++)
    if (!fp_snapshot_find (moments->snapshot, *pid) && !(moments->before && fp_snapshot_find (moments->before, *pid)))
      {
        append_pid (list, *pid);
        n_missing++;
      }
  *is_partial = n_missing > 0;
  if (n_missing == 0)
    return TRUE;
  if (n_missing < n)
    print_message (ngettext ("footprint-cli: There is no process %s", "footprint-cli: There are no processes %s", n_missing),
                   list->str);
  else
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
                 ngettext ("There is no process %s", "There are no processes %s", n_missing), list->str);
  return n_missing < n;
}

/* Notes the start times, so that a PID that is used again is not taken for the same process. 0-terminated. */
static GArray *
find_ids (const FpCliOptions *options,
          const FpSnapshot *snapshot)
{
  GArray *ids = g_array_new (TRUE, TRUE, sizeof (FpProcessId));

  for (const gint *pid = options->pids; pid && *pid; pid++)
    {
      const FpProcess *process = fp_snapshot_find (snapshot, *pid);

      if (process)
        g_array_append_val (ids, ((FpProcessId){ *pid, process->start_ticks }));
    }
  return ids;
}

static gboolean
have_ended (const GArray *ids,
            const FpSnapshot *snapshot)
{
  for (guint i = 0; i < ids->len; i++)
    {
      const FpProcessId *id = &g_array_index (ids, FpProcessId, i);
      const FpProcess *process = fp_snapshot_find_same (snapshot, id);

      if (process && process->reason != FP_REASON_ZOMBIE && process->reason != FP_REASON_ENDED)
        return FALSE;
    }
  return ids->len > 0;
}

static void
report_ended (const GArray *ids)
{
  g_autoptr (GString) list = g_string_new (NULL);

  for (guint i = 0; i < ids->len; i++)
    append_pid (list, g_array_index (ids, FpProcessId, i).pid);
  print_message (ngettext ("footprint-cli: Process %s has ended", "footprint-cli: Processes %s have ended", ids->len),
                 list->str);
}

/* Checks the options before the screen is switched, so that a message stays to be read. */
static gboolean
begin_watch (const FpCliOptions *options,
             FpCliReader *reader,
             FpSnapshot *snapshot,
             GArray **ids,
             gboolean *is_partial,
             GError **error)
{
  const FpCliMoments moments = { .snapshot = snapshot };
  g_auto (FpCliView) trial = { 0 };

  if (!check_pids (options, &moments, is_partial, error) || !fp_cli_view_init (&trial, options, reader, NULL, &moments, error))
    return FALSE;
  *ids = find_ids (options, snapshot);
  fp_cli_terminal_begin_watch ();
  return TRUE;
}

/* Whether the process ended after it was listed and before its mappings were read. That is no error. */
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
       gboolean *is_partial,
       GError **error)
{
  g_autoptr (GArray) ids = NULL;
  FpCliTurn turn = FP_CLI_FIRST;
  gboolean is_over = FALSE;
  gboolean ok;

  do
    {
      g_autoptr (FpSnapshot) snapshot = fp_cli_reader_collect (reader, error);

      ok = snapshot && (ids || begin_watch (options, reader, snapshot, &ids, is_partial, error));
      is_over = ok && have_ended (ids, snapshot);
      if (!ok || is_over)
        break;
      ok = show (options, reader, (const FpProcessId *)(void *)ids->data, &(FpCliMoments){ .snapshot = snapshot }, turn, error);
      turn = FP_CLI_AGAIN;
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

/* is_partial: set where some of what was asked for is not there */
static gboolean
run (const FpCliOptions *options,
     gboolean *is_partial,
     GError **error)
{
  g_auto (FpCliMoments) moments = { 0 };
  g_autoptr (FpCliReader) reader = NULL;

  if (options->compare_path &&
      !(moments.before = fp_cli_file_open (options->compare_path, &moments.files_before, &moments.groups_before, error)))
    return FALSE;
  if (options->open_path)
    moments.snapshot = fp_cli_file_open (options->open_path, &moments.files, &moments.groups, error);
  else
    reader = fp_cli_reader_new (options);
  if (reader && options->watch_seconds > 0)
    return watch (options, reader, is_partial, error);
  if (reader)
    moments.snapshot = fp_cli_reader_collect (reader, error);
  if (!moments.snapshot)
    return FALSE;
  if (options->with_files && !(moments.files = fp_cli_files_read_all (reader, moments.snapshot, error)))
    return FALSE;
  if (options->save_path)
    {
      moments.groups = fp_cli_reader_read_groups (reader);
      return fp_cli_file_save (moments.snapshot, moments.files, moments.groups, options->with_commands, options->save_path, error);
    }
  return check_pids (options, &moments, is_partial, error) && show (options, reader, NULL, &moments, FP_CLI_ONCE, error);
}

static int
report (const GError *error)
{
  const char *advice = NULL;

  if (error->domain == FP_HELPER_ERROR && error->code != FP_HELPER_ERROR_CANCELLED)
    advice = fp_helper_error_get_advice ((FpHelperError)error->code);
  print_message ("footprint-cli: %s", error->message);
  if (advice)
    print_message ("%s", advice);
  return error->domain == G_OPTION_ERROR ? EXIT_USAGE : EXIT_FAILED;
}

int
main (int argc,
      char *argv[])
{
  /* A program in the build folder has them beside it; gettext(1) knows the variable. */
  const char *translations = g_getenv ("TEXTDOMAINDIR");
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = NULL;
  gboolean is_partial = FALSE;
  FpCliOptions options;
  int status = 0;

  setlocale (LC_ALL, "");
  bindtextdomain (FP_GETTEXT_DOMAIN, translations ? translations : FP_LOCALE_DIR);
  bind_textdomain_codeset (FP_GETTEXT_DOMAIN, "UTF-8");
  textdomain (FP_GETTEXT_DOMAIN);

  text = g_string_new (NULL);
  if (!fp_cli_options_parse (&options, argv, &error))
    status = report (error);
  else if (options.help)
    g_string_append (text, options.help);
  else if (options.version)
    g_string_append (text, "footprint-cli " FP_VERSION "\n");
  else if (options.list_columns)
    fp_cli_columns_print (text);
  else if (options.heap_path && options.compare_path)
    status = fp_cli_heap_comparison_print (&options, text, &error) ? 0 : report (error);
  else if (options.heap_path)
    status = fp_cli_heap_print (&options, text, &error) ? 0 : report (error);
  else if (!run (&options, &is_partial, &error))
    status = report (error);
  else if (is_partial)
    status = EXIT_FAILED;
  if (text->len && !fp_cli_terminal_write (text->str, text->len, &error))
    status = report (error);
  fp_cli_options_clear (&options);
  return status;
}
