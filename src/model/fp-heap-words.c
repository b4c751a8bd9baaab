// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-heap-comparison.h"
#include "fp-heap-words.h"

#define MOST_PERCENT 75 /* of the peak: this much is worth to be told */
#define MAX_PLACES   5

const FpHeapCostInfo fp_heap_cost_infos[FP_HEAP_N_COSTS] = {
  [FP_HEAP_PEAK] = { "peak", N_ ("At Peak"), FP_UNIT_BYTES },
  [FP_HEAP_LEAKED] = { "leaked", N_ ("Never Freed"), FP_UNIT_BYTES },
  [FP_HEAP_TEMPORARY] = { "temporary", N_ ("Temporary"), FP_UNIT_COUNT },
  [FP_HEAP_CALLS] = { "calls", N_ ("Allocations"), FP_UNIT_COUNT },
};

const char *
fp_heap_get_cost_title (const FpHeapProfile *profile,
                        FpHeapCost cost)
{
  if (cost == FP_HEAP_LEAKED && profile->is_snapshot)
    return _ ("In Use");
  /* Some of it may have been freed later. */
  if (cost == FP_HEAP_LEAKED && profile->condition != FP_HEAP_COMPLETE)
    return _ ("In Use at the End");
  return _ (fp_heap_cost_infos[cost].title);
}

static void
format_bytes (guint64 bytes,
              FpFigureStyle style,
              char *text)
{
  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, style, 0, text, FP_FIGURE_TEXT_SIZE);
  fp_figure_keep_together (text);
}

static char *
format_count (guint64 n)
{
  return g_strdup_printf ("%'" G_GUINT64_FORMAT, n);
}

/* Free it. */
char *
fp_heap_format_time (guint64 time_ms)
{
  guint64 seconds = time_ms / 1000;

  if (time_ms < 1000)
    /* Translators: milliseconds */
    return g_strdup_printf (_ ("%u ms"), (guint)time_ms);
  if (seconds < 120)
    /* Translators: seconds */
    return g_strdup_printf (_ ("%.1f s"), (double)(time_ms / 100) / 10);
  if (seconds < 7200)
    /* Translators: minutes and seconds */
    return g_strdup_printf (_ ("%u min %u s"), (guint)(seconds / 60), (guint)(seconds % 60));
  /* Translators: hours and minutes */
  return g_strdup_printf (_ ("%u h %u min"), (guint)(seconds / 3600), (guint)(seconds / 60 % 60));
}

/* Free it. */
char *
fp_heap_format_range (guint64 from_ms,
                      guint64 to_ms)
{
  g_autofree char *from = fp_heap_format_time (from_ms), *to = fp_heap_format_time (to_ms);

  /* Translators: two times of a recording */
  return g_strdup_printf (_ ("From %s to %s"), from, to);
}

/* Gets the name of a function; of one that is not known, where it is. Free it. */
char *
fp_heap_name_function (const FpHeapProfile *profile,
                       guint32 node)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);

  if (frame->function)
    return g_strdup (fp_heap_profile_get_text (profile, frame->function));
  if (frame->module)
    {
      g_autofree char *library = fp_heap_name_library (profile, node);

      /* Translators: a function of this library, whose name is not known */
      return g_strdup_printf (_ ("unknown in %s"), library);
    }
  return g_strdup (_ ("unknown"));
}

/* Free it. */
char *
fp_heap_name_library (const FpHeapProfile *profile,
                      guint32 node)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);

  return frame->module ? g_path_get_basename (fp_heap_profile_get_text (profile, frame->module)) : g_strdup ("—");
}

/* "84 % from two places"; NULL where it is spread over many. One place is named. */
static char *
describe_places (const FpHeapProfile *profile,
                 FpHeapCost cost)
{
  g_autoptr (GArray) places = fp_heap_places_new (profile, profile->stacks, FP_HEAP_BY_FUNCTION);
  guint64 total = fp_heap_stack_get_cost (&profile->total, cost), sum = 0;
  guint n = 0;

  fp_heap_places_sort (places, cost);
  while (n < places->len && n < MAX_PLACES && (double)sum * 100 < (double)total * MOST_PERCENT)
    sum += fp_heap_stack_get_cost (&g_array_index (places, FpHeapPlace, n++).own, cost);
  if (total == 0 || n == 0 || (double)sum * 100 < (double)total * MOST_PERCENT)
    return NULL;
  if (n == 1)
    {
      g_autofree char *name = fp_heap_name_function (profile, g_array_index (places, FpHeapPlace, 0).node);

      /* Translators: percent of the memory, and the function that allocated it */
      return g_strdup_printf (_ ("%.0f %% from %s"), (double)sum * 100 / (double)total, name);
    }
  /* Translators: a percentage of the memory, and a number of functions that allocated it */
  return g_strdup_printf (ngettext ("%.0f %% from %u function", "%.0f %% from %u functions", n), (double)sum * 100 / (double)total, n);
}

static char *
describe_held (const FpHeapProfile *profile,
               FpFigureStyle style)
{
  const FpHeapHeld *peak = &profile->total.peak;
  g_autofree char *time = fp_heap_format_time (profile->peak_ms), *n = format_count (peak->blocks);
  char size[FP_FIGURE_TEXT_SIZE];

  format_bytes (peak->bytes, style, size);
  if (peak->blocks == 0 && profile->has_times)
    /* Translators: a time since the start, and an amount of memory */
    return g_strdup_printf (_ ("At its peak, after %s, it held %s"), time, size);
  if (peak->blocks == 0)
    return g_strdup_printf (_ ("At its peak it held %s"), size);
  if (profile->has_times)
    /* Translators: a time since the start, an amount of memory, and a number */
    return g_strdup_printf (ngettext ("At its peak, after %s, it held %s in %s block",
                                      "At its peak, after %s, it held %s in %s blocks", (gulong)peak->blocks),
                            time, size, n);
  /* Translators: an amount of memory, and a number */
  return g_strdup_printf (ngettext ("At its peak it held %s in %s block",
                                    "At its peak it held %s in %s blocks", (gulong)peak->blocks),
                          size, n);
}

static char *
describe_left (const FpHeapProfile *profile,
               FpFigureStyle style)
{
  char size[FP_FIGURE_TEXT_SIZE];

  format_bytes (profile->total.leaked.bytes, style, size);
  if (profile->is_snapshot)
    return g_strdup_printf (_ ("%s was in use at the last moment"), size);
  if (profile->condition != FP_HEAP_COMPLETE)
    return g_strdup_printf (_ ("%s was still in use where the file ends"), size);
  if (profile->total.leaked.bytes == 0)
    return g_strdup (_ ("all of it was freed"));
  return g_strdup_printf (_ ("%s was never freed"), size);
}

/* "At its peak, after 3.2 s, it held 11.2 MiB in 61,204 blocks; 84 % from 2 places; 1.1 MiB was never freed." Free it. */
char *
fp_heap_describe (const FpHeapProfile *profile,
                  FpFigureStyle style)
{
  GString *text;
  gboolean has_peak = profile->known & 1 << FP_HEAP_PEAK, has_left = profile->known & 1 << FP_HEAP_LEAKED;
  g_autofree char *n = format_count (profile->total.calls);
  char *places;

  if (profile->total.calls == 0 && profile->total.peak.bytes == 0 && profile->total.leaked.bytes == 0)
    return g_strdup (_ ("Nothing was allocated."));
  text = g_string_new (NULL);
  if (has_peak)
    fp_display_append_clause (text, describe_held (profile, style));
  else if (has_left)
    fp_display_append_clause (text, describe_left (profile, style));
  places = describe_places (profile, has_peak ? FP_HEAP_PEAK : has_left ? FP_HEAP_LEAKED
                                                                        : FP_HEAP_CALLS);
  if (places)
    fp_display_append_clause (text, places);
  if (has_peak && has_left)
    fp_display_append_clause (text, describe_left (profile, style));
  if (text->len == 0)
    g_string_printf (text, ngettext ("%s allocation", "%s allocations", (gulong)profile->total.calls), n);
  fp_display_end_sentence (text);
  return g_string_free (text, FALSE);
}

/* stacks: as they changed in this range. Free it. */
char *
fp_heap_describe_range (const GArray *stacks,
                        guint64 from_ms,
                        guint64 to_ms,
                        FpFigureStyle style)
{
  g_autofree char *range = fp_heap_format_range (from_ms, to_ms), *n = NULL;
  guint64 grown = 0, calls = 0;
  char size[FP_FIGURE_TEXT_SIZE];

  for (guint i = 0; i < stacks->len; i++)
    {
      grown += g_array_index (stacks, FpHeapStack, i).peak.bytes;
      calls += g_array_index (stacks, FpHeapStack, i).calls;
    }
  format_bytes (grown, style, size);
  n = format_count (calls);
  /* Translators: a range of time, a number and a size */
  return g_strdup_printf (ngettext ("%s: %s allocation; where memory grew, it grew by %s.",
                                    "%s: %s allocations; where memory grew, it grew by %s.", (gulong)calls),
                          range, n, size);
}

/* stacks: as they were at this time. Free it. */
char *
fp_heap_describe_moment (const GArray *stacks,
                         guint64 time_ms,
                         FpFigureStyle style)
{
  g_autofree char *time = fp_heap_format_time (time_ms), *n = NULL;
  FpHeapHeld held = { 0 };
  char size[FP_FIGURE_TEXT_SIZE];

  for (guint i = 0; i < stacks->len; i++)
    {
      held.bytes += g_array_index (stacks, FpHeapStack, i).leaked.bytes;
      held.blocks += g_array_index (stacks, FpHeapStack, i).leaked.blocks;
    }
  format_bytes (held.bytes, style, size);
  n = format_count (held.blocks);
  /* Translators: a time since the start, an amount of memory, and a number */
  return g_strdup_printf (ngettext ("After %s it held %s in %s block.",
                                    "After %s it held %s in %s blocks.", (gulong)held.blocks),
                          time, size, n);
}

/* Writes how far two costs are apart. text: of FP_FIGURE_TEXT_SIZE */
static void
format_distance (guint64 before,
                 guint64 after,
                 FpHeapCost cost,
                 FpFigureStyle style,
                 char *text)
{
  fp_figure_format (fp_figure_exact (MAX (before, after) - MIN (before, after)), fp_heap_cost_infos[cost].unit, style, 0, text,
                    FP_FIGURE_TEXT_SIZE);
  fp_figure_keep_together (text);
}

/* "“B” holds 3.1 MiB more at its peak than “A”". names: of the earlier file and of the later one. Free it. */
static char *
describe_files (guint64 before,
                guint64 after,
                FpHeapCost cost,
                const char *const names[2],
                FpFigureStyle style)
{
  const char *earlier = names[0], *later = names[1];
  char size[FP_FIGURE_TEXT_SIZE];

  format_distance (before, after, cost, style, size);
  if (cost == FP_HEAP_PEAK && before == after)
    /* Translators: two files */
    return g_strdup_printf (_ ("“%s” holds as much at its peak as “%s”"), later, earlier);
  if (cost == FP_HEAP_PEAK)
    /* Translators: a file, memory, and another file */
    return g_strdup_printf (after > before ? _ ("“%s” holds %s more at its peak than “%s”") : _ ("“%s” holds %s less at its peak than “%s”"), later, size,
                            earlier);
  if (cost == FP_HEAP_LEAKED && before == after)
    /* Translators: two files with heap profiles, the later one first */
    return g_strdup_printf (_ ("“%s” has as much in use at its end as “%s”"), later, earlier);
  if (cost == FP_HEAP_LEAKED)
    /* Translators: a file, memory, and another file */
    return g_strdup_printf (after > before ? _ ("“%s” has %s more in use at its end than “%s”") : _ ("“%s” has %s less in use at its end than “%s”"), later,
                            size, earlier);
  if (before == after)
    /* Translators: two files with heap profiles, the later one first */
    return g_strdup_printf (_ ("“%s” makes as many allocations as “%s”"), later, earlier);
  /* Translators: a file, a number, and another file */
  return g_strdup_printf (after > before ? _ ("“%s” makes %s more allocations than “%s”") : _ ("“%s” makes %s fewer allocations than “%s”"), later, size,
                          earlier);
}

/* "84 % of it from read_rows"; the function that changed most by itself where others went the other way; NULL: nothing has
 * changed. Free it. */
static char *
describe_cause (const FpHeapExcerpt *excerpt,
                guint64 before,
                guint64 after,
                FpHeapCost cost,
                FpFigureStyle style)
{
  const FpHeapProfile *profile = excerpt->tree->profile;
  g_autoptr (GArray) pairs = fp_heap_pairs_new (profile, excerpt->before, excerpt->stacks, FP_HEAP_BY_FUNCTION, cost);
  g_autofree char *name = NULL;
  const FpHeapPair *first;
  double whole = (double)after - (double)before, own;
  char size[FP_FIGURE_TEXT_SIZE];

  if (pairs->len == 0)
    return NULL;
  first = &g_array_index (pairs, FpHeapPair, 0);
  name = fp_heap_name_function (profile, first->node);
  own = (double)first->after - (double)first->before;
  if (before != after && own / whole > 0 && own / whole <= 1)
    /* Translators: percent of a change, and the function that it is from */
    return g_strdup_printf (_ ("%.0f %% of it from %s"), own / whole * 100, name);
  format_distance (first->before, first->after, cost, style, size);
  /* Translators: a function, and by how much it has changed */
  return g_strdup_printf (own > 0 ? _ ("%s has %s more") : _ ("%s has %s less"), name, size);
}

/* Takes both. cause: (nullable) */
static char *
join_sentence (char *head,
               char *cause)
{
  GString *text = g_string_new (NULL);

  fp_display_append_clause (text, head);
  if (cause)
    fp_display_append_clause (text, cause);
  fp_display_end_sentence (text);
  return g_string_free (text, FALSE);
}

/* Temporary allocations alone say little. */
static FpHeapCost
choose_cost (guint known)
{
  if (known & 1 << FP_HEAP_PEAK)
    return FP_HEAP_PEAK;
  return known & 1 << FP_HEAP_LEAKED ? FP_HEAP_LEAKED : FP_HEAP_CALLS;
}

/* "“B” holds 3.1 MiB more at its peak than “A”; 84 % of it from read_rows." names: of the earlier file and of the later one. Free
 * it. */
char *
fp_heap_describe_files (const FpHeapExcerpt *excerpt,
                        const FpHeapProfile *before,
                        const FpHeapProfile *after,
                        const char *const names[2],
                        FpFigureStyle style)
{
  FpHeapCost cost = choose_cost (excerpt->known);
  guint64 old = fp_heap_stack_get_cost (&before->total, cost), new = fp_heap_stack_get_cost (&after->total, cost);

  return join_sentence (describe_files (old, new, cost, names, style), describe_cause (excerpt, old, new, cost, style));
}

/* Gets a moment as it stands in a sentence: "after 2.5 s". Free it. */
char *
fp_heap_name_moment (FpHeapWhen moment)
{
  g_autofree char *time = moment.is_peak ? NULL : fp_heap_format_time (moment.time_ms);

  /* Translators: the moment when most was in use, as in “Choose another moment to compare with what it held at its peak.” */
  return moment.is_peak ? g_strdup (_ ("at its peak")) : g_strdup_printf (_ ("after %s"), time);
}

static char *
compare_with_peak (const char *now,
                   guint64 before,
                   guint64 after,
                   const char *size)
{
  if (before == after)
    /* Translators: a time of a recording, such as “2.5 s” */
    return g_strdup_printf (_ ("After %s it holds as much as at its peak"), now);
  /* Translators: a time of a recording, such as “2.5 s”, and an amount of memory */
  return g_strdup_printf (after > before ? _ ("After %s it holds %s more than at its peak") : _ ("After %s it holds %s less than at its peak"), now,
                          size);
}

static char *
compare_peak (const char *then,
              guint64 before,
              guint64 after,
              const char *size)
{
  if (before == after)
    /* Translators: a time of a recording, such as “2.5 s” */
    return g_strdup_printf (_ ("At its peak it holds as much as after %s"), then);
  /* Translators: an amount of memory, and a time of a recording, such as “2.5 s” */
  return g_strdup_printf (after > before ? _ ("At its peak it holds %s more than after %s") : _ ("At its peak it holds %s less than after %s"), size,
                          then);
}

static char *
compare_times (const char *then,
               const char *now,
               guint64 before,
               guint64 after,
               const char *size)
{
  if (before == after)
    /* Translators: two times of a recording, such as “2.5 s” */
    return g_strdup_printf (_ ("After %s it holds as much as after %s"), now, then);
  /* Translators: a time of a recording, such as “2.5 s”, an amount of memory, and another time */
  return g_strdup_printf (after > before ? _ ("After %s it holds %s more than after %s") : _ ("After %s it holds %s less than after %s"), now, size,
                          then);
}

/* "After 4.0 s it holds 3.8 MiB less than at its peak; 79 % of it from read_rows." then: the moment that is compared with. Free it. */
char *
fp_heap_describe_moments (const FpHeapExcerpt *excerpt,
                          FpHeapWhen then,
                          FpHeapWhen now,
                          FpFigureStyle style)
{
  guint64 old = fp_heap_stacks_sum (excerpt->before).peak.bytes, new = fp_heap_stacks_sum (excerpt->stacks).peak.bytes;
  g_autofree char *before = fp_heap_format_time (then.time_ms), *after = fp_heap_format_time (now.time_ms);
  char size[FP_FIGURE_TEXT_SIZE];
  char *head;

  format_distance (old, new, FP_HEAP_PEAK, style, size);
  if (now.is_peak)
    head = compare_peak (before, old, new, size);
  else
    head = then.is_peak ? compare_with_peak (after, old, new, size) : compare_times (before, after, old, new, size);
  return join_sentence (head, describe_cause (excerpt, old, new, FP_HEAP_PEAK, style));
}

/* Says how much is missing, and how figures are to be taken; NULL where there is nothing to say. Free it. */
char *
fp_heap_describe_condition (const FpHeapProfile *profile)
{
  g_autoptr (GPtrArray) sentences = g_ptr_array_new ();
  g_autofree char *n_lines = format_count (profile->n_bad_lines);
  g_autofree char *lines = NULL;

  if (profile->condition == FP_HEAP_CUT_OFF)
    g_ptr_array_add (sentences, _ ("The file ends too early. Anything recorded later is missing."));
  else if (profile->condition == FP_HEAP_DAMAGED)
    g_ptr_array_add (sentences, _ ("The file is damaged. Everything after the damage is missing."));
  if (profile->n_bad_lines > 0)
    {
      lines = g_strdup_printf (ngettext ("%s line could not be read.", "%s lines could not be read.", (gulong)profile->n_bad_lines), n_lines);
      g_ptr_array_add (sentences, lines);
    }
  if (profile->is_attached)
    g_ptr_array_add (sentences, _ ("Recording began while the program was running. Earlier allocations are missing."));
  if (profile->is_raw)
    g_ptr_array_add (sentences, _ ("This raw recording has no function names."));
  if (!profile->is_whole_known)
    g_ptr_array_add (sentences, _ ("Small allocations count in the totals but are not listed."));
  if (sentences->len == 0)
    return NULL;
  g_ptr_array_add (sentences, NULL);
  return g_strjoinv (" ", (char **)sentences->pdata);
}
