// SPDX-License-Identifier: GPL-3.0-or-later
/* Preloaded into a program: each of its reads from a file of the process SPY_PID, as a line of SPY_LOG: which file, from
 * when to when by CLOCK_MONOTONIC, and for how long it did not sleep meanwhile; all in nanoseconds. Who holds a lock
 * works or waits for a processor; who sleeps waits for the lock. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_FD    65536
#define FOLDER    "/"
#define NAME_SIZE 16

static char names[MAX_FD][NAME_SIZE]; /* of the open files of that process; FOLDER: it is its folder itself */
static char spied[16];                /* its PID */
static int log_fd = -1;
static __thread int schedstat = -1;

/* The kernel's counts of this thread, at one moment */
typedef struct
{
  uint64_t ns;
  uint64_t awake_ns;
  long n_sleeps;
} Clock;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *file = getenv ("SPY_LOG"), *pid = getenv ("SPY_PID");

  if (!file || !pid)
    return;
  snprintf (spied, sizeof spied, "%s", pid);
  log_fd = open (file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (log_fd < 0)
    _exit (99);
}

static void *
find_real (const char *name)
{
  void *symbol = dlsym (RTLD_NEXT, name);

  if (!symbol)
    _exit (99);
  return symbol;
}

static uint64_t
get_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t
get_delay_ns (void)
{
  unsigned long long delay = 0;
  char text[128];
  ssize_t length;

  if (schedstat < 0)
    schedstat = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  length = syscall (SYS_pread64, schedstat, text, sizeof text - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  sscanf (text, "%*u %llu", &delay);
  return delay;
}

static void
read_clock (Clock *clock)
{
  struct rusage usage;

  getrusage (RUSAGE_THREAD, &usage);
  clock->n_sleeps = usage.ru_nvcsw;
  clock->awake_ns = get_delay_ns () + get_ns (CLOCK_THREAD_CPUTIME_ID);
  clock->ns = get_ns (CLOCK_MONOTONIC);
}

static void
note_open (int fd,
           int dir_fd,
           const char *path)
{
  size_t length = strlen (spied);
  const char *name = "";

  if (fd < 0 || fd >= MAX_FD)
    return;
  if (strncmp (path, "/proc/", 6) == 0)
    path += 6;
  if (dir_fd >= 0 && dir_fd < MAX_FD && strcmp (names[dir_fd], FOLDER) == 0)
    name = path;
  else if (length > 0 && strncmp (path, spied, length) == 0 && path[length] == '/')
    name = path + length + 1;
  else if (length > 0 && strcmp (path, spied) == 0)
    name = FOLDER;
  snprintf (names[fd], NAME_SIZE, "%s", name);
}

static void
note_read (int fd,
           const Clock *start)
{
  Clock end;
  char line[128];
  uint64_t held_ns;
  int length;

  read_clock (&end);
  held_ns = end.n_sleeps == start->n_sleeps ? end.ns - start->ns : end.awake_ns - start->awake_ns;
  length = snprintf (line, sizeof line, "%s %llu %llu %llu\n", names[fd], (unsigned long long)start->ns,
                     (unsigned long long)end.ns, (unsigned long long)held_ns);
  if (write (log_fd, line, (size_t)length) != length)
    _exit (99);
}

static int
is_spied (int fd)
{
  return log_fd >= 0 && fd >= 0 && fd < MAX_FD && names[fd][0] != '\0';
}

int
openat64 (int dir_fd,
          const char *path,
          int flags,
          ...)
{
  static int (*real) (int, const char *, int, ...);
  va_list rest;
  mode_t mode;
  int fd;

  if (!real)
    *(void **)&real = find_real ("openat64");
  va_start (rest, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (rest, mode_t) : 0;
  va_end (rest);
  fd = real (dir_fd, path, flags, mode);
  note_open (fd, dir_fd, path);
  return fd;
}

int
open64 (const char *path,
        int flags,
        ...)
{
  static int (*real) (const char *, int, ...);
  va_list rest;
  mode_t mode;
  int fd;

  if (!real)
    *(void **)&real = find_real ("open64");
  va_start (rest, flags);
  mode = flags & (O_CREAT | O_TMPFILE) ? va_arg (rest, mode_t) : 0;
  va_end (rest);
  fd = real (path, flags, mode);
  note_open (fd, AT_FDCWD, path);
  return fd;
}

int
close (int fd)
{
  static int (*real) (int);

  if (!real)
    *(void **)&real = find_real ("close");
  if (fd >= 0 && fd < MAX_FD)
    names[fd][0] = '\0';
  return real (fd);
}

ssize_t
read (int fd,
      void *buffer,
      size_t size)
{
  static ssize_t (*real) (int, void *, size_t);
  Clock start = { 0, 0, 0 };
  ssize_t n;

  if (!real)
    *(void **)&real = find_real ("read");
  if (is_spied (fd))
    read_clock (&start);
  n = real (fd, buffer, size);
  if (start.ns)
    note_read (fd, &start);
  return n;
}

ssize_t
pread64 (int fd,
         void *buffer,
         size_t size,
         off_t offset)
{
  static ssize_t (*real) (int, void *, size_t, off_t);
  Clock start = { 0, 0, 0 };
  ssize_t n;

  if (!real)
    *(void **)&real = find_real ("pread64");
  if (is_spied (fd))
    read_clock (&start);
  n = real (fd, buffer, size, offset);
  if (start.ns)
    note_read (fd, &start);
  return n;
}

int
ioctl (int fd,
       unsigned long request,
       ...)
{
  static int (*real) (int, unsigned long, ...);
  Clock start = { 0, 0, 0 };
  va_list rest;
  void *argument;
  int status;

  if (!real)
    *(void **)&real = find_real ("ioctl");
  va_start (rest, request);
  argument = va_arg (rest, void *);
  va_end (rest);
  if (is_spied (fd))
    read_clock (&start);
  status = real (fd, request, argument);
  if (start.ns)
    note_read (fd, &start);
  return status;
}
