// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-malloc-bins.h"

#define MAX_STEPS (1u << 20) /* in one list, whose end the process chooses */

/* Where in a list a reading has come to */
typedef struct
{
  guint64 at;
  guint64 from; /* the block or bin before */
  gboolean is_backwards;
} Step;

static gboolean
is_possible (const FpMallocBlock *block)
{
  guint64 size = fp_malloc_get_size (block->size);

  return size >= FP_MALLOC_MIN_BLOCK && size % FP_MALLOC_ALIGNMENT == 0;
}

/* One block of a bin, whose links agree with those of its neighbours */
static FpMallocAnswer
take_block (const FpMallocMemory *memory,
            Step *step,
            guint64 limit,
            guint64 *bytes)
{
  FpMallocBlock block;
  FpMallocAnswer answer = step->at % FP_MALLOC_ALIGNMENT == 0 ? fp_malloc_memory_read (memory, step->at, &block, sizeof block)
                                                              : FP_MALLOC_BROKEN;

  if (answer != FP_MALLOC_FINE)
    return answer;
  if (!is_possible (&block) || (step->is_backwards ? block.next : block.previous) != step->from)
    return FP_MALLOC_BROKEN;
  *bytes += fp_malloc_get_size (block.size);
  if (*bytes > limit)
    return FP_MALLOC_BROKEN;
  step->from = step->at;
  step->at = step->is_backwards ? block.previous : block.next;
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
follow (const FpMallocMemory *memory,
        Step *step,
        guint64 head,
        guint64 limit,
        guint64 *bytes)
{
  FpMallocAnswer answer = FP_MALLOC_FINE;

  while (answer == FP_MALLOC_FINE && step->at != head)
    answer = take_block (memory, step, limit, bytes);
  return answer;
}

FpMallocAnswer
fp_malloc_bins_count (const FpMallocMemory *memory,
                      const FpMallocArenaState *arena,
                      guint64 *bytes,
                      gboolean *is_partial,
                      guint64 *broken_at)
{
  for (guint bin = 1; bin < FP_MALLOC_N_BINS; bin++)
    {
      guint64 head = fp_malloc_get_bin (arena->address, bin);
      Step step = { arena->state.bins[2 * bin - 1], head, TRUE };
      FpMallocAnswer answer = follow (memory, &step, head, arena->state.held, bytes);

      if (answer == FP_MALLOC_AWAY)
        {
          /* The rest of the ring can be seen from its other end, up to a block that is away. */
          *is_partial = TRUE;
          step = (Step){ arena->state.bins[2 * (bin - 1)], head, FALSE };
          answer = follow (memory, &step, head, arena->state.held, bytes);
        }
      *broken_at = step.at;
      if (answer == FP_MALLOC_BROKEN || answer == FP_MALLOC_STOPPED)
        return answer;
    }
  return FP_MALLOC_FINE;
}

/* A list that ends with 0, of blocks of one size */
FpMallocAnswer
fp_malloc_fast_count (const FpMallocMemory *memory,
                      const FpMallocLayout *layout,
                      const FpMallocArenaState *arena,
                      FpMallocSizes *sizes,
                      guint64 *bytes,
                      gboolean *is_partial,
                      guint64 *broken_at)
{
  for (guint i = 0; i < FP_MALLOC_N_FAST; i++)
    {
      const guint64 size = (i + 2) * FP_MALLOC_ALIGNMENT;
      guint n_steps = 0;

      for (guint64 at = arena->state.fast[i]; at != 0;)
        {
          FpMallocBlock block;
          FpMallocAnswer answer = at % FP_MALLOC_ALIGNMENT == 0 ? fp_malloc_memory_read (memory, at, &block, sizeof block)
                                                                : FP_MALLOC_BROKEN;

          *broken_at = at;
          if (answer == FP_MALLOC_AWAY)
            {
              *is_partial = TRUE;
              break;
            }
          if (answer != FP_MALLOC_FINE)
            return answer;
          *bytes += size;
          n_steps++;
          if (fp_malloc_get_size (block.size) != size || *bytes > arena->state.held || n_steps > MAX_STEPS)
            return FP_MALLOC_BROKEN;
          fp_malloc_sizes_add (sizes, size);
          at = fp_malloc_layout_reveal (layout, at + FP_MALLOC_HEAD_SIZE, block.next);
        }
    }
  return FP_MALLOC_FINE;
}
