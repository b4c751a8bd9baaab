// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-cli-heap-comparison.h"
#include "fp-cli-heap-cells.h"
#include "fp-cli-heap-file.h"
#include "fp-cli-terminal.h"
#include "fp-display.h"
#include "fp-export.h"
#include "fp-heap-comparison.h"
#include "fp-heap-words.h"
#include "fp-query-term.h"

typedef struct
{
  const FpCliOptions *options;
  FpHeapProfile *before;
  FpHeapProfile *after;
  FpHeapComparison comparison;
  FpHeapCost cost;
  GArray *pairs; /* of FpHeapPair */
  guint n_rows;
} Answer;

static void
answer_clear (Answer *self)
{
  g_clear_pointer (&self->pairs, g_array_unref);
  fp_heap_comparison_clear (&self->comparison);
  g_clear_pointer (&self->before, fp_heap_profile_unref);
  g_clear_pointer (&self->after, fp_heap_profile_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Answer, answer_clear)

static const FpHeapPair *
get_pair (const Answer *self,
          guint row)
{
  return &g_array_index (self->pairs, FpHeapPair, row);
}

/* Free it. */
static char *
name_function (const Answer *self,
               const FpHeapPair *pair)
{
  return fp_heap_name_function (self->comparison.profile, pair->node);
}

/* Free it. */
static char *
name_library (const Answer *self,
              const FpHeapPair *pair)
{
  return fp_heap_name_library (self->comparison.profile, pair->node);
}

static gboolean
choose_cost (Answer *self,
             GError **error)
{
  return fp_cli_heap_choose_cost (self->options, self->before->known & self->after->known, &self->cost) ||
         fp_refuse_input (error, _ ("One of the files does not say “%s”"), fp_heap_cost_infos[self->cost].id);
}

/* Translators: titles of columns: the memory of the earlier file, of the later one, and how much more or less that is */
static const char *const titles[] = { N_ ("Before"), N_ ("After"), N_ ("Change") };

static void
append_figures (const Answer *self,
                guint64 before,
                guint64 after,
                GString *out)
{
  fp_cli_heap_append_figure (self->options, _ (titles[0]), self->cost, fp_figure_exact (before), out);
  fp_cli_heap_append_figure (self->options, _ (titles[1]), self->cost, fp_figure_exact (after), out);
  fp_cli_heap_append_figure (self->options, _ (titles[2]), self->cost, fp_figure_difference (before, after), out);
  g_string_append (out, "  ");
}

static void
append_names (const Answer *self,
              const char *function,
              const char *library,
              GString *out)
{
  gsize begin = out->len;

  if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
    {
      fp_cli_heap_append_name (function, FP_CLI_HEAP_NAME_WIDTH, out);
      g_string_append_printf (out, "%*s", FP_CLI_HEAP_NAME_WIDTH - (int)fp_display_width (out->str + begin) + 2, "");
    }
  fp_cli_heap_append_name (library, G_MAXINT, out);
}

static void
print_table (const Answer *self,
             GString *out)
{
  guint64 before = fp_heap_stack_get_cost (&self->before->total, self->cost);
  guint64 after = fp_heap_stack_get_cost (&self->after->total, self->cost);
  FpCliPaper paper;
  guint n_lines;

  fp_cli_terminal_measure (&paper, &n_lines);
  g_string_append (out, paper.colour ? "\033[1m" : "");
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    fp_cli_heap_append_cell (_ (titles[i]), _ (titles[i]), out);
  g_string_append (out, "  ");
  append_names (self, _ ("Function"), _ ("Library"), out);
  g_string_append_printf (out, "%s\n", paper.colour ? "\033[0m" : "");
  append_figures (self, before, after, out);
  /* Translators: all memory in a heap profile, at the root of its functions */
  g_string_append_printf (out, "%s\n", _ ("All"));
  for (guint i = 0; i < self->n_rows; i++)
    {
      const FpHeapPair *pair = get_pair (self, i);
      g_autofree char *function = name_function (self, pair), *library = name_library (self, pair);

      append_figures (self, pair->before, pair->after, out);
      append_names (self, function, library, out);
      g_string_append_c (out, '\n');
    }
}

static void
add_figures (FpJson *json,
             guint64 before,
             guint64 after)
{
  fp_json_add_bytes (json, "before", before);
  fp_json_add_bytes (json, "after", after);
  fp_json_add_figure (json, "difference", fp_figure_difference (before, after));
}

static void
print_json (const Answer *self,
            GString *out)
{
  FpJson json = { out, TRUE, TRUE, 0 };

  fp_json_begin_object (&json, NULL);
  fp_json_add_number (&json, "schema", 1);
  fp_json_add_text (&json, "cost", fp_heap_cost_infos[self->cost].id);
  fp_json_begin_object (&json, "total");
  add_figures (&json, fp_heap_stack_get_cost (&self->before->total, self->cost), fp_heap_stack_get_cost (&self->after->total, self->cost));
  fp_json_end_object (&json);
  fp_json_begin_array (&json, "places");
  for (guint i = 0; i < self->n_rows; i++)
    {
      const FpHeapPair *pair = get_pair (self, i);
      g_autofree char *function = name_function (self, pair), *library = name_library (self, pair);

      fp_json_begin_object (&json, NULL);
      if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
        fp_json_add_text (&json, "function", function);
      fp_json_add_text (&json, "library", library);
      add_figures (&json, pair->before, pair->after);
      fp_json_end_object (&json);
    }
  fp_json_end_array (&json);
  fp_json_end_object (&json);
  g_string_append_c (out, '\n');
}

static void
print_csv (const Answer *self,
           GString *out)
{
  g_string_append (out, self->options->heap_by == FP_HEAP_BY_FUNCTION ? "function," : "");
  g_string_append (out, "library,before,after,difference\r\n");
  for (guint i = 0; i < self->n_rows; i++)
    {
      const FpHeapPair *pair = get_pair (self, i);
      g_autofree char *function = name_function (self, pair), *library = name_library (self, pair);

      if (self->options->heap_by == FP_HEAP_BY_FUNCTION)
        {
          fp_export_csv_text (out, function);
          g_string_append_c (out, ',');
        }
      fp_export_csv_text (out, library);
      g_string_append_printf (out, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT "\r\n", pair->before, pair->after,
                              (gint64)(pair->after - pair->before));
    }
}

/* Answers which functions or libraries of a profile have another cost than in an earlier one. */
gboolean
fp_cli_heap_comparison_print (const FpCliOptions *options,
                              GString *out,
                              GError **error)
{
  g_auto (Answer) self = { .options = options };

  self.before = fp_cli_heap_file_read (options->compare_path, error);
  self.after = self.before ? fp_cli_heap_file_read (options->heap_path, error) : NULL;
  if (!self.after || !choose_cost (&self, error))
    return FALSE;
  fp_heap_comparison_init (&self.comparison, self.before, self.after);
  self.pairs = fp_heap_pairs_new (self.comparison.profile, self.comparison.before, self.comparison.after, options->heap_by, self.cost);
  self.n_rows = options->limit ? MIN (options->limit, self.pairs->len) : self.pairs->len;
  if (options->output == FP_CLI_JSON)
    print_json (&self, out);
  else if (options->output == FP_CLI_CSV)
    print_csv (&self, out);
  else
    print_table (&self, out);
  return TRUE;
}
