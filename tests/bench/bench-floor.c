// SPDX-License-Identifier: GPL-3.0-or-later
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MAX_PIDS    65536
#define MAX_THREADS 64

static int proc_fd;
static int pids[MAX_PIDS];
static int n_pids;
static atomic_int next_pid;
static atomic_llong n_bytes;
static atomic_int n_processes;

static int64_t
get_wall_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int64_t
get_cpu_us (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (int64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static void
list_pids (void)
{
  char buffer[32768] __attribute__ ((aligned (16)));
  ssize_t length;

  while ((length = getdents64 (proc_fd, buffer, sizeof buffer)) > 0)
    for (ssize_t at = 0; at < length;)
      {
        const struct dirent64 *entry = (const void *)(buffer + at);
        int pid = atoi (entry->d_name);

        if (pid > 0 && n_pids < MAX_PIDS)
          pids[n_pids++] = pid;
        at += entry->d_reclen;
      }
}

static void *
read_rollups_worker (void *data __attribute__ ((unused)))
{
  char path[64], buffer[4096];
  long long bytes = 0;
  int processes = 0;

  for (;;)
    {
      int i = atomic_fetch_add (&next_pid, 1);
      ssize_t length;
      int fd;

      if (i >= n_pids)
        break;
      snprintf (path, sizeof path, "%d/smaps_rollup", pids[i]);
      fd = openat (proc_fd, path, O_RDONLY | O_CLOEXEC);
      if (fd < 0)
        continue;
      length = read (fd, buffer, sizeof buffer);
      close (fd);
      if (length <= 0)
        continue;
      bytes += length;
      processes++;
    }
  atomic_fetch_add (&n_bytes, bytes);
  atomic_fetch_add (&n_processes, processes);
  return NULL;
}

static void
read_rollups (int n_threads)
{
  pthread_t threads[MAX_THREADS];

  list_pids ();
  for (int i = 1; i < n_threads; i++)
    if (pthread_create (&threads[i], NULL, read_rollups_worker, NULL) != 0)
      exit (1);
  read_rollups_worker (NULL);
  for (int i = 1; i < n_threads; i++)
    pthread_join (threads[i], NULL);
}

static void
read_smaps (const char *pid,
            size_t size)
{
  static char buffer[64 * 1024];
  char path[64];
  ssize_t length;
  int fd;

  snprintf (path, sizeof path, "%s/smaps", pid);
  fd = openat (proc_fd, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    {
      perror (path);
      exit (1);
    }
  while ((length = read (fd, buffer, size < sizeof buffer ? size : sizeof buffer)) > 0)
    n_bytes += length;
  close (fd);
  n_processes = 1;
}

int
main (int argc,
      char **argv)
{
  int is_smaps = argc > 2 && strcmp (argv[1], "--smaps") == 0;
  int n_threads = argc > 1 && !is_smaps ? atoi (argv[1]) : 1;
  size_t size = argc > 3 ? (size_t)atoi (argv[3]) : 64 * 1024;
  int64_t wall_us, cpu_us;

  proc_fd = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc_fd < 0 || n_threads < 1 || n_threads > MAX_THREADS || size == 0)
    {
      fputs ("usage: bench-floor [THREADS] | --smaps PID [BUFFER-BYTES]\n", stderr);
      return 2;
    }

  wall_us = get_wall_us ();
  cpu_us = get_cpu_us ();
  if (is_smaps)
    read_smaps (argv[2], size);
  else
    read_rollups (n_threads);
  cpu_us = get_cpu_us () - cpu_us;
  wall_us = get_wall_us () - wall_us;
  printf ("floor processes=%d bytes=%lld cpu_us=%lld wall_us=%lld\n",
          n_processes,
          n_bytes,
          (long long)cpu_us,
          (long long)wall_us);
  return 0;
}
