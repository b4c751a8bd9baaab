// SPDX-License-Identifier: GPL-3.0-or-later
/* The page map against smaps, mapping by mapping, and what it costs the process that is read. */
#include <linux/if_packet.h>
#include <linux/perf_event.h>
#include <net/ethernet.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-mapping-reader.h"
#include "fp-page-map-reader.h"
#include "fp-stat.h"
#include "live-process.h"
#include "test-length.h"
#include "workload.h"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

#define PAGE    ((guint64)sysconf (_SC_PAGESIZE))
#define N_TRIES 20
#define MIB     ((gsize)1024 * 1024)
#define HUGE    (2 * MIB)
#define N_BINS  512

typedef struct
{
  const char *workload;
  const char *role;
  struct
  {
    FpPageState state;
    guint64 pages;
    guint64 huge;
  } expected[2]; /* of one mapping each */
} Case;

static gboolean
has_flag (const FpMapping *mapping,
          const char *letters)
{
  for (guint i = 0; i < FP_N_MAPPING_FLAGS; i++)
    if (strcmp (fp_mapping_flag_infos[i].letters, letters) == 0)
      return (mapping->flags >> i & 1) != 0;
  g_assert_not_reached ();
}

static FpProcessId
find_id (const FpProcDir *proc,
         gint pid)
{
  FpStat stat = { 0 };

  fp_stat_read_any (&stat, proc, pid);
  g_assert_cmpuint (stat.start_ticks, >, 0);
  return (FpProcessId){ pid, stat.start_ticks };
}

static FpPageMap *
read_map (const FpProcDir *proc,
          const FpProcessId *id,
          guint64 start,
          guint64 end)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpPageMapReader) reader = fp_page_map_reader_new (proc, id, start, end, N_BINS, &error);
  FpPageMap *map;

  g_assert_no_error (error);
  fp_page_map_reader_step (reader, G_MAXINT64, &error);
  g_assert_no_error (error);
  map = fp_page_map_reader_finish (reader, &error);
  g_assert_no_error (error);
  return map;
}

static void
assert_whole (const FpPageMap *map)
{
  FpPageBin sum = { 0 };
  guint64 n = 0;

  for (guint i = 0; i < map->n_bins; i++)
    {
      for (FpPageState state = 0; state < FP_N_PAGE_STATES; state++)
        sum.pages[state] += map->bins[i].pages[state];
      sum.huge += map->bins[i].huge;
    }
  for (FpPageState state = 0; state < FP_N_PAGE_STATES; state++)
    n += map->total.pages[state];
  g_assert_cmpmem (&sum, sizeof sum, &map->total, sizeof sum);
  g_assert_cmpuint (n * PAGE, ==, map->end - map->start);
}

/* NULL, or in what the page map and smaps differ. */
static char *
compare (const FpMapping *mapping,
         const FpPageMap *map)
{
  const guint64 *pages = map->total.pages;
  guint64 private = (pages[FP_PAGE_PRIVATE] + pages[FP_PAGE_PRIVATE_FILE]) * PAGE;
  guint64 shared = (pages[FP_PAGE_SHARED] + pages[FP_PAGE_SHARED_FILE]) * PAGE;
  guint64 swapped = pages[FP_PAGE_SWAPPED] * PAGE, swap = fp_memory_get (&mapping->memory, FP_FIELD_SWAP);
  guint64 rss = fp_memory_get (&mapping->memory, FP_FIELD_RSS), uss = fp_memory_get (&mapping->memory, FP_FIELD_USS);

  if (has_flag (mapping, "ht"))
    {
      rss = fp_memory_get (&mapping->memory, FP_FIELD_PRIVATE_HUGETLB) +
            fp_memory_get (&mapping->memory, FP_FIELD_SHARED_HUGETLB);
      uss = fp_memory_get (&mapping->memory, FP_FIELD_PRIVATE_HUGETLB);
      if (map->total.huge * PAGE != rss)
        return g_strdup ("not all of the pool is in huge pages");
    }
  /* Shared memory that is swapped out looks absent. */
  if (strstr (mapping->name, "memfd:") && swap <= pages[FP_PAGE_ABSENT] * PAGE)
    swap = 0;
  if (rss == private + shared && uss == private && swap == swapped)
    return NULL;
  return g_strdup_printf ("%" G_GINT64_MODIFIER "x %s %s: %" G_GUINT64_FORMAT " private, %" G_GUINT64_FORMAT
                          " shared, %" G_GUINT64_FORMAT " swapped; smaps has RSS %" G_GUINT64_FORMAT
                          ", USS %" G_GUINT64_FORMAT ", swap %" G_GUINT64_FORMAT,
                          mapping->start, mapping->permissions, mapping->name, private, shared, swapped, rss, uss, swap);
}

/* Every mapping once; others that come and go change what is private of a library, so more than once if need be. */
static GPtrArray *
try_all (const FpProcDir *proc,
         const FpProcessId *id,
         char **difference)
{
  g_autoptr (FpMappings) mappings = fp_mappings_read (proc, id, NULL, NULL, NULL);
  g_autoptr (GPtrArray) maps = g_ptr_array_new_with_free_func (g_free);

  g_assert_nonnull (mappings);
  for (guint i = 0; i < fp_mappings_get_n (mappings); i++)
    {
      FpMapping mapping;
      FpPageMap *map;

      fp_mappings_get (mappings, i, &mapping);
      if (mapping.start >> 63)
        continue;
      map = read_map (proc, id, mapping.start, mapping.end);
      g_ptr_array_add (maps, map);
      assert_whole (map);
      *difference = compare (&mapping, map);
      if (*difference)
        return NULL;
      if (has_flag (&mapping, "pf"))
        g_assert_cmpuint (map->total.pages[FP_PAGE_ABSENT] * PAGE, ==, mapping.end - mapping.start);
    }
  return g_steal_pointer (&maps);
}

static GPtrArray *
compare_all (gint pid)
{
  GPtrArray *maps = NULL;
  FpProcessId id;
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  id = find_id (&proc, pid);
  for (guint try = 0; !maps; try++)
    {
      g_autofree char *difference = NULL;

      maps = try_all (&proc, &id, &difference);
      if (!maps && try == N_TRIES)
        g_error ("%s", difference);
      if (!maps)
        g_usleep (100000);
    }
  fp_proc_dir_close (&proc);
  return maps;
}

static gboolean
find (const GPtrArray *maps,
      FpPageState state,
      guint64 pages,
      guint64 huge)
{
  for (guint i = 0; i < maps->len; i++)
    {
      const FpPageMap *map = g_ptr_array_index (maps, i);

      if (map->total.pages[state] == pages && map->total.huge == huge)
        return TRUE;
    }
  return FALSE;
}

static void
test_workload (gconstpointer data)
{
  const Case *self = data;
  g_autoptr (GPtrArray) maps = NULL;
  Workload workload;

  if (PAGE != 4096)
    {
      g_test_skip ("the workloads count pages of 4 KiB");
      return;
    }
  if (!workload_start (&workload, self->workload))
    return;
  maps = compare_all (workload_get_pid (&workload, self->role));
  g_test_message ("%u mappings", maps->len);
  for (guint i = 0; i < G_N_ELEMENTS (self->expected) && self->expected[i].pages > 0; i++)
    g_assert_true (find (maps, self->expected[i].state, self->expected[i].pages, self->expected[i].huge));
  workload_stop (&workload);
}

/* A page of zeros, small and huge; guard pages; what was given back; terabytes set aside; rings shared with the kernel. */
typedef struct
{
  guint64 zero, huge_zero, guard, freed, reserved;
  gboolean has_huge_zero, has_guard;
} Odd;

static char *
map_room (gsize size,
          int flags)
{
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

  if (memory == MAP_FAILED || mprotect (memory, PAGE, PROT_NONE) != 0)
    _exit (1);
  return memory;
}

static void
map_rings (void)
{
  struct tpacket_req ring = { 65536, 4, 2048, 128 };
  struct perf_event_attr event = { .type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK };
  int packets = socket (AF_PACKET, SOCK_RAW, 0), perf = (int)syscall (SYS_perf_event_open, &event, 0, -1, -1, 0);

  if (packets >= 0 && setsockopt (packets, SOL_PACKET, PACKET_RX_RING, &ring, sizeof ring) == 0)
    mmap (NULL, 4 * 65536, PROT_READ | PROT_WRITE, MAP_SHARED, packets, 0);
  if (perf >= 0)
    mmap (NULL, 9 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, perf, 0);
}

static void
be_odd (gpointer data)
{
  Odd *self = data;
  char *zero = map_room (MIB, 0), *huge = map_room (3 * HUGE, 0), *guard = map_room (MIB, 0);
  char *freed = map_room (4 * MIB, 0);
  volatile char byte;

  madvise (zero, MIB, MADV_NOHUGEPAGE);
  for (gsize i = PAGE; i < MIB; i += PAGE)
    byte = zero[i];
  zero[MIB / 2] = 1;
  self->zero = (guint64)(gsize)zero + PAGE;
  self->huge_zero = ((guint64)(gsize)huge + PAGE + HUGE - 1) / HUGE * HUGE;
  huge = (char *)(gsize)self->huge_zero;
  self->has_huge_zero = madvise (huge, HUGE, MADV_HUGEPAGE) == 0;
  byte = huge[0];
  (void)byte;
  memset (guard + PAGE, 1, MIB - PAGE);
  self->has_guard = madvise (guard + MIB / 2, 16 * PAGE, MADV_GUARD_INSTALL) == 0;
  self->guard = (guint64)(gsize)guard + PAGE;
  memset (freed + PAGE, 1, 4 * MIB - PAGE);
  madvise (freed + MIB, 2 * MIB, MADV_DONTNEED);
  self->freed = (guint64)(gsize)freed + PAGE;
  self->reserved = (guint64)(gsize)map_room (4 * MIB * MIB, MAP_NORESERVE);
  *(char *)(gsize)(self->reserved + 3 * MIB * MIB) = 1;
  map_rings ();
  live_answer ();
  live_await_order ();
}

static const FpPageMap *
find_map (const GPtrArray *maps,
          guint64 address)
{
  for (guint i = 0; i < maps->len; i++)
    {
      const FpPageMap *map = g_ptr_array_index (maps, i);

      if (map->start <= address && address < map->end)
        return map;
    }
  g_assert_not_reached ();
}

static guint64
count (const GPtrArray *maps,
       guint64 address,
       FpPageState state)
{
  return find_map (maps, address)->total.pages[state];
}

static void
test_odd (void)
{
  Odd *odd = mmap (NULL, sizeof *odd, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  g_autoptr (GPtrArray) maps = NULL;
  const FpPageMap *map;
  LiveProcess process;
  gint64 start_us;

  live_process_start (&process, be_odd, odd);
  start_us = g_get_monotonic_time ();
  maps = compare_all (process.pid);
  g_test_message ("%u mappings, one of 4 TiB, in %.1f ms", maps->len,
                  (double)(g_get_monotonic_time () - start_us) / 1000);
  g_assert_cmpuint (count (maps, odd->zero, FP_PAGE_ZERO), ==, MIB / PAGE - 2);
  g_assert_cmpuint (count (maps, odd->zero, FP_PAGE_PRIVATE), ==, 1);
  if (odd->has_huge_zero)
    {
      map = find_map (maps, odd->huge_zero);
      g_test_message ("of the huge page of zeros: %" G_GUINT64_FORMAT " pages of zeros", map->total.pages[FP_PAGE_ZERO]);
      g_assert_cmpuint (map->total.pages[FP_PAGE_ZERO], ==, HUGE / PAGE);
      g_assert_cmpuint (map->total.huge, ==, HUGE / PAGE);
    }
  if (odd->has_guard)
    g_assert_cmpuint (count (maps, odd->guard, FP_PAGE_ABSENT), ==, 16);
  g_assert_cmpuint (count (maps, odd->guard, FP_PAGE_SWAPPED), ==, 0);
  g_assert_cmpuint (count (maps, odd->freed, FP_PAGE_ABSENT), ==, 2 * MIB / PAGE);
  map = find_map (maps, odd->reserved + 3 * MIB * MIB);
  g_assert_cmpuint (map->bins[fp_page_map_find_bin (map, odd->reserved + 3 * MIB * MIB)].pages[FP_PAGE_PRIVATE], ==, 1);
  g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, 1);
  live_process_stop (&process);
  munmap (odd, sizeof *odd);
}

/* As root reads everybody's, this one does not. */
static void
be_foreign (gpointer data)
{
  g_autoptr (GError) error = NULL;
  FpProcDir proc;
  FpProcessId id;

  if (setgid (65534) != 0 || setuid (65534) != 0 || !fp_proc_dir_open (&proc, "/proc", NULL))
    _exit (1);
  id = find_id (&proc, GPOINTER_TO_INT (data));
  g_assert_null (fp_page_map_reader_new (&proc, &id, PAGE, 2 * PAGE, 1, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES);
  g_assert_nonnull (strstr (error->message, "more privilege"));
  live_answer ();
  live_await_order ();
}

static void
test_foreign (void)
{
  LiveProcess process;

  if (getuid () != 0)
    {
      g_test_skip ("only root can be somebody else");
      return;
    }
  live_process_start (&process, be_foreign, GINT_TO_POINTER (getpid ()));
  live_process_stop (&process);
}

static void
wait_to_end (gpointer data)
{
  live_answer ();
  live_await_order ();
}

static void
test_gone (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpPageMapReader) reader = NULL;
  LiveProcess process;
  FpProcDir proc;
  FpProcessId id;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  live_process_start (&process, wait_to_end, NULL);
  id = find_id (&proc, process.pid);
  reader = fp_page_map_reader_new (&proc, &id, (guint64)(gsize)&proc / PAGE * PAGE, (guint64)(gsize)&proc / PAGE * PAGE + PAGE,
                                   1, &error);
  g_assert_no_error (error);
  live_process_stop (&process);
  if (fp_page_map_reader_step (reader, G_MAXINT64, &error))
    g_assert_null (fp_page_map_reader_finish (reader, &error));
  g_assert_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (ESRCH));
  g_clear_error (&error);
  g_assert_null (fp_page_map_reader_new (&proc, &id, PAGE, 2 * PAGE, 1, &error));
  g_assert_error (error, G_FILE_ERROR, (int)g_file_error_from_errno (ESRCH));
  fp_proc_dir_close (&proc);
}

typedef struct
{
  guint64 memory;
  gint64 max_us; /* atomic enough: one writes, the other reads and clears */
} Victim;

#define VICTIM_SIZE  (1024 * MIB)
#define TURN_US      (300 * 1000)
#define LONG_TURN_US G_USEC_PER_SEC

static void
be_victim (gpointer data)
{
  Victim *self = data;

  self->memory = (guint64)(gsize)live_touch (VICTIM_SIZE);
  live_answer ();
  for (;;)
    {
      gint64 start_us = g_get_monotonic_time (), took_us;
      char *piece = mmap (NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      *(volatile char *)piece = 1;
      munmap (piece, 65536);
      took_us = g_get_monotonic_time () - start_us;
      if (took_us > __atomic_load_n (&self->max_us, __ATOMIC_RELAXED))
        __atomic_store_n (&self->max_us, took_us, __ATOMIC_RELAXED);
    }
}

typedef enum
{
  UNDISTURBED,
  PAGE_MAP,
  SMAPS,
} Disturbance;

/* The longest that the victim was held up within a turn, in ms. */
static double
measure_stall (Victim *victim,
               const FpProcDir *proc,
               const FpProcessId *id,
               Disturbance disturbance,
               guint *n_readings)
{
  gint64 end_us = g_get_monotonic_time () + (test_is_long () ? LONG_TURN_US : TURN_US);

  __atomic_store_n (&victim->max_us, 0, __ATOMIC_RELAXED);
  while (g_get_monotonic_time () < end_us)
    {
      if (disturbance == PAGE_MAP)
        {
          g_autofree FpPageMap *map = read_map (proc, id, victim->memory, victim->memory + VICTIM_SIZE);

          g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, VICTIM_SIZE / PAGE);
        }
      else if (disturbance == SMAPS)
        fp_mappings_unref (fp_mappings_read (proc, id, NULL, NULL, NULL));
      ++*n_readings;
      g_usleep (20000);
    }
  return (double)__atomic_load_n (&victim->max_us, __ATOMIC_RELAXED) / 1000;
}

/* The best of five turns each: what others do to the victim is in all of them. */
static void
test_stall (void)
{
  Victim *victim = mmap (NULL, sizeof *victim, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  double stalls[] = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };
  guint n_readings[G_N_ELEMENTS (stalls)] = { 0 };
  LiveProcess process;
  FpProcDir proc;
  FpProcessId id;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  live_process_start (&process, be_victim, victim);
  id = find_id (&proc, process.pid);
  for (guint round = 0; round < 5; round++)
    for (guint i = 0; i < G_N_ELEMENTS (stalls); i++)
      stalls[i] = MIN (stalls[i], measure_stall (victim, &proc, &id, (Disturbance)i, &n_readings[i]));
  g_test_message ("longest stall: %.2f ms undisturbed, %.2f ms by %u maps of 1 GiB, %.2f ms by %u readings of smaps",
                  stalls[UNDISTURBED], stalls[PAGE_MAP], n_readings[PAGE_MAP], stalls[SMAPS], n_readings[SMAPS]);
  g_assert_cmpfloat (stalls[PAGE_MAP], <, stalls[UNDISTURBED] + 10);
  live_process_stop (&process);
  fp_proc_dir_close (&proc);
  munmap (victim, sizeof *victim);
}

int
main (int argc,
      char *argv[])
{
  static const Case cases[] = {
    { "anon 64", "parent", { { FP_PAGE_PRIVATE, 16384, 0 } } },
    { "fork 3 16 4", "child0", { { FP_PAGE_SHARED, 4096, 0 }, { FP_PAGE_PRIVATE, 1024, 0 } } },
    { "shm 2 16", "child0", { { FP_PAGE_SHARED_FILE, 4096, 0 } } },
    { "twice 16", "parent", { { FP_PAGE_SHARED_FILE, 4096, 0 } } },
    { "thp 8", "parent", { { FP_PAGE_PRIVATE, 2048, 2048 } } },
    { "hugetlb 4 8", "parent", { { FP_PAGE_PRIVATE, 1024, 1024 }, { FP_PAGE_SHARED_FILE, 2048, 2048 } } },
    { "lazyfree 16", "parent", { { FP_PAGE_PRIVATE, 4096, 0 } } },
    { "zero 16", "parent", { { FP_PAGE_ZERO, 4096, 0 } } },
    { "ksm 8", "parent", { { FP_PAGE_SHARED, 2048, 0 } } },
    { "swapfile 12 16", "parent", { { FP_PAGE_SWAPPED, 3072, 0 }, { FP_PAGE_PRIVATE, 1024, 0 } } },
    { "swapzram 12 16", "parent", { { FP_PAGE_SWAPPED, 3072, 0 }, { FP_PAGE_PRIVATE, 1024, 0 } } },
    { "swapanon 3 16", "child0", { { FP_PAGE_SWAPPED, 4096, 0 } } },
    { "swapshm 3 16", "child0", { { FP_PAGE_ABSENT, 4096, 0 } } },
    { "vmas 2000", "parent", { { FP_PAGE_PRIVATE, 1, 0 } } },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pages/workload/%s", cases[i].workload);

      g_test_add_data_func (path, &cases[i], test_workload);
    }
  g_test_add_func ("/pages/odd", test_odd);
  g_test_add_func ("/pages/foreign", test_foreign);
  g_test_add_func ("/pages/gone", test_gone);
  g_test_add_func ("/pages/stall", test_stall);
  return g_test_run ();
}
