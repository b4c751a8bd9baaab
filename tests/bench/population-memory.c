// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "population.h"

#define PAGE ((size_t)4096)
#define KIB  ((size_t)1024)
#define MIB  (1024 * KIB)

#define N_LIBRARIES       47
#define N_ANONYMOUS_QUADS 20
#define DELETED_SIZE      (64 * KIB)
#define SCRATCH_SIZE      MIB
#define SCRATCH_MIN_PAGES 48
#define SCRATCH_VARIATION 112

/* Both lists have the mean 100. */
static const size_t anonymous_percent[] = { 25, 110, 55, 240, 80, 40, 160, 70, 130, 90 };
static const size_t file_percent[] = { 60, 140, 75, 125, 85, 115, 95, 105 };
static const size_t mean_anonymous = 8750 * KIB;
static const size_t mean_file = 28200 * KIB;

static char *scratch;
static uint32_t scratch_random;

void
population_touch (char *start,
                  size_t size,
                  int is_write)
{
  volatile char *page = start;

  if (madvise (start, size, is_write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ) == 0)
    return;
  for (size_t at = 0; at < size; at += PAGE)
    {
      char value = page[at];

      if (is_write)
        page[at] = (char)(value + 1);
    }
}

char *
population_map_heap (const PopulationRole *role,
                     size_t size)
{
  char *heap = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (heap == MAP_FAILED)
    population_role_fail (role, "heap");
  madvise (heap, size, MADV_NOHUGEPAGE);
  population_touch (heap, size, 1);
  return heap;
}

static void
map_deleted (const PopulationRole *role)
{
  int fd = open ("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  char *start;

  if (fd < 0)
    return;
  if (ftruncate (fd, (off_t)DELETED_SIZE) != 0)
    population_role_fail (role, "deleted file");
  start = mmap (NULL, DELETED_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
  if (start == MAP_FAILED)
    population_role_fail (role, "deleted file");
  population_touch (start, DELETED_SIZE, 0);
  close (fd);
}

char *
population_map_shared (const PopulationRole *role)
{
  char name[64];
  char *start;
  int fd;

  snprintf (name, sizeof name, "shared buffer [group %d]", role->group);
  fd = memfd_create (name, MFD_CLOEXEC);
  if (fd < 0 || ftruncate (fd, (off_t)POPULATION_SHARED_SIZE) != 0)
    population_role_fail (role, "memfd");
  start = mmap (NULL, POPULATION_SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED)
    population_role_fail (role, "memfd");
  population_touch (start, POPULATION_SHARED_SIZE, 1);
  close (fd);
  map_deleted (role);
  return start;
}

/* As the loader leaves a library behind: r--, r-x, r--, rw- with two written pages. */
static size_t
map_library (const PopulationRole *role,
             const char *path,
             size_t limit)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat info;
  size_t size, part;
  char *start;

  if (fd < 0 || fstat (fd, &info) != 0)
    population_role_fail (role, path);
  size = (size_t)info.st_size < limit ? (size_t)info.st_size : limit;
  size = size / PAGE * PAGE;
  if (size < 16 * PAGE)
    size = 16 * PAGE;
  part = size / (8 * PAGE) * PAGE;

  start = mmap (NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (start == MAP_FAILED)
    population_role_fail (role, path);
  close (fd);
  population_touch (start, size, 0);
  if (mprotect (start + part, 5 * part, PROT_READ | PROT_EXEC) != 0 ||
      mprotect (start + size - 4 * PAGE, 4 * PAGE, PROT_READ | PROT_WRITE) != 0)
    population_role_fail (role, path);
  population_touch (start + size - 4 * PAGE, 2 * PAGE, 1);
  return size;
}

static size_t
read_libraries (const PopulationRole *role,
                char *text,
                size_t size,
                const char **paths,
                size_t max_paths)
{
  ssize_t length = pread (role->libraries_fd, text, size - 1, 0);
  size_t n_paths = 0;
  char *rest = text;

  if (length <= 0)
    population_role_fail (role, "library list");
  text[length] = '\0';
  while (n_paths < max_paths && *rest != '\0')
    {
      paths[n_paths++] = rest;
      rest += strcspn (rest, "\n");
      *rest++ = '\0';
    }
  return n_paths;
}

static void
map_libraries (const PopulationRole *role)
{
  char text[16 * 1024];
  const char *paths[128];
  size_t n_paths = read_libraries (role, text, sizeof text, paths, 128);
  size_t index = (size_t)role->index;
  size_t left = mean_file * file_percent[(index * 3 + index / 8) % 8] / 100;
  size_t first = (size_t)role->group * 7 + index % 3;

  for (size_t i = 0; i < N_LIBRARIES; i++)
    {
      size_t share = 3 * left / (2 * (N_LIBRARIES - i));
      size_t taken = map_library (role, paths[(first + i) % n_paths], share);

      left = taken < left ? left - taken : 0;
    }
}

/* Neighbours differ in protection, as the kernel would merge them otherwise. */
static void
map_anonymous (const PopulationRole *role)
{
  size_t index = (size_t)role->index;
  size_t size =
      mean_anonymous * anonymous_percent[(index + index / 10) % 10] / 100 * (size_t)role->anonymous_percent / 100;
  size_t unit = (1 + size / N_ANONYMOUS_QUADS / 9 / PAGE) * PAGE;
  size_t quad = 9 * unit + PAGE;
  char *start = population_map_heap (role, N_ANONYMOUS_QUADS * quad);

  for (size_t i = 0; i < N_ANONYMOUS_QUADS; i++, start += quad)
    {
      madvise (start + 9 * unit, PAGE, MADV_DONTNEED);
      if (mprotect (start + 4 * unit, unit, PROT_READ) != 0 || mprotect (start + 9 * unit, PAGE, PROT_NONE) != 0)
        population_role_fail (role, "mprotect");
    }
}

void
population_build_memory (const PopulationRole *role)
{
  map_anonymous (role);
  map_libraries (role);
  scratch = mmap (NULL, SCRATCH_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (scratch == MAP_FAILED)
    population_role_fail (role, "scratch");
  madvise (scratch, SCRATCH_SIZE, MADV_NOHUGEPAGE);
  scratch_random = (uint32_t)role->index;
}

void
population_tick_memory (void)
{
  size_t n_pages;

  scratch_random = scratch_random * 1664525 + 1013904223;
  n_pages = SCRATCH_MIN_PAGES + (scratch_random >> 16) % SCRATCH_VARIATION;
  madvise (scratch, SCRATCH_SIZE, MADV_DONTNEED);
  for (size_t i = 0; i < n_pages; i++)
    scratch[i * PAGE] = 1;
}
