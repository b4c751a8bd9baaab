// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "fp-cli-arguments.h"
#include "fp-cli-heap-options.h"
#include "fp-cli-options.h"
#include "fp-display.h"
#include "fp-grouping.h"
#include "fp-query-term.h"

/* The kinds of records that --by offers without --mappings */
#define BY_KINDS (FP_RECORD_PROCESS | FP_RECORD_CONTROL_GROUP | FP_RECORD_MAPPED_FILE)

typedef struct
{
  char *by, *sort, *limit, *watch, *cost, *at;
  char **columns, **users, **pids;
  gboolean percent, bytes, json, csv, help;
} Raw;

static void
raw_clear (Raw *raw)
{
  g_free (raw->by);
  g_free (raw->sort);
  g_free (raw->limit);
  g_free (raw->watch);
  g_free (raw->cost);
  g_free (raw->at);
  g_strfreev (raw->columns);
  g_strfreev (raw->users);
  g_strfreev (raw->pids);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Raw, raw_clear)

/* Free the text, which has all names that --by takes for these records. */
static char *
list_groupings (guint kinds)
{
  g_autoptr (GString) others = g_string_new (NULL);
  const char *last = NULL;

  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    if (fp_grouping_infos[i].by && (fp_grouping_infos[i].kinds & kinds))
      {
        if (last)
          fp_display_append_item (others, g_strdup (last));
        last = fp_grouping_infos[i].by;
      }
  /* Translators: the last two of a list of words */
  return g_strdup_printf (_ ("%s or %s"), others->str, last);
}

/* Values are taken as they are, not converted from the locale's charset: UTF-8 is understood in the C locale, too. */
static gboolean
parse_arguments (FpCliOptions *self,
                 Raw *raw,
                 char **argv,
                 GError **error)
{
  g_autofree char *of_processes = list_groupings (BY_KINDS), *of_mappings = list_groupings (FP_RECORD_MAPPING);
  g_autofree char *by = g_strdup_printf (_ ("Sum by %s; mappings by %s"), of_processes, of_mappings);
  const GOptionEntry entries[] = {
    { "by", 'b', 0, G_OPTION_ARG_FILENAME, &raw->by, by, N_ ("WHAT") },
    { "sort", 's', 0, G_OPTION_ARG_FILENAME, &raw->sort, N_ ("Sort by this column, largest figures first"),
      N_ ("COLUMN") },
    { "reverse", 'r', 0, G_OPTION_ARG_NONE, &self->reverse, N_ ("Reverse the order"), NULL },
    { "limit", 'l', 0, G_OPTION_ARG_FILENAME, &raw->limit, N_ ("Show only the first rows, and the sum of all"), N_ ("ROWS") },
    { "columns", 'c', 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->columns,
      N_ ("Show these columns; “help” lists them, “all” shows all"), N_ ("LIST") },
    { "filter", 'f', 0, G_OPTION_ARG_FILENAME_ARRAY, &self->filters,
      N_ ("Show only what matches: words, user:NAME, “memory>100M”, “-word” (not) and “or”"), N_ ("TEXT") },
    { "user", 'u', 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->users, N_ ("Show only processes of these users, names or numbers"),
      N_ ("LIST") },
    { "pid", 'p', 0, G_OPTION_ARG_FILENAME_ARRAY, &raw->pids, N_ ("Show only these processes"), N_ ("LIST") },
    { "all", 'a', 0, G_OPTION_ARG_NONE, &self->all,
      N_ ("Read the processes of all users; may ask for an administrator’s password"), NULL },
    { "mappings", 'm', 0, G_OPTION_ARG_NONE, &self->mappings, N_ ("Show each mapping of the process named with --pid"),
      NULL },
    { "freed", 0, 0, G_OPTION_ARG_NONE, &self->freed,
      N_ ("Show what ending the processes chosen with --pid, --filter or --user gives back"), NULL },
    { "sections", 0, 0, G_OPTION_ARG_FILENAME, &self->sections,
      N_ ("Show what the process named with --pid has of each section of a program or library"), N_ ("FILE") },
    { "malloc", 0, 0, G_OPTION_ARG_NONE, &self->malloc,
      N_ ("Show how much of the heap of the process named with --pid is in use, and how much is free"), NULL },
    { "system", 'S', 0, G_OPTION_ARG_NONE, &self->system, N_ ("Show where the machine’s memory and swap are"), NULL },
    { "kernel", 'k', 0, G_OPTION_ARG_NONE, &self->kernel, N_ ("Include kernel threads"), NULL },
    { "watch", 'w', 0, G_OPTION_ARG_FILENAME, &raw->watch, N_ ("Refresh at this interval, until q or Ctrl+C"),
      N_ ("SECONDS") },
    { "total", 't', 0, G_OPTION_ARG_NONE, &self->total, N_ ("Show only the sum"), NULL },
    { "percent", '%', 0, G_OPTION_ARG_NONE, &raw->percent, N_ ("Show figures as a percentage of the memory, or of the swap"),
      NULL },
    { "bytes", 'B', 0, G_OPTION_ARG_NONE, &raw->bytes, N_ ("Show figures in bytes"), NULL },
    { "numeric", 'n', 0, G_OPTION_ARG_NONE, &self->numeric, N_ ("Show users as numbers"), NULL },
    { "json", 'j', 0, G_OPTION_ARG_NONE, &raw->json, N_ ("Write JSON"), NULL },
    { "csv", 0, 0, G_OPTION_ARG_NONE, &raw->csv, N_ ("Write CSV"), NULL },
    { "proc", 0, 0, G_OPTION_ARG_FILENAME, &self->proc_path, N_ ("Read this folder instead of /proc"), N_ ("DIR") },
    { "save", 0, 0, G_OPTION_ARG_FILENAME, &self->save_path, N_ ("Write a snapshot of everything to a file, or to “-”"),
      N_ ("FILE") },
    { "with-commands", 0, 0, G_OPTION_ARG_NONE, &self->with_commands,
      N_ ("With --save: also the command lines, which may have passwords in them"), NULL },
    { "with-files", 0, 0, G_OPTION_ARG_NONE, &self->with_files, N_ ("With --save: also the files that processes map"), NULL },
    { "open", 0, 0, G_OPTION_ARG_FILENAME, &self->open_path, N_ ("Show a saved snapshot"), N_ ("FILE") },
    { "heap", 0, 0, G_OPTION_ARG_FILENAME, &self->heap_path,
      N_ ("Show which code allocated the memory in a heap profile, such as of heaptrack; --by function, library or stack"), N_ ("FILE") },
    { "cost", 0, 0, G_OPTION_ARG_FILENAME, &raw->cost, N_ ("With --heap: sort by peak, leaked, temporary or calls"), N_ ("COST") },
    { "at", 0, 0, G_OPTION_ARG_FILENAME, &raw->at, N_ ("With --heap: what was in use after this time, or what grew from one to another, as 1.5-3"), N_ ("SECONDS") },
    { "folded", 0, 0, G_OPTION_ARG_NONE, &self->folded, N_ ("With --heap: write folded stacks, for flame graphs"), NULL },
    { "svg", 0, 0, G_OPTION_ARG_NONE, &self->svg, N_ ("With --heap: write a flame graph as an image"), NULL },
    { "compare", 0, 0, G_OPTION_ARG_FILENAME, &self->compare_path,
      N_ ("Show what has changed since a saved snapshot: until now, or until another one that is named after it"), N_ ("FILE") },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, N_ ("Print the version"), NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &raw->help, N_ ("Print this help"), NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (GStrv) split = fp_cli_arguments_split (argv, entries);

  g_option_context_set_summary (
      context,
      _ ("Shows where memory really goes: shared memory is divided among the processes that share it,\nso that the figures add up."));
  g_option_context_set_description (context, _ ("Memory is the proportional size (PSS), Private is what only that process has (USS), Resident\n"
                                                "counts shared pages in full for each process (RSS). “—” means not known, “≤” at most,\n"
                                                "“≥” at least, and “3.1–3.9 GiB” between these two.\n"
                                                "The columns and the search language are described in footprint-cli(1)."));
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, FP_GETTEXT_DOMAIN);
  if (!g_option_context_parse_strv (context, &split, error))
    return FALSE;
  if (raw->help)
    self->help = g_option_context_get_help (context, TRUE, NULL);
  if (self->compare_path && split[1] && !split[2] && !self->open_path)
    self->open_path = g_strdup (split[1]);
  else if (split[1] && !raw->help)
    return fp_refuse_input (error, _ ("“%s” is not an option; use --filter to search, or --help to list the options"), split[1]);
  return TRUE;
}

/* A column of another list is not unknown, so the message says where it is. */
static gboolean
refuse_column (const FpCliOptions *self,
               const char *name,
               GError **error)
{
  const char *similar;

  if (fp_columns_find_named (name, FP_RECORD_PROCESS))
    return fp_refuse_input (error, _ ("The column “%s” is about single processes; leave out %s"), name,
                            self->mappings ? "--mappings" : "--by");
  if (fp_columns_find_named (name, FP_RECORD_TOTAL) && !self->mappings && !self->files)
    return fp_refuse_input (error, _ ("The column “%s” is about groups of processes; add --by"), name);
  if (fp_columns_find_named (name, FP_RECORD_MAPPING))
    return self->mappings ? fp_refuse_input (error, _ ("The column “%s” is about single mappings; leave out --by"), name)
                          : fp_refuse_input (error, _ ("The column “%s” is about mappings; add --mappings"), name);
  if (fp_columns_find_named (name, FP_RECORD_MAPPED_FILE))
    return fp_refuse_input (error, _ ("The column “%s” is about the files of all processes; use --by file without --mappings"), name);
  if (fp_columns_find_named (name, FP_RECORD_CONTROL_GROUP))
    return fp_refuse_input (error, _ ("The column “%s” is about the kernel’s control groups; use --by group"), name);
  if (fp_columns_find_named (name, FP_RECORD_FOLD))
    return fp_refuse_input (error, _ ("The column “%s” is about groups of mappings; add --mappings --by"), name);
  if (fp_columns_find_named (name, FP_RECORD_COMPARED))
    return fp_refuse_input (error, _ ("The column “%s” is about two moments; add --compare"), name);
  similar = fp_columns_find_similar (name, fp_cli_options_get_kinds (self));
  if (similar)
    return fp_refuse_input (error, _ ("There is no column “%s”; did you mean “%s”?"), name, similar);
  return fp_refuse_input (error, _ ("There is no column “%s”; --columns help lists them"), name);
}

static const FpColumn *
find_column (const FpCliOptions *self,
             const char *name,
             GError **error)
{
  const FpColumn *column = fp_columns_find_named (name, fp_cli_options_get_kinds (self));

  if (!column)
    refuse_column (self, name, error);
  return column;
}

static gboolean
parse_by (FpCliOptions *self,
          const char *by,
          GError **error)
{
  g_autofree char *lower = by ? g_ascii_strdown (by, -1) : NULL, *names = NULL;
  guint kinds = 0;

  self->kind = self->mappings ? FP_RECORD_MAPPING : FP_RECORD_PROCESS;
  if (!by)
    return TRUE;
  for (guint i = 0; i < FP_N_GROUPINGS; i++)
    {
      const FpGroupingInfo *info = &fp_grouping_infos[i];

      if (g_strcmp0 (info->by, lower) != 0)
        continue;
      kinds |= info->kinds;
      if (!self->mappings && (info->kinds == FP_RECORD_MAPPED_FILE || info->kinds == FP_RECORD_CONTROL_GROUP))
        {
          self->files = info->kinds == FP_RECORD_MAPPED_FILE;
          self->kind = info->kinds;
          return TRUE;
        }
      if (!(info->kinds & self->kind))
        continue;
      if (info->columns[0])
        {
          self->by = fp_columns_find (info->columns[0], self->kind);
          self->kind = self->mappings ? FP_RECORD_FOLD : FP_RECORD_TOTAL;
        }
      return TRUE;
    }
  if (!self->mappings && (kinds & FP_RECORD_MAPPING))
    return fp_refuse_input (error, _ ("--by %s is about the mappings of one process; add --mappings"), lower);
  names = list_groupings (self->mappings ? FP_RECORD_MAPPING : BY_KINDS);
  return self->mappings ? fp_refuse_input (error, _ ("With --mappings, --by takes %s, not “%s”"), names, lower)
                        : fp_refuse_input (error, _ ("--by takes %s, not “%s”"), names, lower);
}

/* Cuts what was given, perhaps in several options, at commas and blanks. */
static char **
split_list (char **given)
{
  g_autofree char *joined = g_strjoinv (",", given);
  g_auto (GStrv) parts = g_strsplit_set (joined, ", ", -1);
  GPtrArray *words = g_ptr_array_new ();

  for (char **part = parts; *part; part++)
    if (**part)
      g_ptr_array_add (words, g_strdup (*part));
  g_ptr_array_add (words, NULL);
  return (char **)g_ptr_array_free (words, FALSE);
}

static gboolean
parse_columns (FpCliOptions *self,
               char **given,
               GError **error)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new ();
  g_autofree char *list = g_strjoinv (",", given);
  g_auto (GStrv) names = g_strsplit (list, ",", -1);

  if (!names[0])
    return fp_refuse_input (error, _ ("--columns takes the names of columns, separated by commas"));
  for (char **name = names; *name; name++)
    {
      const FpColumn *column;

      if (strcmp (g_strstrip (*name), "all") == 0)
        {
          for (guint i = 0; i < fp_columns_get_n (); i++)
            if (fp_columns_get (i)->kinds & fp_cli_options_get_kinds (self))
              g_ptr_array_add (columns, (gpointer)fp_columns_get (i));
          continue;
        }
      if (!(column = find_column (self, *name, error)))
        return FALSE;
      g_ptr_array_add (columns, (gpointer)column);
    }
  g_ptr_array_add (columns, NULL);
  self->columns = (const FpColumn **)g_ptr_array_steal (columns, NULL);
  return TRUE;
}

static gboolean
has_pid (const GArray *pids,
         gint pid)
{
  for (guint i = 0; i < pids->len; i++)
    if (g_array_index (pids, gint, i) == pid)
      return TRUE;
  return FALSE;
}

static gboolean
parse_pids (FpCliOptions *self,
            char **given,
            GError **error)
{
  g_auto (GStrv) words = split_list (given);
  g_autoptr (GArray) pids = g_array_new (TRUE, FALSE, sizeof (gint));

  for (char **word = words; *word; word++)
    {
      guint64 pid;

      if (!g_ascii_string_to_unsigned (*word, 10, 1, G_MAXINT, &pid, NULL))
        return fp_refuse_input (error, _ ("“%s” is not a process ID"), *word);
      if (!has_pid (pids, (gint)pid))
        g_array_append_val (pids, (gint){ (gint)pid });
    }
  if (pids->len == 0)
    return fp_refuse_input (error, _ ("--pid takes process IDs"));
  self->pids = (gint *)(void *)g_array_free (g_steal_pointer (&pids), FALSE);
  return TRUE;
}

static void
clear_user (gpointer data)
{
  g_free (((FpCliUser *)data)->name);
}

static gboolean
parse_users (FpCliOptions *self,
             char **given,
             GError **error)
{
  g_auto (GStrv) words = split_list (given);

  self->users = g_array_new (FALSE, FALSE, sizeof (FpCliUser));
  g_array_set_clear_func (self->users, clear_user);
  for (char **word = words; *word; word++)
    {
      FpCliUser user = { .name = g_strdup (*word) };
      guint64 uid;

      user.has_uid = g_ascii_string_to_unsigned (*word, 10, 0, G_MAXUINT32, &uid, NULL);
      if (user.has_uid)
        user.uid = (guint32)uid;
      g_array_append_val (self->users, user);
    }
  return self->users->len > 0 || fp_refuse_input (error, _ ("--user takes names or numbers of users"));
}

/* A saved snapshot may be of another machine, whose names of users are in the snapshot alone. */
static void
look_up_users (FpCliOptions *self)
{
  for (guint i = 0; self->users && i < self->users->len && !self->open_path; i++)
    {
      FpCliUser *user = &g_array_index (self->users, FpCliUser, i);

      if (!user->has_uid)
        user->has_uid = fp_cli_user_find (user->name, &user->uid);
    }
}

/* Finds the first option that was given and would have no effect, for none is dropped in silence; or NULL.
 * is_everything: includes options that only change how it is written */
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
    { raw->limit != NULL, "--limit" },
    { raw->columns != NULL, "--columns" },
    { self->filters != NULL, "--filter" },
    { self->users != NULL, "--user" },
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
find_beside_answer (const FpCliOptions *self,
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
    { raw->limit != NULL, "--limit" },
    { self->total, "--total" },
    { raw->csv, "--csv" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].is_given)
      return others[i].name;
  return NULL;
}

static gboolean
refuse_both (GError **error,
             const char *first,
             const char *second)
{
  return fp_refuse_input (error, _ ("%s and %s cannot be used together"), first, second);
}

/* Options beside one that is about a single process, which has no table */
static const char *
find_beside_process (const FpCliOptions *self,
                     const Raw *raw)
{
  return self->freed     ? "--freed"
         : self->users   ? "--user"
         : self->filters ? "--filter"
         : self->all     ? "--all"
         : raw->watch    ? "--watch"
                         : find_beside_answer (self, raw);
}

static gboolean
check_sections (const FpCliOptions *self,
                const Raw *raw,
                GError **error)
{
  const char *useless = find_beside_process (self, raw);

  if (!self->sections)
    return TRUE;
  if (!self->pids || self->pids[1])
    return fp_refuse_input (error, _ ("--sections is about one process; name it with --pid"));
  if (self->open_path)
    return fp_refuse_input (error, _ ("A saved snapshot does not tell the sections of its files"));
  return !useless || refuse_both (error, "--sections", useless);
}

static gboolean
check_malloc (const FpCliOptions *self,
              const Raw *raw,
              GError **error)
{
  const char *useless = self->sections ? "--sections" : find_beside_process (self, raw);

  if (!self->malloc)
    return TRUE;
  if (!self->pids || self->pids[1])
    return fp_refuse_input (error, _ ("--malloc is about one process; name it with --pid"));
  if (self->open_path)
    return fp_refuse_input (error, _ ("A saved snapshot does not tell what is in the heaps of its processes"));
  return !useless || refuse_both (error, "--malloc", useless);
}

/* Options about processes, which a heap profile has none of */
static const char *
find_beside_heap (const FpCliOptions *self,
                  const Raw *raw)
{
  const struct
  {
    gboolean is_given;
    const char *name;
  } others[] = {
    { raw->sort != NULL, "--sort" },
    { self->reverse, "--reverse" },
    { raw->columns != NULL, "--columns" },
    { self->filters != NULL, "--filter" },
    { self->users != NULL, "--user" },
    { self->pids != NULL, "--pid" },
    { self->all, "--all" },
    { self->mappings, "--mappings" },
    { self->freed, "--freed" },
    { self->sections != NULL, "--sections" },
    { self->malloc, "--malloc" },
    { self->system, "--system" },
    { self->kernel, "--kernel" },
    { raw->watch != NULL, "--watch" },
    { self->total, "--total" },
    { raw->percent, "--percent" },
    { self->numeric, "--numeric" },
    { self->proc_path != NULL, "--proc" },
    { self->save_path != NULL, "--save" },
    { self->with_commands, "--with-commands" },
    { self->with_files, "--with-files" },
    { self->open_path != NULL, "--open" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (others[i].is_given)
      return others[i].name;
  return NULL;
}

/* The first two options about a heap profile of which one makes the other meaningless */
static gboolean
check_ways_of_heap (const FpCliOptions *self,
                    const Raw *raw,
                    GError **error)
{
  const struct
  {
    gboolean are_given;
    const char *first;
    const char *second;
  } pairs[] = {
    { self->compare_path && raw->at, "--compare", "--at" },
    { self->compare_path && self->folded, "--compare", "--folded" },
    { self->compare_path && self->svg, "--compare", "--svg" },
    { self->compare_path && self->heap_by == FP_HEAP_BY_STACK, "--compare", "--by stack" },
    { self->folded && raw->by, "--folded", "--by" },
    { self->folded && raw->limit, "--folded", "--limit" },
    { self->folded && raw->json, "--folded", "--json" },
    { self->folded && raw->csv, "--folded", "--csv" },
    { self->svg && raw->by, "--svg", "--by" },
    { self->svg && raw->limit, "--svg", "--limit" },
    { self->svg && raw->json, "--svg", "--json" },
    { self->svg && raw->csv, "--svg", "--csv" },
    { self->svg && self->folded, "--svg", "--folded" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    if (pairs[i].are_given)
      return refuse_both (error, pairs[i].first, pairs[i].second);
  return TRUE;
}

static gboolean
check_heap (const FpCliOptions *self,
            const Raw *raw,
            GError **error)
{
  const char *alone = raw->cost ? "--cost" : raw->at    ? "--at"
                                         : self->folded ? "--folded"
                                         : self->svg    ? "--svg"
                                                        : NULL;
  const char *useless = self->heap_path ? find_beside_heap (self, raw) : NULL;

  if (!self->heap_path && alone)
    return fp_refuse_input (error, _ ("%s is about a heap profile; add --heap"), alone);
  if (useless)
    return refuse_both (error, "--heap", useless);
  return !self->heap_path || check_ways_of_heap (self, raw, error);
}

static gboolean
check_comparison (const FpCliOptions *self,
                  const Raw *raw,
                  GError **error)
{
  const char *useless = self->mappings    ? "--mappings"
                        : self->freed     ? "--freed"
                        : self->sections  ? "--sections"
                        : self->malloc    ? "--malloc"
                        : self->save_path ? "--save"
                        : raw->watch      ? "--watch"
                                          : NULL;

  return !self->compare_path || !useless || refuse_both (error, "--compare", useless);
}

/* The kernel counts for whole groups, and a group's figures are in those of the groups around it. */
static gboolean
check_groups (const FpCliOptions *self,
              GError **error)
{
  const char *useless = self->users    ? "--user"
                        : self->pids   ? "--pid"
                        : self->kernel ? "--kernel"
                        : self->total  ? "--total"
                        : self->freed  ? "--freed"
                                       : NULL;

  return self->kind != FP_RECORD_CONTROL_GROUP || !useless || refuse_both (error, "--by group", useless);
}

static gboolean
check_combination (const FpCliOptions *self,
                   const Raw *raw,
                   GError **error)
{
  const char *useless;

  if (raw->json && raw->csv)
    return refuse_both (error, "--json", "--csv");
  if (!check_heap (self, raw, error))
    return FALSE;
  if (raw->percent && raw->bytes)
    return refuse_both (error, "--percent", "--bytes");
  if (raw->limit && self->total)
    return refuse_both (error, "--limit", "--total");
  if (self->mappings && (!self->pids || self->pids[1]))
    return fp_refuse_input (error, _ ("--mappings shows one process; name it with --pid"));
  if (self->mappings && self->open_path)
    return fp_refuse_input (error, _ ("A saved snapshot has no mappings"));
  if (self->files && (self->open_path || self->compare_path) && (self->pids || self->users))
    return fp_refuse_input (error, _ ("A saved snapshot has the files of all processes together; %s cannot choose among them"),
                            self->pids ? "--pid" : "--user");
  if (self->with_files && !self->save_path)
    return fp_refuse_input (error, _ ("--with-files says what --save writes; add --save"));
  if (self->with_commands && !self->save_path)
    return fp_refuse_input (error, _ ("--with-commands says what --save writes; add --save"));
  if (self->mappings && self->system)
    return refuse_both (error, "--mappings", "--system");
  if (self->freed && !self->pids && !self->filters && !self->users)
    return fp_refuse_input (error, _ ("--freed is about chosen processes; choose them with --pid, --filter or --user"));
  if (self->freed && self->open_path)
    return fp_refuse_input (error, _ ("A saved snapshot does not tell what ending its processes gives back"));
  if (self->freed && (useless = find_beside_answer (self, raw)))
    return refuse_both (error, "--freed", useless);
  if (!check_sections (self, raw, error) || !check_malloc (self, raw, error) || !check_comparison (self, raw, error) ||
      !check_groups (self, error))
    return FALSE;
  if (self->open_path && self->proc_path)
    return refuse_both (error, "--open", "--proc");
  if (self->all && (self->open_path || self->proc_path))
    return fp_refuse_input (error, _ ("--all reads the processes of this machine; it cannot be used with --open or --proc"));
  if (raw->watch && (self->open_path || self->save_path))
    return fp_refuse_input (error, _ ("--watch shows the machine as it is now; it cannot be used with --open or --save"));
  if (self->system && raw->csv)
    return fp_refuse_input (error, _ ("--system is not a table, so it cannot be written as CSV; use --json"));
  if (self->save_path && self->open_path)
    return refuse_both (error, "--save", "--open");
  if (self->save_path && (useless = find_useless (self, raw, TRUE)))
    return fp_refuse_input (error, _ ("--save writes everything; it cannot be used with %s"), useless);
  if (self->system && (useless = find_useless (self, raw, FALSE)))
    return fp_refuse_input (error, _ ("--system shows the whole machine; it cannot be used with %s"), useless);
  if (self->mappings && self->users)
    return fp_refuse_input (error, _ ("--mappings shows one process; it cannot be used with %s"), "--user");
  if (raw->json && raw->percent)
    return fp_refuse_input (error, _ ("Figures in JSON are bytes; --json cannot be used with --percent"));
  return TRUE;
}

static gboolean
is_help (char **columns)
{
  return columns && strcmp (columns[0], "help") == 0;
}

static gboolean
parse_watch (FpCliOptions *self,
             const char *text,
             GError **error)
{
  char *end;

  self->watch_seconds = g_ascii_strtod (text, &end);
  return (!*end && end != text && self->watch_seconds >= 0.1 && self->watch_seconds <= 86400) ||
         fp_refuse_input (error, _ ("--watch takes seconds from 0.1 to 86400, not “%s”"), text);
}

static gboolean
parse_limit (FpCliOptions *self,
             const char *text,
             GError **error)
{
  guint64 limit;

  if (!g_ascii_string_to_unsigned (text, 10, 1, G_MAXUINT, &limit, NULL))
    return fp_refuse_input (error, _ ("--limit takes a number of rows, not “%s”"), text);
  self->limit = (guint)limit;
  return TRUE;
}

static gboolean
parse_values (FpCliOptions *self,
              const Raw *raw,
              GError **error)
{
  if (!(self->heap_path ? fp_cli_heap_options_parse (self, raw->by, raw->cost, raw->at, error) : parse_by (self, raw->by, error)) ||
      (raw->sort && !(self->sort = find_column (self, raw->sort, error))) ||
      (raw->limit && !parse_limit (self, raw->limit, error)) ||
      (raw->columns && !self->list_columns && !parse_columns (self, raw->columns, error)) ||
      (raw->pids && !parse_pids (self, raw->pids, error)) ||
      (raw->users && !parse_users (self, raw->users, error)) ||
      (raw->watch && !parse_watch (self, raw->watch, error)))
    return FALSE;
  self->output = raw->json ? FP_CLI_JSON : raw->csv ? FP_CLI_CSV
                                                    : FP_CLI_TABLE;
  self->style = raw->percent ? FP_STYLE_PERCENT : raw->bytes || raw->csv ? FP_STYLE_EXACT
                                                                         : FP_STYLE_IEC;
  return check_combination (self, raw, error);
}

gboolean
fp_cli_options_parse (FpCliOptions *self,
                      char **argv,
                      GError **error)
{
  g_auto (Raw) raw = { 0 };

  *self = (FpCliOptions){ 0 };
  if (!parse_arguments (self, &raw, argv, error))
    return FALSE;
  self->list_columns = is_help (raw.columns);
  if (self->help || self->version)
    return TRUE;
  if (!parse_values (self, &raw, error))
    return FALSE;
  look_up_users (self);
  return TRUE;
}

/* Returns the kinds of columns that the rows have. */
guint
fp_cli_options_get_kinds (const FpCliOptions *self)
{
  return self->kind | (self->compare_path ? (guint)FP_RECORD_COMPARED : 0);
}

void
fp_cli_options_clear (FpCliOptions *self)
{
  g_free (self->columns);
  g_strfreev (self->filters);
  g_clear_pointer (&self->users, g_array_unref);
  g_free (self->pids);
  g_free (self->proc_path);
  g_free (self->sections);
  g_free (self->save_path);
  g_free (self->open_path);
  g_free (self->heap_path);
  g_free (self->compare_path);
  g_free (self->help);
}
