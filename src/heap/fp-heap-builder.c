// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-demangle.h"
#include "fp-heap-builder.h"

#define MAX_BYTES (G_GUINT64_CONSTANT (1) << 60)
#define MAX_DEPTH 4096
#define NO_STACK  G_MAXUINT32

static guint32
hash_frame (const FpHeapFrame *frame)
{
  return fp_heap_hash_two (fp_heap_hash_two (frame->function, frame->file), fp_heap_hash_two (frame->module, frame->line) + frame->address);
}

static guint32
get_frame_hash (gconstpointer owner,
                guint32 number)
{
  return hash_frame (&g_array_index ((GArray *)owner, FpHeapFrame, number));
}

static gboolean
is_frame (gconstpointer owner,
          guint32 number,
          gconstpointer key)
{
  return memcmp (&g_array_index ((GArray *)owner, FpHeapFrame, number), key, sizeof (FpHeapFrame)) == 0;
}

static guint32
get_node_hash (gconstpointer owner,
               guint32 number)
{
  const FpHeapNode *node = &g_array_index ((GArray *)owner, FpHeapNode, number);

  return fp_heap_hash_two (node->frame, node->parent);
}

static gboolean
is_node (gconstpointer owner,
         guint32 number,
         gconstpointer key)
{
  const FpHeapNode *node = &g_array_index ((GArray *)owner, FpHeapNode, number), *wanted = key;

  return node->frame == wanted->frame && node->parent == wanted->parent;
}

void
fp_heap_builder_init (FpHeapBuilder *self)
{
  const FpHeapFrame no_frame = { 0 };
  const FpHeapNode root = { 0 };

  *self = (FpHeapBuilder){ .profile = g_new0 (FpHeapProfile, 1), .epoch = 1, .interval = 1 };
  g_atomic_ref_count_init (&self->profile->ref_count);
  self->profile->is_whole_known = TRUE;
  fp_heap_texts_init (&self->profile->texts);
  fp_heap_states_init (&self->profile->states);
  self->profile->frames = g_array_new (FALSE, FALSE, sizeof (FpHeapFrame));
  self->profile->nodes = g_array_new (FALSE, FALSE, sizeof (FpHeapNode));
  self->profile->stacks = g_array_new (FALSE, FALSE, sizeof (FpHeapStack));
  self->counters = g_array_new (FALSE, TRUE, sizeof (FpHeapCounter));
  self->stacks = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->changed = g_array_new (FALSE, FALSE, sizeof (guint32));
  fp_heap_index_init (&self->frames);
  fp_heap_index_init (&self->nodes);
  g_array_append_val (self->profile->frames, no_frame);
  g_array_append_val (self->profile->nodes, root);
}

void
fp_heap_builder_clear (FpHeapBuilder *self)
{
  g_clear_pointer (&self->profile, fp_heap_profile_unref);
  g_clear_pointer (&self->counters, g_array_unref);
  g_clear_pointer (&self->stacks, g_array_unref);
  g_clear_pointer (&self->changed, g_array_unref);
  fp_heap_index_clear (&self->frames);
  fp_heap_index_clear (&self->nodes);
}

guint32
fp_heap_builder_add_text (FpHeapBuilder *self,
                          const char *text,
                          gsize length)
{
  return fp_heap_texts_add (&self->profile->texts, text, length);
}

guint32
fp_heap_builder_add_function (FpHeapBuilder *self,
                              const char *name,
                              gsize length)
{
  g_autofree char *plain = fp_demangle (name, length);

  return plain ? fp_heap_texts_add (&self->profile->texts, plain, strlen (plain)) : fp_heap_texts_add (&self->profile->texts, name, length);
}

guint32
fp_heap_builder_add_frame (FpHeapBuilder *self,
                           const FpHeapFrame *frame)
{
  GArray *frames = self->profile->frames;
  guint32 hash = hash_frame (frame), number;

  if (fp_heap_index_find (&self->frames, hash, is_frame, frames, frame, &number))
    return number;
  g_array_append_val (frames, *frame);
  fp_heap_index_add (&self->frames, hash, frames->len - 1, get_frame_hash, frames);
  return frames->len - 1;
}

/* Deeper than any real stack, frames are left out, so that walking all paths takes no square of time. */
guint32
fp_heap_builder_add_node (FpHeapBuilder *self,
                          guint32 frame,
                          guint32 parent)
{
  GArray *nodes = self->profile->nodes;
  const FpHeapNode node = { frame, parent, g_array_index (nodes, FpHeapNode, parent).depth + 1 };
  guint32 hash = fp_heap_hash_two (frame, parent), number;

  if (node.depth > MAX_DEPTH)
    return parent;
  if (fp_heap_index_find (&self->nodes, hash, is_node, nodes, &node, &number))
    return number;
  g_array_append_val (nodes, node);
  fp_heap_index_add (&self->nodes, hash, nodes->len - 1, get_node_hash, nodes);
  return nodes->len - 1;
}

guint32
fp_heap_builder_add_stack (FpHeapBuilder *self,
                           guint32 node)
{
  const FpHeapCounter counter = { .node = node };
  guint32 *stack, none = NO_STACK;

  while (self->stacks->len <= node)
    g_array_append_val (self->stacks, none);
  stack = &g_array_index (self->stacks, guint32, node);
  if (*stack == NO_STACK)
    {
      *stack = self->counters->len;
      g_array_append_val (self->counters, counter);
    }
  return *stack;
}

static FpHeapCounter *
begin_change (FpHeapBuilder *self,
              guint32 stack)
{
  FpHeapCounter *counter = &g_array_index (self->counters, FpHeapCounter, stack);

  if (counter->epoch != self->epoch)
    {
      counter->kept = counter->live;
      counter->epoch = self->epoch;
    }
  if (counter->interval != self->interval)
    {
      counter->interval = self->interval;
      g_array_append_val (self->changed, stack);
    }
  return counter;
}

/* Returns FALSE for a size that no machine has. */
gboolean
fp_heap_builder_allocate (FpHeapBuilder *self,
                          guint32 stack,
                          guint64 size)
{
  FpHeapSizes *sizes = &self->profile->sizes[fp_heap_size_class_find (size)];
  FpHeapCounter *counter;

  if (size > MAX_BYTES - self->live.bytes)
    return FALSE;
  sizes->calls++;
  sizes->bytes += size;
  sizes->leaked += size;
  counter = begin_change (self, stack);
  counter->live.bytes += size;
  counter->live.blocks++;
  counter->calls++;
  self->live.bytes += size;
  self->live.blocks++;
  self->profile->total.calls++;
  self->highest = MAX (self->highest, self->live.bytes);
  if (self->live.bytes > self->peak.bytes)
    {
      self->peak = self->live;
      self->epoch++;
      self->is_peak_new = TRUE;
    }
  return TRUE;
}

/* Returns FALSE where there is nothing to be freed. */
gboolean
fp_heap_builder_release (FpHeapBuilder *self,
                         guint32 stack,
                         guint64 size,
                         gboolean is_temporary)
{
  FpHeapCounter *counter = &g_array_index (self->counters, FpHeapCounter, stack);

  if (counter->live.blocks == 0 || counter->live.bytes < size)
    return FALSE;
  counter = begin_change (self, stack);
  self->profile->sizes[fp_heap_size_class_find (size)].leaked -= size;
  counter->live.bytes -= size;
  counter->live.blocks--;
  counter->temporary += is_temporary;
  self->live.bytes -= size;
  self->live.blocks--;
  self->profile->total.temporary += is_temporary;
  return TRUE;
}

/* For files that have sums of each stack instead of events; what is impossible is left out. */
void
fp_heap_builder_add_sums (FpHeapBuilder *self,
                          const FpHeapStack *sums)
{
  FpHeapStack *total = &self->profile->total;
  guint32 stack = fp_heap_builder_add_stack (self, sums->node);

  if (sums->calls > MAX_BYTES - total->calls || sums->temporary > MAX_BYTES - total->temporary ||
      sums->peak.bytes > MAX_BYTES - total->peak.bytes || sums->peak.blocks > MAX_BYTES - total->peak.blocks ||
      sums->leaked.bytes > MAX_BYTES - total->leaked.bytes || sums->leaked.blocks > MAX_BYTES - total->leaked.blocks)
    {
      self->profile->n_bad_lines++;
      return;
    }
  while (self->profile->stacks->len <= stack)
    {
      const FpHeapStack none = { .node = g_array_index (self->counters, FpHeapCounter, self->profile->stacks->len).node };

      g_array_append_val (self->profile->stacks, none);
    }
  fp_heap_stack_add (&g_array_index (self->profile->stacks, FpHeapStack, stack), sums);
  fp_heap_stack_add (total, sums);
}

static void
end_interval (FpHeapBuilder *self)
{
  FpHeapProfile *profile = self->profile;
  const FpHeapInterval interval = { profile->duration_ms, self->live, self->highest, self->rss, 0, 0 };

  fp_heap_states_begin (&profile->states, &interval, self->changed->len);
  for (guint i = 0; i < self->changed->len; i++)
    {
      guint32 stack = g_array_index (self->changed, guint32, i);
      const FpHeapCounter *counter = &g_array_index (self->counters, FpHeapCounter, stack);
      const FpHeapMoment moment = { counter->live, counter->calls, counter->temporary };

      fp_heap_states_add (&profile->states, stack, &moment);
    }
  g_array_set_size (self->changed, 0);
  self->interval++;
  self->highest = self->live.bytes;
}

/* Events belong to the stamp that follows them. A time that goes back is damage, and is left out. */
void
fp_heap_builder_set_time (FpHeapBuilder *self,
                          guint64 time_ms)
{
  FpHeapProfile *profile = self->profile;

  if (profile->has_times && time_ms < profile->duration_ms)
    {
      profile->n_bad_lines++;
      return;
    }
  profile->has_times = TRUE;
  profile->duration_ms = time_ms;
  if (self->is_peak_new)
    profile->peak_ms = time_ms;
  self->is_peak_new = FALSE;
  if (fp_heap_states_is_due (&profile->states, time_ms))
    end_interval (self);
}

void
fp_heap_builder_set_rss (FpHeapBuilder *self,
                         guint64 rss)
{
  self->rss = rss;
  self->profile->peak_rss = MAX (self->profile->peak_rss, rss);
}

static void
sum_up (const FpHeapBuilder *self,
        FpHeapProfile *profile)
{
  for (guint i = 0; i < self->counters->len; i++)
    {
      const FpHeapCounter *counter = &g_array_index (self->counters, FpHeapCounter, i);
      const FpHeapStack stack = {
        .node = counter->node,
        .calls = counter->calls,
        .temporary = counter->temporary,
        .peak = counter->epoch == self->epoch ? counter->kept : counter->live,
        .leaked = counter->live,
      };

      g_array_append_val (profile->stacks, stack);
    }
  profile->total.peak = self->peak;
  profile->total.leaked = self->live;
  if (self->is_peak_new)
    profile->peak_ms = profile->duration_ms;
}

/* Sums up the events once there are no more. */
void
fp_heap_builder_finish_stacks (FpHeapBuilder *self)
{
  if (self->profile->has_times && self->changed->len > 0)
    end_interval (self);
  sum_up (self, self->profile);
}

/* Gives the profile of the events so far; more may follow. */
FpHeapProfile *
fp_heap_builder_copy_profile (FpHeapBuilder *self)
{
  FpHeapProfile *profile = g_new (FpHeapProfile, 1);

  if (self->profile->has_times && self->changed->len > 0)
    end_interval (self);
  *profile = *self->profile;
  g_atomic_ref_count_init (&profile->ref_count);
  profile->recording = self;
  profile->command = g_strdup (self->profile->command);
  fp_heap_texts_copy (&self->profile->texts, &profile->texts);
  fp_heap_states_copy (&self->profile->states, &profile->states);
  profile->frames = g_array_copy (self->profile->frames);
  profile->nodes = g_array_copy (self->profile->nodes);
  profile->stacks = g_array_sized_new (FALSE, FALSE, sizeof (FpHeapStack), self->counters->len);
  sum_up (self, profile);
  return profile;
}

FpHeapProfile *
fp_heap_builder_take_profile (FpHeapBuilder *self)
{
  fp_heap_texts_finish (&self->profile->texts);
  return g_steal_pointer (&self->profile);
}
