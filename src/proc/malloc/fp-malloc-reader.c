// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fp-malloc-places.h"
#include "fp-malloc-reader.h"
#include "fp-malloc-walk.h"
#include "fp-page-entries.h"
#include "fp-reading.h"

#define STEP_US         (20 * 1000) /* between two questions whether to go on */
#define READS_TO_A_LOOK 64          /* at the clock */
#define RETRY_US        (20 * 1000)
#define CALL_SIZE       256 /* of the line that says in which call a thread is */
#define YAMA            "sys/kernel/yama/ptrace_scope"

/* The pages that were read last where a heap is walked from its beginning to its end */
typedef struct
{
  guint64 start;
  gsize size;
  gsize room;
  guint8 *bytes;
} Window;

typedef struct
{
  FpReading reading;
  FpMappingStepFunc step; /* (nullable): with data, of whoever waits */
  gpointer data;
  FpMallocPlaces places;
  FpMallocMemory memory;
  int dir_fd;
  int memory_fd;
  int pagemap_fd;
  FpStat before;
  int problem; /* 0 or an errno */
  FpMallocProblem malloc_problem;
  guint64 damaged_at;
  FpMalloc *result;
  Window window;
  guint n_reads;
  gint64 asked_us;
  guint64 first_page; /* of these entries */
  guint64 n_entries;
  guint64 entries[FP_PAGE_ENTRIES_PIECE];
} Reader;

static void
reader_free (gpointer data)
{
  Reader *self = data;
  const int fds[] = { self->dir_fd, self->memory_fd, self->pagemap_fd };

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    if (fds[i] >= 0)
      close (fds[i]);
  fp_malloc_places_clear (&self->places);
  g_clear_pointer (&self->result, fp_malloc_free);
  g_free (self->window.bytes);
  fp_reading_free (self);
}

/* The pause is behind the kernel's lock, and whoever waits for the reading does not take it for a process that never
 * answers. */
static gboolean
give_step (gpointer data)
{
  Reader *self = data;

  fp_page_entries_pause ();
  return !self->step || self->step (self->memory.position, self->memory.whole, self->data);
}

static gboolean
ask (Reader *self)
{
  self->asked_us = g_get_monotonic_time ();
  self->n_reads = 0;
  return fp_reading_report (&self->reading, give_step, self);
}

static gboolean
ask_now_and_then (Reader *self)
{
  if (++self->n_reads % READS_TO_A_LOOK != 0 || g_get_monotonic_time () < self->asked_us + STEP_US)
    return TRUE;
  return ask (self);
}

static FpMallocAnswer
read_entries (Reader *self,
              guint64 page)
{
  guint64 first = page - page % FP_PAGE_ENTRIES_PIECE;
  gssize n;

  if (page - self->first_page < self->n_entries)
    return FP_MALLOC_FINE;
  self->n_entries = 0;
  if (!ask (self))
    return FP_MALLOC_STOPPED;
  n = fp_page_entries_read (self->pagemap_fd, first, FP_PAGE_ENTRIES_PIECE, self->entries);
  if (n <= (gssize)(page - first))
    return FP_MALLOC_BROKEN;
  self->first_page = first;
  self->n_entries = (guint64)n;
  return FP_MALLOC_FINE;
}

static gboolean
is_present (const Reader *self,
            guint64 page)
{
  return page - self->first_page < self->n_entries && (self->entries[page - self->first_page] & FP_PAGE_ENTRY_PRESENT);
}

static FpMallocAnswer
read_exactly (Reader *self,
              guint64 address,
              gpointer buffer,
              gsize size)
{
  gssize n = pread (self->memory_fd, buffer, size, (off_t)address);

  return n == (gssize)size ? FP_MALLOC_FINE : FP_MALLOC_BROKEN;
}

/* Memory that was never touched is not read, because a page would be made for it. */
static FpMallocAnswer
read_in_page (Reader *self,
              guint64 address,
              guint8 *buffer,
              gsize size)
{
  guint64 entry;

  if (fp_page_entries_read (self->pagemap_fd, address / self->memory.page_size, 1, &entry) != 1)
    return FP_MALLOC_BROKEN;
  if (entry & FP_PAGE_ENTRY_PRESENT)
    return read_exactly (self, address, buffer, size);
  if (entry & FP_PAGE_ENTRY_SWAPPED)
    return FP_MALLOC_AWAY;
  memset (buffer, 0, size);
  return FP_MALLOC_FINE;
}

/* Pages behind each other that are all in memory, or one that never was */
static FpMallocAnswer
fill_window (Reader *self,
             guint64 address,
             gsize ahead)
{
  const guint64 page_size = self->memory.page_size, page = address / page_size;
  FpMallocAnswer answer = read_entries (self, page);
  Window *window = &self->window;
  guint64 n = 1;

  window->size = 0;
  if (answer != FP_MALLOC_FINE)
    return answer;
  if (!is_present (self, page) && (self->entries[page - self->first_page] & FP_PAGE_ENTRY_SWAPPED))
    return FP_MALLOC_AWAY;
  if (window->room < MAX (ahead, page_size))
    {
      window->room = MAX (ahead, page_size);
      window->bytes = g_realloc (window->bytes, window->room);
    }
  if (!is_present (self, page))
    memset (window->bytes, 0, page_size);
  else
    {
      while (is_present (self, page + n) && (n + 1) * page_size <= window->room)
        n++;
      if ((answer = read_exactly (self, page * page_size, window->bytes, n * page_size)) != FP_MALLOC_FINE)
        return answer;
    }
  window->start = page * page_size;
  window->size = n * page_size;
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
read_in_window (Reader *self,
                guint64 address,
                guint8 *buffer,
                gsize size,
                gsize ahead)
{
  FpMallocAnswer answer =
      address - self->window.start < self->window.size ? FP_MALLOC_FINE : fill_window (self, address, ahead);

  if (answer == FP_MALLOC_FINE)
    memcpy (buffer, self->window.bytes + (address - self->window.start), size);
  return answer;
}

static FpMallocAnswer
read_memory (gpointer data,
             guint64 address,
             gpointer buffer,
             gsize size,
             gsize ahead)
{
  Reader *self = data;
  guint8 *at = buffer;

  if (address >> 63 || size > (G_GUINT64_CONSTANT (1) << 63) - address)
    return FP_MALLOC_BROKEN;
  if (!ask_now_and_then (self))
    return FP_MALLOC_STOPPED;
  while (size > 0)
    {
      gsize n = MIN (size, self->memory.page_size - address % self->memory.page_size);
      FpMallocAnswer answer = ahead > 0 ? read_in_window (self, address, at, n, ahead) : read_in_page (self, address, at, n);

      if (answer != FP_MALLOC_FINE)
        return answer;
      address += n;
      at += n;
      size -= n;
    }
  return FP_MALLOC_FINE;
}

static FpMallocAnswer
count_present (gpointer data,
               guint64 start,
               guint64 end,
               guint64 *present)
{
  Reader *self = data;
  const guint64 page_size = self->memory.page_size;

  for (guint64 page = start / page_size; page < end / page_size; page++)
    {
      FpMallocAnswer answer = read_entries (self, page);

      if (answer != FP_MALLOC_FINE)
        return answer;
      *present += is_present (self, page) ? page_size : 0;
    }
  return FP_MALLOC_FINE;
}

static gboolean
wait_a_moment (gpointer data)
{
  g_usleep (RETRY_US);
  return TRUE;
}

static void
forget_memory (gpointer data)
{
  Reader *self = data;

  fp_reading_report (&self->reading, wait_a_moment, NULL);
  self->window.size = 0;
  self->n_entries = 0;
}

/* A process that ends or execs leaves memory without anything in it. */
static int
check_process (const Reader *self)
{
  FpStat now;

  if (!fp_stat_read (&now, &self->reading.proc, &self->reading.id) || fp_stat_has_ended (&now))
    return ESRCH;
  return fp_stat_same_image (&self->before, &now) ? 0 : EAGAIN;
}

static int
open_memory (Reader *self)
{
  const FpReading *reading = &self->reading;

  self->dir_fd = fp_proc_dir_open_memory (&reading->proc, reading->id.pid, fp_stat_is_zombie (&self->before));
  self->memory_fd = self->dir_fd >= 0 ? openat (self->dir_fd, "mem", O_RDONLY | O_CLOEXEC) : -1;
  if (self->memory_fd < 0)
    return errno;
  self->pagemap_fd = openat (self->dir_fd, "pagemap", O_RDONLY | O_CLOEXEC);
  return self->pagemap_fd < 0 ? errno : 0;
}

/* The calls that malloc () makes */
static gboolean
is_call_of_malloc (long number)
{
  switch (number)
    {
    case SYS_brk:
    case SYS_mmap:
    case SYS_mprotect:
    case SYS_mremap:
    case SYS_munmap:
    case SYS_madvise:
      return TRUE;
    default:
      return FALSE;
    }
}

/* A program with one thread takes no lock, so the call that it waits in tells whether it is in the middle of a change. where: it
 * does not move as long as this stays the same */
static gboolean
is_at_rest (const Reader *self,
            char where[CALL_SIZE])
{
  gssize n = fp_read_at (self->dir_fd, "syscall", where, CALL_SIZE);

  if (n <= 0)
    *where = '\0';
  return n <= 0 || (g_ascii_isdigit (*where) && !is_call_of_malloc (strtol (where, NULL, 10)));
}

/* A heap in the middle of a change looks like one that is damaged. */
static void
doubt_damage (Reader *self,
              gboolean was_at_rest,
              const char *before)
{
  char now[CALL_SIZE];

  if ((self->malloc_problem != FP_MALLOC_DAMAGED && self->malloc_problem != FP_MALLOC_UNKNOWN) || self->before.n_threads > 1)
    return;
  if (is_at_rest (self, now) && was_at_rest && strcmp (now, before) == 0)
    return;
  self->malloc_problem = *now == '-' && strcmp (now, before) == 0 ? FP_MALLOC_HALTED : FP_MALLOC_CHANGING;
}

static void
read_heap (gpointer data)
{
  Reader *self = data;
  char where[CALL_SIZE];
  gboolean was_at_rest;
  int problem;

  self->problem = open_memory (self);
  if (self->problem == 0)
    {
      was_at_rest = is_at_rest (self, where);
      self->result = fp_malloc_walk (&self->memory, &self->places, &self->malloc_problem, &self->damaged_at);
      doubt_damage (self, was_at_rest, where);
    }
  if ((problem = check_process (self)) != 0)
    self->problem = problem;
}

/* The module of the kernel that keeps programs from reading each other's memory */
static gboolean
has_yama (const FpProcDir *proc)
{
  char text[16];

  return fp_read_at (proc->fd, YAMA, text, sizeof text) > 0 && *text > '0' && *text <= '9';
}

static void
set_errno (GError **error,
           const FpProcDir *proc,
           gint pid,
           int problem)
{
  GFileError code = g_file_error_from_errno (problem);

  if (problem == ESRCH)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT, _ ("Process %d has ended"), pid);
  else if (problem == EAGAIN)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d became another program while its heap was read"), pid);
  else if (problem == ETIMEDOUT)
    g_set_error (error, G_FILE_ERROR, code, _ ("Process %d does not answer, because it keeps its memory locked"), pid);
  else if ((problem == EACCES || problem == EPERM) && has_yama (proc))
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                 _ ("This system keeps programs from reading each other’s memory, so you can’t look into the heap of process %d. "
                    "Until the next start, an administrator can allow it with: sysctl kernel.yama.ptrace_scope=0"),
                 pid);
  else if (problem == EACCES || problem == EPERM)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_ACCES,
                 _ ("You may not read the memory of process %d, so its heap can’t be looked into"), pid);
  else
    /* Translators: the ID of a process, and an error of the system */
    g_set_error (error, G_FILE_ERROR, code, _ ("The memory of process %d can’t be read: %s"), pid, g_strerror (problem));
}

static void
set_malloc_problem (GError **error,
                    const Reader *self)
{
  const gint pid = self->reading.id.pid;
  const guint minor = self->places.layout.minor;
  char address[24];

  switch (self->malloc_problem)
    {
    case FP_MALLOC_UNUSED:
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
                   _ ("Only the heap of glibc can be looked into, and process %d allocates memory in another way"), pid);
      break;
    case FP_MALLOC_SWAPPED:
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                   _ ("Where the heap of process %d is described is in swap, and reading it would bring it back"), pid);
      break;
    case FP_MALLOC_DAMAGED:
      g_snprintf (address, sizeof address, "%#" G_GINT64_MODIFIER "x", self->damaged_at);
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED,
                   /* Translators: the ID of a process, and an address in its memory */
                   _ ("The heap of process %d is damaged at %s: glibc does not leave it like that. "
                      "Perhaps the program wrote past the end of a block"),
                   pid, address);
      break;
    case FP_MALLOC_CHANGING:
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                   _ ("Process %d changed its heap while it was read. Try again when it has less to do"), pid);
      break;
    case FP_MALLOC_HALTED:
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN,
                   _ ("Process %d stands still while it changes its heap. Try again when it goes on"), pid);
      break;
    case FP_MALLOC_CANCELLED:
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INTR, g_strerror (ECANCELED));
      break;
    case FP_MALLOC_NO_PROBLEM:
    case FP_MALLOC_UNKNOWN:
    default:
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
                   /* Translators: the ID of a process, and the second part of a version */
                   _ ("The heap of process %d is not laid out as that of glibc 2.%u, so nothing can be said of it"), pid, minor);
    }
}

static FpMalloc *
take_result (Reader *self,
             const FpProcDir *proc,
             GError **error)
{
  if (self->problem == 0 && self->result)
    return g_steal_pointer (&self->result);
  if (self->problem != 0)
    set_errno (error, proc, self->reading.id.pid, self->problem);
  else
    set_malloc_problem (error, self);
  return NULL;
}

static Reader *
reader_new (const FpProcDir *proc,
            const FpProcessId *id,
            FpMappingStepFunc step,
            gpointer data)
{
  Reader *self = fp_reading_new (sizeof *self, proc, id);

  self->step = step;
  self->data = data;
  self->dir_fd = self->memory_fd = self->pagemap_fd = -1;
  self->memory = (FpMallocMemory){
    .read = read_memory,
    .count_present = count_present,
    .pause = forget_memory,
    .data = self,
    .page_size = (guint64)sysconf (_SC_PAGESIZE),
  };
  return self;
}

FpMalloc *
fp_malloc_read (const FpProcDir *proc,
                const FpProcessId *id,
                FpMappingStepFunc step,
                gpointer data,
                GError **error)
{
  Reader *self;
  FpMalloc *result;
  int problem;

  if (!proc->is_live)
    {
      g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_NOSYS,
                           _ ("Only the heap of running processes on this machine can be looked into"));
      return NULL;
    }
  self = reader_new (proc, id, step, data);
  problem = fp_reading_read_stat (&self->before, proc, id);
  if (problem == 0 && fp_stat_has_ended (&self->before))
    problem = ESRCH;
  if (problem != 0 || !fp_malloc_places_find (&self->places, proc, id, error))
    {
      if (problem != 0)
        set_errno (error, proc, id->pid, problem);
      reader_free (self);
      return NULL;
    }
  if (!fp_reading_await (self, read_heap, reader_free))
    {
      set_errno (error, proc, id->pid, ETIMEDOUT);
      return NULL;
    }
  result = take_result (self, proc, error);
  reader_free (self);
  return result;
}
