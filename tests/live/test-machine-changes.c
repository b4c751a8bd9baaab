// SPDX-License-Identifier: GPL-3.0-or-later
/* The changes of this machine sum to nothing, to the byte, in every refresh while programs come and go; and what the
 * test itself takes is there as what it is. With FP_TEST_LONG=1 for ten minutes. */
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fp-machine-changes.h"
#include "fp-machine-history.h"
#include "fp-sweep.h"
#include "fp-totals.h"
#include "test-length.h"
#include "test-machine.h"

#define MIB        ((gint64)1 << 20)
#define TAKEN      (300 * MIB) /* by a child, for itself */
#define WRITTEN    (100 * MIB) /* to a file without a name */
#define NEEDED     (1200 * MIB)
#define PART       100 /* Known changes are there to a hundredth, beside those of others */
#define N_SWEEPS   30
#define N_MARKS    6
#define MINUTES    10
#define LONGEST_US (60 * (guint64)G_USEC_PER_SEC)

typedef struct
{
  FpSweep *sweep;
  FpTotalHistory *totals;
  FpMachineMoment mark;
  FpMachineMoment now;
  gboolean is_whole; /* no container hides programs */
  guint n_sums;
} Machine;

static void
collect (Machine *self)
{
  g_autoptr (GError) error = NULL;
  FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) snapshot = fp_sweep_collect (self->sweep, &request, &error);
  g_autoptr (FpRecords) records = NULL, sum = NULL;

  g_assert_no_error (error);
  self->is_whole = fp_system_get (&snapshot->system, FP_SYSTEM_HIDDEN_TASKS) == 0;
  records = fp_process_records_new (snapshot, NULL);
  sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  g_assert_true (fp_machine_moment_make (&self->now, snapshot, fp_totals_get (sum, 0)));
  fp_total_history_take (self->totals, records, NULL, LONGEST_US);
}

static void
set_mark (Machine *self)
{
  collect (self);
  self->mark = self->now;
  fp_total_history_mark (self->totals, self->now.time_us);
}

static FpMachineChanges *
make_changes (Machine *self)
{
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  FpMachineChanges *changes;
  gint64 sum = 0;

  fp_total_history_add_changes (self->totals, programs);
  changes = fp_machine_changes_new (&self->mark.state, &self->now.state, programs);
  for (guint i = 0; i < changes->changes->len; i++)
    sum += ((FpMachineChange *)changes->changes->pdata[i])->bytes;
  g_assert_cmpint (sum, ==, self->now.state.total - self->mark.state.total);
  g_assert_cmpint (sum, ==, 0);
  g_assert_cmpint (sum, ==, changes->sum);
  self->n_sums++;
  return changes;
}

static gint64
get_bytes (const FpMachineChanges *changes,
           const char *name)
{
  for (guint i = 0; i < changes->changes->len; i++)
    if (g_str_equal (((FpMachineChange *)changes->changes->pdata[i])->name, name))
      return ((FpMachineChange *)changes->changes->pdata[i])->bytes;
  return 0;
}

static gboolean
is_near (gint64 bytes,
         gint64 expected)
{
  return ABS (bytes - expected) <= ABS (expected) / PART;
}

static pid_t
start_churn (void)
{
  char *argv[] = { (char *)g_getenv ("FOOTPRINT_CHURN"), NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error);
  g_assert_no_error (error);
  return pid;
}

/* Says when it has the memory. */
static pid_t
start_taker (void)
{
  int ready[2];
  char byte = 0;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      char *memory = mmap (NULL, (gsize)TAKEN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      prctl (PR_SET_PDEATHSIG, SIGKILL);
      if (memory == MAP_FAILED)
        _exit (1);
      memset (memory, 1, (gsize)TAKEN);
      if (write (ready[1], "", 1) != 1)
        _exit (1);
      for (;;)
        pause ();
    }
  close (ready[1]);
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  return pid;
}

static void
stop (pid_t pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static int
write_file (void)
{
  g_autofree char *block = g_malloc0 (MIB);
  int fd = memfd_create ("footprint-test-changes", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  for (gint64 i = 0; i < WRITTEN / MIB; i++)
    g_assert_cmpint (write (fd, block, MIB), ==, MIB);
  return fd;
}

/* Programs that a container hides may map the file, as far as so much is mapped at all, so that the middle between nothing
 * and all of it is told where they are many, and nearly all of it where they are few. */
static gboolean
is_kept (const Machine *self,
         gint64 bytes,
         gint64 written)
{
  gint64 hundredths = bytes * 100 / written;

  return self->is_whole ? is_near (bytes, written) : hundredths >= 40 && hundredths <= 101;
}

/* Each refresh is a try, since others on the machine change it, too. */
static gboolean
is_told (Machine *self,
         const char *program,
         gint64 taken,
         gint64 written)
{
  g_autoptr (FpMachineChanges) changes = NULL;
  gint64 own, kept, rest;

  collect (self);
  changes = make_changes (self);
  own = get_bytes (changes, program);
  kept = get_bytes (changes, "Files kept in memory");
  rest = get_bytes (changes, "Not explained");
  g_test_message ("%s %+.1f, kept %+.1f, not explained %+.2f MiB", program, (double)own / MIB, (double)kept / MIB, (double)rest / MIB);
  return is_near (own, taken) && is_kept (self, kept, written) && ABS (rest) <= ABS (taken + written) / PART;
}

typedef struct
{
  pid_t taker;
  int fd;
} Taken;

static void
give_back (Taken *self)
{
  stop (self->taker);
  close (self->fd);
}

static gboolean
is_told_soon (Machine *self,
              gint64 taken,
              gint64 written)
{
  for (guint i = 0; i < N_SWEEPS; i++)
    if (is_told (self, "test-machine-changes", taken, written))
      return TRUE;
  return FALSE;
}

static gboolean
comes (Machine *self,
       Taken *taken)
{
  set_mark (self);
  taken->taker = start_taker ();
  taken->fd = write_file ();
  return is_told_soon (self, TAKEN, WRITTEN);
}

static gboolean
goes (Machine *self,
      Taken *taken)
{
  set_mark (self);
  give_back (taken);
  return is_told_soon (self, -TAKEN, -WRITTEN);
}

/* A file that another program keeps from now on is there in all refreshes since the same mark, so there are several marks. */
static void
test_changes (void)
{
  FpSweepSettings settings = FP_SWEEP_SETTINGS_DEFAULT;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSweep) sweep = fp_sweep_new ("/proc", &settings, &error);
  g_autoptr (FpTotalHistory) totals = fp_total_history_new ();
  Machine machine = { .sweep = sweep, .totals = totals };
  gboolean is_found;
  gint64 end_us;
  pid_t churn;
  Taken taken;

  if ((gint64)test_get_available () < NEEDED)
    {
      g_test_skip ("this needs 1.2 GiB of memory");
      return;
    }
  g_assert_no_error (error);
  churn = start_churn ();
  is_found = comes (&machine, &taken);
  for (guint i = 1; i < N_MARKS && !is_found; i++)
    {
      give_back (&taken);
      is_found = comes (&machine, &taken);
    }
  g_assert_true (is_found);

  end_us = g_get_monotonic_time () + (test_is_long () ? MINUTES * 60 : 1) * G_USEC_PER_SEC;
  while (g_get_monotonic_time () < end_us)
    {
      g_autoptr (FpMachineChanges) changes = NULL;

      collect (&machine);
      changes = make_changes (&machine);
    }
  g_test_message ("%u refreshes summed to 0", machine.n_sums);

  /* It goes as it came. */
  is_found = goes (&machine, &taken);
  for (guint i = 1; i < N_MARKS && !is_found; i++)
    {
      comes (&machine, &taken);
      is_found = goes (&machine, &taken);
    }
  g_assert_true (is_found);
  stop (churn);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine-changes/known", test_changes);
  return g_test_run ();
}
