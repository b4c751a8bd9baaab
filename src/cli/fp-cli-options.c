// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-cli-options.h"
#include "fp-cli-user.h"

typedef struct
{
  char *by, *sort, *columns, *pid, *watch;
  gboolean percent, bytes, json, csv;
} Raw;

static gboolean
refuse (GError **error,
        const char *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error,
        const char *format,
        ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_propagate_error (error, g_error_new_valist (G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, format, arguments));
  va_end (arguments);
  return FALSE;
}

static void
raw_clear (Raw *raw)
{
  g_free (raw->by);
  g_free (raw->sort);
  g_free (raw->columns);
  g_free (raw->pid);
  g_free (raw->watch);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Raw, raw_clear)

static GOptionContext *
make_context (FpCliOptions *self,
              Raw *raw)
{
  const GOptionEntry entries[] = {
    { "by", 'b', 0, G_OPTION_ARG_STRING, &raw->by, N_ ("Sum by process, program, app, unit, user or container; mappings by kind or file"),
      N_ ("WHAT") },
    { "sort", 's', 0, G_OPTION_ARG_STRING, &raw->sort, N_ ("Sort by this column, figures from the biggest down"),
      N_ ("COLUMN") },
    { "reverse", 'r', 0, G_OPTION_ARG_NONE, &self->reverse, N_ ("Sort the other way round"), NULL },
    { "columns", 'c', 0, G_OPTION_ARG_STRING, &raw->columns,
      N_ ("Show these columns; “help” lists them, “all” shows all"), N_ ("LIST") },
    { "filter", 'f', 0, G_OPTION_ARG_STRING, &self->filter,
      N_ ("Only what matches: words, user:NAME, “pss>100M”, -not"), N_ ("TEXT") },
    { "user", 'u', 0, G_OPTION_ARG_STRING, &self->user, N_ ("Only processes of this user"), N_ ("NAME|UID") },
    { "pid", 'p', 0, G_OPTION_ARG_STRING, &raw->pid, N_ ("Only these processes"), N_ ("LIST") },
    { "all", 'a', 0, G_OPTION_ARG_NONE, &self->all,
      N_ ("Read the processes of all users; may ask for an administrator’s password"), NULL },
    { "mappings", 'm', 0, G_OPTION_ARG_NONE, &self->mappings, N_ ("Every mapping of the one process named with --pid"),
      NULL },
    { "freed", 0, 0, G_OPTION_ARG_NONE, &self->freed,
      N_ ("What ending the processes chosen with --pid, --filter or --user gives back"), NULL },
    { "system", 'S', 0, G_OPTION_ARG_NONE, &self->system, N_ ("Where the machine’s memory and swap are"), NULL },
    { "kernel", 'k', 0, G_OPTION_ARG_NONE, &self->kernel, N_ ("Kernel threads too"), NULL },
    { "watch", 'w', 0, G_OPTION_ARG_STRING, &raw->watch, N_ ("Show anew every so many seconds, until q or Ctrl+C"),
      N_ ("SECONDS") },
    { "total", 't', 0, G_OPTION_ARG_NONE, &self->total, N_ ("The sum alone"), NULL },
    { "percent", '%', 0, G_OPTION_ARG_NONE, &raw->percent, N_ ("Figures in percent of the memory, or of the swap"),
      NULL },
    { "bytes", 'B', 0, G_OPTION_ARG_NONE, &raw->bytes, N_ ("Figures in bytes"), NULL },
    { "numeric", 'n', 0, G_OPTION_ARG_NONE, &self->numeric, N_ ("Users as numbers"), NULL },
    { "json", 'j', 0, G_OPTION_ARG_NONE, &raw->json, N_ ("Write JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &raw->csv, N_ ("Write CSV"), NULL },
    { "proc", 0, 0, G_OPTION_ARG_FILENAME, &self->proc_path, N_ ("Read this folder instead of /proc"), N_ ("DIR") },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &self->save_path, N_ ("Write a snapshot of everything to a file"),
      N_ ("FILE") },
    { "open", 0, 0, G_OPTION_ARG_FILENAME, &self->open_path, N_ ("Show a saved snapshot"), N_ ("FILE") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, N_ ("Print the version"), NULL },
    G_OPTION_ENTRY_NULL
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (
      context,
      _ ("Shows where memory really goes: shared memory is divided among those who share it,\nso that the figures add up."));
  g_option_context_set_description (context, _ ("Memory is proportional (PSS), Private is what only that process has (USS), Resident is the\n"
                                                "whole with shared pages in each of their users (RSS). “—” is not known, “≤” is a bound.\n"
                                                "The columns and the search language are in footprint-cli(1)."));
  g_option_context_add_main_entries (context, entries, FP_GETTEXT_DOMAIN);
  return context;
}

static const FpColumn *
find_column (const char *id,
             FpRecordKind kind,
             GError **error)
{
  const FpColumn *column = fp_columns_find (id, kind);

  if (!column)
    refuse (error, _ ("There is no column “%s”; --columns help lists them"), id);
  return column;
}

static gboolean
parse_by (FpCliOptions *self,
          const char *by,
          GError **error)
{
  static const char *const of_processes[] = { "program", "app", "unit", "user", "container", NULL };
  static const char *const of_mappings[] = { "kind", "file", NULL };

  self->kind = self->mappings ? FP_RECORD_MAPPING : FP_RECORD_PROCESS;
  if (!by || (strcmp (by, "process") == 0 && !self->mappings))
    return TRUE;
  if (g_strv_contains (self->mappings ? of_mappings : of_processes, by))
    self->by = fp_columns_find (by, self->kind);
  if (!self->by && self->mappings)
    return refuse (error, _ ("With --mappings --by takes kind or file, not “%s”"), by);
  if (!self->by && g_strv_contains (of_mappings, by))
    return refuse (error, _ ("--by %s is about the mappings of one process: add --mappings"), by);
  if (!self->by)
    return refuse (error, _ ("--by takes process, program, app, unit, user or container, not “%s”"), by);
  self->kind = self->mappings ? FP_RECORD_FOLD : FP_RECORD_TOTAL;
  return TRUE;
}

static gboolean
parse_columns (FpCliOptions *self,
               const char *list,
               GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_auto (GStrv) ids = g_strsplit (list, ",", -1);

  if (!ids[0])
    return refuse (error, _ ("--columns takes the names of columns, with commas between them"));
  for (char **id = ids; *id; id++)
    {
      const FpColumn *column;

      if (strcmp (g_strstrip (*id), "all") == 0)
        {
          for (guint i = 0; i < fp_columns_get_n (); i++)
            if (fp_columns_get (i)->kinds & self->kind)
              g_ptr_array_add (columns, (gpointer)fp_columns_get (i));
          continue;
        }
      if (!(column = find_column (*id, self->kind, error)))
        return FALSE;
      g_ptr_array_add (columns, (gpointer)column);
    }
  g_ptr_array_add (columns, NULL);
  self->columns = (const FpColumn **)g_ptr_array_steal (columns, NULL);
  return TRUE;
}

static gboolean
parse_pids (FpCliOptions *self,
            const char *list,
            GError **error)
{
  g_auto (GStrv) words = g_strsplit_set (list, ", ", -1);
  GArray *pids = g_array_new (TRUE, FALSE, sizeof (gint));

  for (char **word = words; *word; word++)
    {
      guint64 pid;

      if (!**word)
        continue;
      if (!g_ascii_string_to_unsigned (*word, 10, 1, G_MAXINT, &pid, NULL))
        {
          g_array_unref (pids);
          return refuse (error, _ ("“%s” is no process number"), *word);
        }
      g_array_append_val (pids, (gint){ (gint)pid });
    }
  if (pids->len == 0)
    {
      g_array_unref (pids);
      return refuse (error, _ ("--pid takes process numbers"));
    }
  self->pids = (gint *)(void *)g_array_free (pids, FALSE);
  return TRUE;
}

/* In a saved snapshot may be users of another machine. */
static void
find_user (FpCliOptions *self)
{
  guint64 uid;

  if (g_ascii_string_to_unsigned (self->user, 10, 0, G_MAXUINT32, &uid, NULL))
    {
      self->has_uid = TRUE;
      self->uid = (guint32)uid;
    }
  else if (!self->open_path)
    self->has_uid = fp_cli_user_find (self->user, &self->uid);
}

/* Those that are given and would be of no effect, none dropped in silence: NULL or the first.
 * is_everything: also those that only change how it is written */
static const char *
find_useless (const FpCliOptions *self,
              const Raw *raw,
              gboolean is_everything)
{
  const struct
  {
    gboolean is_given;
    const char *name;
  } which[] = {
    { raw->by != NULL, "--by" },
    { raw->sort != NULL, "--sort" },
    { self->reverse, "--reverse" },
    { raw->columns != NULL, "--columns" },
    { self->filter != NULL, "--filter" },
    { self->user != NULL, "--user" },
    { self->pids != NULL, "--pid" },
    { self->kernel, "--kernel" },
    { self->total, "--total" },
  },
    how[] = {
      { self->mappings, "--mappings" },
      { self->system, "--system" },
      { raw->json, "--json" },
      { raw->csv, "--csv" },
      { raw->percent, "--percent" },
      { raw->bytes, "--bytes" },
      { self->numeric, "--numeric" },
    };

  for (guint i = 0; i < G_N_ELEMENTS (which); i++)
    if (which[i].is_given)
      return which[i].name;
  for (guint i = 0; i < G_N_ELEMENTS (how) && is_everything; i++)
    if (how[i].is_given)
      return how[i].name;
  return NULL;
}

/* Options about a table of processes, which it is not */
static const char *
find_beside_freed (const FpCliOptions *self,
                   const Raw *raw)
{
  const struct
  {
    gboolean is_given;
    const char *name;
  } others[] = {
    { self->mappings, "--mappings" },
    { self->system, "--system" },
    { self->save_path != NULL, "--save" },
    { raw->by != NULL, "--by" },
    { raw->sort != NULL, "--sort" },
    { self->reverse, "--reverse" },
    { raw->columns != NULL, "--columns" },
    { self->total, "--total" },
    { raw->csv, "--csv" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].is_given)
      return others[i].name;
  return NULL;
}

static gboolean
check_combination (const FpCliOptions *self,
                   const Raw *raw,
                   GError **error)
{
  const char *useless;

  if (raw->json && raw->csv)
    return refuse (error, _ ("--json and --csv exclude each other"));
  if (raw->percent && raw->bytes)
    return refuse (error, _ ("--percent and --bytes exclude each other"));
  if (self->mappings && (!self->pids || self->pids[1]))
    return refuse (error, _ ("--mappings takes one process: add --pid"));
  if (self->mappings && self->open_path)
    return refuse (error, _ ("A snapshot has no mappings"));
  if (self->mappings && self->system)
    return refuse (error, _ ("--mappings and --system exclude each other"));
  if (self->freed && !self->pids && !self->filter && !self->user)
    return refuse (error, _ ("--freed takes some processes: add --pid, --filter or --user"));
  if (self->freed && self->open_path)
    return refuse (error, _ ("A snapshot does not tell what ending its processes gives back"));
  if (self->freed && (useless = find_beside_freed (self, raw)))
    return refuse (error, _ ("--freed does not go with %s"), useless);
  if (self->open_path && self->proc_path)
    return refuse (error, _ ("--open and --proc exclude each other"));
  if (self->all && (self->open_path || self->proc_path))
    return refuse (error, _ ("--all is about the processes of this machine; it goes neither with --open nor with --proc"));
  if (raw->watch && (self->open_path || self->save_path))
    return refuse (error, _ ("--watch shows the machine as it is; it goes neither with --open nor with --save"));
  if (self->system && raw->csv)
    return refuse (error, _ ("--system is a page for people or JSON, no table for CSV"));
  if (self->save_path && self->open_path)
    return refuse (error, _ ("--save and --open exclude each other"));
  if (self->save_path && (useless = find_useless (self, raw, TRUE)))
    return refuse (error, _ ("--save writes everything there is; it does not go with %s"), useless);
  if (self->system && (useless = find_useless (self, raw, FALSE)))
    return refuse (error, _ ("--system is about the whole machine; it does not go with %s"), useless);
  if (self->mappings && self->user)
    return refuse (error, _ ("--mappings is about one process; it does not go with %s"), "--user");
  if (raw->json && raw->percent)
    return refuse (error, _ ("Figures in JSON are bytes; it does not go with --percent"));
  return TRUE;
}

static gboolean
take_raw (FpCliOptions *self,
          Raw *raw,
          GError **error)
{
  if (!parse_by (self, raw->by, error))
    return FALSE;
  if (raw->sort && !(self->sort = find_column (raw->sort, self->kind, error)))
    return FALSE;
  if (raw->columns && strcmp (raw->columns, "help") != 0 && !parse_columns (self, raw->columns, error))
    return FALSE;
  if (raw->pid && !parse_pids (self, raw->pid, error))
    return FALSE;
  if (raw->watch)
    {
      char *end;

      self->watch_seconds = g_ascii_strtod (raw->watch, &end);
      if (*end || end == raw->watch || !(self->watch_seconds >= 0.1 && self->watch_seconds <= 86400))
        return refuse (error, _ ("--watch takes seconds from 0.1 to 86400, not “%s”"), raw->watch);
    }
  self->output = raw->json ? FP_CLI_JSON : raw->csv ? FP_CLI_CSV
                                                    : FP_CLI_TABLE;
  self->style = raw->percent ? FP_STYLE_PERCENT : raw->bytes || raw->csv ? FP_STYLE_EXACT
                                                                         : FP_STYLE_IEC;
  if (!check_combination (self, raw, error))
    return FALSE;
  if (self->user)
    find_user (self);
  return TRUE;
}

gboolean
fp_cli_options_parse (FpCliOptions *self,
                      int *argc,
                      char ***argv,
                      GError **error)
{
  g_auto (Raw) raw = { 0 };
  g_autoptr (GOptionContext) context = NULL;

  *self = (FpCliOptions){ 0 };
  context = make_context (self, &raw);
  if (!g_option_context_parse (context, argc, argv, error))
    return FALSE;
  if (*argc > 1)
    return refuse (error, _ ("“%s” is no option; --help lists them"), (*argv)[1]);
  self->list_columns = raw.columns && strcmp (raw.columns, "help") == 0;
  return take_raw (self, &raw, error);
}

void
fp_cli_options_clear (FpCliOptions *self)
{
  g_free (self->columns);
  g_free (self->filter);
  g_free (self->user);
  g_free (self->pids);
  g_free (self->proc_path);
  g_free (self->save_path);
  g_free (self->open_path);
}
