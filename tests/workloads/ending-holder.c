// SPDX-License-Identifier: GPL-3.0-or-later
/* Holds memory of one kind until its standard input ends: footprint-test-ending-holder KIND MIB [PATH] */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define PAGE ((size_t)4096)

static _Noreturn void
fail (const char *what)
{
  perror (what);
  exit (1);
}

static _Noreturn void
skip (const char *what)
{
  printf ("skip ");
  fflush (stdout);
  perror (what);
  exit (0);
}

static char *
fill (void *memory,
      size_t size)
{
  uint64_t *words = memory, state = (uint64_t)getpid () * 0x9e3779b97f4a7c15u | 1;

  if (memory == MAP_FAILED)
    fail ("mmap");
  for (size_t i = 0; i < size / sizeof *words; i += PAGE / sizeof *words)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      words[i] = state;
    }
  return memory;
}

static char *
map_private (size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  madvise (memory, size, MADV_NOHUGEPAGE);
  return fill (memory, size);
}

static char *
map_file (int fd,
          size_t size)
{
  if (fd < 0 || ftruncate (fd, (off_t)size) != 0)
    fail ("file");
  return fill (mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), size);
}

static void
hold_family (size_t size,
             int adds_own)
{
  map_private (size);
  if (fork () != 0)
    {
      if (adds_own)
        map_private (size / 2);
      return;
    }
  printf ("child %d\n", (int)getpid ());
  fflush (stdout);
  while (getchar () != EOF)
    continue;
  _exit (0);
}

static void
hold_descriptor (size_t size)
{
  static char page[PAGE];
  int fd = memfd_create ("holder", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  for (size_t i = 0; i < size; i += PAGE)
    {
      memcpy (page, &i, sizeof i);
      if (write (fd, page, PAGE) != (ssize_t)PAGE)
        fail ("memfd");
    }
  if (fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail ("seal");
}

static void
hold_segment (size_t size,
              int is_removed,
              int flags)
{
  int id = shmget (IPC_PRIVATE, size, IPC_CREAT | 0600 | flags);
  void *memory = id >= 0 ? shmat (id, NULL, 0) : (void *)-1;

  if (memory == (void *)-1)
    skip ("shmget");
  fill (memory, size);
  if (is_removed)
    shmctl (id, IPC_RMID, NULL);
  printf ("segment %d\n", id);
}

static long
read_swapped (void)
{
  FILE *file = fopen ("/proc/self/smaps_rollup", "re");
  char line[256];
  long kilobytes = 0;

  while (file && fgets (line, sizeof line, file))
    sscanf (line, "Swap: %ld", &kilobytes);
  if (file)
    fclose (file);
  return kilobytes;
}

static void
swap_out (void *memory,
          size_t size)
{
  for (int i = 0; i < 200 && read_swapped () < (long)(size / 1024); i++)
    {
      if (madvise (memory, size, MADV_PAGEOUT) != 0)
        skip ("MADV_PAGEOUT");
      usleep (50000);
    }
  if (read_swapped () < (long)(size / 1024))
    skip ("swapping out");
}

static void
hold_pool (size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

  if (memory == MAP_FAILED)
    skip ("huge pages");
  fill (memory, size);
}

int
main (int argc,
      char *argv[])
{
  const char *kind = argc > 2 ? argv[1] : "";
  size_t size = argc > 2 ? (size_t)atol (argv[2]) << 20 : 0;

  if (strcmp (kind, "private") == 0)
    map_private (size);
  else if (strcmp (kind, "family") == 0)
    hold_family (size, 0);
  else if (strcmp (kind, "parent") == 0)
    hold_family (size, 1);
  else if (strcmp (kind, "file") == 0 && argc == 4)
    map_file (open (argv[3], O_RDWR | O_CREAT | O_CLOEXEC, 0600), size);
  else if (strcmp (kind, "memfd") == 0)
    {
      int fd = memfd_create ("holder", MFD_CLOEXEC);

      map_file (fd, size);
      close (fd);
    }
  else if (strcmp (kind, "descriptor") == 0)
    hold_descriptor (size);
  else if (strcmp (kind, "segment") == 0)
    hold_segment (size, 1, 0);
  else if (strcmp (kind, "kept-segment") == 0)
    hold_segment (size, 0, 0);
  else if (strcmp (kind, "huge-segment") == 0)
    hold_segment (size, 1, SHM_HUGETLB);
  else if (strcmp (kind, "shared") == 0)
    fill (mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), size);
  else if (strcmp (kind, "swapped") == 0)
    swap_out (map_private (size), size);
  else if (strcmp (kind, "swapped-memfd") == 0)
    {
      int fd = memfd_create ("holder", MFD_CLOEXEC);

      swap_out (map_file (fd, size), size);
    }
  else if (strcmp (kind, "pool") == 0)
    hold_pool (size);
  else
    return 2;
  puts ("ready");
  fflush (stdout);
  while (getchar () != EOF)
    continue;
  return 0;
}
