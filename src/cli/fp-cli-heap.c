// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-heap.h"
#include "fp-cli-heap-cells.h"
#include "fp-cli-heap-file.h"
#include "fp-cli-terminal.h"
#include "fp-display.h"
#include "fp-export.h"
#include "fp-flame-svg.h"
#include "fp-heap-folded.h"
#include "fp-heap-words.h"
#include "fp-query-term.h"

#define PERCENT_WIDTH 8

/* Translators: title of a column: what a function and all that it calls allocated */
static const char callees[] = NC_ ("column", "Callees");

typedef struct
{
  const FpCliOptions *options;
  FpHeapProfile *profile;
  guint known; /* a bit for each cost */
  FpHeapCost cost;
  GArray *stacks; /* of FpHeapStack: at the end, or at the moment or in the range that was asked for */
  GArray *places; /* of FpHeapPlace, sorted */
  guint n_rows;
  guint64 from_ms;
  guint64 at_ms;
} Answer;

static void
answer_clear (Answer *self)
{
  g_clear_pointer (&self->stacks, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->profile, fp_heap_profile_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

/* A file that says nothing is no reason to refuse what was not asked for. */
static gboolean
choose_cost (Answer *self,
             GError **error)
{
  return fp_cli_heap_choose_cost (self->options, self->known, &self->cost) || !self->options->has_heap_cost ||
         fp_refuse_input (error, _ ("The file does not say “%s”"), fp_heap_cost_infos[self->cost].id);
}

static gboolean
choose_stacks (Answer *self,
               GError **error)
{
  if (!self->options->has_heap_at)
    {
      self->stacks = g_array_ref (self->profile->stacks);
      return TRUE;
    }
  self->from_ms = self->options->heap_from_ms;
  self->at_ms = self->options->heap_at_ms;
  self->stacks = self->options->has_heap_from ? fp_heap_profile_dup_stacks_between (self->profile, &self->from_ms, &self->at_ms)
                                              : fp_heap_profile_dup_stacks_at (self->profile, self->at_ms, &self->at_ms);
  return self->stacks || fp_refuse_input (error, _ ("The file does not say what was in use at other times"));
}

/* Leaves out places of no cost. */
static void
count_rows (Answer *self)
{
  while (self->n_rows < self->places->len)
    {
      const FpHeapPlace *place = &g_array_index (self->places, FpHeapPlace, self->n_rows);

      if (fp_heap_stack_get_cost (&place->own, self->cost) == 0 || (self->options->limit && self->n_rows >= self->options->limit))
        break;
      self->n_rows++;
    }
}

static const FpHeapPlace *
get_place (const Answer *self,
           guint row)
{
  return &g_array_index (self->places, FpHeapPlace, row);
}

static void
append_figure (const Answer *self,
               GString *out,
               const char *title,
               FpHeapCost cost,
               guint64 value)
{
  const FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };

  fp_cli_heap_append_figure (self->options, title, cost, self->known & 1 << cost ? fp_figure_exact (value) : unknown, out);
}

/* Gets the title of the column that is sorted by. */
static const char *
get_title (const Answer *self)
{
  gboolean is_cut_short = self->profile->condition != FP_HEAP_COMPLETE;

  /* The sentence above says when. */
  if ((self->options->has_heap_at && self->cost < FP_HEAP_TEMPORARY) || (self->cost == FP_HEAP_LEAKED && is_cut_short))
    /* Translators: title of a column: how much more memory was in use at the end of a time */
    return self->options->has_heap_from ? _ ("Growth") : _ ("In Use");
  return fp_heap_get_cost_title (self->profile, self->cost);
}

static void
append_percent (const char *text,
                GString *out)
{
  g_string_append_printf (out, "%*s", PERCENT_WIDTH, text);
}

/* "inner ← outer", as far as there is room */
static char *
name_path (const FpHeapProfile *profile,
           guint32 node)
{
  GString *path = g_string_new (NULL);

  if (!node)
    /* Translators: a function that has no name */
    g_string_append (path, _ ("unknown"));
  for (; node; node = fp_heap_profile_get_parent (profile, node))
    {
      g_autofree char *name = fp_heap_name_function (profile, node);

      g_string_append_printf (path, "%s%s", path->len > 0 ? " ← " : "", name);
    }
  return g_string_free (path, FALSE);
}

/* A file has room for all of a name, and a line that is full has none for less than it. */
static void
append_name (const FpCliPaper *paper,
             GString *out,
             const char *name,
             guint used,
             guint room)
{
  guint width = paper->width > used ? MIN (paper->width - used, room) : room;

  fp_cli_heap_append_name (name, paper->width == 0 || width < 4 ? G_MAXINT : width, out);
}

/* Goes on at a column of the line that begins there. */
static void
append_gap (GString *out,
            gsize begin,
            guint column)
{
  guint used = fp_display_width (out->str + begin);

  g_string_append_printf (out, "%*s", (int)(MAX (column, used) - used) + 2, "");
}

static void
append_row (const Answer *self,
            const FpCliPaper *paper,
            guint64 total,
            const FpHeapPlace *place,
            GString *out)
{
  gboolean is_by_stack = self->options->heap_by == FP_HEAP_BY_STACK;
  guint64 own = fp_heap_stack_get_cost (&place->own, self->cost);
  g_autofree char *percent = g_strdup_printf ("%.1f %%", (double)own * 100 / (double)MAX (total, 1)), *name = NULL, *library = NULL;
  gsize begin = out->len;
  guint used;

  append_figure (self, out, get_title (self), self->cost, own);
  append_percent (percent, out);
  if (!is_by_stack)
    append_figure (self, out, g_dpgettext2 (NULL, "column", callees), self->cost, fp_heap_stack_get_cost (&place->all, self->cost));
  if (self->cost != FP_HEAP_CALLS)
    append_figure (self, out, fp_heap_get_cost_title (self->profile, FP_HEAP_CALLS), FP_HEAP_CALLS, place->own.calls);
  g_string_append (out, "  ");
  used = fp_display_width (out->str + begin);
  if (self->options->heap_by == FP_HEAP_BY_LIBRARY)
    name = fp_heap_name_library (self->profile, place->node);
  else
    name = is_by_stack ? name_path (self->profile, place->node) : fp_heap_name_function (self->profile, place->node);
  append_name (paper, out, name, used, self->options->heap_by == FP_HEAP_BY_FUNCTION ? FP_CLI_HEAP_NAME_WIDTH : G_MAXINT);
  if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
    {
      library = fp_heap_name_library (self->profile, place->node);
      append_gap (out, begin, used + FP_CLI_HEAP_NAME_WIDTH);
      append_name (paper, out, library, fp_display_width (out->str + begin), G_MAXINT);
    }
  g_string_append_c (out, '\n');
}

static void
append_header (const Answer *self,
               const FpCliPaper *paper,
               GString *out)
{
  /* Translators: title of a column: a function with all of its callers */
  static const char *const titles[] = { N_ ("Function"), N_ ("Library"), N_ ("Stack") };
  const char *title = get_title (self), *calls = fp_heap_get_cost_title (self->profile, FP_HEAP_CALLS);
  gsize begin;

  g_string_append (out, paper->colour ? "\033[1m" : "");
  begin = out->len;
  fp_cli_heap_append_cell (title, title, out);
  append_percent ("%", out);
  if (self->options->heap_by != FP_HEAP_BY_STACK)
    fp_cli_heap_append_cell (g_dpgettext2 (NULL, "column", callees), g_dpgettext2 (NULL, "column", callees), out);
  if (self->cost != FP_HEAP_CALLS)
    fp_cli_heap_append_cell (calls, calls, out);
  g_string_append_printf (out, "  %s", _ (titles[self->options->heap_by]));
  if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
    {
      append_gap (out, begin, fp_display_width (out->str + begin) - fp_display_width (_ (titles[0])) + FP_CLI_HEAP_NAME_WIDTH);
      g_string_append (out, _ (titles[FP_HEAP_BY_LIBRARY]));
    }
  g_string_append_printf (out, "%s\n", paper->colour ? "\033[0m" : "");
}

/* Free it. */
static char *
describe (const Answer *self)
{
  if (self->options->has_heap_from)
    return fp_heap_describe_range (self->stacks, self->from_ms, self->at_ms, self->options->style);
  return self->options->has_heap_at ? fp_heap_describe_moment (self->stacks, self->at_ms, self->options->style)
                                    : fp_heap_describe (self->profile, self->options->style);
}

static void
print_svg (const Answer *self,
           GString *out)
{
  g_autoptr (FpHeapTree) tree = fp_heap_tree_new (self->profile);
  g_autofree char *sentence = describe (self);
  g_auto (FpFlame) flame = { 0 };

  fp_flame_init (&flame, &(FpHeapExcerpt){ .tree = tree, .stacks = self->stacks }, self->cost, self->options->style);
  fp_flame_svg_write (&flame, 0, sentence, out);
}

static void
print_table (const Answer *self,
             GString *out)
{
  g_autofree char *sentence = describe (self);
  g_autofree char *condition = fp_heap_describe_condition (self->profile);
  FpHeapStack all = fp_heap_stacks_sum (self->stacks);
  FpCliPaper paper;
  guint n_lines;

  fp_cli_terminal_measure (&paper, &n_lines);
  g_string_append_printf (out, "%s\n", sentence);
  if (condition)
    g_string_append_printf (out, "%s\n", condition);
  if (self->n_rows == 0)
    return;
  g_string_append_c (out, '\n');
  append_header (self, &paper, out);
  for (guint i = 0; i < self->n_rows; i++)
    append_row (self, &paper, fp_heap_stack_get_cost (&all, self->cost), get_place (self, i), out);
}

static void
add_costs (const Answer *self,
           FpJson *json,
           const char *name,
           const FpHeapStack *costs)
{
  fp_json_begin_object (json, name);
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    if (self->known & 1 << cost)
      fp_json_add_bytes (json, fp_heap_cost_infos[cost].id, fp_heap_stack_get_cost (costs, cost));
    else
      fp_json_add_text (json, fp_heap_cost_infos[cost].id, NULL);
  fp_json_end_object (json);
}

static void
add_frame (const Answer *self,
           FpJson *json,
           guint32 node)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (self->profile, node);

  fp_json_add_text (json, "library", fp_heap_profile_get_text (self->profile, frame->module));
  if (self->options->heap_by == FP_HEAP_BY_LIBRARY)
    return;
  fp_json_add_text (json, "function", fp_heap_profile_get_text (self->profile, frame->function));
  fp_json_add_text (json, "file", fp_heap_profile_get_text (self->profile, frame->file));
  if (frame->line > 0)
    fp_json_add_number (json, "line", frame->line);
  else
    fp_json_add_text (json, "line", NULL);
}

static void
add_place (const Answer *self,
           FpJson *json,
           const FpHeapPlace *place)
{
  fp_json_begin_object (json, NULL);
  if (self->options->heap_by != FP_HEAP_BY_STACK)
    add_frame (self, json, place->node);
  else
    {
      fp_json_begin_array (json, "frames");
      for (guint32 node = place->node; node; node = fp_heap_profile_get_parent (self->profile, node))
        {
          fp_json_begin_object (json, NULL);
          add_frame (self, json, node);
          fp_json_end_object (json);
        }
      fp_json_end_array (json);
    }
  add_costs (self, json, "own", &place->own);
  if (self->options->heap_by != FP_HEAP_BY_STACK)
    add_costs (self, json, "with_callees", &place->all);
  fp_json_end_object (json);
}

/* A time is null where the file has none. */
static void
add_time (const Answer *self,
          FpJson *json,
          const char *name,
          guint64 time_ms)
{
  if (self->profile->has_times)
    fp_json_add_bytes (json, name, time_ms);
  else
    fp_json_add_text (json, name, NULL);
}

static void
print_json (const Answer *self,
            GString *out)
{
  static const char *const conditions[] = { "complete", "cut off", "damaged" };
  const FpHeapProfile *profile = self->profile;
  FpJson json = { out, TRUE, TRUE, 0 };

  fp_json_begin_object (&json, NULL);
  fp_json_add_number (&json, "schema", 1);
  fp_json_add_text (&json, "format", profile->format);
  fp_json_add_text (&json, "command", profile->command);
  fp_json_add_text (&json, "condition", conditions[profile->condition]);
  fp_json_add_bytes (&json, "bad_lines", profile->n_bad_lines);
  fp_json_add_flag (&json, "attached", profile->is_attached);
  fp_json_add_flag (&json, "raw", profile->is_raw);
  add_time (self, &json, "duration_ms", profile->duration_ms);
  add_time (self, &json, "peak_ms", profile->peak_ms);
  if (self->options->has_heap_from)
    add_time (self, &json, "from_ms", self->from_ms);
  if (self->options->has_heap_at)
    add_time (self, &json, "at_ms", self->at_ms);
  if (profile->peak_rss > 0)
    fp_json_add_bytes (&json, "peak_rss", profile->peak_rss);
  else
    fp_json_add_text (&json, "peak_rss", NULL);
  add_costs (self, &json, "total", &profile->total);
  fp_json_add_bytes (&json, "peak_allocations", profile->total.peak.blocks);
  fp_json_add_bytes (&json, "leaked_allocations", profile->total.leaked.blocks);
  fp_json_add_bytes (&json, "suppressed", profile->suppressed.bytes);
  fp_json_begin_array (&json, "places");
  for (guint i = 0; i < self->n_rows; i++)
    add_place (self, &json, get_place (self, i));
  fp_json_end_array (&json);
  fp_json_end_object (&json);
  g_string_append_c (out, '\n');
}

static void
append_csv_costs (const Answer *self,
                  const FpHeapStack *costs,
                  GString *out)
{
  for (FpHeapCost cost = 0; cost < FP_HEAP_N_COSTS; cost++)
    {
      g_string_append_c (out, ',');
      if (self->known & 1 << cost)
        g_string_append_printf (out, "%" G_GUINT64_FORMAT, fp_heap_stack_get_cost (costs, cost));
    }
}

static void
append_csv_name (const Answer *self,
                 guint32 node,
                 GString *out)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (self->profile, node);
  g_autoptr (GString) path = g_string_new (NULL);

  if (self->options->heap_by == FP_HEAP_BY_STACK)
    {
      fp_heap_folded_append (self->profile, node, path);
      fp_export_csv_text (out, path->str);
      return;
    }
  if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
    {
      fp_export_csv_text (out, fp_heap_profile_get_text (self->profile, frame->function));
      g_string_append_c (out, ',');
    }
  fp_export_csv_text (out, fp_heap_profile_get_text (self->profile, frame->module));
}

static void
print_csv (const Answer *self,
           GString *out)
{
  static const char *const names[] = { "function,library", "library", "stack" };

  g_string_append_printf (out, "%s,peak,leaked,temporary,calls", names[self->options->heap_by]);
  g_string_append (out, self->options->heap_by == FP_HEAP_BY_STACK ? "\r\n" : ",all_peak,all_leaked,all_temporary,all_calls\r\n");
  for (guint i = 0; i < self->n_rows; i++)
    {
      const FpHeapPlace *place = get_place (self, i);

      append_csv_name (self, place->node, out);
      append_csv_costs (self, &place->own, out);
      if (self->options->heap_by != FP_HEAP_BY_STACK)
        append_csv_costs (self, &place->all, out);
      g_string_append (out, "\r\n");
    }
}

/* Answers where the memory of a recorded program came from. */
gboolean
fp_cli_heap_print (const FpCliOptions *options,
                   GString *out,
                   GError **error)
{
  g_auto (Answer) self = { .options = options };

  self.profile = fp_cli_heap_file_read (options->heap_path, error);
  self.known = self.profile ? self.profile->known : 0;
  /* The file does not tell what was allocated in a range and never freed. */
  if (options->has_heap_from)
    self.known &= ~(1u << FP_HEAP_LEAKED);
  if (!self.profile || !choose_cost (&self, error) || !choose_stacks (&self, error))
    return FALSE;
  if (options->folded)
    {
      fp_heap_folded_write (self.profile, self.stacks, self.cost, out);
      return TRUE;
    }
  if (options->svg)
    {
      print_svg (&self, out);
      return TRUE;
    }
  self.places = fp_heap_places_new (self.profile, self.stacks, options->heap_by);
  fp_heap_places_sort (self.places, self.cost);
  count_rows (&self);
  if (options->output == FP_CLI_JSON)
    print_json (&self, out);
  else if (options->output == FP_CLI_CSV)
    print_csv (&self, out);
  else
    print_table (&self, out);
  return TRUE;
}
