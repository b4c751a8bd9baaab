// SPDX-License-Identifier: GPL-3.0-or-later
/* What is said of the heaps of real programs is what mallinfo2 () says there, to the byte. */
#include <glib/gstdio.h>
#include <glob.h>
#include <gnu/libc-version.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-malloc-reader.h"
#include "live-process.h"
#include "silent-set.h"

#define FIRST_KNOWN 30
#define LAST_KNOWN  41
#define N_TURNS     20
#define LARGEST     5024 /* a block of a busy thread, with its head; each has as many as BUSY_BLOCKS */
#define BUSY_BLOCKS 256
#define FULL_CACHE  241000 /* more than the cache of a thread has room for */
#define CACHED      1056   /* the largest block that is cached */
#define ONE_ROUND   7000   /* what the lonely thread has in use at most beside what it keeps */
#define N_STEPS     100000 /* ten moments are found after 300 of them or after 17,000, by where the heap begins */
#define PATIENCE_S  60

/* A program that waits, and what mallinfo2 () said in it */
typedef struct
{
  GPid parent; /* mostly the program itself */
  gint pid;
  FILE *lines;
  guint64 arena, used, free, fast, n_mapped, mapped, keepcost, cached;
  FpProcDir proc;
  FpProcessId id;
} Holder;

static void
end_with_test (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

/* preload: (nullable) */
static void
holder_start_with (Holder *self,
                   const char *program,
                   const char *kind,
                   const char *preload)
{
  char *argv[] = { (char *)program, (char *)kind, NULL };
  g_auto (GStrv) environment = g_get_environ ();
  g_autoptr (GError) error = NULL;
  FpStat stat;
  int out;

  *self = (Holder){ .proc = { .fd = -1 } };
  if (preload)
    environment = g_environ_setenv (environment, "LD_PRELOAD", preload, TRUE);
  g_spawn_async_with_pipes (NULL, argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, end_with_test, NULL, &self->parent, NULL, &out, NULL,
                            &error);
  g_assert_no_error (error);
  self->lines = fdopen (out, "r");
  g_assert_cmpint (fscanf (self->lines,
                           "%d %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT
                           " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
                           &self->pid, &self->arena, &self->used, &self->free, &self->fast, &self->n_mapped, &self->mapped,
                           &self->keepcost, &self->cached),
                   ==, 9);
  g_assert_true (fp_proc_dir_open (&self->proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &self->proc, self->pid));
  self->id = (FpProcessId){ self->pid, stat.start_ticks };
}

static void
holder_start (Holder *self,
              const char *variable,
              const char *kind)
{
  holder_start_with (self, g_getenv (variable), kind, NULL);
}

static void
holder_stop (Holder *self)
{
  if (self->pid != self->parent)
    kill (self->pid, SIGKILL);
  kill (self->parent, SIGKILL);
  waitpid (self->parent, NULL, 0);
  fclose (self->lines);
  fp_proc_dir_close (&self->proc);
}

static void
holder_freeze (Holder *self)
{
  kill (self->pid, SIGSTOP);
  live_wait_for_state (self->pid, "T");
}

static FpMalloc *
holder_read (Holder *self,
             GError **error)
{
  return fp_malloc_read (&self->proc, &self->id, NULL, NULL, error);
}

static gboolean
is_known (void)
{
  g_auto (GStrv) parts = g_strsplit (gnu_get_libc_version (), ".", 3);
  guint64 minor = parts[0] && parts[1] ? g_ascii_strtoull (parts[1], NULL, 10) : 0;

  if (minor >= FIRST_KNOWN && minor <= LAST_KNOWN && sizeof (gpointer) == 8)
    return TRUE;
  g_test_skip ("This machine's glibc is not one whose heap is known");
  return FALSE;
}

static guint64
sum_sizes (const FpMallocSizes *sizes)
{
  guint64 sum = 0;

  for (guint i = 0; i < FP_MALLOC_N_SIZES; i++)
    sum += sizes->bytes[i];
  return sum;
}

static void
assert_equal (const FpMalloc *malloc,
              const Holder *holder)
{
  const FpMallocFigures *total = &malloc->total;

  g_test_message ("glibc 2.%u: held %" G_GUINT64_FORMAT ", used %" G_GUINT64_FORMAT ", cached %" G_GUINT64_FORMAT
                  ", fast %" G_GUINT64_FORMAT ", free %" G_GUINT64_FORMAT ", top %" G_GUINT64_FORMAT ", %u arenas, %u caches",
                  malloc->minor, total->held, total->used, total->cached, total->fast, total->free, total->top,
                  malloc->arenas->len, malloc->n_caches);
  g_assert_false (malloc->is_partial);
  g_assert_cmpuint (malloc->used_least, ==, total->used);
  g_assert_cmpuint (malloc->used_most, ==, total->used);
  g_assert_cmpuint (total->held, ==, holder->arena);
  g_assert_cmpuint (total->used + total->cached, ==, holder->used);
  g_assert_cmpuint (total->fast + total->free + total->top, ==, holder->free);
  g_assert_cmpuint (total->fast, ==, holder->fast);
  g_assert_cmpuint (malloc->n_mapped, ==, holder->n_mapped);
  g_assert_cmpuint (malloc->mapped, ==, holder->mapped);
  g_assert_cmpuint (g_array_index (malloc->arenas, FpMallocArena, 0).figures.top, ==, holder->keepcost);
  if (holder->cached > 0)
    g_assert_cmpuint (total->cached, ==, holder->cached);
  if (malloc->is_cut)
    return;
  /* What is used beside blocks: the arenas of threads, and the ends of their heaps. */
  g_assert_cmpuint (sum_sizes (&malloc->used_sizes), <=, total->used);
  g_assert_cmpuint (total->used - sum_sizes (&malloc->used_sizes), <=, malloc->arenas->len * 4096);
  g_assert_cmpuint (sum_sizes (&malloc->free_sizes), ==, total->free);
}

static void
test_equal (gconstpointer kind)
{
  g_autoptr (FpMalloc) malloc = NULL;
  g_autoptr (GError) error = NULL;
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", kind);
  holder_freeze (&holder);
  malloc = holder_read (&holder, &error);
  g_assert_no_error (error);
  assert_equal (malloc, &holder);
  if (g_str_equal (kind, "heaps"))
    g_assert_cmpuint (g_array_index (malloc->arenas, FpMallocArena, 1).n_heaps, >=, 2);
  if (g_str_equal (kind, "threads") || g_str_equal (kind, "child"))
    g_assert_cmpuint (malloc->arenas->len, >, 1);
  if (g_str_equal (kind, "fast"))
    g_assert_cmpuint (malloc->total.fast, >, 0);
  if (g_str_equal (kind, "mapped"))
    g_assert_cmpuint (malloc->n_mapped, ==, 15);
  if (g_str_equal (kind, "trimmed"))
    g_assert_cmpuint (malloc->total.returnable, <=, 2 * (guint64)sysconf (_SC_PAGESIZE));
  g_assert_cmpint (malloc->is_cut, ==, g_str_equal (kind, "beside"));
  holder_stop (&holder);
}

static void
assert_refused_by (const char *program,
                   const char *kind,
                   const char *preload,
                   int code,
                   const char *words)
{
  g_autoptr (FpMalloc) malloc = NULL;
  g_autoptr (GError) error = NULL;
  Holder holder;

  holder_start_with (&holder, program, kind, preload);
  live_wait_for_state (holder.pid, "S");
  malloc = holder_read (&holder, &error);
  g_assert_null (malloc);
  g_assert_error (error, G_FILE_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  holder_stop (&holder);
}

static void
assert_refused (const char *variable,
                const char *kind,
                int code,
                const char *words)
{
  assert_refused_by (g_getenv (variable), kind, NULL, code, words);
}

static void
test_own_allocator (void)
{
  if (is_known ())
    assert_refused ("FOOTPRINT_OWN_MALLOC_HOLDER", "single", G_FILE_ERROR_NOSYS, "in another way");
}

/* NULL: it is not installed. Free the path. */
static char *
find_jemalloc (void)
{
  glob_t found;
  char *path = NULL;

  if (glob ("/usr/lib*/{*/,}libjemalloc.so.2", GLOB_BRACE, NULL, &found) == 0)
    path = g_strdup (found.gl_pathv[0]);
  globfree (&found);
  return path;
}

static void
test_jemalloc (void)
{
  g_autofree char *library = find_jemalloc ();

  if (!library)
    g_test_skip ("jemalloc is not installed");
  else if (is_known ())
    assert_refused_by (g_getenv ("FOOTPRINT_MALLOC_HOLDER"), "threads", library, G_FILE_ERROR_NOSYS, "in another way");
}

static void
test_static (void)
{
  if (!*g_getenv ("FOOTPRINT_STATIC_MALLOC_HOLDER"))
    g_test_skip ("There is no static glibc here");
  else
    assert_refused ("FOOTPRINT_STATIC_MALLOC_HOLDER", "single", G_FILE_ERROR_NOSYS, "does not load it");
}

static void
test_musl (void)
{
  if (!*g_getenv ("FOOTPRINT_MUSL_HOLDER"))
    g_test_skip ("There is no musl-gcc here");
  else
    assert_refused ("FOOTPRINT_MUSL_HOLDER", "threads", G_FILE_ERROR_NOSYS, "has musl instead");
}

static void
test_scribbled (void)
{
  if (is_known ())
    assert_refused ("FOOTPRINT_MALLOC_HOLDER", "scribbled", G_FILE_ERROR_FAILED, "is damaged at 0x");
}

/* The heap in use has to be between these; returns whether it was known. */
static gboolean
check_range (Holder *holder,
             guint64 least,
             guint64 most)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMalloc) malloc = holder_read (holder, &error);

  if (!malloc)
    {
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_AGAIN);
      return FALSE;
    }
  g_assert_cmpuint (malloc->total.used + malloc->total.cached + malloc->total.fast + malloc->total.free + malloc->total.top, ==,
                    malloc->total.held);
  g_assert_cmpuint (malloc->used_least, <=, malloc->total.used);
  g_assert_cmpuint (malloc->used_most, >=, malloc->total.used);
  g_assert_cmpuint (malloc->used_most, >=, least);
  g_assert_cmpuint (malloc->used_least, <=, most);
  g_assert_cmpuint (malloc->total.used, >=, least);
  g_assert_cmpuint (malloc->total.used, <=, most);
  return TRUE;
}

/* Two threads allocate and free all the time. Each answer is true or says that it is not, and the program goes on. */
static void
test_busy (void)
{
  guint n_found = 0;
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "busy");
  for (guint i = 0; i < N_TURNS; i++)
    n_found += check_range (&holder, holder.used - FULL_CACHE, holder.used + 2 * (BUSY_BLOCKS * LARGEST + FULL_CACHE));
  g_test_message ("%u of %u times", n_found, (guint)N_TURNS);
  live_wait_for_state (holder.pid, "RS");
  holder_stop (&holder);
}

/* Two threads take blocks out of their caches and put them back, for which they take no lock. */
static void
test_juggling (void)
{
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "juggling");
  for (guint i = 0; i < N_TURNS; i++)
    g_assert_true (check_range (&holder, holder.used - holder.cached, holder.used - holder.cached + 2 * CACHED));
  holder_stop (&holder);
}

static void
step (gint pid,
      enum __ptrace_request request)
{
  int status;

  g_assert_cmpint (ptrace (request, pid, NULL, NULL), ==, 0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSTOPPED (status));
}

/* A program with one thread takes no lock. Stopped in the middle of malloc () and free (), its heap is not called damaged. Looks
 * are not equally far apart, because each would meet a program that goes round at the same few places. */
static void
test_inside (void)
{
  guint n_inside = 0, n_looks = 0, next = 0, n_steps;
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "alone");
  if (ptrace (PTRACE_SEIZE, holder.pid, NULL, NULL) != 0)
    {
      g_test_skip ("Programs can't be stopped at each of their steps here");
      holder_stop (&holder);
      return;
    }
  step (holder.pid, PTRACE_INTERRUPT);
  for (n_steps = 0; n_steps < N_STEPS && n_inside < 10; n_steps++)
    {
      step (holder.pid, PTRACE_SINGLESTEP);
      if (n_steps < next)
        continue;
      n_inside += !check_range (&holder, holder.used - FULL_CACHE, holder.used + ONE_ROUND);
      next += 1 + n_looks++ % 13;
    }
  g_test_message ("%u times in %u looks and %u steps", n_inside, n_looks, n_steps);
  g_assert_cmpuint (n_inside, ==, 10);
  holder_stop (&holder);
}

static guint64
read_swapped (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid), *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "VmSwap:");
  return line ? g_ascii_strtoull (line + strlen ("VmSwap:"), NULL, 10) : 0;
}

/* What is in swap stays there, and what is said is a bound. */
static void
test_swapped (void)
{
  g_autoptr (FpMalloc) malloc = NULL;
  g_autoptr (GError) error = NULL;
  guint64 before;
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "swapped");
  holder_freeze (&holder);
  before = read_swapped (holder.pid);
  if (before == 0)
    {
      g_test_skip ("This machine has no swap that takes the pages of a program");
      holder_stop (&holder);
      return;
    }
  malloc = holder_read (&holder, &error);
  g_assert_no_error (error);
  g_assert_true (malloc->is_partial);
  g_assert_cmpuint (malloc->total.held, ==, holder.arena);
  g_assert_cmpuint (malloc->used_most + malloc->total.cached, >=, holder.used);
  g_assert_cmpuint (read_swapped (holder.pid), >=, before);
  holder_stop (&holder);
}

static gboolean
count_step (guint64 position,
            guint64 whole,
            gpointer data)
{
  guint *n = data;

  g_assert_cmpuint (position, <=, whole);
  (*n)++;
  return TRUE;
}

static gboolean
cancel_step (guint64 position,
             guint64 whole,
             gpointer data)
{
  guint *n = data;

  return ++*n < 3;
}

static void
test_cancelled (void)
{
  g_autoptr (FpMalloc) malloc = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0, n_cancelled = 0;
  Holder holder;

  if (!is_known ())
    return;
  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "heaps");
  malloc = fp_malloc_read (&holder.proc, &holder.id, count_step, &n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n, >, 3);
  none = fp_malloc_read (&holder.proc, &holder.id, cancel_step, &n_cancelled, &error);
  g_assert_null (none);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INTR);
  g_assert_cmpuint (n_cancelled, ==, 3);
  holder_stop (&holder);
}

static void
test_ended (void)
{
  g_autoptr (GError) error = NULL;
  Holder holder;

  holder_start (&holder, "FOOTPRINT_MALLOC_HOLDER", "single");
  kill (holder.parent, SIGKILL);
  live_wait_for_state (holder.pid, "Z");
  g_assert_null (holder_read (&holder, &error));
  g_assert_nonnull (error);
  holder_stop (&holder);
}

/* A process as it is just after its mappings were read: these are a copy, all else is its own. Free the path. */
static char *
make_read_process (pid_t pid)
{
  char *folder = g_dir_make_tmp ("footprint-silent-XXXXXX", NULL);
  g_autofree char *own = g_strdup_printf ("/proc/%d", pid), *copy = g_strdup_printf ("%s/%d", folder, pid);
  g_autofree char *maps = g_build_filename (own, "maps", NULL), *copied = g_build_filename (copy, "maps", NULL), *text = NULL;
  g_autoptr (GDir) dir = g_dir_open (own, 0, NULL);
  const char *name;
  gsize length;

  g_assert_cmpint (g_mkdir (copy, 0700), ==, 0);
  g_assert_true (g_file_get_contents (maps, &text, &length, NULL));
  g_assert_true (g_file_set_contents (copied, text, (gssize)length, NULL));
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *target = g_build_filename (own, name, NULL), *link = g_build_filename (copy, name, NULL);

      g_assert_true (g_str_equal (name, "maps") || symlink (target, link) == 0);
    }
  return folder;
}

typedef struct
{
  FpProcDir proc;
  FpProcessId id;
  GError *error;
  gint is_done;
} HeapReading;

static gpointer
read_heap_thread (gpointer data)
{
  HeapReading *self = data;

  g_assert_null (fp_malloc_read (&self->proc, &self->id, NULL, NULL, &self->error));
  g_atomic_int_set (&self->is_done, TRUE);
  return NULL;
}

/* It locks its memory when its mappings are known and the file of its glibc is to be opened. Whoever waits is told so. */
static void
test_locked (void)
{
  HeapReading reading = { .proc = { .fd = -1 } };
  gint64 end_us = g_get_monotonic_time () + PATIENCE_S * G_USEC_PER_SEC;
  const char *argv[] = { "rm", "-rf", NULL, NULL };
  g_autofree char *folder = NULL;
  GThread *thread;
  FpStat stat;
  SilentSet set;

  if (!silent_set_start (&set, 1, getuid ()))
    return;
  folder = make_read_process (set.pids[0]);
  g_assert_true (fp_proc_dir_open (&reading.proc, folder, NULL));
  reading.proc.is_live = TRUE;
  g_assert_true (fp_stat_read_any (&stat, &reading.proc, set.pids[0]));
  reading.id = (FpProcessId){ set.pids[0], stat.start_ticks };
  silent_set_silence (&set, 1);
  thread = g_thread_new ("reader", read_heap_thread, &reading);
  while (!g_atomic_int_get (&reading.is_done))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end_us);
      g_usleep (10 * 1000);
    }
  g_thread_join (thread);
  g_assert_nonnull (reading.error);
  g_assert_nonnull (strstr (reading.error->message, "does not answer"));
  g_clear_error (&reading.error);
  fp_proc_dir_close (&reading.proc);
  silent_set_answer (&set);
  silent_set_stop (&set);
  argv[2] = folder;
  g_assert_true (g_spawn_sync (NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

int
main (int argc,
      char *argv[])
{
  static const char *const kinds[] = { "single", "threads", "heaps", "cache", "fast", "bins", "mapped", "trimmed",
                                       "realloc", "child", "aligned", "beside", "half" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat ("/live/malloc/equal/", kinds[i], NULL);

      g_test_add_data_func (path, kinds[i], test_equal);
    }
  g_test_add_func ("/live/malloc/own-allocator", test_own_allocator);
  g_test_add_func ("/live/malloc/jemalloc", test_jemalloc);
  g_test_add_func ("/live/malloc/static", test_static);
  g_test_add_func ("/live/malloc/musl", test_musl);
  g_test_add_func ("/live/malloc/scribbled", test_scribbled);
  g_test_add_func ("/live/malloc/busy", test_busy);
  g_test_add_func ("/live/malloc/juggling", test_juggling);
  g_test_add_func ("/live/malloc/inside", test_inside);
  g_test_add_func ("/live/malloc/swapped", test_swapped);
  g_test_add_func ("/live/malloc/cancelled", test_cancelled);
  g_test_add_func ("/live/malloc/ended", test_ended);
  g_test_add_func ("/live/malloc/locked", test_locked);
  return g_test_run ();
}
