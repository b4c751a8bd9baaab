// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison.h"
#include "fp-display.h"
#include "fp-machine-state.h"
#include "fp-sum.h"

#define MAX_MEMBERS 10

/* Sums only the fields that are described. All fields of all processes would take a sixth of a refresh. */
static FpRecords *
sum_up (const FpRecords *records,
        const guint *indices,
        guint n)
{
  const guint64 one = 1;

  return fp_totals_new_of_fields (records, indices, n,
                                  one << FP_FIELD_PSS | one << FP_FIELD_USS | one << FP_FIELD_SWAP_PSS);
}

/* A machine without swap needs no word about swap that is not known. */
void
fp_sum_append_swap (GString *text,
                    FpFigure swap,
                    const FpFormat *format)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (format->swap_total == 0 && swap.kind != FP_FIGURE_EXACT && swap.low == 0)
    return;
  fp_figure_format (swap, FP_UNIT_BYTES, format->style, format->swap_total, size, sizeof size);
  fp_figure_keep_together (size);
  fp_display_append_fact (text, g_strdup_printf (_ ("Swap %s"), size));
}

/* The lines of the view of the machine, which add up to its memory, in words. No line is broken before a figure.
 * kept: (nullable); NULL: the machine does not tell. */
char *
fp_sum_describe_machine (const FpSystem *system,
                         const FpRecords *sum,
                         const FpKept *kept,
                         const FpFormat *format)
{
  GString *text = g_string_new (NULL);
  char figure[2 * FP_FIGURE_TEXT_SIZE];
  FpMachineState state;

  if (!fp_machine_state_make (&state, system, fp_totals_get (sum, 0), kept))
    return g_string_free (text, TRUE);
  for (FpMachineLine i = 0; i < FP_N_MACHINE_LINES; i++)
    {
      if (state.lines[i].low == 0 && state.lines[i].high == 0)
        continue;
      fp_machine_ends_format (state.lines[i], format, FALSE, figure, sizeof figure);
      fp_figure_keep_together (figure);
      g_string_append_printf (text, "%s%s\u00a0%s", text->len > 0 ? " + " : "", _ (fp_machine_line_infos[i].title), figure);
    }
  fp_format_kept_memory (format, fp_figure_exact ((guint64)state.total), figure);
  g_string_append_printf (text, " =\u00a0%s", figure);
  return g_string_free (text, FALSE);
}

/* The two are of different moments, and a sum of many roundings. NULL: they agree; free the text */
static char *
compare_with_kernel (FpMachineEnds counted,
                     FpFigure summed,
                     const char *figure)
{
  const double leeway = (double)counted.high / 100;

  if ((double)counted.low - leeway > (double)summed.high)
    /* Translators: an amount of memory */
    return g_strdup_printf (_ ("The kernel counts %s for all programs together. What is missing here belongs to no process that could be read, or came while they were read."), figure);
  if ((double)counted.high + leeway < (double)summed.low)
    /* Translators: an amount of memory */
    return g_strdup_printf (_ ("The kernel counts %s for all programs together. They changed here while they were read one after another."), figure);
  return NULL;
}

/* Says how much the kernel counts for all programs at one moment, which the sum of processes that were read one after another
 * need not be. NULL: it does not tell, or tells the same */
char *
fp_sum_describe_programs (const FpSystem *system,
                          const FpRecords *sum,
                          const FpFormat *format)
{
  char figure[2 * FP_FIGURE_TEXT_SIZE];
  g_autoptr (GString) text = g_string_new (NULL);
  char *difference;
  FpMachineState state;
  guint64 swapped;

  if (!fp_machine_state_make (&state, system, fp_totals_get (sum, 0), NULL))
    return NULL;
  fp_machine_ends_format (state.lines[FP_MACHINE_PROGRAMS], format, FALSE, figure, sizeof figure);
  fp_figure_keep_together (figure);
  if (fp_system_get (system, FP_SYSTEM_HIDDEN_TASKS) > 0)
    /* Translators: an amount of memory */
    g_string_append_printf (text, _ ("All programs together had %s, with those that can’t be seen here."), figure);
  else if ((difference = compare_with_kernel (state.lines[FP_MACHINE_PROGRAMS], fp_records_get_figure (sum, 0, FP_FIELD_PSS), figure)))
    fp_display_append_sentence (text, difference);
  if (!fp_system_get_swap_used (system, &swapped) || swapped <= fp_records_get_figure (sum, 0, FP_FIELD_SWAP_PSS).low)
    return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
  fp_figure_format (fp_figure_exact (swapped), FP_UNIT_BYTES, format->style, format->swap_total, figure, FP_FIGURE_TEXT_SIZE);
  fp_figure_keep_together (figure);
  /* Translators: an amount of memory */
  fp_display_append_sentence (text, g_strdup_printf (_ ("%s of swap is used in all, also by files and by memory of no process that was measured."), figure));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
fp_sum_describe_total (const FpRecords *sum,
                       const FpFormat *format)
{
  const FpTotal *total = fp_totals_get (sum, 0);
  GString *text = g_string_new (NULL);
  char memory[FP_FIGURE_TEXT_SIZE];

  g_string_append_printf (text, ngettext ("%u process", "%u processes", total->n_members), total->n_members);
  /* Kernel threads have no memory. */
  if (fp_records_get_figure (sum, 0, FP_FIELD_PSS).kind == FP_FIGURE_NONE)
    return g_string_free (text, FALSE);
  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_PSS), memory);
  fp_display_append_fact (text, g_strdup_printf (_ ("Memory %s"), memory));
  fp_sum_append_swap (text, fp_records_get_figure (sum, 0, FP_FIELD_SWAP_PSS), format);
  if (total->n_unread > 0)
    /* Translators: so many processes */
    fp_display_append_fact (text, g_strdup_printf (ngettext ("%u not measured", "%u not measured", total->n_unread), total->n_unread));
  return g_string_free (text, FALSE);
}

/* count: how many there are of what, with those that have ended */
char *
fp_sum_describe_compared (const char *count,
                          FpFigure before,
                          FpFigure after,
                          const FpFormat *format)
{
  char texts[3][FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, before, texts[0]);
  fp_format_kept_memory (format, after, texts[1]);
  fp_format_kept_memory (format, fp_figure_change (before, after), texts[2]);
  /* Translators: “3 processes · Memory 30 MiB before, 42 MiB after: +12 MiB” */
  return g_strdup_printf (_ ("%s · Memory %s before, %s after: %s"), count, texts[0], texts[1], texts[2]);
}

char *
fp_sum_describe_rows (const FpRecords *records,
                      const guint *indices,
                      guint n,
                      const FpFormat *format)
{
  g_autoptr (FpRecords) sum = sum_up (records, indices, n);
  g_autofree char *count = NULL;

  if (!fp_records_are_compared (records))
    return fp_sum_describe_total (sum, format);
  count = g_strdup_printf (ngettext ("%u process", "%u processes", n), n);
  return fp_sum_describe_compared (count, fp_records_get_before (sum, 0, FP_FIELD_PSS),
                                   fp_records_get_after (sum, 0, FP_FIELD_PSS), format);
}

/* Says how long ago a process was read whose figures have become ranges. A sum has no such time. */
static char *
describe_uncertain (const FpRecords *records,
                    guint index,
                    const char *memory)
{
  const FpProcess *process =
      records->class->kind == FP_RECORD_PROCESS ? fp_process_records_get (records, index) : NULL;
  guint64 now_us, seconds;

  if (!process)
    return g_strdup_printf (_ ("Uses %s; some of it has changed since it was read."), memory);
  if (process->measured_us == 0)
    return g_strdup_printf (_ ("Uses %s, as far as that is known before it is read whole."), memory);
  now_us = fp_process_records_get_snapshot (records)->info.boottime_us;
  seconds = (now_us - MIN (process->measured_us, now_us)) / G_USEC_PER_SEC;
  /* Translators: an amount of memory, such as “between 1.2 and 1.4 GiB” */
  return g_strdup_printf (ngettext ("Uses %s: it was read %u second ago, and it has changed since.",
                                    "Uses %s: it was read %u seconds ago, and it has changed since.", (gulong)seconds),
                          memory, (guint)seconds);
}

static char *
describe_range (const FpRecords *records,
                guint index,
                FpFigure pss,
                const FpFormat *format)
{
  char memory[FP_FIGURE_WORDS_SIZE];

  if (!fp_figure_describe (pss, FP_UNIT_BYTES, format->style, format->memory_total, memory, sizeof memory))
    return g_strdup_printf (_ ("Uses %s."), memory);
  return describe_uncertain (records, index, memory);
}

/* Private memory and the share of what is shared are told apart only where one reading gave both. */
static char *
describe_memory (const FpRecords *records,
                 guint index,
                 const FpFormat *format)
{
  FpFigure uss = fp_records_get_figure (records, index, FP_FIELD_USS);
  FpFigure pss = fp_records_get_figure (records, index, FP_FIELD_PSS);
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE], own[FP_FIGURE_TEXT_SIZE], common[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, fp_figure_exact (pss.low), low);
  fp_format_kept_memory (format, fp_figure_exact (pss.high), high);
  fp_format_kept_memory (format, fp_figure_exact (uss.low), own);
  fp_format_kept_memory (format, fp_figure_exact (pss.low - MIN (uss.low, pss.low)), common);
  if (uss.kind == FP_FIGURE_EXACT && pss.kind == FP_FIGURE_EXACT && uss.low >= pss.low && pss.low > 0)
    return g_strdup_printf (_ ("Uses %s, all of it by itself."), low);
  if (uss.kind == FP_FIGURE_EXACT && pss.kind == FP_FIGURE_EXACT && records->class->kind & FP_RECORD_TOTAL)
    /* Translators: amounts of memory of several processes together */
    return g_strdup_printf (_ ("Uses %s: %s that its processes have for themselves, and %s of what several share."), low, own, common);
  if (uss.kind == FP_FIGURE_EXACT && pss.kind == FP_FIGURE_EXACT)
    /* Translators: amounts of memory */
    return g_strdup_printf (_ ("Uses %s by itself and %s as its share of what it has in common with others."), own, common);
  if (pss.kind == FP_FIGURE_EXACT)
    return g_strdup_printf (_ ("Uses %s."), low);
  if (pss.kind == FP_FIGURE_AT_MOST)
    return g_strdup_printf (_ ("Uses at most %s; how much of that it shares is not measured."), high);
  if (pss.kind == FP_FIGURE_RANGE && pss.high != G_MAXUINT64)
    return describe_range (records, index, pss, format);
  if (pss.kind == FP_FIGURE_RANGE || pss.kind == FP_FIGURE_PARTIAL)
    return g_strdup_printf (_ ("Uses at least %s; some of it is not measured."), low);
  return g_strdup (pss.kind == FP_FIGURE_NONE ? _ ("Has no memory of its own.") : _ ("Its memory is not known."));
}

static void
append_swap_range (GString *text,
                   FpFigure swap,
                   const FpFormat *format)
{
  char words[FP_FIGURE_WORDS_SIZE];

  fp_figure_describe (swap, FP_UNIT_BYTES, format->style, format->swap_total, words, sizeof words);
  fp_display_append_sentence (text, g_strdup_printf (_ ("It also has %s in swap."), words));
}

static void
append_kills (GString *text,
              const FpEndedFacts *ended)
{
  if (ended->n_kills > 0)
    fp_display_append_sentence (text, g_strdup_printf (ngettext ("The kernel killed %u process at that time because memory ran out.",
                                                                 "The kernel killed %u processes at that time because memory ran out.",
                                                                 ended->n_kills),
                                                       ended->n_kills));
}

static char *
describe_ended (const FpEndedFacts *ended,
                const FpFormat *format)
{
  GString *text;
  char peak[FP_FIGURE_TEXT_SIZE], lasted[FP_FIGURE_TEXT_SIZE], moment[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, ended->peak, peak);
  fp_figure_format (fp_figure_exact (ended->lasted_us), FP_UNIT_MICROSECONDS, FP_STYLE_IEC, 0, lasted, sizeof lasted);
  fp_figure_format (fp_figure_exact (ended->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, moment, sizeof moment);
  fp_figure_keep_together (lasted);
  if (ended->n > 1)
    /* Translators: a number, a time of day or a date, an amount of memory, and how long */
    return g_strdup_printf (ngettext ("%u process of this program has ended, the last at %s. Its peak was %s, and it ran for %s.",
                                      "%u processes of this program have ended, the last at %s. The highest peak was %s, and the longest ran for %s.",
                                      ended->n),
                            ended->n, moment, peak, lasted);
  text = g_string_new (NULL);
  /* Translators: a time of day or a date, how long it ran, and an amount of memory */
  g_string_printf (text, _ ("It ended at %s, after %s. Its peak was %s of memory and swap."), moment, lasted, peak);
  append_kills (text, ended);
  return g_string_free (text, FALSE);
}

/* Describes a process, or a sum of processes, and leaves out figures that were not measured. */
char *
fp_sum_describe_use (const FpRecords *records,
                     guint index,
                     const FpFormat *format)
{
  FpFigure swap = fp_records_get_figure (records, index, FP_FIELD_SWAP_PSS);
  g_autofree char *memory = describe_memory (records, index, format);
  char swapped[FP_FIGURE_TEXT_SIZE];
  GString *text;

  if (records->class->kind == FP_RECORD_PROCESS && fp_process_records_get_ended (records, index))
    return describe_ended (fp_process_records_get_ended (records, index), format);
  if (fp_process_records_is_over (records, index))
    return g_strdup (_ ("It has ended, and its memory is free again."));
  if (records->class->kind & FP_RECORD_TOTAL && fp_totals_get (records, index)->n_members == 0)
    return g_strdup (_ ("There is nothing to add up."));
  text = g_string_new (memory);
  fp_figure_format (swap, FP_UNIT_BYTES, format->style, format->swap_total, swapped, sizeof swapped);
  fp_figure_keep_together (swapped);
  if (swap.kind == FP_FIGURE_EXACT && swap.low > 0)
    fp_display_append_sentence (text, g_strdup_printf (_ ("%s more is in swap."), swapped));
  if (swap.kind == FP_FIGURE_RANGE)
    append_swap_range (text, swap, format);
  return g_string_free (text, FALSE);
}

static int
compare_memory (gconstpointer a,
                gconstpointer b,
                gpointer records)
{
  FpFigure first = fp_records_get_figure (records, *(const guint *)a, FP_FIELD_PSS);
  FpFigure second = fp_records_get_figure (records, *(const guint *)b, FP_FIELD_PSS);

  return fp_figure_compare (first, second, TRUE);
}

/* A line each, its memory before a tab, the largest first; indices get into that order. */
char *
fp_sum_describe_members (const FpRecords *records,
                         guint *indices,
                         guint n,
                         const FpFormat *format)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (records);
  GString *text = g_string_new (NULL);

  g_qsort_with_data (indices, (gint)n, sizeof *indices, compare_memory, (gpointer)records);
  for (guint i = 0; i < MIN (n, MAX_MEMBERS); i++)
    {
      const FpProcess *process = fp_process_records_get (records, indices[i]);
      char name[256], memory[FP_FIGURE_TEXT_SIZE];

      fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), name, sizeof name);
      fp_format_kept_memory (format, fp_records_get_figure (records, indices[i], FP_FIELD_PSS), memory);
      g_string_append_printf (text, "%s%s\t%s (%d)", i > 0 ? "\n" : "", memory, *name ? name : "—", process->pid);
    }
  if (n > MAX_MEMBERS)
    {
      g_string_append_c (text, '\n');
      /* Translators: the last line of a list of processes */
      g_string_append_printf (text, ngettext ("and %u more", "and %u more", n - MAX_MEMBERS), n - MAX_MEMBERS);
    }
  return g_string_free (text, FALSE);
}

/* The kernel rounds each mapping's down, so they come to a little less than the process's own. */
char *
fp_sum_describe_mappings (const FpRecords *sum,
                          const FpFormat *format)
{
  guint n = fp_totals_get (sum, 0)->n_members;
  char memory[FP_FIGURE_TEXT_SIZE], own[FP_FIGURE_TEXT_SIZE], swap[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_PSS), memory);
  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_USS), own);
  fp_figure_format (fp_records_get_figure (sum, 0, FP_FIELD_SWAP_PSS), FP_UNIT_BYTES, format->style, format->swap_total, swap,
                    sizeof swap);
  fp_figure_keep_together (swap);
  /* Translators: a number, and amounts of memory */
  return g_strdup_printf (ngettext ("%u mapping · Memory %s (rounded down) · Private %s · Swap %s",
                                    "%u mappings · Memory %s (each rounded down) · Private %s · Swap %s", n),
                          n, memory, own, swap);
}

char *
fp_sum_describe_changes (const FpRecords *sum,
                         const FpFormat *format)
{
  char memory[FP_FIGURE_TEXT_SIZE], size[FP_FIGURE_TEXT_SIZE];

  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_PSS), memory);
  fp_format_kept_memory (format, fp_records_get_figure (sum, 0, FP_FIELD_SIZE), size);
  /* Translators: two changes, such as “+12 MiB” */
  return g_strdup_printf (_ ("Since the mark: memory %s, address space %s"), memory, size);
}
