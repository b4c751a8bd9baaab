// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <unistd.h>

#include "fp-sweep.h"
#include "live-process.h"

#define MAX_ALLOCATIONS 8
#define N_SWEEPS        30
#define N_FIRST         5 /* they make room */

/* glibc's own names behind the functions that this file replaces. */
extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *memory, size_t size);

static gint n_allocations;

void *
malloc (size_t size)
{
  g_atomic_int_inc (&n_allocations);
  return __libc_malloc (size);
}

void *
calloc (size_t n,
        size_t size)
{
  g_atomic_int_inc (&n_allocations);
  return __libc_calloc (n, size);
}

void *
realloc (void *memory,
         size_t size)
{
  g_atomic_int_inc (&n_allocations);
  return __libc_realloc (memory, size);
}

static void
idle (gpointer data)
{
  live_touch (64 * 1024);
  live_answer ();
  live_await_order ();
}

static int
compare_counts (const void *first,
                const void *second)
{
  return *(const gint *)first - *(const gint *)second;
}

/* The median, because other programs of the machine start at any time, and a new process needs memory. */
static gint
count_in_steady_sweep (guint n_processes)
{
  FpSweepSettings settings = { FP_ROTATION_FIXED, 10, 0.02, 10000, fp_user_lookup };
  g_autofree LiveProcess *processes = g_new (LiveProcess, n_processes);
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, NULL);
  FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) shown = NULL;
  gint counts[N_SWEEPS];

  for (guint i = 0; i < n_processes; i++)
    live_process_start (&processes[i], idle, NULL);
  for (guint i = 0; i < N_SWEEPS; i++)
    {
      gint before = g_atomic_int_get (&n_allocations);
      FpSnapshot *snapshot = fp_sweep_collect (sweep, &request, NULL);

      counts[i] = g_atomic_int_get (&n_allocations) - before;
      g_clear_pointer (&shown, fp_snapshot_unref);
      shown = snapshot;
    }
  g_assert_cmpuint (shown->n_processes, >, n_processes);
  for (guint i = 0; i < n_processes; i++)
    live_process_stop (&processes[i]);
  qsort (counts + N_FIRST, N_SWEEPS - N_FIRST, sizeof *counts, compare_counts);
  return counts[(N_FIRST + N_SWEEPS) / 2];
}

static void
test_steady_sweep (void)
{
  gint few = count_in_steady_sweep (20), many = count_in_steady_sweep (300);

  g_test_message ("allocations in a steady sweep: %d with 20 processes, %d with 300", few, many);
  g_assert_cmpint (few, <=, MAX_ALLOCATIONS);
  g_assert_cmpint (many, <=, MAX_ALLOCATIONS);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sweep/allocations/steady", test_steady_sweep);
  return g_test_run ();
}
