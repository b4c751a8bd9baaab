// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-display.h"
#include "fp-holder-records.h"
#include "fp-mapped-values.h"
#include "fp-mapped-words.h"
#include "fp-query-term.h"
#include "fp-restarts.h"
#include "fp-sum.h"
#include "fp-totals.h"

#define MAX_NAMED    5
#define MIN_GUESS_US G_USEC_PER_SEC /* the time that is left is guessed from no less */

/* A sum of 0 tells nothing where some may be missing. */
static FpFigure
get_least (FpFigure sum)
{
  if (sum.kind != FP_FIGURE_EXACT)
    return sum;
  return sum.low > 0 ? fp_figure_at_least (sum.low) : (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
}

/* is_part: processes that were not read may have more of it. */
static char *
describe_figures (const char *what,
                  const FpRecords *sum,
                  gboolean is_part,
                  const FpFormat *format)
{
  FpFigure memory = fp_records_get_figure (sum, 0, FP_FIELD_PSS), swap = fp_records_get_figure (sum, 0, FP_FIELD_SWAP_PSS);
  GString *text = g_string_new (what);
  char size[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, is_part ? get_least (memory) : memory, size);
  fp_display_append_fact (text, g_strdup_printf (_ ("Memory %s"), size));
  fp_sum_append_swap (text, is_part ? get_least (swap) : swap, format);
  return g_string_free (text, FALSE);
}

char *
fp_mapped_words_describe_sum (const FpRecords *records,
                              const guint *indices,
                              guint n,
                              const FpFormat *format)
{
  g_autoptr (FpRecords) sum = fp_totals_new (records, indices, n, NULL, NULL);
  const FpMappedFiles *files;
  g_autofree char *count = g_strdup_printf (ngettext ("%u file or kind of memory", "%u files and kinds of memory", n), n);

  if (n == 0)
    return g_steal_pointer (&count);
  if (fp_records_are_compared (records))
    return fp_sum_describe_compared (count, fp_records_get_before (sum, 0, FP_FIELD_PSS),
                                     fp_records_get_after (sum, 0, FP_FIELD_PSS), format);
  files = fp_mapped_records_get_files (records);
  return describe_figures (count, sum, fp_mapped_files_is_part (files) || files->n_unread > 0, format);
}

/* Says what some processes have of files. parts: of FP_RECORD_HOLDER */
char *
fp_mapped_words_describe_parts (const FpRecords *parts,
                                const guint *indices,
                                guint n,
                                const FpFormat *format)
{
  g_autoptr (FpRecords) sum = fp_totals_new (parts, indices, n, NULL, NULL);
  g_autofree char *who = NULL;
  char name[FP_CELL_SIZE], file[FP_CELL_SIZE];

  g_return_val_if_fail (n > 0, NULL);

  if (n == 1)
    {
      fp_holder_records_write_name (parts, indices[0], name, sizeof name);
      fp_display_escape (fp_text_holder_file (parts, indices[0], format), file, sizeof file);
      /* Translators: a program, and a file that it maps */
      who = g_strdup_printf (_ ("%s’s part of %s"), name, file);
    }
  else
    who = g_strdup_printf (ngettext ("%u process’s part of a file", "%u processes’ parts of files", n), n);
  if (fp_records_get_figure (sum, 0, FP_FIELD_PSS).kind == FP_FIGURE_NONE)
    return g_strdup_printf (_ ("%s · counted with a process that shares all of its memory"), who);
  return describe_figures (who, sum, FALSE, format);
}

/* NULL: no process was left out, and each file has a line of its own. */
char *
fp_mapped_words_describe_part (const FpRecords *records)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);

  if (fp_mapped_files_is_part (files))
    /* Translators: how many were read, of how many */
    return g_strdup_printf (ngettext ("Only %u of %u processes was read; the figures count what it maps.",
                                      "Only %u of %u processes were read; the figures count what these map.", files->n_tried),
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
  /* Translators: how many could not be read, of how many */
  return g_strdup_printf (ngettext ("%u of %u processes could not be read; the figures are without it.",
                                    "%u of %u processes could not be read; the figures are without them.", files->n_unread),
                          files->n_unread, n);
}

/* NULL: no other file is known to be the same program or library. */
char *
fp_mapped_words_describe_copies (const FpRecords *records,
                                 guint index,
                                 const FpFormat *format)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  const FpMappedFile *file = fp_mapped_files_get (files, index);
  const FpFileCopies *copies;
  char all[FP_FIGURE_TEXT_SIZE], one[FP_FIGURE_TEXT_SIZE];

  if (file->copies == 0)
    return NULL;
  copies = &g_array_index (files->copies, FpFileCopies, file->copies - 1);
  fp_format_kept_memory (format, fp_file_copies_get_memory (copies), all);
  fp_format_kept_memory (format, fp_figure_exact (fp_file_copies_get_least (files, copies)), one);
  /* Translators: a number, and amounts of memory */
  return g_strdup_printf (ngettext ("%u copy of it is in memory and uses %s; one would need at least %s.",
                                    "%u copies of it are in memory and use %s; one would need at least %s.", copies->n),
                          copies->n, all, one);
}

/* The processes that map a file, as FpProcessId */
GArray *
fp_mapped_words_list_holders (const FpRecords *records,
                              guint index)
{
  const FpMappedFiles *files = fp_mapped_records_get_files (records);
  const FpMappedFile *file = fp_mapped_records_get (records, index);
  GArray *holders = g_array_new (FALSE, FALSE, sizeof (FpProcessId));

  for (guint i = 0; file->n_holders > 0 && i < file->n_processes; i++)
    g_array_append_val (holders, fp_mapped_files_get_holder (files, file, i)->id);
  return holders;
}

/* NULL: no file was replaced or removed under its users, or these have ended. */
char *
fp_mapped_words_describe_outdated (const FpRecords *records,
                                   const FpSnapshot *snapshot)
{
  guint n, n_more;
  g_autoptr (GPtrArray) restarts = fp_restarts_list (records, NULL, 0, snapshot, &n);
  g_autofree char *text = NULL;

  if (restarts->len == 0)
    return NULL;
  text = fp_restarts_describe (restarts, n, MAX_NAMED, 0, &n_more);
  if (n_more == 0)
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s and %u more", "%s and %u more", n_more), text, n_more);
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
  /* Translators: how many were read, of how many */
  g_autofree char *done = g_strdup_printf (ngettext ("%u of %u process", "%u of %u processes", n), n_done, n);
  guint seconds;

  if (n_done == 0 || n_done >= n || elapsed_us < MIN_GUESS_US)
    return g_steal_pointer (&done);
  seconds = (guint)(elapsed_us * (n - n_done) / n_done / G_USEC_PER_SEC) + 1;
  /* Translators: how far the reading is, such as “3 of 200 processes”, and a number of seconds */
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
