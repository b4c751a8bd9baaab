// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <linux/kcmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-twins.h"

typedef struct
{
  const FpImage *image;
  FpProcess *process;
} Candidate;

static int
compare_images (gconstpointer a,
                gconstpointer b)
{
  return memcmp (((const Candidate *)a)->image, ((const Candidate *)b)->image, sizeof (FpImage));
}

/* The kernel's own order of address spaces; 0 is the same one. */
static int
compare_memory (gconstpointer a,
                gconstpointer b)
{
  gint x = ((const Candidate *)a)->process->pid, y = ((const Candidate *)b)->process->pid;

  switch (syscall (SYS_kcmp, x, y, KCMP_VM, 0, 0))
    {
    case 0:
      return 0;
    case 1:
      return -1;
    case 2:
      return 1;
    default:
      return x < y ? -1 : 1;
    }
}

static guint
mark_family (Candidate *family,
             gsize n)
{
  guint n_marked = 0;

  qsort (family, n, sizeof *family, compare_memory);
  for (gsize first = 0, next; first < n; first = next)
    {
      FpProcess *owner = family[first].process;

      for (next = first + 1; next < n && compare_memory (&family[first], &family[next]) == 0; next++)
        if (family[next].process->start_ticks < owner->start_ticks)
          owner = family[next].process;
      for (gsize i = first; i < next; i++)
        if (family[i].process != owner)
          {
            family[i].process->shares_with = owner->pid;
            n_marked++;
          }
    }
  return n_marked;
}

/* Processes made with CLONE_VM (vfork before its exec among them) show one memory twice: it counts with the oldest.
 * Equal figures prove nothing, forked workers have them too; only the kernel's comparison does. It is asked about
 * processes of one image alone, and where it is not permitted each of them counts. */
guint
fp_twins_mark (FpTracked *tracked,
               FpProcess *processes,
               guint n)
{
  g_autofree Candidate *candidates = g_new (Candidate, MAX (n, 1));
  guint n_candidates = 0, n_marked = 0;

  for (guint i = 0; i < n; i++)
    {
      processes[i].shares_with = 0;
      if (tracked[i].life != FP_LIFE_GONE && !fp_stat_is_zombie (&tracked[i].stat) && fp_stat_has_image (&tracked[i].stat))
        candidates[n_candidates++] = (Candidate){ &tracked[i].stat.image, &processes[i] };
    }
  qsort (candidates, n_candidates, sizeof *candidates, compare_images);
  for (guint first = 0, next; first < n_candidates; first = next)
    {
      for (next = first + 1; next < n_candidates && compare_images (&candidates[first], &candidates[next]) == 0; next++)
        ;
      if (next - first > 1)
        n_marked += mark_family (&candidates[first], next - first);
    }
  return n_marked;
}
