// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mman.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE  (2 * MIB)
#define HUGE_PAGES "/sys/kernel/mm/hugepages/hugepages-2048kB/"
#define KSM        "/sys/kernel/mm/ksm/"

void *
map_anonymous (size_t size)
{
  void *memory = keep_region (mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), size);

  madvise (memory, size, MADV_NOHUGEPAGE);
  return memory;
}

int
make_memfd (size_t size)
{
  int fd = memfd_create ("footprint-workload", MFD_CLOEXEC);

  if (fd < 0)
    skip ("memfd_create: %s", strerror (errno));
  if (ftruncate (fd, (off_t)size) != 0)
    fail ("memfd of %zu bytes: %s", size, strerror (errno));
  return fd;
}

void *
map_shared (int fd,
            size_t size)
{
  void *memory = keep_region (mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), size);

  madvise (memory, size, MADV_NOHUGEPAGE);
  return memory;
}

static uint64_t
next_random (void)
{
  static uint64_t state = 0x9e3779b97f4a7c15u;

  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void
fill_unique (void *memory,
             size_t size)
{
  uint64_t *words = memory, salt = (uint64_t)getpid () * 0xd1342543de82ef95u;

  for (size_t i = 0; i < size / sizeof *words; i++)
    words[i] = next_random () ^ salt;
}

void
fill_half_compressible (void *memory,
                        size_t size)
{
  char *pages = memory;

  for (size_t i = 0; i < size; i += PAGE)
    {
      fill_unique (pages + i, PAGE / 2);
      memset (pages + i + PAGE / 2, 'f', PAGE / 2);
    }
}

static void
read_all (const void *memory,
          size_t size)
{
  const volatile char *bytes = memory;

  for (size_t i = 0; i < size; i += PAGE)
    (void)bytes[i];
}

typedef struct
{
  void *shared;
  size_t shared_size, private_size;
} Sharer;

static void
share_forked (const void *data)
{
  const Sharer *self = data;

  read_all (self->shared, self->shared_size);
  if (self->private_size > 0)
    fill_unique (map_anonymous (self->private_size), self->private_size);
}

void
mode_fork (const long *arguments)
{
  Sharer sharer = { NULL, (size_t)arguments[1] * MIB, (size_t)arguments[2] * MIB };

  sharer.shared = map_anonymous (sharer.shared_size);
  fill_unique (sharer.shared, sharer.shared_size);
  start_children (arguments[0] - 1, share_forked, &sharer);
}

static pid_t mortal;

static void
die (const char *line)
{
  if (mortal == 0 || strcmp (line, "die\n") != 0)
    return;
  end_child (mortal);
  mortal = 0;
  puts ("died");
  fflush (stdout);
}

void
mode_forkdie (const long *arguments)
{
  Sharer sharer = { NULL, (size_t)arguments[0] * MIB, 0 };

  sharer.shared = map_anonymous (sharer.shared_size);
  fill_unique (sharer.shared, sharer.shared_size);
  mortal = start_child ("child0", share_forked, &sharer);
  start_child ("child1", share_forked, &sharer);
  set_order (die);
}

static void
touch_shared (const void *data)
{
  const Sharer *self = data;

  fill_unique (self->shared, self->shared_size);
}

void
mode_shm (const long *arguments)
{
  Sharer sharer = { NULL, (size_t)arguments[1] * MIB, 0 };
  int fd = make_memfd (sharer.shared_size);

  sharer.shared = map_shared (fd, sharer.shared_size);
  close (fd);
  touch_shared (&sharer);
  start_children (arguments[0] - 1, touch_shared, &sharer);
}

void
mode_memfd_fd (const long *arguments)
{
  static uint64_t page[PAGE / sizeof (uint64_t)];
  size_t size = (size_t)arguments[0] * MIB;
  int fd = make_memfd (0);

  for (size_t i = 0; i < size; i += PAGE)
    {
      fill_unique (page, sizeof page);
      if (write (fd, page, sizeof page) != (ssize_t)sizeof page)
        fail ("memfd: %s", strerror (errno));
    }
}

void
mode_twice (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;
  int fd = make_memfd (size);

  for (int i = 0; i < 2; i++)
    fill_unique (map_shared (fd, size), size);
  close (fd);
}

void
mode_anon (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;

  fill_unique (map_anonymous (size), size);
}

void
mode_thp (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;
  char enabled[64] = "absent";
  char *memory = mmap (NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *aligned = (char *)(((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
  long huge;

  if (size % HUGE_PAGE != 0)
    fail ("not a multiple of 2 MiB");
  keep_region (memory, size + HUGE_PAGE);
  if (madvise (aligned, size, MADV_HUGEPAGE) != 0)
    skip ("MADV_HUGEPAGE: %s", strerror (errno));
  fill_unique (aligned, size);
  huge = read_figure (getpid (), "AnonHugePages:");
  if (huge == (long)(size / 1024))
    return;
  read_value ("/sys/kernel/mm/transparent_hugepage/enabled", enabled, sizeof enabled);
  skip ("%ld of %zu kB in transparent huge pages (enabled: %s)", huge, size / 1024, enabled);
}

static long
read_pool (const char *name)
{
  char path[128], value[32];

  snprintf (path, sizeof path, HUGE_PAGES "%s", name);
  if (!read_value (path, value, sizeof value))
    skip ("%s: %s", path, strerror (errno));
  return atol (value);
}

/* The pages that are free already stay with whoever reserved them. */
static void
reserve_huge_pages (long needed)
{
  long total = read_pool ("nr_hugepages"), found;
  char value[32];

  snprintf (value, sizeof value, "%ld", total + needed);
  set_value (HUGE_PAGES "nr_hugepages", value);
  found = read_pool ("nr_hugepages") - total;
  if (found < needed)
    skip ("the kernel found %ld of %ld huge pages", found, needed);
}

static char *
map_huge (size_t size,
          int flags)
{
  if (size == 0)
    return NULL;
  return keep_region (
      mmap (NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS | MAP_HUGETLB | MAP_HUGE_2MB, -1, 0), size);
}

void
mode_hugetlb (const long *arguments)
{
  size_t private_size = (size_t)arguments[0] * MIB;
  Sharer sharer = { NULL, (size_t)arguments[1] * MIB, 0 };

  if (private_size % HUGE_PAGE != 0 || sharer.shared_size % HUGE_PAGE != 0)
    fail ("not a multiple of 2 MiB");
  reserve_huge_pages ((long)((private_size + sharer.shared_size) / HUGE_PAGE));
  sharer.shared = map_huge (sharer.shared_size, MAP_SHARED);
  start_child ("child0", touch_shared, &sharer);
  touch_shared (&sharer);
  /* After the fork, which would make it shared. */
  fill_unique (map_huge (private_size, MAP_PRIVATE), private_size);
}

void
mode_lazyfree (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;
  void *memory = map_anonymous (size);

  fill_unique (memory, size);
  if (madvise (memory, size, MADV_FREE) != 0)
    skip ("MADV_FREE: %s", strerror (errno));
  /* The last few pages wait in a per-CPU batch, which the next call drains. */
  for (int i = 0; i < 100 && read_figure (getpid (), "LazyFree:") != (long)(size / 1024); i++)
    {
      sleep_ms (10);
      madvise (memory, size, MADV_FREE);
    }
  if (read_figure (getpid (), "LazyFree:") != (long)(size / 1024))
    skip ("LazyFree is %ld kB after MADV_FREE of %zu kB", read_figure (getpid (), "LazyFree:"), size / 1024);
}

void
mode_zero (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;

  read_all (map_anonymous (size), size);
}

static void
offer_to_merge (const void *data)
{
  size_t size = *(const size_t *)data;
  char *memory = map_anonymous (size);

  if (madvise (memory, size, MADV_MERGEABLE) != 0)
    skip ("MADV_MERGEABLE: %s", strerror (errno));
  memset (memory, 0x5a, size);
}

/* Kernels without the figure of a process: those of the system, which nobody else should use then. */
static bool
is_merged (pid_t child,
           size_t size)
{
  char shared[32] = "0", sharing[32] = "0";
  long wanted = (long)(size / 1024);

  if (read_figure (getpid (), "KSM:") >= 0)
    return read_figure (getpid (), "KSM:") == wanted && read_figure (child, "KSM:") == wanted;
  read_value (KSM "pages_shared", shared, sizeof shared);
  read_value (KSM "pages_sharing", sharing, sizeof sharing);
  return atol (shared) + atol (sharing) >= 2 * (long)(size / PAGE);
}

void
mode_ksm (const long *arguments)
{
  size_t size = (size_t)arguments[0] * MIB;
  char run[32], advisor[64];
  pid_t child;

  if (!read_value (KSM "run", run, sizeof run))
    skip (KSM "run: %s", strerror (errno));
  /* Undone in reverse: first what is merged is separated, then the old state comes back. */
  set_value (KSM "run", run);
  undo_add_write (KSM "run", "2");
  if (read_value (KSM "advisor_mode", advisor, sizeof advisor))
    set_value (KSM "advisor_mode", "none");
  set_value (KSM "pages_to_scan", "20000");
  set_value (KSM "sleep_millisecs", "20");
  child = start_child ("child0", offer_to_merge, &size);
  offer_to_merge (&size);
  set_value (KSM "run", "1");
  for (int i = 0; !is_merged (child, size); i++)
    {
      if (i == 200)
        fail ("only %ld of %zu kB merged after 20 s", read_figure (getpid (), "KSM:"), size / 1024);
      sleep_ms (100);
    }
}

static long
count_own_mappings (void)
{
  FILE *file = fopen ("/proc/self/maps", "re");
  long n = 0;
  int c;

  if (!file)
    fail ("/proc/self/maps: %s", strerror (errno));
  while ((c = getc (file)) != EOF)
    n += c == '\n';
  fclose (file);
  return n;
}

void
mode_vmas (const long *arguments)
{
  size_t size = (size_t)arguments[0] * PAGE;
  char limit[32];
  char *memory;

  if (!read_value ("/proc/sys/vm/max_map_count", limit, sizeof limit))
    fail ("max_map_count: %s", strerror (errno));
  if (atol (limit) < arguments[0] + 256)
    {
      snprintf (limit, sizeof limit, "%ld", arguments[0] + 256);
      set_value ("/proc/sys/vm/max_map_count", limit);
    }
  memory = map_anonymous (size);
  for (size_t i = 0; i < size; i += 2 * PAGE)
    {
      fill_unique (memory + i, PAGE);
      if (i + PAGE < size && mprotect (memory + i + PAGE, PAGE, PROT_READ) != 0)
        fail ("mprotect: %s", strerror (errno));
    }
  if (count_own_mappings () < arguments[0])
    fail ("only %ld mappings", count_own_mappings ());
}
