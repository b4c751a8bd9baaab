// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"
#include "fp-mapped-words.h"
#include "fp-query-term.h"
#include "fp-totals.h"

#define MAX_NAMED    5
#define MIN_GUESS_US G_USEC_PER_SEC /* the time that is left is guessed from no less */

char *
fp_mapped_words_describe_sum (const FpRecords *records,
                              const guint *indices,
                              guint n,
                              const FpFormat *format)
{
  g_autoptr (FpRecords) sum = fp_totals_new (records, indices, n, NULL, NULL);
  char memory[FP_FIGURE_TEXT_SIZE], swap[FP_FIGURE_TEXT_SIZE];
  g_autofree char *count = g_strdup_printf (ngettext ("%u file or kind of memory", "%u files and kinds of memory", n), n);

  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_PSS), memory);
  fp_figure_format (fp_records_get_figure (sum, 0, FP_FIELD_SWAP_PSS), FP_UNIT_BYTES, format->style, format->swap_total,
                    swap, sizeof swap);
  fp_figure_keep_together (swap);
  return g_strdup_printf (_ ("%s · Memory %s · Swap %s"), count, memory, swap);
}

/* NULL: no process was left out, and each file has a line of its own. */
char *
fp_mapped_words_describe_part (const FpRecords *records)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);

  if (fp_mapped_files_is_part (files))
    return g_strdup_printf (ngettext ("Only %u of %u process was read; the figures are of what it maps.",
                                      "Only %u of %u processes were read; the figures are of what these map.", files->n_processes),
                            files->n_tried, files->n_processes);
  for (guint i = 0; i < files->files->len; i++)
    if (fp_mapped_file_is_rest (fp_mapped_files_get (files, i)))
      return g_strdup (_ ("There are too many files to list; the rest is in “Other files”."));
  return NULL;
}

/* NULL: all could be read. */
char *
fp_mapped_words_describe_unread (const FpRecords *records)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  guint n = files->n_read + files->n_unread;

  if (files->n_unread == 0)
    return NULL;
  return g_strdup_printf (ngettext ("%u of %u process could not be read; the figures are without it.",
                                    "%u of %u processes could not be read; the figures are without them.", n),
                          files->n_unread, n);
}

/* The processes that map a file, as FpProcessId */
GArray *
fp_mapped_words_list_holders (const FpRecords *records,
                              guint index)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  const FpMappedFile *file = fp_mapped_records_get (records, index);
  GArray *holders = g_array_new (FALSE, FALSE, sizeof (FpProcessId));

  for (guint i = 0; i < file->n_processes; i++)
    g_array_append_val (holders, fp_mapped_files_get_holder (files, file, i)->id);
  return holders;
}

/* Services are what people restart; else it is the program. A user can call one like one of the system's, so that it is said
 * whose it is. Free the text; NULL: it has ended. */
static char *
describe_restarted (const FpSnapshot *snapshot,
                    gint pid)
{
  const FpProcess *process = fp_snapshot_find (snapshot, pid);
  g_autoptr (GString) name = g_string_new (NULL), user = g_string_new (NULL);
  const char *unit;

  if (!process)
    return NULL;
  unit = fp_snapshot_get_text (snapshot, process, FP_TEXT_UNIT);
  fp_display_append_name (name, g_str_has_suffix (unit, ".service") ? unit : fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM));
  if (process->uid == 0)
    return g_strdup (name->str);
  fp_display_append_name (user, fp_snapshot_get_text (snapshot, process, FP_TEXT_USER));
  /* Translators: a program or service, and whose it is: "postgresql.service (user postgres)" */
  return g_strdup_printf (_ ("%s (user %s)"), name->str, user->str);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static char *
join_restarted (const FpSnapshot *snapshot,
                GHashTable *pids)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GString *text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer pid;

  g_hash_table_iter_init (&iter, pids);
  while (g_hash_table_iter_next (&iter, &pid, NULL))
    {
      g_autofree char *name = describe_restarted (snapshot, GPOINTER_TO_INT (pid));

      if (!name || g_hash_table_contains (names, name))
        continue;
      g_ptr_array_add (sorted, name);
      g_hash_table_add (names, g_steal_pointer (&name));
    }
  g_ptr_array_sort (sorted, compare_names);
  for (guint i = 0; i < MIN (sorted->len, MAX_NAMED); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *)sorted->pdata[i]);
  if (sorted->len > MAX_NAMED)
    g_string_append_printf (text, ngettext (" and %u more", " and %u more", sorted->len - MAX_NAMED), sorted->len - MAX_NAMED);
  return g_string_free (text, FALSE);
}

/* Finds the processes of which a file is outdated, with those that share their memory. */
static gboolean *
find_outdated (const FpMappedFiles *files)
{
  gboolean *outdated = g_new0 (gboolean, files->n_processes + 1);

  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      const FpMappedHolder *holders = fp_mapped_files_get_holders (files, file);

      for (guint j = 0; j < file->n_holders && fp_mapped_file_is_outdated (file); j++)
        outdated[holders[j].process] |= fp_mapped_holder_is_outdated (&holders[j], file);
    }
  for (guint i = 0; i < files->n_processes; i++)
    if (files->owners[i] != FP_MAPPED_NOT_READ)
      outdated[i] |= outdated[files->owners[i]];
  return outdated;
}

/* NULL: no file was replaced or removed under its users, or these have ended. */
char *
fp_mapped_words_describe_outdated (const FpRecords *records,
                                   const FpSnapshot *snapshot)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  g_autofree gboolean *outdated = find_outdated (files);
  g_autoptr (GHashTable) pids = g_hash_table_new (NULL, NULL);
  g_autofree char *names = NULL;
  guint n;

  for (guint i = 0; i < files->n_processes; i++)
    {
      const FpProcess *process = outdated[i] ? fp_snapshot_find (snapshot, files->processes[i].id.pid) : NULL;

      if (process && fp_process_is (process, &files->processes[i].id))
        g_hash_table_add (pids, GINT_TO_POINTER (process->pid));
    }
  n = g_hash_table_size (pids);
  if (n == 0)
    return NULL;
  names = join_restarted (snapshot, pids);
  return g_strdup_printf (ngettext ("%u process still uses files that were updated or deleted since. Restart: %s",
                                    "%u processes still use files that were updated or deleted since. Restart: %s", n),
                          n, names);
}

char *
fp_mapped_words_describe_age (gint64 age_us)
{
  guint minutes = (guint)(age_us / G_USEC_PER_SEC / 60), hours = minutes / 60;

  if (hours > 0)
    return g_strdup_printf (ngettext ("Read %u hour ago", "Read %u hours ago", hours), hours);
  if (minutes > 0)
    return g_strdup_printf (ngettext ("Read %u minute ago", "Read %u minutes ago", minutes), minutes);
  return g_strdup (_ ("Read just now"));
}

char *
fp_mapped_words_describe_progress (guint n_done,
                                   guint n,
                                   gint64 elapsed_us)
{
  g_autofree char *done = g_strdup_printf (ngettext ("%u of %u process", "%u of %u processes", n), n_done, n);
  guint seconds;

  if (n_done == 0 || n_done >= n || elapsed_us < MIN_GUESS_US)
    return g_steal_pointer (&done);
  seconds = (guint)(elapsed_us * (n - n_done) / n_done / G_USEC_PER_SEC) + 1;
  return g_strdup_printf (_ ("%s, about %u s left"), done, seconds);
}

/* Makes a search that finds the file of a mapping among all files. NULL: it belongs to none. */
char *
fp_mapped_words_make_search (const FpRecords *mappings,
                             guint index)
{
  FpMapping mapping;

  fp_mapping_records_get_facts (mappings, index, &mapping);
  if (mapping.inode == 0 || !mapping.name || !*mapping.name)
    return NULL;
  return fp_query_term_make ("file", mapping.name);
}
