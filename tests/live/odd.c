// SPDX-License-Identifier: GPL-3.0-or-later
/* odd FOLDER: maps one of each kind, and files with odd names in that folder; writes an OddList, and waits. A program of its
 * own, without a sanitizer: what a fork shares with its parent changes whenever the parent writes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "odd-mappings.h"

#define SIZE (2 * (gsize)4096)

#ifndef PR_SET_VMA
#define PR_SET_VMA           0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

static void
expect (OddList *list,
        const void *memory,
        FpMappingKind kind,
        const char *label)
{
  OddMapping *mapping = &list->mappings[list->n];

  if (memory == MAP_FAILED || list->n == ODD_MAPPINGS_MAX)
    return;
  mapping->start = (guint64)(gsize)memory;
  mapping->kind = kind;
  g_strlcpy (mapping->label, label, sizeof mapping->label);
  list->n++;
}

/* A gap on either side, so that the kernel does not join it with its like. */
static void *
map_alone (int access,
           int flags,
           int fd)
{
  char *room = mmap (NULL, 3 * SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (room == MAP_FAILED || munmap (room, 3 * SIZE) != 0)
    _exit (1);
  return mmap (room + SIZE, SIZE, access, flags | MAP_FIXED, fd, 0);
}

static void
map_file (OddList *list,
          const char *name,
          int access,
          int flags,
          FpMappingKind kind)
{
  int fd = open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0700);

  if (fd < 0 || ftruncate (fd, SIZE) != 0)
    _exit (1);
  expect (list, map_alone (access, flags, fd), kind, "");
  close (fd);
}

static void
map_files (OddList *list)
{
  static const char *const names[] = { "[heap]", "[stack]", "a\nb", "a\\012b", "x (deleted)", "in\xffvalid", "tab\there",
                                       " ", "memfd:foo (deleted)", "SYSV00000000 (deleted)", "two  blanks " };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    map_file (list, names[i], PROT_READ | PROT_WRITE, MAP_PRIVATE, FP_MAPPING_DATA);
  map_file (list, "code", PROT_READ | PROT_EXEC, MAP_PRIVATE, FP_MAPPING_CODE);
  map_file (list, "constants", PROT_READ, MAP_PRIVATE, FP_MAPPING_CONSTANTS);
  map_file (list, "written", PROT_READ | PROT_WRITE, MAP_SHARED, FP_MAPPING_FILE);
  map_file (list, "reserved", PROT_NONE, MAP_PRIVATE, FP_MAPPING_RESERVED);
  map_file (list, "gone", PROT_READ | PROT_WRITE, MAP_PRIVATE, FP_MAPPING_DATA);
  unlink ("gone");
}

/* Nearly PATH_MAX from the root. */
static void
map_deep_file (OddList *list)
{
  char name[251];
  guint depth = 0;

  memset (name, 'd', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  for (; depth < 15; depth++)
    if (mkdir (name, 0700) != 0 || chdir (name) != 0)
      _exit (1);
  map_file (list, "deep", PROT_READ | PROT_WRITE, MAP_PRIVATE, FP_MAPPING_DATA);
  unlink ("deep");
  for (; depth > 0; depth--)
    if (chdir ("..") != 0 || rmdir (name) != 0)
      _exit (1);
}

static void
map_named (OddList *list,
           int flags,
           const char *label,
           FpMappingKind kind)
{
  void *memory = map_alone (PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1);
  gboolean is_named = prctl (PR_SET_VMA, PR_SET_VMA_ANON_NAME, (gulong)memory, (gulong)SIZE, (gulong)label) == 0;
  FpMappingKind unnamed = flags == MAP_SHARED ? FP_MAPPING_SHARED_MEMORY : FP_MAPPING_ANONYMOUS;

  expect (list, memory, is_named ? kind : unnamed, is_named ? label : "");
}

static void
map_memory (OddList *list)
{
  const int both = PROT_READ | PROT_WRITE;
  int zero = open ("/dev/zero", O_RDWR | O_CLOEXEC), memfd = memfd_create ("../lib/libfoo.so", MFD_CLOEXEC);
  int huge = memfd_create ("huge", MFD_CLOEXEC | MFD_HUGETLB), id = shmget (IPC_PRIVATE, SIZE, IPC_CREAT | 0600);

  if (zero < 0 || memfd < 0 || ftruncate (memfd, SIZE) != 0)
    _exit (1);
  expect (list, map_alone (both, MAP_PRIVATE | MAP_ANONYMOUS, -1), FP_MAPPING_ANONYMOUS, "");
  expect (list, map_alone (both | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1), FP_MAPPING_JIT, "");
  expect (list, map_alone (PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1), FP_MAPPING_RESERVED, "");
  expect (list, map_alone (both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1), FP_MAPPING_STACK, "");
  expect (list, map_alone (both, MAP_SHARED | MAP_ANONYMOUS, -1), FP_MAPPING_SHARED_MEMORY, "");
  expect (list, map_alone (both, MAP_PRIVATE, zero), FP_MAPPING_ANONYMOUS, "");
  expect (list, map_alone (both, MAP_SHARED, zero), FP_MAPPING_SHARED_MEMORY, "");
  expect (list, map_alone (both, MAP_SHARED, memfd), FP_MAPPING_SHARED_MEMORY, "");
  expect (list, map_alone (PROT_READ | PROT_EXEC, MAP_SHARED, memfd), FP_MAPPING_JIT, "");
  if (huge >= 0 && ftruncate (huge, 2 << 20) == 0)
    expect (list, mmap (NULL, 2 << 20, both, MAP_SHARED | MAP_NORESERVE, huge, 0), FP_MAPPING_HUGE_POOL, "");
  if (id >= 0)
    expect (list, shmat (id, NULL, 0), FP_MAPPING_SYSTEM_V, "");
  shmctl (id, IPC_RMID, NULL);
  map_named (list, MAP_PRIVATE, "my name", FP_MAPPING_NAMED);
  map_named (list, MAP_SHARED, "my frames", FP_MAPPING_SHARED_MEMORY);
  map_named (list, MAP_PRIVATE, " glibc: malloc", FP_MAPPING_HEAP);
}

int
main (int argc,
      char *argv[])
{
  OddList list = { 0 };

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (argc != 2 || chdir (argv[1]) != 0)
    return 1;
  map_files (&list);
  map_deep_file (&list);
  map_memory (&list);
  if (write (STDOUT_FILENO, &list, sizeof list) != sizeof list)
    return 1;
  for (;;)
    pause ();
}
