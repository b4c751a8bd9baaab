// SPDX-License-Identifier: GPL-3.0-or-later
/* A process with mappings of known names and sizes, that changes them on order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB    ((size_t)1024 * 1024)
#define N_ROWS 300

static char *
map_memfd (const char *name,
           size_t size,
           size_t touched)
{
  int fd = memfd_create (name, MFD_CLOEXEC);
  char *memory;

  if (fd < 0 || ftruncate (fd, (off_t)size) != 0)
    exit (1);
  memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (memory == MAP_FAILED)
    exit (1);
  memset (memory, 1, touched);
  close (fd);
  return memory;
}

/* Each page by itself, in an order in which the kernel doesn't join them. */
static void
map_rows (void)
{
  size_t page = (size_t)sysconf (_SC_PAGESIZE);
  int fd = memfd_create ("rows", MFD_CLOEXEC);

  if (fd < 0 || ftruncate (fd, (off_t)(page * N_ROWS * 2)) != 0)
    exit (1);
  for (size_t i = 0; i < N_ROWS; i++)
    {
      char *memory = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, (off_t)(page * i * 2));

      if (memory == MAP_FAILED)
        exit (1);
      *memory = 1;
    }
  close (fd);
}

int
main (void)
{
  char order[64];
  char *first = map_memfd ("big-first", 4 * MIB, 4 * MIB);
  char *second = map_memfd ("big-second", 16 * MIB, 2 * MIB);
  size_t touched = 2 * MIB;

  map_rows ();
  puts ("ready");
  fflush (stdout);
  while (fgets (order, sizeof order, stdin))
    {
      if (strcmp (order, "change\n") == 0)
        {
          munmap (first, 4 * MIB);
          map_memfd ("big-third", 3 * MIB, 3 * MIB);
        }
      memset (second + touched, 1, MIB);
      touched += MIB;
      puts ("done");
      fflush (stdout);
    }
  return 0;
}
