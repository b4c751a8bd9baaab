// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <linux/kcmp.h>
#include <string.h>
#include <sys/syscall.h>

#include "fp-twins.h"
#include "fp-visit.h"

typedef struct
{
  FpImage image;
  FpProcessId id;
  guint32 uid;
  guint slot;
  gint shares_with;
} Candidate;

typedef struct
{
  guint first;
  guint n;
} Family;

typedef struct
{
  FpRoster *roster;
  GArray *candidates;
  GArray *families;
  guint n_marked;
} Search;

static int
compare_images (gconstpointer a,
                gconstpointer b)
{
  return memcmp (&((const Candidate *)a)->image, &((const Candidate *)b)->image, sizeof (FpImage));
}

/* Within a family the oldest comes first. */
static int
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const FpProcessId *x = &((const Candidate *)a)->id, *y = &((const Candidate *)b)->id;
  int order = compare_images (a, b);

  if (order != 0)
    return order;
  return x->start_ticks != y->start_ticks ? (x->start_ticks > y->start_ticks) - (x->start_ticks < y->start_ticks) : x->pid - y->pid;
}

/* firsts: the first one of each memory, in the order of memories */
static guint
find_owner (guint self,
            GArray *firsts,
            FpTwinsCompareFunc compare,
            gpointer data)
{
  guint low = 0, high = firsts->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2, other = g_array_index (firsts, guint, middle);
      int order;

      if (compare (self, other, &order, data))
        {
          if (order == 0)
            return other;
          if (order < 0)
            high = middle;
          else
            low = middle + 1;
        }
      else if (compare (self, self, &order, data))
        {
          g_array_remove_index (firsts, middle);
          high--;
        }
      else
        return self;
    }
  g_array_insert_val (firsts, low, self);
  return self;
}

/* Sets the owner of each to the first that has the same memory, or to itself. Whether a process may be looked at can change in
 * the midst of it, when its user's time is over. So each takes its place among those before it, which keep their order, and one
 * that can't be compared any more leaves without changing the places of others. */
void
fp_twins_find (guint *owners,
               guint n,
               FpTwinsCompareFunc compare,
               gpointer data)
{
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < n; i++)
    owners[i] = find_owner (i, firsts, compare, data);
}

typedef struct
{
  Candidate *family; /* a copy */
  guint n;
  FpRunner *runner; /* while it runs */
} Comparison;

/* The kernel has an order of address spaces of its own. It waits for a process that execs. */
static gboolean
compare_memory (guint a,
                guint b,
                int *order,
                gpointer data)
{
  const Comparison *self = data;
  const Candidate *x = &self->family[a], *y = &self->family[b];
  long answer = -1;

  if (fp_errand_may_look (fp_runner_enter (self->runner, &y->id, y->uid)) &&
      fp_errand_may_look (fp_runner_enter (self->runner, &x->id, x->uid)))
    answer = syscall (SYS_kcmp, x->id.pid, y->id.pid, KCMP_VM, 0, 0);
  *order = answer == 1 ? -1 : answer == 2;
  return answer >= 0 && answer <= 2;
}

static gboolean
begin_comparison (gpointer errand,
                  gpointer data,
                  guint index)
{
  const Search *search = data;
  const Family *family = &g_array_index (search->families, Family, index);

  *(Comparison *)errand = (Comparison){
    g_memdup2 (&g_array_index (search->candidates, Candidate, family->first), family->n * sizeof (Candidate)), family->n, NULL
  };
  return TRUE;
}

static void
run_comparison (gpointer errand,
                FpRunner *runner)
{
  Comparison *self = errand;
  g_autofree guint *owners = g_new (guint, self->n);

  self->runner = runner;
  fp_twins_find (owners, self->n, compare_memory, self);
  for (guint i = 0; i < self->n; i++)
    if (owners[i] != i)
      self->family[i].shares_with = self->family[owners[i]].id.pid;
}

static void
clear_comparison (gpointer errand)
{
  g_free (((Comparison *)errand)->family);
}

static void
end_comparison (gpointer errand,
                gpointer data,
                guint index)
{
  const Comparison *comparison = errand;
  Search *search = data;

  for (guint i = 0; i < comparison->n; i++)
    {
      const Candidate *candidate = &comparison->family[i];

      search->roster->next->processes[candidate->slot].shares_with = candidate->shares_with;
      search->n_marked += candidate->shares_with != 0;
    }
  clear_comparison (errand);
}

/* The whole family is marked. The one that does not answer is found when they are read again, one by one. */
static void
leave_comparison (gpointer data,
                  guint index,
                  FpErrandVerdict verdict)
{
  const Search *search = data;
  const Family *family = &g_array_index (search->families, Family, index);

  for (guint i = 0; i < family->n; i++)
    {
      guint slot = g_array_index (search->candidates, Candidate, family->first + i).slot;

      fp_visit_leave_unread (&search->roster->tracked[slot], &search->roster->next->processes[slot], search->roster->now_us);
    }
}

static const FpErrandKind comparing = {
  sizeof (Comparison),
  begin_comparison,
  run_comparison,
  end_comparison,
  leave_comparison,
  clear_comparison,
};

static void
list_candidates (Search *self)
{
  for (guint i = 0; i < self->roster->next->n_processes; i++)
    {
      const FpTracked *tracked = &self->roster->tracked[i];
      FpProcess *process = &self->roster->next->processes[i];
      Candidate candidate = { tracked->stat.image, { process->pid, process->start_ticks }, fp_visit_get_payer (tracked, process), i, 0 };

      process->shares_with = 0;
      if (tracked->life != FP_LIFE_GONE && !fp_stat_is_zombie (&tracked->stat) && fp_stat_has_image (&tracked->stat) &&
          tracked->is_looked_at)
        g_array_append_val (self->candidates, candidate);
    }
  g_array_sort (self->candidates, compare_candidates);
}

static void
list_families (Search *self)
{
  Family family = { 0 };

  for (; family.first < self->candidates->len; family.first += family.n)
    {
      const Candidate *first = &g_array_index (self->candidates, Candidate, family.first);

      for (family.n = 1; family.first + family.n < self->candidates->len && compare_images (first, first + family.n) == 0;)
        family.n++;
      if (family.n > 1)
        g_array_append_val (self->families, family);
    }
}

/* Processes made with CLONE_VM (vfork before its exec among them) show one memory twice: it counts with the oldest.
 * Equal figures prove nothing, forked workers have them too; only the kernel's comparison does. It is asked about
 * processes of one image alone, and where it is not permitted each of them counts. */
guint
fp_twins_mark (FpRoster *roster)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (GArray) families = g_array_new (FALSE, FALSE, sizeof (Family));
  Search search = { roster, candidates, families, 0 };

  list_candidates (&search);
  list_families (&search);
  fp_errands_run (roster->errands, &comparing, &search, families->len, FALSE);
  return search.n_marked;
}
