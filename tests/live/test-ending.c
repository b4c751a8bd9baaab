// SPDX-License-Identifier: GPL-3.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-ending-reader.h"
#include "fp-stat.h"
#include "workload.h"

#define MIB         ((gint64)1 << 20)
#define HUGE_PAGES  "/proc/sys/vm/nr_hugepages"
#define MAX_TRIES   40
#define OWN         (3 * MIB / 2) /* stacks, libc's data, what the kernel has of a small process */
#define MAX_HOLDERS 12

/* A process, or two, that hold one kind of memory; and what is to come of it, in MiB. */
typedef struct
{
  const char *kind;
  gint64 size;
  gboolean takes_child; /* into the set */
  gint64 freed;
  gint64 cache;
  gint64 stays;
  gint64 held;
  gint64 pool;
  gint64 swap;
} Kind;

static const Kind kinds[] = {
  { "private", 48, FALSE, 48, 0, 0, 0, 0 },
  { "family", 40, TRUE, 40, 0, 0, 0, 0 },
  { "parent", 32, FALSE, 16, 0, 0, 32, 0 },
  { "file", 36, FALSE, 0, 36, 0, 0, 0 },
  { "tmpfs", 28, FALSE, 0, 0, 28, 0, 0 },
  { "memfd", 44, FALSE, 44, 0, 0, 0, 0 },
  { "descriptor", 52, FALSE, 52, 0, 0, 0, 0 },
  { "segment", 30, FALSE, 30, 0, 0, 0, 0 },
  { "kept-segment", 14, FALSE, 0, 0, 14, 0, 0 },
  { "shared", 26, FALSE, 26, 0, 0, 0, 0 },
  { "pool", 32, FALSE, 0, 0, 0, 0, 32, 0 },
  { "huge-segment", 12, FALSE, 0, 0, 0, 0, 12, 0 },
};

static const Kind swapped_kinds[] = {
  { "swapped", 10, FALSE, 0, 0, 0, 0, 0, 10 },
  { "swapped-memfd", 10, FALSE, 0, 0, 0, 0, 0, 10 },
};

typedef struct
{
  const Kind *kind;
  pid_t pid;
  pid_t child;
  int segment;
  char *path; /* NULL: it has no file */
  FILE *orders;
} Holder;

typedef struct
{
  gint64 free; /* those on the processors' lists too */
  gint64 available;
  gint64 shmem;
  gint64 cached;
  gint64 pool;
  gint64 swap_free;
} Moment;

static gint64
find_figure (const char *text,
             const char *key)
{
  const char *line = strstr (text, key);

  g_assert_nonnull (line);
  return g_ascii_strtoll (line + strlen (key), NULL, 10);
}

static void
look (Moment *self)
{
  g_autofree char *meminfo = NULL, *zones = NULL;

  g_assert_true (g_file_get_contents ("/proc/meminfo", &meminfo, NULL, NULL));
  g_assert_true (g_file_get_contents ("/proc/zoneinfo", &zones, NULL, NULL));
  self->free = find_figure (meminfo, "MemFree:") * 1024;
  self->available = find_figure (meminfo, "MemAvailable:") * 1024;
  self->shmem = find_figure (meminfo, "Shmem:") * 1024;
  self->cached = find_figure (meminfo, "\nCached:") * 1024;
  self->swap_free = find_figure (meminfo, "SwapFree:") * 1024;
  self->pool = find_figure (meminfo, "HugePages_Free:") * find_figure (meminfo, "Hugepagesize:") * 1024;
  for (const char *at = zones; (at = strstr (at, " count:")); at += strlen (" count:"))
    self->free += g_ascii_strtoll (at + strlen (" count:"), NULL, 10) * 4096;
}

/* Reserved for the test; the old number comes back at its end. FALSE: there are none to be had. */
static gboolean
reserve_pool (long n,
              char **before)
{
  g_autofree char *number = NULL, *now = NULL;
  FILE *file;

  if (!g_file_get_contents (HUGE_PAGES, before, NULL, NULL))
    return FALSE;
  number = g_strdup_printf ("%ld\n", atol (*before) + n);
  if (!(file = fopen (HUGE_PAGES, "we")))
    return FALSE;
  fputs (number, file);
  if (fclose (file) != 0 || !g_file_get_contents (HUGE_PAGES, &now, NULL, NULL))
    return FALSE;
  return atol (now) >= atol (*before) + n;
}

static void
restore_pool (const char *before)
{
  FILE *file = before ? fopen (HUGE_PAGES, "we") : NULL;

  if (!file)
    return;
  fputs (before, file);
  fclose (file);
}

static char *
make_path (const Kind *kind)
{
  g_autofree char *name = g_strdup_printf ("footprint-test-ending-%d", getpid ());
  g_autofree char *here = g_get_current_dir ();

  if (g_str_equal (kind->kind, "tmpfs"))
    return g_build_filename ("/dev/shm", name, NULL);
  /* The build's folder: /tmp is in memory on many a machine. */
  return g_str_equal (kind->kind, "file") ? g_build_filename (here, name, NULL) : NULL;
}

/* NULL, or why it can't be had here */
static char *
holder_start (Holder *self,
              const Kind *kind)
{
  g_autofree char *size = g_strdup_printf ("%" G_GINT64_FORMAT, kind->size);
  g_autoptr (GError) error = NULL;
  const char *argv[] = { g_getenv ("FOOTPRINT_ENDING_HOLDER"), kind->kind, size, NULL, NULL };
  char line[256];
  FILE *answers;
  int in, out;

  *self = (Holder){ .kind = kind, .segment = -1, .path = make_path (kind) };
  if (self->path)
    argv[1] = "file";
  argv[3] = self->path;
  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &self->pid, &in, &out,
                            NULL, &error);
  g_assert_no_error (error);
  self->orders = fdopen (in, "w");
  answers = fdopen (out, "r");
  while (fgets (line, sizeof line, answers))
    {
      sscanf (line, "child %d", &self->child);
      sscanf (line, "segment %d", &self->segment);
      if (g_str_has_prefix (line, "ready") || g_str_has_prefix (line, "skip"))
        break;
    }
  /* A child may tell its PID after its parent is ready. */
  if (kind->takes_child || kind->held > 0)
    while (self->child == 0 && fgets (line, sizeof line, answers))
      sscanf (line, "child %d", &self->child);
  fclose (answers);
  return g_str_has_prefix (line, "skip") ? g_strdup (g_strchomp (line + strlen ("skip"))) : NULL;
}

static void
end (pid_t pid)
{
  if (pid <= 0)
    return;
  kill (pid, SIGKILL);
  while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
    continue;
}

/* Those that the set has */
static void
holder_end (Holder *self)
{
  end (self->pid);
  self->pid = 0;
  if (!self->kind->takes_child)
    return;
  end (self->child);
  self->child = 0;
}

static void
holder_clear (Holder *self)
{
  end (self->pid);
  end (self->child);
  fclose (self->orders);
  if (self->segment >= 0)
    shmctl (self->segment, IPC_RMID, NULL);
  if (self->path)
    g_unlink (self->path);
  g_free (self->path);
}

static guint64
read_start_ticks (const FpProcDir *proc,
                  pid_t pid)
{
  g_autofree char *name = g_strdup_printf ("%d/stat", pid);
  char text[1024];
  gssize length = fp_read_record_at (proc->fd, name, text, sizeof text);
  FpStat stat;

  g_assert_cmpint (length, >, 0);
  g_assert_true (fp_stat_parse (&stat, text, (gsize)length));
  return stat.start_ticks;
}

static FpEnding *
predict (const Holder *holders,
         guint n)
{
  FpEndingMember members[2 * MAX_HOLDERS] = { 0 };
  g_autoptr (GError) error = NULL;
  guint n_members = 0;
  FpEnding *ending;
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (guint i = 0; i < n; i++)
    {
      members[n_members++].id = (FpProcessId){ holders[i].pid, read_start_ticks (&proc, holders[i].pid) };
      if (holders[i].kind->takes_child)
        members[n_members++].id = (FpProcessId){ holders[i].child, read_start_ticks (&proc, holders[i].child) };
    }
  ending = fp_ending_read (&proc, members, n_members, NULL, NULL, &error);
  g_assert_no_error (error);
  fp_proc_dir_close (&proc);
  return ending;
}

static gint64
sum_parts (const FpEnding *ending,
           FpEndingFate fate)
{
  gint64 sum = 0;

  for (guint i = 0; i < ending->parts->len; i++)
    {
      const FpEndingPart *part = g_ptr_array_index (ending->parts, i);

      if (part->fate == fate)
        sum += (gint64)part->bytes;
    }
  return sum;
}

#define assert_about(what, value, expected, slack)                                                 \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 value_ = (gint64)(value), expected_ = (gint64)(expected), slack_ = (gint64)(slack);     \
    if (value_ < expected_ - slack_ || value_ > expected_ + slack_)                                \
      g_error ("%s: %.2f MiB, not %.2f MiB", what, (double)value_ / MIB, (double)expected_ / MIB); \
  }                                                                                                \
  G_STMT_END

/* Each object by itself has the fate that it is known to have. */
static void
assert_fates (const FpEnding *ending,
              const Holder *holders,
              guint n)
{
  gint64 freed = 0, cache = 0, stays = 0, held = 0, pool = 0, swap = 0;

  for (guint i = 0; i < n; i++)
    {
      const Kind *kind = holders[i].kind;

      freed += kind->freed * MIB;
      cache += kind->cache * MIB;
      stays += kind->stays * MIB;
      held += kind->held * MIB;
      pool += kind->pool * MIB;
      swap += kind->swap * MIB;
    }
  g_assert_cmpuint (ending->n_unread, ==, 0);
  assert_about ("freed", ending->memory.low, freed + OWN * n / 2, OWN * n / 2);
  assert_about ("freed at most", ending->memory.high, ending->memory.low, (gint64)ending->memory.low / 100 + OWN / 8 + swap);
  assert_about ("cache", ending->cache.low, cache + MIB / 2, MIB / 2);
  assert_about ("stays", sum_parts (ending, FP_ENDING_STAYS), stays, MIB / 8);
  assert_about ("held", sum_parts (ending, FP_ENDING_HELD), held + MIB / 4, MIB / 4);
  g_assert_cmpint ((gint64)ending->pool.low, ==, pool);
  g_assert_cmpint ((gint64)ending->pool.high, ==, pool);
  assert_about ("swap", ending->swap.low, swap + MIB / 4, MIB / 4);
  assert_about ("swap at most", ending->swap.high, ending->swap.low, MIB / 8);
}

/* The memory that the sentence says stays is still there. */
static void
assert_left (const Holder *self)
{
  struct shmid_ds segment;
  struct stat status;

  if (self->path)
    {
      g_assert_cmpint (stat (self->path, &status), ==, 0);
      g_assert_cmpint (status.st_size, ==, self->kind->size * MIB);
    }
  if (self->segment >= 0)
    g_assert_cmpint (shmctl (self->segment, IPC_STAT, &segment), ==, self->kind->stays > 0 ? 0 : -1);
}

/* Until the machine holds still for a moment. */
static void
await_calm (Moment *before)
{
  Moment again;

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      look (before);
      g_usleep (100000);
      look (&again);
      if (ABS (again.free - before->free) < MIB / 4 && ABS (again.cached - before->cached) < MIB / 4)
        break;
    }
  *before = again;
}

typedef struct
{
  gint64 freed;
  gint64 least;
  gint64 most;
  gint64 shmem;
  gint64 cached;
  gint64 pool;
  gint64 swap;
  gint64 swap_told;
} Result;

/* NULL: it was done */
static char *
try (const Kind *const *chosen,
     guint n,
     Result *result)
{
  Holder holders[MAX_HOLDERS];
  g_autoptr (FpEnding) ending = NULL;
  char *reason = NULL;
  Moment before, after;
  guint n_started = 0;

  for (; n_started < n && !reason; n_started++)
    reason = holder_start (&holders[n_started], chosen[n_started]);
  if (!reason)
    {
      ending = predict (holders, n);
      assert_fates (ending, holders, n);
      await_calm (&before);
      for (guint i = 0; i < n; i++)
        holder_end (&holders[i]);
      g_usleep (50000);
      look (&after);
      for (guint i = 0; i < n; i++)
        assert_left (&holders[i]);
      *result = (Result){ after.free - before.free, (gint64)ending->memory.low, (gint64)ending->memory.high,
                          before.shmem - after.shmem, before.cached - after.cached, after.pool - before.pool,
                          after.swap_free - before.swap_free, (gint64)ending->swap.low };
    }
  for (guint i = 0; i < n_started; i++)
    holder_clear (&holders[i]);
  return reason;
}

/* In meminfo is the whole machine: what others do meanwhile is told from an error by trying again, not by a wider bound. */
static gboolean
is_right (const Result *result,
          gint64 shmem,
          gint64 pool)
{
  gint64 slack = MAX (result->least / 100, MIB / 2);

  return result->freed >= result->least - slack && result->freed <= result->most + slack &&
         ABS (result->shmem - shmem) <= slack && ABS (result->cached - shmem) <= slack && result->pool == pool &&
         ABS (result->swap - result->swap_told) <= slack;
}

static void
check (const char *name,
       const Kind *const *chosen,
       guint n)
{
  Result result = { 0 };
  gint64 shmem = 0, pool = 0;

  for (guint i = 0; i < n; i++)
    {
      const char *kind = chosen[i]->kind;

      if (!g_str_equal (kind, "private") && !g_str_equal (kind, "family") && !g_str_equal (kind, "parent"))
        shmem += chosen[i]->freed * MIB;
      pool += chosen[i]->pool * MIB;
    }
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      g_autofree char *reason = try (chosen, n, &result);

      if (reason)
        {
          g_test_skip (reason);
          return;
        }
      if (is_right (&result, shmem, pool))
        break;
    }
  g_test_message ("%-12s predicted %7.2f to %7.2f MiB, back %7.2f MiB (%+.2f); shmem %7.2f, pool %5.1f, swap %5.2f", name,
                  (double)result.least / MIB, (double)result.most / MIB, (double)result.freed / MIB,
                  (double)(result.freed - result.least) / MIB, (double)result.shmem / MIB, (double)result.pool / MIB,
                  (double)result.swap / MIB);
  g_assert_true (is_right (&result, shmem, pool));
}

static void
test_alone (gconstpointer data)
{
  const Kind *kind = data;
  g_autofree char *before = NULL;

  if (kind->pool > 0 && !reserve_pool (kind->pool / 2, &before))
    g_test_skip ("this machine has no huge pages to give");
  else
    check (kind->kind, &kind, 1);
  restore_pool (before);
}

/* Into the swap that a workload brings */
static void
test_swapped (gconstpointer data)
{
  const Kind *kind = data;
  Workload workload;

  if (!workload_start (&workload, "swapfile 32 32"))
    return;
  check (kind->kind, &kind, 1);
  workload_stop (&workload);
}

/* All of them at once, which is one sum. */
static void
test_set (void)
{
  const Kind *chosen[MAX_HOLDERS];
  g_autofree char *before = NULL;
  gboolean has_pool = reserve_pool (22, &before);
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (has_pool || kinds[i].pool == 0)
      chosen[n++] = &kinds[i];
  check ("set", chosen, n);
  restore_pool (before);
}

/* Some processes of a workload end, others go on. */
typedef struct
{
  const char *path;
  const char *workload;
  const char *members; /* their roles */
  gint64 freed;
  gint64 held;
  guint n_others; /* of those that hold it, beside the one that is named */
} Split;

static const Split splits[] = {
  { "/ending/split/one-of-three", "fork 3 30 16", "child0", 16, 30, 1 },
  { "/ending/split/two-of-three", "fork 3 30 16", "child0 child1", 32, 30 },
  { "/ending/split/all", "fork 3 30 16", "parent child0 child1", 62, 0 },
  { "/ending/split/memfd", "shm 3 40", "parent child0", 0, 40 },
  { "/ending/split/memfd-of-all", "shm 3 40", "parent child0 child1", 40, 0 },
  { "/ending/split/twin", "clonevm 24", "parent", 0, 24 },
  { "/ending/split/twins", "clonevm 24", "parent child0", 24, 0 },
};

static gboolean
is_zombie (gint pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;

  return !g_file_get_contents (path, &text, NULL, NULL) || strstr (text, ") Z ");
}

/* FALSE: this machine can't have it. */
static gboolean
try_split (const Split *split,
           Result *result)
{
  g_auto (GStrv) roles = g_strsplit (split->members, " ", -1);
  FpEndingMember members[MAX_HOLDERS] = { 0 };
  g_autoptr (FpEnding) ending = NULL;
  Moment before, after;
  Workload workload;
  FpProcDir proc;
  guint n = g_strv_length (roles);

  if (!workload_start (&workload, split->workload))
    return FALSE;
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  for (guint i = 0; i < n; i++)
    {
      gint pid = workload_get_pid (&workload, roles[i]);

      members[i].id = (FpProcessId){ pid, read_start_ticks (&proc, pid) };
    }
  ending = fp_ending_read (&proc, members, n, NULL, NULL, NULL);
  fp_proc_dir_close (&proc);
  g_assert_nonnull (ending);
  assert_about ("freed", ending->memory.low, split->freed * MIB + OWN * n / 2, OWN * n / 2);
  assert_about ("freed at most", ending->memory.high, ending->memory.low, MIB / 2);
  assert_about ("held", sum_parts (ending, FP_ENDING_HELD), split->held * MIB + MIB / 2, MIB / 2);
  for (guint i = 0; i < ending->parts->len; i++)
    g_assert_cmpuint (((const FpEndingPart *)g_ptr_array_index (ending->parts, i))->n_others, ==, split->n_others);
  await_calm (&before);
  /* The parent last: it takes its children with it. */
  for (guint i = n; i-- > 0;)
    {
      if (g_str_equal (roles[i], "parent") && split->held > 0)
        continue;
      kill (members[i].id.pid, SIGKILL);
      while (!is_zombie (members[i].id.pid))
        g_usleep (1000);
    }
  g_usleep (50000);
  look (&after);
  *result = (Result){ .freed = after.free - before.free,
                      .least = (gint64)ending->memory.low,
                      .most = (gint64)ending->memory.high };
  workload_stop (&workload);
  return TRUE;
}

static void
test_split (gconstpointer data)
{
  const Split *split = data;
  gboolean is_whole = !strstr (split->members, "parent") || split->held == 0;
  Result result = { 0 };
  gint64 slack = 0;

  for (guint i = 0; i < MAX_TRIES; i++)
    {
      if (!try_split (split, &result))
        return;
      slack = MAX (result.least / 100, MIB / 2);
      if (!is_whole || (result.freed >= result.least - slack && result.freed <= result.most + slack))
        break;
    }
  g_test_message ("%s: predicted %.2f to %.2f MiB, back %.2f MiB", split->path, (double)result.least / MIB,
                  (double)result.most / MIB, (double)result.freed / MIB);
  if (!is_whole)
    return;
  g_assert_cmpint (result.freed, >=, result.least - slack);
  g_assert_cmpint (result.freed, <=, result.most + slack);
}

/* Processes that may not be read, of which a machine can have some even for root, could hold anything: the test has a
 * /proc of its own, where all are its own. NULL, or why it can't. */
static const char *
enter_own_processes (void)
{
  g_autofree char *pool = NULL;
  pid_t child;
  int status;

  g_file_get_contents (HUGE_PAGES, &pool, NULL, NULL);
  if (unshare (CLONE_NEWPID | CLONE_NEWNS) != 0)
    return g_strerror (errno);
  if ((child = fork ()) < 0)
    return g_strerror (errno);
  if (child > 0)
    {
      while (waitpid (child, &status, 0) < 0 && errno == EINTR)
        continue;
      /* A test that has failed restores nothing itself. */
      restore_pool (pool);
      /* The leak sanitizer would make a process at exit, and there is none any more in a namespace that has ended. */
      _exit (WIFEXITED (status) ? WEXITSTATUS (status) : 1);
    }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 || mount ("proc", "/proc", "proc", 0, NULL) != 0)
    return g_strerror (errno);
  return NULL;
}

static const char *hindrance;

static void
test_hindered (void)
{
  g_autofree char *reason = g_strdup_printf ("no namespace of processes: %s", hindrance);

  g_test_skip (reason);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  hindrance = enter_own_processes ();
  for (guint i = 0; i < G_N_ELEMENTS (kinds) && !hindrance; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ending/%s", kinds[i].kind);

      g_test_add_data_func (path, &kinds[i], test_alone);
    }
  for (guint i = 0; i < G_N_ELEMENTS (swapped_kinds) && !hindrance; i++)
    {
      g_autofree char *path = g_strdup_printf ("/ending/%s", swapped_kinds[i].kind);

      g_test_add_data_func (path, &swapped_kinds[i], test_swapped);
    }
  for (guint i = 0; i < G_N_ELEMENTS (splits) && !hindrance; i++)
    g_test_add_data_func (splits[i].path, &splits[i], test_split);
  g_test_add_func ("/ending/set", hindrance ? test_hindered : test_set);
  return g_test_run ();
}
