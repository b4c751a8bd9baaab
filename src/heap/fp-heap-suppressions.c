// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-suppressions.h"

/* Kept until the end by the C library and GLib on purpose. */
static const char *const builtin[] = {
  "__nss_module_allocate",
  "__gconv_read_conf",
  "__new_exitfn",
  "tzset_internal",
  "dl_open_worker",
  "g_main_context_new",
  "g_thread_self",
};

GPtrArray *
fp_heap_suppressions_new (void)
{
  GPtrArray *self = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < G_N_ELEMENTS (builtin); i++)
    g_ptr_array_add (self, g_strdup (builtin[i]));
  return self;
}

/* line: as LeakSanitizer takes it, "leak:PATTERN" */
void
fp_heap_suppressions_add_line (GPtrArray *self,
                               const char *line)
{
  g_autofree char *stripped = g_strstrip (g_strdup (line));
  const char *pattern = stripped + strlen ("leak:");

  if (g_str_has_prefix (stripped, "leak:") && *pattern && strcmp (pattern, "^") != 0)
    g_ptr_array_add (self, g_strdup (pattern));
}

/* "*" stands for any text, "^" for the beginning, "$" for the end; without these the pattern may be anywhere. */
static gboolean
matches (const char *pattern,
         const char *text)
{
  gboolean is_at_start = *pattern == '^', is_to_end = g_str_has_suffix (pattern, "$");
  g_auto (GStrv) parts = NULL;
  g_autofree char *body = g_strndup (pattern + is_at_start, strlen (pattern) - is_at_start - is_to_end);
  const char *at = text;

  if (!*text)
    return FALSE;
  parts = g_strsplit (body, "*", -1);
  for (guint i = 0; parts[i]; i++)
    {
      gsize length = strlen (parts[i]);
      const char *found;

      if (is_to_end && !parts[i + 1])
        {
          gboolean is_whole = i == 0 && is_at_start;

          return is_whole ? strcmp (at, parts[i]) == 0 : strlen (at) >= length && g_str_has_suffix (at, parts[i]);
        }
      found = i == 0 && is_at_start ? (g_str_has_prefix (at, parts[i]) ? at : NULL) : strstr (at, parts[i]);
      if (!found)
        return FALSE;
      at = found + length;
    }
  return TRUE;
}

static gboolean
matches_any (const GPtrArray *self,
             const char *text)
{
  for (guint i = 0; i < self->len; i++)
    if (matches (self->pdata[i], text))
      return TRUE;
  return FALSE;
}

static guint8 *
match_nodes (const GPtrArray *self,
             const FpHeapProfile *profile)
{
  g_autofree guint8 *texts = g_new0 (guint8, profile->texts.offsets->len);
  g_autofree guint8 *nodes = g_new0 (guint8, profile->nodes->len);

  for (guint i = 1; i < profile->texts.offsets->len; i++)
    texts[i] = matches_any (self, fp_heap_profile_get_text (profile, i));
  for (guint i = 1; i < profile->nodes->len; i++)
    {
      const FpHeapFrame *frame = fp_heap_profile_get_frame (profile, i);

      nodes[i] = nodes[fp_heap_profile_get_parent (profile, i)] || texts[frame->function] || texts[frame->file] || texts[frame->module];
    }
  return g_steal_pointer (&nodes);
}

/* Moves what leaked on the paths that match from the profile's leaks to what is suppressed. */
void
fp_heap_suppressions_apply (const GPtrArray *self,
                            FpHeapProfile *profile)
{
  g_autofree guint8 *nodes = match_nodes (self, profile);

  for (guint i = 0; i < profile->stacks->len; i++)
    {
      FpHeapStack *stack = &g_array_index (profile->stacks, FpHeapStack, i);

      if (!nodes[stack->node])
        continue;
      profile->suppressed.bytes += stack->leaked.bytes;
      profile->suppressed.blocks += stack->leaked.blocks;
      profile->total.leaked.bytes -= stack->leaked.bytes;
      profile->total.leaked.blocks -= stack->leaked.blocks;
      stack->leaked = (FpHeapHeld){ 0 };
    }
}
