// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-formats.h"
#include "fp-valgrind-frame.h"

#define MAX_DEPTH 1024

/* A path of callers that ends here, with what was allocated on it. */
typedef struct
{
  guint64 bytes;
  guint32 depth;
  guint32 frame; /* 0: many small places together */
  gboolean is_leaf;
} Branch;

/* A file has many snapshots, of which some have a tree. The one at the peak is marked; without a mark the largest counts. */
typedef struct
{
  FpHeapBuilder *builder;
  GArray *tree, *best; /* of Branch */
  guint64 time, best_time, best_bytes;
  gboolean is_peak, has_peak;
} Massif;

static guint64
read_decimal (const char *text)
{
  guint64 value = g_ascii_strtoull (text, NULL, 10);

  return value == G_MAXUINT64 ? 0 : value;
}

/* "n1: 10000 0x10918E: fill (known.c:12)"; "n0: 5 in 3 places, all below massif's threshold (1.00%)" */
static gboolean
read_branch (Massif *self,
             const char *line)
{
  Branch branch = { 0 };
  char *at;
  const char *frame;

  while (*line == ' ')
    {
      line++;
      branch.depth++;
    }
  if (*line != 'n' || branch.depth > MAX_DEPTH)
    return FALSE;
  branch.is_leaf = g_ascii_strtoull (line + 1, &at, 10) == 0;
  if (*at++ != ':')
    return FALSE;
  branch.bytes = read_decimal (at);
  frame = strstr (at, " 0x");
  if (frame)
    branch.frame = fp_valgrind_frame_add (self->builder, frame + 1);
  else if (branch.depth > 0)
    self->builder->profile->is_whole_known = FALSE;
  g_array_append_val (self->tree, branch);
  return TRUE;
}

static void
end_tree (Massif *self)
{
  GArray *tree = self->tree;
  guint64 bytes = tree->len > 0 ? g_array_index (tree, Branch, 0).bytes : 0;

  if (tree->len == 0)
    return;
  if (self->is_peak || (!self->has_peak && bytes >= self->best_bytes))
    {
      self->tree = self->best;
      self->best = tree;
      self->best_bytes = bytes;
      self->best_time = self->time;
      self->has_peak = self->has_peak || self->is_peak;
    }
  self->is_peak = FALSE;
  g_array_set_size (self->tree, 0);
}

/* The tree has the innermost frame first, so that a path is read from its leaf on. */
static void
add_path (Massif *self,
          const guint32 *path,
          const Branch *leaf)
{
  FpHeapStack sums = { .peak.bytes = leaf->bytes };

  for (guint i = leaf->depth + 1; i > 0; i--)
    if (path[i - 1])
      sums.node = fp_heap_builder_add_node (self->builder, path[i - 1], sums.node);
  fp_heap_builder_add_sums (self->builder, &sums);
}

static void
add_tree (Massif *self)
{
  guint32 path[MAX_DEPTH + 1] = { 0 };

  for (guint i = 0; i < self->best->len; i++)
    {
      const Branch *branch = &g_array_index (self->best, Branch, i);

      path[branch->depth] = branch->frame;
      if (branch->is_leaf)
        add_path (self, path, branch);
    }
}

static gboolean
read_line (Massif *self,
           const char *line)
{
  FpHeapProfile *profile = self->builder->profile;
  const char *value = strchr (line, '=');

  if (g_str_has_prefix (line, "cmd: ") && !profile->command)
    profile->command = g_utf8_make_valid (line + strlen ("cmd: "), -1);
  else if (g_str_has_prefix (line, "time_unit: "))
    profile->has_times = strcmp (line + strlen ("time_unit: "), "ms") == 0;
  else if (g_str_has_prefix (line, "snapshot="))
    end_tree (self);
  else if (g_str_has_prefix (line, "time="))
    self->time = profile->duration_ms = read_decimal (value + 1);
  else if (g_str_has_prefix (line, "heap_tree="))
    self->is_peak = strcmp (value + 1, "peak") == 0;
  else if (*line == 'n' || *line == ' ')
    return read_branch (self, line);
  else
    return *line == '#' || *line == '\0' || g_str_has_prefix (line, "desc:") || g_str_has_prefix (line, "mem_");
  return TRUE;
}

static gboolean
read_massif (FpHeapInput *input,
             FpHeapBuilder *builder,
             GError **error)
{
  Massif self = { .builder = builder };
  FpHeapProfile *profile = builder->profile;
  char *line;
  gsize length;

  self.tree = g_array_new (FALSE, FALSE, sizeof (Branch));
  self.best = g_array_new (FALSE, FALSE, sizeof (Branch));
  while (fp_heap_input_get_line (input, &line, &length))
    if (!input->is_line_whole)
      profile->condition = FP_HEAP_CUT_OFF;
    else if (!read_line (&self, line))
      profile->n_bad_lines++;
  end_tree (&self);
  add_tree (&self);
  profile->known = 1 << FP_HEAP_PEAK;
  profile->peak_ms = self.best_time;
  if (!profile->has_times)
    profile->peak_ms = profile->duration_ms = 0;
  g_array_unref (self.tree);
  g_array_unref (self.best);
  return TRUE;
}

static gboolean
is_massif (const char *text,
           gsize length)
{
  return length > 6 && memcmp (text, "desc: ", 6) == 0 && memmem (text, length, "\ncmd: ", 6);
}

const FpHeapFormat fp_heap_massif = { "massif", is_massif, read_massif };
