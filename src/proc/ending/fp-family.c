// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <linux/kcmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-reading.h"
#include "fp-family.h"
#include "fp-scan.h"

#define MAX_READ 8 /* outsiders that are read; with more of them the ends stay apart */

/* A sum over some processes */
typedef struct
{
  FpSpan own;
  FpSpan part;
  guint64 whole;
  guint64 most;
} Sums;

static void
add (Sums *sums,
     const FpSpan *own,
     const FpSpan *part,
     guint64 whole)
{
  fp_span_add (&sums->own, own->low, own->high);
  fp_span_add (&sums->part, part->low, part->high);
  sums->whole += whole;
  sums->most = MAX (sums->most, whole);
}

/* The kernel hides where the stack is of a process that may not be read. */
gboolean
fp_family_may_have (const FpHolding *member,
                    const FpOutsider *outsider)
{
  if (outsider->is_readable)
    return fp_stat_same_family (&member->stat, &outsider->stat);
  return outsider->stat.ppid == member->id.pid || member->stat.ppid == outsider->pid ||
         strcmp (outsider->stat.comm, member->stat.comm) == 0;
}

typedef struct
{
  FpReading reading;
  gint other;
  gboolean is_one_memory;
} Comparison;

static void
compare (gpointer data)
{
  Comparison *self = data;

  self->is_one_memory = syscall (SYS_kcmp, self->reading.id.pid, self->other, KCMP_VM, 0, 0) == 0;
}

/* As vfork () and CLONE_VM make it. The kernel waits for both. */
gboolean
fp_family_is_one_memory (const FpProcDir *proc,
                         const FpProcessId *a,
                         gint b)
{
  Comparison *comparison;
  gboolean is_one_memory;

  if (!proc->is_live)
    return FALSE;
  comparison = fp_reading_new (sizeof *comparison, proc, a);
  comparison->other = b;
  if (!fp_reading_await (comparison, compare, fp_reading_free))
    return FALSE;
  is_one_memory = comparison->is_one_memory;
  fp_reading_free (comparison);
  return is_one_memory;
}

/* All pages of the family less those of outsiders. This is exact for one outsider; the pages of several may overlap. */
static FpSpan
take_away (const Sums *inside,
           const Sums *outside)
{
  FpSpan rest;

  rest.low = MAX (inside->own.low, fp_less (inside->part.low + outside->part.low, outside->whole));
  rest.high = fp_less (inside->part.high + outside->part.high, MAX (outside->most, outside->part.low));
  rest.high = MAX (rest.low, MIN (inside->part.high, rest.high));
  return rest;
}

typedef struct
{
  guint n_inside;
  guint n_outside;
  guint n_suspects;
  gboolean was_outside_read;
  Sums inside;
  Sums outside;
  Sums inside_swap;
  Sums outside_swap;
  const FpOutsider *first;
} Family;

static FpSpan
find_rest (const Family *self,
           const Sums *inside,
           const Sums *outside)
{
  if (self->n_outside + self->n_suspects == 0)
    return inside->part;
  if (self->n_inside == 1)
    return inside->own;
  if (self->was_outside_read && self->n_suspects == 0)
    return take_away (inside, outside);
  return (FpSpan){ inside->own.low, inside->part.high };
}

static void
add_held (FpEnding *ending,
          const Family *self,
          const FpSpan *freed)
{
  FpEndingPart part = { .fate = FP_ENDING_HELD };

  if (!self->first)
    return;
  part.name = (char *)self->first->stat.comm;
  part.pid = self->first->pid;
  part.n_others = self->n_outside + self->n_suspects - 1;
  part.is_mixed = part.n_others > 0;
  if (self->n_inside == 1)
    part.bytes = fp_less (self->inside.whole, freed->high);
  else if (self->was_outside_read && self->n_outside == 1)
    part.bytes = fp_less (self->outside.whole, self->outside.own.high);
  else
    {
      part.bytes = fp_less (self->inside.part.low, freed->high);
      part.is_least = TRUE;
    }
  fp_ending_add_part (ending, &part);
}

static void
add_pool (FpEnding *ending,
          const Family *self,
          const GPtrArray *members)
{
  guint64 sum = 0, most = 0;
  gboolean is_closed = self->n_outside + self->n_suspects == 0;

  for (guint i = 0; i < members->len; i++)
    {
      const FpHolding *member = g_ptr_array_index (members, i);

      fp_span_add (&ending->pool, member->pool_own, member->pool_own);
      sum += member->pool_shared;
      most = MAX (most, member->pool_shared);
    }
  if (is_closed || self->n_inside > 1)
    fp_span_add (&ending->pool, is_closed ? most : 0, MAX (is_closed ? most : 0, sum / 2));
}

static void
find_outside (Family *self,
              const GPtrArray *members,
              const GArray *outsiders)
{
  for (guint i = 0; i < outsiders->len; i++)
    {
      const FpOutsider *outsider = &g_array_index (outsiders, FpOutsider, i);
      gboolean is_one = FALSE;

      for (guint j = 0; j < members->len && !is_one; j++)
        is_one = fp_family_may_have (g_ptr_array_index (members, j), outsider);
      if (!is_one)
        continue;
      if (!outsider->is_readable)
        {
          self->n_suspects++;
          continue;
        }
      self->n_outside++;
      if (!self->first)
        self->first = outsider;
    }
}

/* FALSE: it was called off. One that ends meanwhile is as good as one that was not read. */
static gboolean
read_outside (Family *self,
              const FpProcDir *proc,
              const GPtrArray *members,
              const GArray *outsiders,
              FpPacer *pacer)
{
  self->was_outside_read = TRUE;
  for (guint i = 0; i < outsiders->len; i++)
    {
      const FpOutsider *outsider = &g_array_index (outsiders, FpOutsider, i);
      FpProcessId id = { outsider->pid, outsider->stat.start_ticks };
      FpHolding holding;

      if (!outsider->is_readable || !fp_family_may_have (g_ptr_array_index (members, 0), outsider))
        continue;
      if (!pacer->step (0, 0, pacer->data))
        return FALSE;
      if (!fp_holding_read (&holding, proc, &id, NULL, pacer, NULL))
        {
          self->was_outside_read = FALSE;
          continue;
        }
      add (&self->outside, &holding.own, &holding.part, holding.anonymous);
      add (&self->outside_swap, &holding.own_swap, &holding.part_swap, holding.swapped);
    }
  return TRUE;
}

gboolean
fp_family_add_to (FpEnding *ending,
                  const FpProcDir *proc,
                  const GPtrArray *members,
                  const GArray *outsiders,
                  FpPacer *pacer,
                  GError **error)
{
  Family self = { .n_inside = members->len };
  FpSpan freed, swap;

  for (guint i = 0; i < members->len; i++)
    {
      const FpHolding *member = g_ptr_array_index (members, i);

      add (&self.inside, &member->own, &member->part, member->anonymous);
      add (&self.inside_swap, &member->own_swap, &member->part_swap, member->swapped);
    }
  find_outside (&self, members, outsiders);
  if (self.n_inside > 1 && self.n_outside > 0 && self.n_outside <= MAX_READ &&
      !read_outside (&self, proc, members, outsiders, pacer))
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, "");
      return FALSE;
    }
  freed = find_rest (&self, &self.inside, &self.outside);
  swap = find_rest (&self, &self.inside_swap, &self.outside_swap);
  fp_span_add (&ending->memory, freed.low, freed.high);
  fp_span_add (&ending->swap, swap.low, swap.high);
  if (self.n_suspects > 0)
    fp_ending_doubt (ending, freed.high - freed.low, self.n_suspects);
  add_held (ending, &self, &freed);
  add_pool (ending, &self, members);
  return TRUE;
}
