// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-heap-formats.h"

static const FpHeapFormat *const formats[] = {
  &fp_heap_massif,
  &fp_heap_dhat,
  &fp_heap_heaptrack,
  &fp_heap_pprof,
  &fp_heap_folded,
};

gboolean
fp_heap_refuse (GError **error,
                const char *why)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("Not a usable heap profile: %s"), why);
  return FALSE;
}

static const FpHeapFormat *
recognize (FpHeapInput *input)
{
  fp_heap_input_fill_to (input, FP_HEAP_MAGIC);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i]->recognizes (input->text + input->at, MIN (input->end - input->at, FP_HEAP_MAGIC)))
      return formats[i];
  return NULL;
}

static gboolean
check_end (const FpHeapInput *input,
           FpHeapProfile *profile,
           GError **error)
{
  switch (input->state)
    {
    case FP_HEAP_END_FAILED:
      g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (input->error_number), g_strerror (input->error_number));
      return FALSE;
    case FP_HEAP_END_CANCELLED:
      /* Translators: an error: the reading of a file was cancelled */
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, _ ("Cancelled"));
      return FALSE;
    case FP_HEAP_END_CUT:
      profile->condition = MAX (profile->condition, FP_HEAP_CUT_OFF);
      break;
    case FP_HEAP_END_DAMAGED:
      profile->condition = FP_HEAP_DAMAGED;
      break;
    case FP_HEAP_END_NONE:
    case FP_HEAP_END_WHOLE:
    default:
      break;
    }
  return TRUE;
}

/* Says whether a file is of a known format. It reads the beginning, from where fd is. */
gboolean
fp_heap_profile_recognizes (int fd)
{
  g_auto (FpHeapInput) input = { 0 };

  fp_heap_input_init (&input, fd, NULL, NULL);
  return recognize (&input) != NULL;
}

/* Reads a file of any known format, from where fd is. Of one that is cut off or damaged, the profile is of what could be
 * read. step: (nullable): called about every MiB of the file */
FpHeapProfile *
fp_heap_profile_read (int fd,
                      FpHeapStepFunc step,
                      gpointer data,
                      GError **error)
{
  g_auto (FpHeapInput) input = { 0 };
  g_auto (FpHeapBuilder) builder = { 0 };
  const FpHeapFormat *format;

  fp_heap_input_init (&input, fd, step, data);
  fp_heap_builder_init (&builder);
  format = recognize (&input);
  if (!check_end (&input, builder.profile, error))
    return NULL;
  if (!format && builder.profile->condition == FP_HEAP_COMPLETE && input.end > 0)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
                           _ ("This is not a heap profile that Footprint knows. It opens files of heaptrack, Massif, DHAT and pprof, "
                              "and folded stacks."));
      return NULL;
    }
  if (!format)
    {
      fp_heap_refuse (error, builder.profile->condition != FP_HEAP_COMPLETE ? _ ("the file is damaged or cut off at its beginning")
                                                                            : _ ("the file is empty"));
      return NULL;
    }
  builder.profile->format = format->name;
  if (!format->read (&input, &builder, error) || !check_end (&input, builder.profile, error))
    return NULL;
  return fp_heap_builder_take_profile (&builder);
}

FpHeapProfile *
fp_heap_profile_ref (FpHeapProfile *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_heap_profile_unref (FpHeapProfile *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->command);
  fp_heap_texts_clear (&self->texts);
  fp_heap_states_clear (&self->states);
  g_array_unref (self->frames);
  g_array_unref (self->nodes);
  g_array_unref (self->stacks);
  g_free (self);
}

/* The stacks as they were at some moment: what was in use stands for both the peak and what leaked. found_ms: the time of it,
 * the last that is known until then. (nullable): where the file does not say, or there are too many stacks */
GArray *
fp_heap_profile_dup_stacks_at (const FpHeapProfile *self,
                               guint64 time_ms,
                               guint64 *found_ms)
{
  g_autofree FpHeapMoment *moments = NULL;
  GArray *stacks;

  if (!self->has_times || self->states.is_without_changes)
    return NULL;
  moments = g_new (FpHeapMoment, MAX (self->stacks->len, 1));
  *found_ms = fp_heap_states_look_up (&self->states, time_ms, moments, self->stacks->len);
  stacks = g_array_sized_new (FALSE, FALSE, sizeof (FpHeapStack), self->stacks->len);
  for (guint i = 0; i < self->stacks->len; i++)
    {
      const FpHeapMoment *moment = &moments[i];
      const FpHeapStack stack = {
        .node = fp_heap_profile_get_stack (self, i)->node,
        .calls = moment->calls,
        .temporary = moment->temporary,
        .peak = moment->held,
        .leaked = moment->held,
      };

      g_array_append_val (stacks, stack);
    }
  return stacks;
}

/* The stacks as what happened from one moment to another: allocations within, and how much more was in use at its end. Which of
 * the blocks of a stack are the new ones is not in the file, so that a stack that has shrunk counts as nothing. from_ms, to_ms:
 * are set to the times that are known. (nullable): as above */
GArray *
fp_heap_profile_dup_stacks_between (const FpHeapProfile *self,
                                    guint64 *from_ms,
                                    guint64 *to_ms)
{
  g_autoptr (GArray) before = fp_heap_profile_dup_stacks_at (self, *from_ms, from_ms);
  GArray *stacks = before ? fp_heap_profile_dup_stacks_at (self, *to_ms, to_ms) : NULL;

  for (guint i = 0; stacks && i < stacks->len; i++)
    {
      FpHeapStack *stack = &g_array_index (stacks, FpHeapStack, i);
      const FpHeapStack *old = &g_array_index (before, FpHeapStack, i);

      stack->calls -= old->calls;
      stack->temporary -= MIN (old->temporary, stack->temporary);
      stack->peak.bytes -= MIN (old->peak.bytes, stack->peak.bytes);
      stack->peak.blocks -= MIN (old->peak.blocks, stack->peak.blocks);
      stack->leaked = stack->peak;
    }
  return stacks;
}

guint64
fp_heap_stack_get_cost (const FpHeapStack *self,
                        FpHeapCost cost)
{
  switch (cost)
    {
    case FP_HEAP_PEAK:
      return self->peak.bytes;
    case FP_HEAP_LEAKED:
      return self->leaked.bytes;
    case FP_HEAP_TEMPORARY:
      return self->temporary;
    case FP_HEAP_CALLS:
      return self->calls;
    case FP_HEAP_N_COSTS:
    default:
      g_return_val_if_reached (0);
    }
}

void
fp_heap_stack_add (FpHeapStack *self,
                   const FpHeapStack *other)
{
  self->calls += other->calls;
  self->temporary += other->temporary;
  self->peak.bytes += other->peak.bytes;
  self->peak.blocks += other->peak.blocks;
  self->leaked.bytes += other->leaked.bytes;
  self->leaked.blocks += other->leaked.blocks;
}
