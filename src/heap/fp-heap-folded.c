// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-folded.h"
#include "fp-heap-formats.h"

#define MAX_FRAMES 4096

/* A function that is not known is its library, in brackets. */
static void
append_frame (const FpHeapProfile *profile,
              guint32 node,
              GString *out)
{
  const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, node);
  gsize begin = out->len;

  if (frame->function)
    g_string_append (out, fp_heap_profile_get_text (profile, frame->function));
  else
    {
      g_autofree char *library = frame->module ? g_path_get_basename (fp_heap_profile_get_text (profile, frame->module)) : g_strdup ("unknown");

      g_string_append_printf (out, "[%s]", library);
    }
  /* These are what the format is made of. */
  for (char *c = out->str + begin; *c; c++)
    *c = *c == ';' || *c == '\n' || *c == '\r' ? ',' : *c;
}

/* "outer;inner" */
void
fp_heap_folded_append (const FpHeapProfile *profile,
                       guint32 node,
                       GString *out)
{
  guint32 path[MAX_FRAMES + 1];
  guint n = 0;

  for (; node && n < G_N_ELEMENTS (path); node = fp_heap_profile_get_parent (profile, node))
    path[n++] = node;
  if (n == 0)
    g_string_append (out, "[unknown]");
  for (guint i = n; i > 0; i--)
    {
      append_frame (profile, path[i - 1], out);
      g_string_append (out, i > 1 ? ";" : "");
    }
}

/* Writes a line for each stack that has any cost. */
void
fp_heap_folded_write (const FpHeapProfile *profile,
                      const GArray *stacks,
                      FpHeapCost cost,
                      GString *out)
{
  for (guint i = 0; i < stacks->len; i++)
    {
      const FpHeapStack *stack = &g_array_index (stacks, FpHeapStack, i);
      guint64 value = fp_heap_stack_get_cost (stack, cost);

      if (value == 0)
        continue;
      fp_heap_folded_append (profile, stack->node, out);
      g_string_append_printf (out, " %" G_GUINT64_FORMAT "\n", value);
    }
}

static gboolean
read_line (FpHeapBuilder *builder,
           char *line,
           gsize length)
{
  FpHeapStack sums = { 0 };
  char *blank = memrchr (line, ' ', length), *at = line, *end;

  if (!blank || blank == line || !g_ascii_string_to_unsigned (blank + 1, 10, 0, G_MAXUINT64, &sums.peak.bytes, NULL))
    return FALSE;
  *blank = '\0';
  for (; at; at = end ? end + 1 : NULL)
    {
      FpHeapFrame frame = { 0 };

      end = strchr (at, ';');
      frame.function = fp_heap_builder_add_function (builder, at, end ? (gsize)(end - at) : strlen (at));
      if (frame.function)
        sums.node = fp_heap_builder_add_node (builder, fp_heap_builder_add_frame (builder, &frame), sums.node);
    }
  fp_heap_builder_add_sums (builder, &sums);
  return TRUE;
}

/* The format does not say what its numbers are; of a heap, they are mostly bytes. */
static gboolean
read_folded (FpHeapInput *input,
             FpHeapBuilder *builder,
             GError **error)
{
  char *line;
  gsize length;

  builder->profile->known = 1 << FP_HEAP_PEAK;
  while (fp_heap_input_get_line (input, &line, &length))
    if (!input->is_line_whole)
      builder->profile->condition = FP_HEAP_CUT_OFF;
    else if (length > 0 && !read_line (builder, line, length))
      builder->profile->n_bad_lines++;
  return TRUE;
}

/* Each of the first lines ends with a number. */
static gboolean
is_folded (const char *text,
           gsize length)
{
  const char *end = text + length;
  guint n = 0;

  for (const char *line = text; line < end && n < 8; n++)
    {
      const char *line_end = memchr (line, '\n', (gsize)(end - line)), *digits = line_end;

      if (!line_end)
        break;
      while (digits > line && g_ascii_isdigit (digits[-1]))
        digits--;
      if (digits == line_end || digits - line < 2 || digits[-1] != ' ' || (guchar)*line < ' ')
        return FALSE;
      line = line_end + 1;
    }
  return n > 0;
}

const FpHeapFormat fp_heap_folded = { "folded", is_folded, read_folded };
