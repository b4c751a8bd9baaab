// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-estimate.h"
#include "fp-scan.h"

#define STEP 1024 /* the kernel rounds to these */

static guint64
add (guint64 a,
     guint64 b)
{
  return a > G_MAXUINT64 - b ? G_MAXUINT64 : a + b;
}

static guint64
multiply (guint64 a,
          guint64 b)
{
  return b > 0 && a > G_MAXUINT64 / b ? G_MAXUINT64 : a * b;
}

static guint64
get_rss (const FpEstimate *self)
{
  const guint64 *whole = self->moment.whole;

  return whole[FP_PAGES_ANON] + whole[FP_PAGES_FILE] + whole[FP_PAGES_SHMEM];
}

static FpEnds
sum_deficits (const FpEstimate *self)
{
  FpEnds sum = { 0, 0 };

  for (FpPages pages = 0; pages < FP_N_RESIDENT_PAGES; pages++)
    {
      sum.low += self->deficit[pages].low;
      sum.high += self->deficit[pages].high;
    }
  return sum;
}

static void
clamp (FpEnds *ends,
       guint64 high)
{
  ends->high = MIN (ends->high, high);
  ends->low = MIN (ends->low, ends->high);
}

/* A shared page has at least two users, so its deficit is at least half of it and never all of it. A page of a partner
 * is the only thing an anonymous page can be shared with. */
static void
tighten (FpEstimate *self)
{
  FpEnds sum;

  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    clamp (&self->deficit[pages], self->moment.whole[pages]);
  clamp (&self->deficit[FP_PAGES_ANON], self->moment.partners);
  clamp (&self->deficit[FP_PAGES_SWAP], self->moment.partners);

  sum = sum_deficits (self);
  clamp (&self->shared, MIN (get_rss (self), multiply (sum.high, 2)));
  self->shared.low = MAX (self->shared.low, sum.low);
  self->shared.high = MAX (self->shared.high, self->shared.low);
}

void
fp_estimate_init_unknown (FpEstimate *self,
                          const FpMoment *moment)
{
  *self = (FpEstimate){ .moment = *moment };
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    self->deficit[pages].high = moment->whole[pages];
  self->shared.high = get_rss (self);
  tighten (self);
}

/* The kinds of pages without a figure of their own, which smaps_rollup has from Linux 5.3 on, share what is left. */
static void
split_deficit (FpEstimate *self,
               const FpMemory *memory,
               guint64 deficit)
{
  guint64 shmem = self->moment.whole[FP_PAGES_SHMEM];
  FpEnds *of_shmem = &self->deficit[FP_PAGES_SHMEM], *of_file = &self->deficit[FP_PAGES_FILE];

  if (fp_memory_has (memory, FP_FIELD_PSS_SHMEM))
    of_shmem->low = of_shmem->high = MIN (fp_less (shmem, fp_memory_get (memory, FP_FIELD_PSS_SHMEM)), deficit);
  else
    *of_shmem = (FpEnds){ 0, MIN (shmem, deficit) };
  of_file->low = deficit - of_shmem->high;
  of_file->high = deficit - of_shmem->low;
}

/* memory: with the figures of smaps_rollup. moment: of before it was read. */
void
fp_estimate_init_measured (FpEstimate *self,
                           const FpMoment *moment,
                           const FpMemory *memory)
{
  guint64 deficit = fp_less (fp_memory_get (memory, FP_FIELD_RSS), fp_memory_get (memory, FP_FIELD_PSS)), anon = 0;

  *self = (FpEstimate){ .moment = *moment };
  if (fp_memory_has (memory, FP_FIELD_PSS_ANON))
    anon = fp_less (fp_memory_get (memory, FP_FIELD_ANONYMOUS), fp_memory_get (memory, FP_FIELD_PSS_ANON));
  anon = MIN (anon, deficit);
  self->deficit[FP_PAGES_ANON] = (FpEnds){ anon, anon };
  split_deficit (self, memory, deficit - anon);
  if (!fp_memory_has (memory, FP_FIELD_PSS_ANON))
    self->deficit[FP_PAGES_ANON].high = deficit;
  if (fp_memory_has (memory, FP_FIELD_SWAP_PSS))
    {
      guint64 swap = fp_memory_get (memory, FP_FIELD_SWAP);
      guint64 missing = fp_less (swap, fp_memory_get (memory, FP_FIELD_SWAP_PSS));

      /* Swap has shared memory that is swapped out, too. */
      self->deficit[FP_PAGES_SWAP] = (FpEnds){ swap == moment->whole[FP_PAGES_SWAP] ? missing : 0, missing };
    }
  else
    self->deficit[FP_PAGES_SWAP].high = moment->whole[FP_PAGES_SWAP];
  self->shared.low = self->shared.high = fp_memory_get (memory, FP_FIELD_SHARED);
}

typedef struct
{
  guint64 lost;
  guint64 gained;
} Change;

/* The process's own change. Pages come by faults alone, each of which brings a page table at most. They go by a fault
 * (a write to a shared page takes a copy) or without one. Pages that came and went in between show in the faults. */
static Change
get_own_change (const FpEstimate *self,
                const FpMoment *now,
                FpPages pages,
                guint64 reach)
{
  guint64 before = self->moment.whole[pages], after = now->whole[pages];
  Change change = { add (fp_less (before, after), reach), 0 };
  gboolean swaps = now->whole[FP_PAGES_SWAP] != self->moment.whole[FP_PAGES_SWAP] ||
                   (reach > 0 && now->whole[FP_PAGES_SWAP] > 0);

  switch (pages)
    {
    case FP_PAGES_FILE:
    case FP_PAGES_SHMEM:
      change.gained = add (fp_less (after, before), reach);
      break;
    case FP_PAGES_ANON: /* a new page is private, but a shared one may come back from swap */
      change.gained = swaps ? self->deficit[FP_PAGES_SWAP].high : 0;
      break;
    case FP_PAGES_SWAP: /* pages that came from RAM may replace swapped ones that were given up */
      change.lost = add (change.lost, fp_less (self->moment.whole[FP_PAGES_ANON], now->whole[FP_PAGES_ANON]));
      change.gained = swaps ? self->deficit[FP_PAGES_ANON].high : 0;
      break;
    case FP_N_PAGES:
    default:
      g_assert_not_reached ();
    }
  return change;
}

/* The deficit of files, widened by the changes of strangers. They share libraries, which this process counts in part:
 * their new pages take at most what it counts of shared ones. Some pages may have come and gone unseen. */
static FpEnds
get_file_deficit (const FpEstimate *self)
{
  FpEnds deficit = self->deficit[FP_PAGES_FILE];
  guint64 counted = fp_less (self->shared.high, sum_deficits (self).low), unseen = counted / 16 + STEP;

  if (self->strangers_lost == 0 && self->strangers_gained == 0)
    return deficit;
  deficit.low = fp_less (deficit.low, self->strangers_lost / 2 + unseen);
  deficit.high = add (deficit.high, MIN (self->strangers_gained / 2 + unseen, counted));
  clamp (&deficit, self->moment.whole[FP_PAGES_FILE]);
  return deficit;
}

static FpEnds
get_shared (const FpEstimate *self)
{
  FpEnds shared = self->shared;
  guint64 unseen = self->strangers_lost + self->strangers_gained > 0 ? 16 * STEP : 0;

  shared.low = fp_less (shared.low, self->strangers_lost + unseen);
  shared.high = add (shared.high, MIN (self->strangers_gained, unseen));
  clamp (&shared, get_rss (self));
  return shared;
}

static gboolean
is_unchanged (const FpMoment *a,
              const FpMoment *b)
{
  if (b->faults_after != a->faults_before || a->strangers_lost != b->strangers_lost ||
      a->strangers_gained != b->strangers_gained)
    return FALSE;
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    if (a->whole[pages] != b->whole[pages] || a->lost[pages] != b->lost[pages] || a->gained[pages] != b->gained[pages])
      return FALSE;
  return TRUE;
}

/* Another process that gives up a page, or maps it too, changes what one sharer counts of it by half of it at most.
 * fault_reach: what one fault can bring. FALSE: nothing has changed, all that was measured holds. */
gboolean
fp_estimate_advance (FpEstimate *self,
                     const FpMoment *now,
                     guint64 fault_reach)
{
  guint64 reach = multiply (fp_less (now->faults_after, self->moment.faults_before), fault_reach);
  FpEnds deficit[FP_N_PAGES];
  Change shared = { 0, 0 };

  if (is_unchanged (&self->moment, now))
    {
      self->moment = *now;
      return FALSE;
    }
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    {
      Change own = get_own_change (self, now, pages, reach);
      Change others = { now->lost[pages] - self->moment.lost[pages], now->gained[pages] - self->moment.gained[pages] };

      deficit[pages].low = fp_less (self->deficit[pages].low, add (own.lost, others.lost / 2));
      deficit[pages].high = add (self->deficit[pages].high, add (own.gained, others.gained / 2));
      if (pages == FP_PAGES_SWAP)
        continue;
      shared.lost = add (shared.lost, add (own.lost, others.lost));
      shared.gained = add (shared.gained, add (multiply (own.gained, pages == FP_PAGES_ANON ? 2 : 1), others.gained));
    }
  memcpy (self->deficit, deficit, sizeof deficit);
  self->shared.low = fp_less (self->shared.low, shared.lost);
  self->shared.high = add (self->shared.high, shared.gained);
  self->strangers_lost += now->strangers_lost - self->moment.strangers_lost;
  self->strangers_gained += now->strangers_gained - self->moment.strangers_gained;
  self->moment = *now;
  tighten (self);
  return TRUE;
}

static void
intersect (FpEnds *a,
           const FpEnds *b)
{
  FpEnds both = { MAX (a->low, b->low), MIN (a->high, b->high) };

  if (both.low <= both.high)
    *a = both;
}

/* Both are of the same moment and true. Where they exclude each other, a rule did not hold, and self, which was
 * measured later, counts. */
void
fp_estimate_intersect (FpEstimate *self,
                       const FpEstimate *other)
{
  FpEnds file = get_file_deficit (other), shared = get_shared (other);

  self->deficit[FP_PAGES_FILE] = get_file_deficit (self);
  self->shared = get_shared (self);
  self->strangers_lost = self->strangers_gained = 0;
  for (FpPages pages = 0; pages < FP_N_PAGES; pages++)
    intersect (&self->deficit[pages], pages == FP_PAGES_FILE ? &file : &other->deficit[pages]);
  intersect (&self->shared, &shared);
  tighten (self);
}

FpEnds
fp_estimate_get_pss (const FpEstimate *self)
{
  FpEnds deficit = sum_deficits (self), file = get_file_deficit (self), shared = get_shared (self);
  guint64 rss = get_rss (self);

  deficit.low = deficit.low - self->deficit[FP_PAGES_FILE].low + file.low;
  deficit.high = deficit.high - self->deficit[FP_PAGES_FILE].high + file.high;
  deficit.low = MIN (MAX (deficit.low, shared.low / 2), rss);
  deficit.high = MAX (MIN (MIN (deficit.high, shared.high), rss), deficit.low);
  return (FpEnds){ rss - deficit.high, rss - deficit.low };
}

static FpEnds
write_rest (FpMemory *memory,
            FpField field,
            guint64 whole,
            FpEnds deficit)
{
  FpEnds ends = { whole - MIN (deficit.high, whole), whole - MIN (deficit.low, whole) };

  fp_memory_set_range (memory, field, ends.low, ends.high);
  return ends;
}

/* memory: of which status was read at the same moment. Nothing else that smaps had said of it holds any more. */
void
fp_estimate_write (const FpEstimate *self,
                   FpMemory *memory)
{
  const guint64 *whole = self->moment.whole;
  FpEnds pss = fp_estimate_get_pss (self), shared = get_shared (self), swap;

  fp_memory_clear_origins (memory, FP_ORIGIN_SMAPS | FP_ORIGIN_DERIVED);
  fp_memory_set (memory, FP_FIELD_RSS, get_rss (self));
  fp_memory_derive (memory);
  fp_memory_set_range (memory, FP_FIELD_PSS, pss.low, pss.high);
  write_rest (memory, FP_FIELD_PSS_ANON, whole[FP_PAGES_ANON], self->deficit[FP_PAGES_ANON]);
  write_rest (memory, FP_FIELD_PSS_FILE, whole[FP_PAGES_FILE], get_file_deficit (self));
  write_rest (memory, FP_FIELD_PSS_SHMEM, whole[FP_PAGES_SHMEM], self->deficit[FP_PAGES_SHMEM]);
  write_rest (memory, FP_FIELD_USS, get_rss (self), shared);
  fp_memory_set_range (memory, FP_FIELD_SHARED, shared.low, shared.high);
  swap = write_rest (memory, FP_FIELD_SWAP_PSS, whole[FP_PAGES_SWAP], self->deficit[FP_PAGES_SWAP]);
  fp_memory_set_range (memory, FP_FIELD_MEMORY_AND_SWAP, pss.low + swap.low, pss.high + swap.high);
}
