// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-display.h"
#include "fp-ending-words.h"

#define LEAST_TOLD ((guint64)1 << 20) /* smaller things that stay are left out of the sentence */
#define MAX_HELD   2
#define SPAN_SIZE  (2 * FP_FIGURE_TEXT_SIZE + 32)
#define MAX_NAME   128

/* Pages of files and of shared memory are private at most as often as they are in the proportional size. */
static guint64
find_least (const FpRecords *records,
            guint index)
{
  FpFigure private = fp_records_get_figure (records, index, FP_FIELD_USS);
  guint64 others = 0;

  if (!fp_figure_is_known (private))
    return 0;
  for (guint i = 0; i < 2; i++)
    {
      FpFigure part = fp_records_get_figure (records, index, i == 0 ? FP_FIELD_PSS_FILE : FP_FIELD_PSS_SHMEM);
      FpFigure whole = fp_records_get_figure (records, index, i == 0 ? FP_FIELD_RSS_FILE : FP_FIELD_RSS_SHMEM);
      FpFigure known = fp_figure_is_known (part) ? part : whole;

      if (!fp_figure_is_known (known) || known.high > private.low)
        return 0;
      others += known.high;
    }
  return private.low - MIN (private.low, others);
}

FpEndingMember *
fp_ending_make_members (const FpRecords *records,
                        const guint *indices,
                        guint n,
                        guint *n_members)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (records);
  FpEndingMember *members = g_new0 (FpEndingMember, MAX (n, 1));
  g_autoptr (GHashTable) chosen = g_hash_table_new (NULL, NULL);
  guint n_chosen = 0;

  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = fp_process_records_get (records, indices[i]);

      if (fp_process_is_kernel_thread (process))
        continue;
      members[n_chosen++] =
          (FpEndingMember){ { process->pid, process->start_ticks }, find_least (records, indices[i]) };
      g_hash_table_insert (chosen, GINT_TO_POINTER (process->pid), &members[n_chosen - 1]);
    }
  /* A process that shares the address space and goes on keeps all of the memory. */
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *twin = &snapshot->processes[i];
      FpEndingMember *owner = twin->shares_with ? g_hash_table_lookup (chosen, GINT_TO_POINTER (twin->shares_with)) : NULL;

      if (owner && !g_hash_table_contains (chosen, GINT_TO_POINTER (twin->pid)))
        owner->least = 0;
    }
  *n_members = n_chosen;
  return members;
}

/* "1.9 to 2.0 GiB", the unit once */
static void
write_span (const FpSpan *span,
            const FpFormat *format,
            char text[SPAN_SIZE])
{
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE];
  char *unit, *other_unit;

  fp_format_kept_memory (format, fp_figure_exact (span->low), low);
  fp_format_kept_memory (format, fp_figure_exact (span->high), high);
  unit = strstr (low, "\u00a0");
  other_unit = strstr (high, "\u00a0");
  if (span->high == G_MAXUINT64)
    g_snprintf (text, SPAN_SIZE, _ ("at least %s"), low);
  else if (strcmp (low, high) == 0)
    g_strlcpy (text, low, SPAN_SIZE);
  else if (span->low == 0)
    g_snprintf (text, SPAN_SIZE, _ ("up to %s"), high);
  else
    {
      if (unit && other_unit && strcmp (unit, other_unit) == 0)
        *unit = '\0';
      /* Translators: a range, as in “1.9 to 2.0 GiB” */
      g_snprintf (text, SPAN_SIZE, _ ("%s to %s"), low, high);
    }
}

static void
write_part (const FpEndingPart *part,
            const FpFormat *format,
            char text[SPAN_SIZE])
{
  FpSpan span = { part->bytes, part->is_least ? G_MAXUINT64 : part->bytes };

  write_span (&span, format, text);
}

static guint
count_programs (const FpSnapshot *snapshot,
                const char *program)
{
  guint n = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    n += g_str_equal (fp_snapshot_get_text (snapshot, &snapshot->processes[i], FP_TEXT_PROGRAM), program);
  return n;
}

/* The program has the name it has in the list, or else the kernel’s name for it. Where several have it, its PID tells them apart. */
static void
write_holder (const FpEndingPart *part,
              const FpSnapshot *snapshot,
              char name[MAX_NAME])
{
  const FpProcess *process = snapshot && part->pid > 0 ? fp_snapshot_find (snapshot, part->pid) : NULL;
  const char *program = process ? fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM) : "";

  fp_display_escape (*program ? program : part->name, name, MAX_NAME);
  if (*program && count_programs (snapshot, program) > 1)
    {
      g_autofree char *both = g_strdup_printf ("%s (%d)", name, part->pid);

      g_strlcpy (name, both, MAX_NAME);
    }
}

static char *
describe_held (const FpEndingPart *part,
               const FpSnapshot *snapshot,
               const FpFormat *format)
{
  char amount[SPAN_SIZE], name[MAX_NAME];

  write_part (part, format, amount);
  write_holder (part, snapshot, name);
  if (part->n_others == 0)
    /* Translators: an amount of memory, and a program */
    return g_strdup_printf (_ ("%s go only when %s ends too"), amount, name);
  if (part->is_mixed)
    /* Translators: an amount of memory, a number, and a program */
    return g_strdup_printf (ngettext ("%s go only when up to %u other process, such as %s, end too",
                                      "%s go only when up to %u other processes, such as %s, end too", part->n_others + 1),
                            amount, part->n_others + 1, name);
  /* Translators: an amount of memory, a program, and a number */
  return g_strdup_printf (ngettext ("%s go only when %s and %u other process end too",
                                    "%s go only when %s and %u other processes end too", part->n_others),
                          amount, name, part->n_others);
}

static char *
describe_kept (const FpEndingPart *part,
               guint n_others,
               const FpFormat *format)
{
  char amount[SPAN_SIZE], name[FP_CELL_SIZE];

  write_part (part, format, amount);
  fp_display_escape (part->name, name, sizeof name);
  if (n_others == 0)
    /* Translators: an amount of memory, and a file */
    return g_strdup_printf (_ ("%s stay in %s"), amount, name);
  /* Translators: an amount of memory, a file, and a number */
  return g_strdup_printf (ngettext ("%s stay in %s and %u more file", "%s stay in %s and %u more files", n_others), amount,
                          name, n_others);
}

static char *
describe_span (const char *format_text,
               const FpSpan *span,
               const FpFormat *format) G_GNUC_FORMAT (1);

static char *
describe_span (const char *format_text,
               const FpSpan *span,
               const FpFormat *format)
{
  g_auto (GStrv) around = g_strsplit (format_text, "%s", 2);
  char amount[SPAN_SIZE];

  write_span (span, format, amount);
  return g_strconcat (around[0], amount, around[1], NULL);
}

/* One clause sums up all that stays, and names the largest object, which is the first. */
static void
append_kept (GString *text,
             const FpEnding *self,
             const FpFormat *format)
{
  FpEndingPart all = { .fate = FP_ENDING_STAYS };
  guint n = 0;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const FpEndingPart *part = g_ptr_array_index (self->parts, i);

      if (part->fate != FP_ENDING_STAYS || part->bytes < LEAST_TOLD)
        continue;
      if (n++ == 0)
        all.name = part->name;
      all.bytes += part->bytes;
      all.is_least |= part->is_least;
    }
  if (n > 0)
    fp_display_append_clause (text, describe_kept (&all, n - 1, format));
}

static void
append_held (GString *text,
             const FpEnding *self,
             const FpSnapshot *snapshot,
             const FpFormat *format)
{
  FpSpan rest = { 0, 0 };
  guint n = 0;

  for (guint i = 0; i < self->parts->len; i++)
    {
      const FpEndingPart *part = g_ptr_array_index (self->parts, i);

      if (part->fate != FP_ENDING_HELD || part->bytes < LEAST_TOLD)
        continue;
      if (n++ < MAX_HELD)
        fp_display_append_clause (text, describe_held (part, snapshot, format));
      else
        fp_span_add (&rest, part->bytes, part->bytes);
    }
  if (rest.low > 0)
    fp_display_append_clause (text, describe_span (_ ("%s more go only when other programs end too"), &rest, format));
}

/* memory, swap: (nullable): amounts. A language may put the verb behind them. */
static char *
describe_given_back (guint n,
                     const char *memory,
                     const char *swap)
{
  if (n == 1 && memory && swap)
    /* Translators: amounts of memory, such as “1.9 to 2.0 GiB” */
    return g_strdup_printf (_ ("Ending it gives back %s now and %s of swap"), memory, swap);
  if (n == 1 && swap)
    return g_strdup_printf (_ ("Ending it gives back nothing now and %s of swap"), swap);
  if (n == 1 && memory)
    return g_strdup_printf (_ ("Ending it gives back %s now"), memory);
  if (n == 1)
    return g_strdup (_ ("Ending it gives back nothing now"));
  if (memory && swap)
    /* Translators: a number of processes, and amounts of memory, such as “1.9 to 2.0 GiB” */
    return g_strdup_printf (ngettext ("Ending %u process gives back %s now and %s of swap",
                                      "Ending these %u gives back %s now and %s of swap", n),
                            n, memory, swap);
  if (swap)
    /* Translators: a number of processes, and an amount of swap */
    return g_strdup_printf (ngettext ("Ending %u process gives back nothing now and %s of swap",
                                      "Ending these %u gives back nothing now and %s of swap", n),
                            n, swap);
  if (memory)
    /* Translators: a number of processes, and an amount of memory */
    return g_strdup_printf (ngettext ("Ending %u process gives back %s now", "Ending these %u gives back %s now", n), n, memory);
  return g_strdup_printf (ngettext ("Ending %u process gives back nothing now", "Ending these %u gives back nothing now", n), n);
}

static char *
describe_unknown (guint n)
{
  if (n == 1)
    return g_strdup (_ ("How much memory ending it gives back is not known."));
  return g_strdup_printf (ngettext ("How much memory ending %u process gives back is not known.",
                                    "How much memory ending these %u gives back is not known.", n),
                          n);
}

char *
fp_ending_describe_least (const FpEndingMember *members,
                          guint n,
                          const FpFormat *format)
{
  FpSpan least = { 0, G_MAXUINT64 };
  char amount[SPAN_SIZE];

  for (guint i = 0; i < n; i++)
    least.low += members[i].least;
  if (n == 0)
    return NULL;
  if (least.low == 0)
    return describe_unknown (n);
  write_span (&least, format, amount);
  if (n == 1)
    /* Translators: an amount of memory, such as “at least 2.0 GiB” */
    return g_strdup_printf (_ ("Ending it gives back %s."), amount);
  /* Translators: a number of processes, and an amount of memory, such as “at least 2.0 GiB” */
  return g_strdup_printf (ngettext ("Ending %u process gives back %s.", "Ending these %u gives back %s.", n), n, amount);
}

static void
append_doubt (GString *text,
              const FpEnding *self,
              const FpFormat *format)
{
  const FpSpan span = { 0, self->doubtful };
  char amount[SPAN_SIZE];

  write_span (&span, format, amount);
  /* Translators: a number of processes, and an amount of memory, such as “up to 2.0 GiB” */
  fp_display_append_clause (text, g_strdup_printf (ngettext ("%u process that can’t be read may hold on to %s of it",
                                                             "%u processes that can’t be read may hold on to %s of it", self->n_closed),
                                                   self->n_closed, amount));
}

char *
fp_ending_describe (const FpEnding *self,
                    const FpSnapshot *snapshot,
                    const FpFormat *format)
{
  gboolean has_swap = self->swap.low > 0 || (self->swap.high > 0 && self->swap.high < G_MAXUINT64);
  char memory[SPAN_SIZE], swap[SPAN_SIZE];
  g_autofree char *given_back = NULL;
  GString *text;

  if (self->memory.low == 0 && self->memory.high == G_MAXUINT64)
    return describe_unknown (self->n);
  write_span (&self->memory, format, memory);
  write_span (&self->swap, format, swap);
  given_back = describe_given_back (self->n, self->memory.high > 0 ? memory : NULL, has_swap ? swap : NULL);
  text = g_string_new (given_back);
  if (self->n_unread == 0 && self->doubtful >= LEAST_TOLD)
    append_doubt (text, self, format);
  if (self->pool.low > 0 || (self->pool.high > 0 && self->pool.high < G_MAXUINT64))
    fp_display_append_clause (text, describe_span (_ ("%s go back to the pool of huge pages"), &self->pool, format));
  if (self->cache.low >= LEAST_TOLD)
    fp_display_append_clause (text, describe_span (_ ("%s of files stay as cache until needed"), &self->cache, format));
  append_kept (text, self, format);
  append_held (text, self, snapshot, format);
  if (self->n_unread > 0)
    fp_display_append_clause (text, g_strdup_printf (ngettext ("%u of them can’t be read", "%u of them can’t be read", self->n_unread),
                                                     self->n_unread));
  fp_display_end_sentence (text);
  return g_string_free (text, FALSE);
}

static void
write_line (const FpSpan *span,
            const char *words,
            const FpFormat *format,
            GString *out)
{
  char amount[SPAN_SIZE];

  if (span->low == 0 && (span->high == 0 || span->high == G_MAXUINT64))
    return;
  write_span (span, format, amount);
  g_string_append_printf (out, "%s\t%s\n", amount, words);
}

/* Each line has the amount, a tab, and what becomes of it. */
void
fp_ending_write_lines (const FpEnding *self,
                       const FpSnapshot *snapshot,
                       const FpFormat *format,
                       GString *out)
{
  write_line (&self->memory, _ ("given back now"), format, out);
  write_line (&self->swap, _ ("of swap given back"), format, out);
  write_line (&self->pool, _ ("back to the pool of huge pages"), format, out);
  write_line (&self->cache, _ ("of files stay as cache until needed"), format, out);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const FpEndingPart *part = g_ptr_array_index (self->parts, i);
      FpSpan span = { part->bytes, part->is_least ? G_MAXUINT64 : part->bytes };
      g_autofree char *words = NULL;
      char name[FP_CELL_SIZE];

      if (part->fate == FP_ENDING_STAYS)
        {
          fp_display_escape (part->name, name, sizeof name);
          words = g_strdup_printf (_ ("stay in %s"), name);
        }
      else
        {
          write_holder (part, snapshot, name);
          if (part->n_others == 0)
            words = g_strdup_printf (_ ("go only when %s ends too"), name);
          else if (part->is_mixed)
            /* Translators: follows an amount of memory; a number, and a program */
            words = g_strdup_printf (ngettext ("go only when up to %u other process, such as %s, end too",
                                               "go only when up to %u other processes, such as %s, end too", part->n_others + 1),
                                     part->n_others + 1, name);
          else
            /* Translators: follows an amount of memory; a program, and a number */
            words = g_strdup_printf (ngettext ("go only when %s and %u other process end too",
                                               "go only when %s and %u other processes end too", part->n_others),
                                     name, part->n_others);
        }
      write_line (&span, words, format, out);
    }
}

static void
write_json_span (FpJson *json,
                 const char *name,
                 const FpSpan *span)
{
  fp_json_begin_object (json, name);
  fp_json_add_bytes (json, "at_least", span->low);
  if (span->high == G_MAXUINT64)
    fp_json_add_text (json, "at_most", NULL);
  else
    fp_json_add_bytes (json, "at_most", span->high);
  fp_json_end_object (json);
}

static void
write_json_parts (FpJson *json,
                  const char *name,
                  const FpEnding *self,
                  FpEndingFate fate,
                  const FpSnapshot *snapshot)
{
  fp_json_begin_array (json, name);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const FpEndingPart *part = g_ptr_array_index (self->parts, i);
      char holder[MAX_NAME];

      if (part->fate != fate)
        continue;
      fp_json_begin_object (json, NULL);
      fp_json_add_bytes (json, "bytes", part->bytes);
      if (fate == FP_ENDING_STAYS)
        fp_json_add_text (json, "name", part->name);
      else
        {
          write_holder (part, snapshot, holder);
          fp_json_add_text (json, "program", holder);
          if (part->pid > 0)
            fp_json_add_number (json, "pid", part->pid);
          fp_json_add_number (json, "other_processes", part->n_others);
          fp_json_add_flag (json, "goes_in_part_before", part->is_mixed);
        }
      fp_json_add_flag (json, "is_lower_bound", part->is_least);
      fp_json_end_object (json);
    }
  fp_json_end_array (json);
}

void
fp_ending_write_json (const FpEnding *self,
                      const FpSnapshot *snapshot,
                      FpJson *json)
{
  fp_json_begin_object (json, "freed");
  fp_json_add_number (json, "processes", self->n);
  fp_json_add_number (json, "not_read", self->n_unread);
  fp_json_add_number (json, "others_not_read", self->n_closed);
  write_json_span (json, "memory", &self->memory);
  write_json_span (json, "swap", &self->swap);
  write_json_span (json, "huge_pages", &self->pool);
  write_json_span (json, "cache", &self->cache);
  fp_json_add_bytes (json, "page_tables", self->page_tables);
  fp_json_add_bytes (json, "stacks", self->stacks);
  write_json_parts (json, "stays", self, FP_ENDING_STAYS, snapshot);
  write_json_parts (json, "held", self, FP_ENDING_HELD, snapshot);
  fp_json_end_object (json);
}
