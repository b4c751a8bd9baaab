// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs as a user in a guest whose kernel has control groups of version 2; $FOOTPRINT_GROUPS is one that belongs to that user. */
#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-control-group-reader.h"
#include "fp-sweep.h"
#include "workload.h"

#define USER 1000
#define MIB  ((guint64)1 << 20)

/* The kernel adds its counters up every two seconds. */
#define SETTLE_MS 10000

typedef struct
{
  FpControlGroupReader *reader;
  FpControlGroups *groups;
  char *folder;     /* of the group that the test made */
  const char *path; /* the same, from the root of the groups */
} Fixture;

static void
write_value (const Fixture *self,
             const char *file,
             const char *value)
{
  g_autofree char *path = g_build_filename (self->folder, file, NULL);
  g_autoptr (GError) error = NULL;
  FILE *stream = fopen (path, "w");

  g_assert_nonnull (stream);
  g_assert_cmpint (fputs (value, stream), >=, 0);
  g_assert_cmpint (fclose (stream), ==, 0);
}

static const FpControlGroup *
read_again (Fixture *self)
{
  const FpControlGroup *group;

  g_clear_pointer (&self->groups, fp_control_groups_unref);
  self->groups = fp_control_group_reader_read (self->reader);
  group = fp_control_groups_find (self->groups, self->path);
  g_assert_nonnull (group);
  return group;
}

static void
set_up (Fixture *self,
        const char *name)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_autoptr (GError) error = NULL;
  g_autofree char *workload = NULL;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", &error));
  self->reader = fp_control_group_reader_new (&proc, &error);
  g_assert_no_error (error);
  self->folder = g_build_filename (g_getenv ("FOOTPRINT_GROUPS"), name, NULL);
  self->path = self->folder + strlen ("/sys/fs/cgroup");
  self->groups = NULL;
  g_assert_cmpint (mkdir (self->folder, 0755), ==, 0);
  workload = g_strdup_printf ("/into '%s' /workload", self->folder);
  g_setenv ("FOOTPRINT_WORKLOAD", workload, TRUE);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
  self->groups = fp_control_group_reader_read (self->reader);
}

static void
tear_down (Fixture *self)
{
  while (rmdir (self->folder) != 0 && errno == EBUSY)
    g_usleep (10000);
  fp_control_groups_unref (self->groups);
  fp_control_group_reader_free (self->reader);
  g_free (self->folder);
}

/* All members of the group, of which each is this test's child, and the sum of a figure over them. */
static guint64
sum_up (const Fixture *self,
        FpField field)
{
  g_autofree char *path = g_build_filename (self->folder, "cgroup.procs", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) pids = NULL;
  guint64 sum = 0;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  pids = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_nonnull (pids[0]);
  for (char **pid = pids; *pid; pid++)
    {
      g_autofree char *file = g_build_filename ("/proc", *pid, "smaps_rollup", NULL);
      g_autofree char *rollup = NULL;
      FpMemory memory = { 0 };
      gsize length;

      g_assert_true (g_file_get_contents (file, &rollup, &length, NULL));
      fp_memory_scan (&memory, FP_ORIGIN_SMAPS, rollup, length);
      g_assert_true (fp_memory_has (&memory, field));
      sum += memory.figures[field];
    }
  return sum;
}

/* The group's figure, when it is the expected one, or at last. */
static guint64
settle (Fixture *self,
        FpControlField field,
        guint64 expected)
{
  guint64 figure = 0;

  for (guint waited_ms = 0; waited_ms < SETTLE_MS; waited_ms += 200)
    {
      const FpControlGroup *group = read_again (self);

      g_assert_true (fp_control_group_has (group, field));
      figure = group->figures[field];
      if (figure == expected)
        break;
      g_usleep (200000);
    }
  return figure;
}

static void
freeze (const Fixture *self,
        const char *value)
{
  write_value (self, "cgroup.freeze", value);
}

/* A member that never was elsewhere has all its memory charged to its group. */
static void
test_anon (void)
{
  Workload workload;
  Fixture fixture;
  guint64 sum;

  set_up (&fixture, "anon.scope");
  if (workload_start (&workload, "fork 2 16 4"))
    {
      freeze (&fixture, "1");
      sum = sum_up (&fixture, FP_FIELD_PSS_ANON);
      g_assert_cmpuint (sum, >, 20 * MIB);
      g_assert_cmpuint (settle (&fixture, FP_CONTROL_ANON, sum), ==, sum);
      g_assert_cmpuint (read_again (&fixture)->figures[FP_CONTROL_MEMORY], >, sum);
      freeze (&fixture, "0");
      workload_stop (&workload);
    }
  tear_down (&fixture);
}

/* Programs are in memory here, too, so that their own text is in the PSS of the members; but it was charged elsewhere. */
static void
test_shmem (void)
{
  Workload workload;
  Fixture fixture;

  set_up (&fixture, "shmem.scope");
  if (workload_start (&workload, "shm 2 16"))
    {
      freeze (&fixture, "1");
      g_assert_cmpuint (sum_up (&fixture, FP_FIELD_PSS_SHMEM), >=, 16 * MIB);
      g_assert_cmpuint (settle (&fixture, FP_CONTROL_SHMEM, 16 * MIB), ==, 16 * MIB);
      freeze (&fixture, "0");
      workload_stop (&workload);
    }
  tear_down (&fixture);
}

static void
test_swap (void)
{
  Workload workload;
  Fixture fixture;
  guint64 sum;

  set_up (&fixture, "swap.scope");
  if (workload_start (&workload, "anon 24"))
    {
      freeze (&fixture, "1");
      write_value (&fixture, "memory.reclaim", "12M");
      sum = sum_up (&fixture, FP_FIELD_SWAP_PSS);
      g_assert_cmpuint (sum, >=, 8 * MIB);
      g_assert_cmpuint (settle (&fixture, FP_CONTROL_SWAP, sum), ==, sum);
      sum = sum_up (&fixture, FP_FIELD_PSS_ANON);
      g_assert_cmpuint (settle (&fixture, FP_CONTROL_ANON, sum), ==, sum);
      freeze (&fixture, "0");
      workload_stop (&workload);
    }
  tear_down (&fixture);
}

/* A child in the group that uses all of its memory again and again, until it is killed. */
static pid_t
start_toucher (const Fixture *self,
               gsize size)
{
  g_autofree char *procs = g_build_filename (self->folder, "cgroup.procs", NULL);
  pid_t pid = fork ();
  volatile char *memory;
  FILE *stream;

  g_assert_cmpint (pid, >=, 0);
  if (pid > 0)
    return pid;
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  stream = fopen (procs, "w");
  if (!stream || fputs ("0", stream) < 0 || fclose (stream) != 0)
    _exit (1);
  memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (;;)
    for (gsize i = 0; i < size; i += 4096)
      memory[i]++;
}

static guint64
read_total (const Fixture *self)
{
  g_autofree char *path = g_build_filename (self->folder, "memory.pressure", NULL);
  g_autofree char *text = NULL;
  const char *total;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "some "));
  total = strstr (text, "total=");
  g_assert_nonnull (total);
  return g_ascii_strtoull (total + strlen ("total="), NULL, 10);
}

static void
test_over_high (void)
{
  const FpControlGroup *group;
  FpControlLimit limit;
  Fixture fixture;
  guint64 before;
  pid_t pid;

  set_up (&fixture, "high.scope");
  write_value (&fixture, "memory.high", "16M");
  before = read_total (&fixture);
  g_assert_cmpuint (read_again (&fixture)->waited_us, ==, 0);
  pid = start_toucher (&fixture, 32 * MIB);
  g_usleep (3 * G_USEC_PER_SEC);
  read_again (&fixture);
  group = read_again (&fixture);
  g_assert_cmpuint (group->figures[FP_CONTROL_EVENTS_HIGH], >, 0);
  g_assert_cmpuint (group->figures[FP_CONTROL_OOM_KILLS], ==, 0);
  g_assert_cmpuint (group->waited_us, >, 0);
  g_assert_cmpuint (group->waited_over_us, >=, 3 * G_USEC_PER_SEC);
  g_assert_true (fp_control_groups_get_limit (fixture.groups, (guint)(group - fixture.groups->groups), &limit));
  g_assert_cmpuint (limit.limit, ==, 16 * MIB);
  g_assert_cmpuint (limit.used, >, 14 * MIB);

  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  g_assert_cmpuint (read_again (&fixture)->waited_us, ==, read_total (&fixture) - before);
  tear_down (&fixture);
}

/* So many that they are not all read each time. */
static void
make_crowd (int (*change) (const char *path))
{
  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/crowd%u.scope", g_getenv ("FOOTPRINT_GROUPS"), i);

      g_assert_cmpint (change (path), ==, 0);
    }
}

static int
make_folder (const char *path)
{
  return mkdir (path, 0755);
}

/* However many groups there are, the one in which the kernel has killed a program is among the first that are read. */
static void
test_killed (void)
{
  const FpControlGroup *group;
  guint64 n_reads;
  Fixture fixture;
  int status;
  pid_t pid;

  set_up (&fixture, "max.scope");
  write_value (&fixture, "memory.max", "16M");
  write_value (&fixture, "memory.swap.max", "0");
  make_crowd (make_folder);
  for (guint i = 0; i < 10; i++)
    g_assert_cmpuint (read_again (&fixture)->figures[FP_CONTROL_OOM_KILLS], ==, 0);
  n_reads = fp_control_group_reader_get_n_reads (fixture.reader);
  pid = start_toucher (&fixture, 32 * MIB);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  /* The kernel tells of an event a hundredth of a second later, a busy emulator later still; but its turn would come after
   * those of the crowd, which were read before it. */
  do
    {
      g_usleep (G_USEC_PER_SEC / 10);
      group = read_again (&fixture);
      g_assert_cmpuint (fp_control_group_reader_get_n_reads (fixture.reader) - n_reads, <, 150);
    }
  while (group->figures[FP_CONTROL_OOM_KILLS] == 0);
  g_assert_cmpuint (group->figures[FP_CONTROL_OOM_KILLS], ==, 1);
  g_assert_cmpuint (group->figures[FP_CONTROL_EVENTS_MAX], >, 0);
  g_assert_cmpuint (group->figures[FP_CONTROL_MAX], ==, 16 * MIB);
  g_assert_cmpuint (group->figures[FP_CONTROL_HIGH], ==, FP_CONTROL_NO_LIMIT);
  make_crowd (rmdir);
  tear_down (&fixture);
}

static void
test_calm (void)
{
  const FpControlGroup *group;
  Fixture fixture;

  set_up (&fixture, "other.scope");
  g_usleep (G_USEC_PER_SEC / 10);
  read_again (&fixture);
  group = fp_control_groups_find (fixture.groups, "/system.slice/calm.service");
  g_assert_nonnull (group);
  g_assert_cmpuint (group->figures[FP_CONTROL_SOME_US], ==, 0);
  g_assert_cmpuint (group->waited_us, ==, 0);
  g_assert_cmpuint (group->waited_over_us, >=, G_USEC_PER_SEC / 10);
  tear_down (&fixture);
}

/* A group under a path that was another's has waited for nothing yet. */
static void
test_made_again (void)
{
  Fixture fixture;
  guint64 id;
  pid_t pid;

  set_up (&fixture, "again.scope");
  write_value (&fixture, "memory.high", "8M");
  pid = start_toucher (&fixture, 16 * MIB);
  g_usleep (G_USEC_PER_SEC);
  g_assert_cmpuint (read_again (&fixture)->waited_us, >, 0);
  id = read_again (&fixture)->id;
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
  while (rmdir (fixture.folder) != 0)
    g_usleep (10000);
  g_assert_cmpint (mkdir (fixture.folder, 0755), ==, 0);
  g_assert_cmpuint (read_again (&fixture)->id, !=, id);
  g_assert_cmpuint (read_again (&fixture)->waited_us, ==, 0);
  g_assert_cmpuint (read_again (&fixture)->figures[FP_CONTROL_HIGH], ==, FP_CONTROL_NO_LIMIT);
  tear_down (&fixture);
}

static void
test_kinds (void)
{
  const FpControlGroup *group;
  Fixture fixture;

  set_up (&fixture, "app-gnome-org.example.Editor-12.scope");
  group = read_again (&fixture);
  g_assert_cmpint (group->kind, ==, FP_CONTROL_KIND_APP);
  g_assert_cmpstr (group->name, ==, "org.example.Editor");
  g_assert_true (fixture.groups->has_memory);
  g_assert_true (fixture.groups->has_pressure);
  g_assert_cmpint (fixture.groups->groups[0].kind, ==, FP_CONTROL_KIND_MACHINE);
  g_assert_false (fp_control_group_has (&fixture.groups->groups[0], FP_CONTROL_MEMORY));
  group = &fixture.groups->groups[fixture.groups->groups[group->parent].parent];
  g_assert_cmpint (group->kind, ==, FP_CONTROL_KIND_USER);
  g_assert_cmpuint (group->uid, ==, USER);
  tear_down (&fixture);
}

/* The same path leads from a process to its group and back. */
static void
test_members (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  FpSweepRequest request = { 0 };
  g_autoptr (FpSweep) sweep = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *process;
  Workload workload;
  Fixture fixture;

  set_up (&fixture, "a\\x2db\xff.scope");
  fixture.path = "/user.slice/user-1000.slice/user@1000.service/a\\x2db\\xff.scope";
  if (workload_start (&workload, "anon 1"))
    {
      sweep = fp_sweep_new ("/proc", &settings, NULL);
      snapshot = fp_sweep_collect (sweep, &request, NULL);
      g_assert_nonnull (snapshot);
      process = fp_snapshot_find (snapshot, workload_get_pid (&workload, "parent"));
      g_assert_nonnull (process);
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_CONTROL_GROUP), ==, fixture.path);
      g_assert_cmpstr (read_again (&fixture)->name, ==, "a-b\\xff");
      workload_stop (&workload);
    }
  tear_down (&fixture);
}

/* Started with cgroup_disable=memory */
static void
test_without_controller (void)
{
  const FpControlGroup *group;
  Fixture fixture;

  set_up (&fixture, "plain.scope");
  g_usleep (G_USEC_PER_SEC / 10);
  group = read_again (&fixture);
  g_assert_false (fixture.groups->has_memory);
  g_assert_true (fixture.groups->has_pressure);
  g_assert_false (fp_control_group_has (group, FP_CONTROL_MEMORY));
  g_assert_false (fp_control_group_has (group, FP_CONTROL_ANON));
  g_assert_cmpuint (group->figures[FP_CONTROL_SOME_US], ==, read_total (&fixture));
  g_assert_cmpuint (group->waited_over_us, >=, G_USEC_PER_SEC / 10);
  tear_down (&fixture);
}

static void
become_user (void)
{
  if (setgroups (0, NULL) != 0 || setresgid (USER, USER, USER) != 0 || setresuid (USER, USER, USER) != 0)
    g_error ("setresuid: %s", g_strerror (errno));
  prctl (PR_SET_DUMPABLE, 1);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  become_user ();
  g_test_add_func ("/guest/memory/anon", test_anon);
  g_test_add_func ("/guest/memory/shmem", test_shmem);
  g_test_add_func ("/guest/memory/swap", test_swap);
  g_test_add_func ("/guest/memory/over-high", test_over_high);
  g_test_add_func ("/guest/memory/killed", test_killed);
  g_test_add_func ("/guest/memory/calm", test_calm);
  g_test_add_func ("/guest/memory/made-again", test_made_again);
  g_test_add_func ("/guest/memory/kinds", test_kinds);
  g_test_add_func ("/guest/memory/members", test_members);
  g_test_add_func ("/guest/plain/without-controller", test_without_controller);
  return g_test_run ();
}
