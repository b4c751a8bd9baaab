// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-cli-heap-options.h"
#include "fp-heap-words.h"
#include "fp-query-term.h"

#define MAX_SECONDS 1e9

static gboolean
parse_by (FpCliOptions *self,
          const char *by,
          GError **error)
{
  static const char *const names[] = { "function", "library", "stack" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (by, names[i]) == 0)
      {
        self->heap_by = (FpHeapBy)i;
        return TRUE;
      }
  return fp_refuse_input (error, _ ("With --heap, --by takes function, library, stack, not “%s”"), by);
}

static gboolean
parse_cost (FpCliOptions *self,
            const char *cost,
            GError **error)
{
  self->has_heap_cost = TRUE;
  for (guint i = 0; i < FP_HEAP_N_COSTS; i++)
    if (g_ascii_strcasecmp (cost, fp_heap_cost_infos[i].id) == 0)
      {
        self->heap_cost = (FpHeapCost)i;
        return TRUE;
      }
  return fp_refuse_input (error, _ ("--cost takes peak, leaked, temporary, calls, not “%s”"), cost);
}

/* Returns FALSE where no time begins. end: gets what follows it */
static gboolean
parse_time (const char *text,
            const char **end,
            guint64 *time_ms)
{
  double seconds = g_ascii_strtod (text, (char **)end);

  if (*end == text || !(seconds >= 0 && seconds <= MAX_SECONDS))
    return FALSE;
  *time_ms = (guint64)(seconds * 1000 + 0.5);
  return TRUE;
}

/* "2.5" is a moment, and "1-2.5" a range. */
static gboolean
parse_at (FpCliOptions *self,
          const char *at,
          GError **error)
{
  const char *end;
  gboolean is_good = parse_time (at, &end, &self->heap_at_ms);

  if (is_good && *end == '-')
    {
      self->has_heap_from = TRUE;
      self->heap_from_ms = self->heap_at_ms;
      is_good = parse_time (end + 1, &end, &self->heap_at_ms) && self->heap_from_ms < self->heap_at_ms;
    }
  self->has_heap_at = TRUE;
  return (is_good && !*end) ||
         fp_refuse_input (error, _ ("--at takes seconds since the start of the recording, or a range of them such as 1.5-3, not “%s”"), at);
}

/* by, cost, at: (nullable) */
gboolean
fp_cli_heap_options_parse (FpCliOptions *self,
                           const char *by,
                           const char *cost,
                           const char *at,
                           GError **error)
{
  return (!by || parse_by (self, by, error)) && (!cost || parse_cost (self, cost, error)) && (!at || parse_at (self, at, error));
}
