// SPDX-License-Identifier: GPL-3.0-or-later
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/swap.h>
#include <unistd.h>

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

#define ZRAM       "/sys/block/zram0/"
#define ZRAM_FILE  "/dev/zram0"
#define LIMIT_MS   30000
#define SPARE_SIZE (8 * MIB)

static void
write_swap_header (int fd,
                   size_t size)
{
  char header[PAGE] = { 0 };
  uint32_t info[3] = { 1, (uint32_t)(size / PAGE) - 1, 0 };

  memcpy (header + 1024, info, sizeof info);
  memcpy (header + SWAP_LABEL_OFFSET, SWAP_LABEL, sizeof SWAP_LABEL);
  memcpy (header + SWAP_SIGNATURE_OFFSET, SWAP_SIGNATURE, strlen (SWAP_SIGNATURE));
  if (pwrite (fd, header, sizeof header, 0) != (ssize_t)sizeof header || fsync (fd) != 0)
    fail ("swap header: %s", strerror (errno));
}

/* Before any other swap there may be. */
static void
switch_on (const char *path)
{
  if (sysconf (_SC_PAGESIZE) != (long)PAGE)
    skip ("pages of %ld bytes", sysconf (_SC_PAGESIZE));
  if (swapon (path, SWAP_FLAG_PREFER | SWAP_FLAG_PRIO_MASK) == 0)
    return;
  if (errno == EPERM || errno == ENOSYS || errno == EINVAL)
    skip ("swapon %s: %s", path, strerror (errno));
  fail ("swapon %s: %s", path, strerror (errno));
}

static void
write_zeros (int fd,
             size_t size)
{
  static const char zeros[65536];

  for (size_t i = 0; i < size; i += sizeof zeros)
    if (pwrite (fd, zeros, sizeof zeros, (off_t)i) != (ssize_t)sizeof zeros)
      fail ("swap file: %s", strerror (errno));
}

static void
make_swap_file (size_t for_size)
{
  size_t size = for_size + for_size / 8 + SPARE_SIZE;
  char path[PATH_MAX];
  int fd;

  undo_path (path, "swap");
  fd = open (path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    fail ("%s: %s", path, strerror (errno));
  if (fallocate (fd, 0, 0, (off_t)size) != 0)
    write_zeros (fd, size);
  write_swap_header (fd, size);
  close (fd);
  switch_on (path);
}

static void
make_swap_on_zram (size_t for_size)
{
  char value[32];
  int fd;

  if (!read_value (ZRAM "initstate", value, sizeof value))
    skip (ZRAM "initstate: %s", strerror (errno));
  if (strcmp (value, "0") != 0)
    skip (ZRAM_FILE " is already in use");
  if (access (ZRAM "disksize", W_OK) != 0)
    skip (ZRAM "disksize: %s", strerror (errno));
  undo_add_zram ();
  snprintf (value, sizeof value, "%zu", for_size + SPARE_SIZE);
  if (!write_value (ZRAM "disksize", value))
    fail (ZRAM "disksize: %s", strerror (errno));
  fd = open (ZRAM_FILE, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    skip (ZRAM_FILE ": %s", strerror (errno));
  write_swap_header (fd, for_size + SPARE_SIZE);
  close (fd);
  switch_on (ZRAM_FILE);
}

/* While one process alone maps it: the kernel leaves shared pages where they are, without an error. */
static void
page_out (void *memory,
          size_t size)
{
  long wanted = (long)(size / 1024), swapped = 0;

  for (int waited_ms = 0; waited_ms < LIMIT_MS; waited_ms += 50)
    {
      if (madvise (memory, size, MADV_PAGEOUT) != 0)
        skip ("MADV_PAGEOUT: %s", strerror (errno));
      swapped = read_figure (getpid (), "Swap:");
      if (swapped == wanted)
        return;
      sleep_ms (50);
    }
  fail ("%ld of %ld kB swapped out after %d s", swapped, wanted, LIMIT_MS / 1000);
}

static void
swap_part (const long *arguments,
           void (*fill) (void *memory, size_t size))
{
  size_t size = (size_t)arguments[0] * MIB, total = (size_t)arguments[1] * MIB;
  char *memory;

  if (size > total)
    fail ("TOTAL is less than SIZE");
  memory = map_anonymous (total);
  fill (memory, total);
  page_out (memory, size);
}

void
mode_swapfile (const long *arguments)
{
  make_swap_file ((size_t)arguments[0] * MIB);
  swap_part (arguments, fill_unique);
}

void
mode_swapzram (const long *arguments)
{
  make_swap_on_zram ((size_t)arguments[0] * MIB);
  swap_part (arguments, fill_half_compressible);
}

void
mode_swapanon (const long *arguments)
{
  size_t size = (size_t)arguments[1] * MIB;

  make_swap_file (size);
  swap_part ((const long[]){ arguments[1], arguments[1] }, fill_unique);
  start_children (arguments[0] - 1, NULL, NULL);
}

void
mode_swapshm (const long *arguments)
{
  size_t size = (size_t)arguments[1] * MIB;
  void *memory;
  int fd;

  make_swap_file (size);
  fd = make_memfd (size);
  memory = map_shared (fd, size);
  close (fd);
  fill_unique (memory, size);
  page_out (memory, size);
  start_children (arguments[0] - 1, NULL, NULL);
}
