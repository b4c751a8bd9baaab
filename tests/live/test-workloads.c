// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/swap.h>

#include "fp-ledger.h"
#include "fp-sweep.h"
#include "workload.h"

typedef struct
{
  const char *path;
  const char *workload;
  FpPart part;
  guint64 least;
  guint64 most;
} LedgerCase;

#define KIB ((guint64)1024)
#define MIB (1024 * KIB)

/* Stack, libc's data and the like of a small program. */
#define OWN (512 * KIB)

static FpSnapshot *
take_snapshot (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSweepRequest request = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, &error);
  FpSnapshot *snapshot;

  g_assert_no_error (error);
  snapshot = fp_sweep_collect (sweep, &request, &error);
  g_assert_no_error (error);
  return snapshot;
}

static guint64
get (const FpSnapshot *snapshot,
     const Workload *workload,
     const char *role,
     FpField field)
{
  const FpProcess *process = fp_snapshot_find (snapshot, workload_get_pid (workload, role));

  g_assert_nonnull (process);
  g_assert_true (fp_memory_has (&process->memory, field));
  return process->memory.figures[field];
}

#define assert_between(value, least, most) \
  G_STMT_START                             \
  {                                        \
    guint64 value_ = (value);              \
    g_assert_cmpuint (value_, >=, least);  \
    g_assert_cmpuint (value_, <=, most);   \
  }                                        \
  G_STMT_END

static void
test_forks (void)
{
  static const char *const children[] = { "child0", "child1", "child2", "child3" };
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;
  guint64 sum;

  if (!workload_start (&workload, "fork 5 100 10"))
    return;
  snapshot = take_snapshot ();
  sum = get (snapshot, &workload, "parent", FP_FIELD_PSS_ANON);
  assert_between (sum, 20 * MIB, 20 * MIB + OWN);
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    {
      assert_between (get (snapshot, &workload, children[i], FP_FIELD_PSS_ANON), 30 * MIB, 30 * MIB + OWN);
      assert_between (get (snapshot, &workload, children[i], FP_FIELD_USS), 10 * MIB, 10 * MIB + OWN);
      sum += get (snapshot, &workload, children[i], FP_FIELD_PSS_ANON);
    }
  assert_between (sum, 140 * MIB, 140 * MIB + 2 * OWN);
  workload_stop (&workload);
}

static void
test_memfd_of_four (void)
{
  static const char *const roles[] = { "parent", "child0", "child1", "child2" };
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "shm 4 64"))
    return;
  snapshot = take_snapshot ();
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_PSS_SHMEM), ==, 16 * MIB);
      assert_between (get (snapshot, &workload, roles[i], FP_FIELD_SHARED_DIRTY), 64 * MIB, 64 * MIB + OWN);
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_RSS_SHMEM), ==, 64 * MIB);
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_USS), <, OWN);
    }
  workload_stop (&workload);
}

/* One process that maps a memfd twice: PSS counts it once, and none of it is private. */
static void
test_mapped_twice (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "twice 16"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_RSS_SHMEM), ==, 32 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_PSS_SHMEM), ==, 16 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_USS), <, OWN);
  workload_stop (&workload);
}

static void
test_huge_pages (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "thp 32"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_ANON_HUGE), ==, 32 * MIB);
  assert_between (get (snapshot, &workload, "parent", FP_FIELD_PSS_ANON), 32 * MIB, 36 * MIB);
  workload_stop (&workload);
}

/* The pool's pages are in no other figure. */
static void
test_huge_page_pool (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "hugetlb 6 8"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_PRIVATE_HUGETLB), ==, 6 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_SHARED_HUGETLB), ==, 8 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_HUGETLB), ==, 14 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_PSS), <, 4 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_USS), <, OWN);
  workload_stop (&workload);
}

static void
test_lazily_freed (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "lazyfree 16"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_LAZY_FREE), ==, 16 * MIB);
  assert_between (get (snapshot, &workload, "parent", FP_FIELD_PRIVATE_CLEAN), 16 * MIB, 16 * MIB + OWN);
  workload_stop (&workload);
}

static void
test_zero_page (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "zero 64"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_PSS_ANON), <, OWN);
  workload_stop (&workload);
}

static void
test_merged_pages (void)
{
  g_autoptr (FpSnapshot) snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "ksm 32"))
    return;
  snapshot = take_snapshot ();
  assert_between (get (snapshot, &workload, "parent", FP_FIELD_KSM), 32 * MIB, 32 * MIB + OWN);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_PSS_ANON), <, 2 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "child0", FP_FIELD_PSS_ANON), <, 2 * MIB);
  g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_KSM_SHARING), >=, 60 * MIB);
  workload_stop (&workload);
}

static gboolean
has_swap (const FpSnapshot *snapshot,
          const char *name)
{
  for (guint i = 0; i < snapshot->system.n_swaps; i++)
    if (g_str_equal (snapshot->system.swaps[i].name, name))
      return TRUE;
  return FALSE;
}

/* The one that the workload has made; the machine may have others. */
static const FpSwap *
find_own_swap (const FpSnapshot *before,
               const FpSnapshot *snapshot)
{
  for (guint i = 0; i < snapshot->system.n_swaps; i++)
    {
      const FpSwap *swap = &snapshot->system.swaps[i];

      if (strstr (swap->name, "/footprint-workload-") && !has_swap (before, swap->name))
        return swap;
    }
  g_error ("The workload has no swap file");
}

/* A machine that has had swap before gives out what each processor has set aside of that first, a few MiB at most. */
static guint64
get_most_elsewhere (const FpSnapshot *before)
{
  return before->system.n_swaps > 0 ? 2 * MIB * g_get_num_processors () : 0;
}

static void
check_own_swap (const FpSnapshot *before,
                const FpSnapshot *snapshot,
                guint64 size)
{
  const FpSwap *swap = find_own_swap (before, snapshot);
  guint64 elsewhere = get_most_elsewhere (before);

  assert_between (swap->used, size - MIN (size - 1, elsewhere), size + 4 * MIB);
}

static guint64
get_swap_used (const FpSnapshot *snapshot)
{
  guint64 used, devices = 0;

  g_assert_true (fp_system_get_swap_used (&snapshot->system, &used));
  for (guint i = 0; i < snapshot->system.n_swaps; i++)
    devices += snapshot->system.swaps[i].used;
  assert_between (used, devices - MIN (devices, MIB), devices + MIB);
  return used;
}

static void
test_swap_file (void)
{
  g_autoptr (FpSnapshot) before = take_snapshot (), snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "swapfile 48 64"))
    return;
  snapshot = take_snapshot ();
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_SWAP), ==, 48 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_SWAP_PSS), ==, 48 * MIB);
  g_assert_cmpuint (get (snapshot, &workload, "parent", FP_FIELD_VM_SWAP), ==, 48 * MIB);
  assert_between (get (snapshot, &workload, "parent", FP_FIELD_PSS_ANON), 16 * MIB, 16 * MIB + OWN);
  g_assert_cmpint (find_own_swap (before, snapshot)->type, ==, FP_SWAP_FILE);
  check_own_swap (before, snapshot, 48 * MIB);
  g_assert_cmpuint (get_swap_used (snapshot), >=, find_own_swap (before, snapshot)->used);
  workload_stop (&workload);
}

typedef struct
{
  char *path;
  gint is_over; /* atomic */
} SwapOff;

static gpointer
swap_off_worker (gpointer data)
{
  SwapOff *self = data;
  gboolean is_off = swapoff (self->path) == 0;

  g_atomic_int_set (&self->is_over, TRUE);
  return GINT_TO_POINTER (is_off);
}

/* The area is read again and again while the kernel empties it: it only shrinks, and then it is gone. */
static void
test_swap_goes (void)
{
  g_autoptr (FpSnapshot) before = take_snapshot (), full = NULL, empty = NULL;
  SwapOff off = { NULL, FALSE };
  guint64 size, used, elsewhere;
  guint n_readings = 0;
  Workload workload;
  GThread *thread;

  if (!workload_start (&workload, "swapfile 48 64"))
    return;
  full = take_snapshot ();
  off.path = g_strdup (find_own_swap (before, full)->name);
  size = find_own_swap (before, full)->size;
  used = find_own_swap (before, full)->used;
  thread = g_thread_new ("swapoff", swap_off_worker, &off);
  while (!g_atomic_int_get (&off.is_over))
    {
      g_autoptr (FpSnapshot) snapshot = take_snapshot ();

      n_readings++;
      if (!has_swap (snapshot, off.path))
        continue;
      g_assert_cmpuint (find_own_swap (before, snapshot)->size, ==, size);
      g_assert_cmpuint (find_own_swap (before, snapshot)->used, <=, used);
      used = find_own_swap (before, snapshot)->used;
    }
  g_assert_true (GPOINTER_TO_INT (g_thread_join (thread)));
  g_test_message ("%u readings meanwhile", n_readings);
  empty = take_snapshot ();
  g_assert_false (has_swap (empty, off.path));
  elsewhere = get (empty, &workload, "parent", FP_FIELD_SWAP);
  g_assert_cmpuint (elsewhere, <=, get_most_elsewhere (before));
  assert_between (get (empty, &workload, "parent", FP_FIELD_PSS_ANON) + elsewhere, 64 * MIB, 64 * MIB + OWN);
  workload_stop (&workload);
  g_free (off.path);
}

static void
test_swap_of_forks (void)
{
  static const char *const roles[] = { "parent", "child0", "child1", "child2" };
  g_autoptr (FpSnapshot) before = take_snapshot (), snapshot = NULL;
  Workload workload;

  if (!workload_start (&workload, "swapanon 4 64"))
    return;
  snapshot = take_snapshot ();
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_SWAP), ==, 64 * MIB);
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_SWAP_PSS), ==, 16 * MIB);
    }
  check_own_swap (before, snapshot, 64 * MIB);
  g_assert_cmpuint (get_swap_used (snapshot), >=, find_own_swap (before, snapshot)->used);
  workload_stop (&workload);
}

/* Swapped-out shared memory is of no process. */
static void
test_swap_of_shared_memory (void)
{
  static const char *const roles[] = { "parent", "child0", "child1" };
  g_autoptr (FpSnapshot) snapshot = NULL;
  guint64 of_processes = 0;
  Workload workload;

  if (!workload_start (&workload, "swapshm 3 64"))
    return;
  snapshot = take_snapshot ();
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_SWAP), ==, 64 * MIB);
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_SWAP_PSS), ==, 0);
      g_assert_cmpuint (get (snapshot, &workload, roles[i], FP_FIELD_VM_SWAP), ==, 0);
    }
  for (guint i = 0; i < snapshot->n_processes; i++)
    of_processes += fp_memory_get (&snapshot->processes[i].memory, FP_FIELD_SWAP_PSS);
  g_assert_cmpuint (get_swap_used (snapshot) - of_processes, >=, 64 * MIB);
  workload_stop (&workload);
}

static void
assert_ledger_whole (const FpSnapshot *snapshot,
                     FpLedger *ledger)
{
  gint64 sum = 0, total = (gint64)fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL);

  g_assert_true (fp_ledger_make (ledger, &snapshot->system));
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    sum += ledger->parts[part];
  g_assert_cmpint (sum, ==, total);
  g_assert_cmpint (ABS (ledger->parts[FP_PART_REMAINDER]), <=, total / 20);
}

/* FALSE: the workload can't be had here. */
static gboolean
measure_ledger (const LedgerCase *expected,
                gint64 *grown,
                gint64 *lost)
{
  g_autoptr (FpSnapshot) before = take_snapshot (), after = NULL;
  FpLedger ledger_before, ledger_after;
  Workload workload;

  assert_ledger_whole (before, &ledger_before);
  if (!workload_start (&workload, expected->workload))
    return FALSE;
  after = take_snapshot ();
  assert_ledger_whole (after, &ledger_after);
  workload_stop (&workload);
  *grown = ledger_after.parts[expected->part] - ledger_before.parts[expected->part];
  *lost = ledger_after.parts[FP_PART_REMAINDER] - ledger_before.parts[FP_PART_REMAINDER];
  g_test_message ("%s moved by %.1f MiB, the remainder by %.1f MiB", fp_part_infos[expected->part].name,
                  (double)*grown / MIB, (double)*lost / MIB);
  return TRUE;
}

/* The memory that a workload adds is in its own part ± 2 %, and not in the remainder. The counters are of the whole machine: once
 * more when others have moved them meanwhile. */
static void
test_ledger (gconstpointer data)
{
  const LedgerCase *expected = data;
  gint64 grown = 0, lost = 0;

  for (guint try = 0; try < 5; try++)
    {
      if (!measure_ledger (expected, &grown, &lost))
        return;
      if (grown >= (gint64)expected->least && grown <= (gint64)expected->most && ABS (lost) <= 8 * MIB)
        break;
    }
  g_assert_cmpint (grown, >=, expected->least);
  g_assert_cmpint (grown, <=, expected->most);
  g_assert_cmpint (ABS (lost), <=, 8 * MIB);
}

int
main (int argc,
      char *argv[])
{
  static const LedgerCase ledger_cases[] = {
    { "/workload/ledger/anonymous", "anon 256", FP_PART_ANONYMOUS, 251 * MIB, 261 * MIB },
    { "/workload/ledger/memfd-mapped", "shm 2 256", FP_PART_SHMEM, 251 * MIB, 261 * MIB },
    { "/workload/ledger/memfd-held", "memfd-fd 256", FP_PART_SHMEM, 251 * MIB, 261 * MIB },
    { "/workload/ledger/hugetlb", "hugetlb 128 128", FP_PART_HUGETLB, 251 * MIB, 261 * MIB },
    { "/workload/ledger/zram", "swapzram 256 256", FP_PART_ZRAM, 128 * MIB, 145 * MIB },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workload/forks", test_forks);
  g_test_add_func ("/workload/memfd-of-four", test_memfd_of_four);
  g_test_add_func ("/workload/mapped-twice", test_mapped_twice);
  g_test_add_func ("/workload/huge-pages", test_huge_pages);
  g_test_add_func ("/workload/huge-page-pool", test_huge_page_pool);
  g_test_add_func ("/workload/lazily-freed", test_lazily_freed);
  g_test_add_func ("/workload/zero-page", test_zero_page);
  g_test_add_func ("/workload/merged-pages", test_merged_pages);
  g_test_add_func ("/workload/swap/file", test_swap_file);
  g_test_add_func ("/workload/swap/off", test_swap_goes);
  g_test_add_func ("/workload/swap/forks", test_swap_of_forks);
  g_test_add_func ("/workload/swap/shared-memory", test_swap_of_shared_memory);
  for (guint i = 0; i < G_N_ELEMENTS (ledger_cases); i++)
    g_test_add_data_func (ledger_cases[i].path, &ledger_cases[i], test_ledger);
  return g_test_run ();
}
