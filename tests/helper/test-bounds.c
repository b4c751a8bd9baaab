// SPDX-License-Identifier: GPL-3.0-or-later
/* A call that is under way can lose its permission, and one call may cost only so much. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "async-result.h"
#include "bus-fixture.h"
#include "fake-service.h"
#include "fp-absence.h"
#include "fp-block.h"
#include "fp-clock.h"
#include "fp-files-message.h"
#include "fp-helper-source.h"
#include "fp-payer.h"
#include "fp-sealed-memory.h"
#include "fp-snapshot-file.h"

#define OTHER          5 /* a uid */
#define N_CALLS        5 /* one more than may wait for their turn */
#define N_CHANGES      20
#define N_CHILDREN     24
#define N_MAPPINGS     30000
#define N_SLOW         60000
#define N_SLOW_THREADS 4
#define N_DESCRIPTORS  4000
#define PROGRESS       (N_CHILDREN / 3)

/* Processes of this user that cost time to read. */
typedef struct
{
  pid_t pids[N_CHILDREN];
  int release;
} Crowd;

static void
crowd_clear (Crowd *self)
{
  close (self->release);
  for (guint i = 0; i < N_CHILDREN; i++)
    g_assert_cmpint (waitpid (self->pids[i], NULL, 0), ==, self->pids[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Crowd, crowd_clear)

/* They end with the descriptor. prepare: what each has */
static void
crowd_start (Crowd *self,
             gboolean (*prepare) (void))
{
  int ready[2], release[2];
  char byte;

  g_assert_cmpint (pipe2 (ready, O_CLOEXEC), ==, 0);
  g_assert_cmpint (pipe2 (release, O_CLOEXEC), ==, 0);
  self->release = release[1];
  for (guint i = 0; i < N_CHILDREN; i++)
    {
      if ((self->pids[i] = fork ()) == 0)
        {
          close (release[1]);
          if (prepare () && write (ready[1], "", 1) == 1 && read (release[0], &byte, 1) == 0)
            _exit (0);
          _exit (1);
        }
      g_assert_cmpint (self->pids[i], >, 0);
      g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
    }
  close (ready[0]);
  close (ready[1]);
  close (release[0]);
}

/* Neighbours with different rights stay two. */
static char *
map_pages (gsize n)
{
  char *memory = mmap (NULL, n * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  for (gsize i = 0; memory != MAP_FAILED && i < n; i += 2)
    if (mprotect (memory + i * 4096, 4096, PROT_READ | PROT_WRITE) != 0)
      return MAP_FAILED;
  return memory;
}

static gboolean
map_much (void)
{
  return map_pages (N_MAPPINGS) != MAP_FAILED;
}

static gboolean
open_much (void)
{
  const struct rlimit limit = { N_DESCRIPTORS + 100, N_DESCRIPTORS + 100 };
  int fd = open ("/dev/null", O_RDONLY);
  gboolean ok = fd >= 0 && setrlimit (RLIMIT_NOFILE, &limit) == 0;

  for (guint i = 0; ok && i < N_DESCRIPTORS; i++)
    ok = dup (fd) >= 0;
  return ok;
}

/* A connection of this user's, which sees how its calls come on */
typedef struct
{
  GDBusConnection *connection;
  GAsyncResult *results[N_CALLS];
  guint n_calls;
  guint32 n_done; /* of files */
} Caller;

static void
progress_cb (GDBusConnection *connection,
             const char *sender,
             const char *path,
             const char *interface,
             const char *signal,
             GVariant *parameters,
             gpointer data)
{
  g_variant_get_child (parameters, 0, "u", &((Caller *)data)->n_done);
}

static void
caller_init (Caller *self,
             gconstpointer bus)
{
  *self = (Caller){ .connection = fake_service_join_bus (g_test_dbus_get_bus_address ((GTestDBus *)bus)) };
  g_dbus_connection_signal_subscribe (self->connection, NULL, FP_HELPER_INTERFACE, "FilesProgress", FP_HELPER_PATH, NULL,
                                      G_DBUS_SIGNAL_FLAGS_NO_MATCH_RULE, progress_cb, self, NULL);
}

static void
caller_clear (Caller *self)
{
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_clear_object (&self->connection);
  for (guint i = 0; i < self->n_calls; i++)
    g_clear_object (&self->results[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Caller, caller_clear)

static void
caller_send (Caller *self,
             const char *method,
             GVariant *arguments)
{
  g_dbus_connection_call (self->connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, method, arguments, NULL,
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, async_result_cb, &self->results[self->n_calls++]);
}

static guint
caller_count_answered (const Caller *self)
{
  guint n = 0;

  for (guint i = 0; i < self->n_calls; i++)
    n += self->results[i] != NULL;
  return n;
}

/* All its calls: one that finds out that polkit says no now is locked out, others are to be made again. */
static void
caller_expect_refusals (Caller *self)
{
  for (guint i = 0; i < self->n_calls; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) reply = g_dbus_connection_call_finish (self->connection, async_result_await (&self->results[i]), &error);
      FpHelperError code;

      g_assert_null (reply);
      code = fp_helper_error_find (error);
      g_assert_true (code == FP_HELPER_ERROR_BUSY || code == FP_HELPER_ERROR_LOCKED);
      g_clear_object (&self->results[i]);
    }
}

static GVariant *
pack_files (const Crowd *crowd)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("ai"));
  for (guint i = 0; crowd && i < N_CHILDREN; i++)
    g_variant_builder_add (&builder, "i", crowd->pids[i]);
  g_variant_builder_add (&builder, "i", getpid ());
  return g_variant_new ("(ai)", &builder);
}

static void
no_turn_cb (gpointer data)
{
}

/* Another user has all the places, so that the caller's work waits. */
static void
take_places (Fixture *self,
             FpWork work,
             guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_true (fp_account_take_turn (fp_accounts_get (self->accounts, OTHER + i), work, no_turn_cb, NULL, NULL));
}

static void
give_places (Fixture *self,
             FpWork work,
             guint n)
{
  for (guint i = 0; i < n; i++)
    fp_account_end_turn (fp_accounts_get (self->accounts, OTHER + i), work);
}

static void
permit (Fixture *self,
        gboolean may_read)
{
  polkit.allows[FP_ACTION_READ_MEMORY] = polkit.allows[FP_ACTION_READ_MAPPINGS] = may_read;
  bus_say_changed (self);
}

/* A call that waits for its turn while the yes is taken back, by the caller or by a rule, is not served when it has it. */
static void
test_waiting (Fixture *self,
              gconstpointer bus)
{
  static const struct
  {
    const char *method;
    FpWork work;
    guint n_places;
  } calls[] = { { "LoadFiles", FP_WORK_FILES, 1 }, { "LoadMappings", FP_WORK_MAPPINGS, 2 }, { "LoadKept", FP_WORK_KEPT, 1 } };
  g_autoptr (FpSnapshot) snapshot = NULL;

  permit (self, TRUE);
  snapshot = bus_collect (self, NULL);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (calls); i++)
    {
      typeof (&calls[0]) kind = &calls[i / 2];
      g_auto (Caller) caller = { 0 };

      permit (self, TRUE);
      caller_init (&caller, bus);
      /* polkit's answer to the first is known to the others. */
      for (guint j = 0; j <= N_CALLS; j++)
        {
          if (j == 1)
            {
              g_autoptr (GVariant) reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[0]), NULL);

              g_assert_nonnull (reply);
              g_clear_object (&caller.results[0]);
              caller.n_calls = 0;
              take_places (self, kind->work, kind->n_places);
            }
          caller_send (&caller, kind->method,
                       kind->work == FP_WORK_FILES ? pack_files (NULL)
                       : kind->work == FP_WORK_MAPPINGS
                           ? g_variant_new ("(it)", getpid (), fp_snapshot_find (snapshot, getpid ())->start_ticks)
                           : NULL);
        }
      /* All the others wait when there is no room for one more. */
      while (caller_count_answered (&caller) == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (caller_count_answered (&caller), ==, 1);
      if (i % 2)
        permit (self, FALSE);
      else
        bus_call (caller.connection, "Lock");
      g_assert_cmpuint (caller_count_answered (&caller), ==, 1);
      give_places (self, kind->work, kind->n_places);
      caller_expect_refusals (&caller);
    }
}

/* A long reading ends where it is. */
static void
test_running (Fixture *self,
              gconstpointer bus)
{
  g_auto (Crowd) crowd = { 0 };

  crowd_start (&crowd, map_much);
  for (guint by_rule = 0; by_rule <= 1; by_rule++)
    {
      g_auto (Caller) caller = { 0 };

      permit (self, TRUE);
      caller_init (&caller, bus);
      caller_send (&caller, "LoadFiles", pack_files (&crowd));
      while (caller.n_done == 0 && caller_count_answered (&caller) == 0)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (caller_count_answered (&caller), ==, 0);
      polkit.allows[FP_ACTION_READ_MAPPINGS] = FALSE;
      if (by_rule)
        bus_emit_changed (self);
      else
        bus_call (caller.connection, "Lock");
      caller_expect_refusals (&caller);
      g_test_message ("ended at %u of %d", caller.n_done, N_CHILDREN);
      g_assert_cmpuint (caller.n_done, <, PROGRESS);
    }
}

/* Whoever makes polkit say all the time that something has changed takes no turns of others, whose long reading is checked each
 * time. */
static void
test_changes (Fixture *self,
              gconstpointer bus)
{
  g_auto (Crowd) crowd = { 0 };
  g_auto (Caller) caller = { 0 };

  crowd_start (&crowd, map_much);
  permit (self, TRUE);
  caller_init (&caller, bus);
  caller_send (&caller, "LoadFiles", pack_files (&crowd));
  while (caller.n_done == 0 && caller_count_answered (&caller) == 0)
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < N_CHANGES; i++)
    bus_emit_changed (self);
  g_assert_true (g_dbus_connection_flush_sync (self->polkit_connection, NULL, NULL));
  caller_send (&caller, "Collect", g_variant_new_parsed ("(@a(it) [], @t 0, @a{sv} {})"));
  for (guint i = 0; i < caller.n_calls; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[i]), &error);

      g_assert_no_error (error);
    }
}

/* Its work is over, and the answer still on its way: a rule that says no now counts. One that gives less is followed, and the
 * call begins anew with that. */
static void
test_answered (Fixture *self,
               gconstpointer bus)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  bus_expect_access (self, FP_ACCESS_ALL);
  take_places (self, FP_WORK_SHORT, 2);
  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT, .sweep.refresh_all = TRUE }, NULL,
                           async_result_cb, &result);
  for (gint64 end_us = g_get_monotonic_time () + G_USEC_PER_SEC; g_get_monotonic_time () < end_us && !result;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (result);
  polkit.allows[FP_ACTION_READ_MEMORY] = FALSE;
  bus_say_changed (self);
  give_places (self, FP_WORK_SHORT, 2);
  snapshot = fp_source_request_finish (self->source, FP_REQUEST_COLLECT, async_result_await (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  g_assert_cmpint (fp_helper_source_get_access (FP_HELPER_SOURCE (self->source)), ==, FP_ACCESS_OWN);
}

/* An answer of polkit's that was on its way when its caller locked gives nothing, and is not remembered. */
static void
test_late_yes (Fixture *self,
               gconstpointer bus)
{
  g_auto (Caller) caller = { 0 };
  guint n_checks;

  polkit.allows[FP_ACTION_READ_MEMORY] = polkit.is_slow = TRUE;
  caller_init (&caller, bus);
  caller_send (&caller, "LoadDetails", g_variant_new ("(it)", getpid (), G_GUINT64_CONSTANT (1)));
  while (!polkit.held_before)
    g_main_context_iteration (NULL, TRUE);
  bus_call (caller.connection, "Lock");
  polkit.is_slow = FALSE;
  bus_answer_check (polkit.held, FP_APP_ID ".read-memory", FALSE);
  caller_expect_refusals (&caller);
  n_checks = polkit.n_checks;
  caller_send (&caller, "LoadDetails", g_variant_new ("(it)", getpid (), G_GUINT64_CONSTANT (1)));
  async_result_await (&caller.results[1]);
  g_clear_object (&caller.results[1]);
  g_assert_cmpuint (polkit.n_checks, ==, n_checks + 2);
}

/* polkit's answer is told in the next iteration of the main loop, and Lock comes between. */
static void
test_overtaken (Fixture *self,
                gconstpointer bus)
{
  GVariant *id = g_variant_ref_sink (g_variant_new ("(it)", getpid (), G_GUINT64_CONSTANT (1)));
  g_auto (Caller) caller = { 0 };

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  caller_init (&caller, bus);
  caller_send (&caller, "LoadDetails", id);
  async_result_await (&caller.results[0]);
  g_clear_object (&caller.results[0]);
  caller.n_calls = 0;
  caller_send (&caller, "LoadDetails", id);
  caller_send (&caller, "Lock", NULL);
  bus_get_id (caller.connection);
  bus_get_id (self->connection);
  async_result_await (&caller.results[1]);
  g_clear_object (&caller.results[1]);
  caller.n_calls = 1;
  caller_expect_refusals (&caller);
  g_variant_unref (id);
}

static FpKept *
load_kept (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  FpKept *kept = async_result_ask (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_KEPT }, NULL, &error);

  g_assert_no_error (error);
  return kept;
}

static guint
count_told (const FpKept *kept,
            const Crowd *crowd)
{
  guint n = 0;

  for (guint i = 0; i < kept->told->len; i++)
    for (guint j = 0; j < N_CHILDREN; j++)
      n += g_array_index (kept->told, FpProcessId, i).pid == crowd->pids[j];
  return n;
}

/* Processes with many descriptors are looked at in turns, each of which ends after a while; and no snapshot waits for that. */
static void
test_kept (Fixture *self,
           gconstpointer bus)
{
  g_auto (Crowd) crowd = { 0 };
  g_autoptr (FpKept) kept = NULL;
  guint n_told;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  crowd_start (&crowd, open_much);
  kept = load_kept (self);
  n_told = count_told (kept, &crowd);
  g_assert_cmpuint (n_told, <, N_CHILDREN);
  g_assert_cmpuint (kept->n_pending, >=, N_CHILDREN - n_told);
  take_places (self, FP_WORK_KEPT, 1);
  bus_expect_access (self, FP_ACCESS_ALL);
  give_places (self, FP_WORK_KEPT, 1);
  while (count_told (kept, &crowd) < N_CHILDREN)
    {
      g_clear_pointer (&kept, fp_kept_unref);
      kept = load_kept (self);
    }
}

static gboolean
count_cb (guint64 done,
          guint64 all,
          gpointer n)
{
  ++*(guint *)n;
  return TRUE;
}

/* Files are not summed up where there is no room for the sum; afterwards what it does not need is there again. */
static void
test_room (Fixture *self,
           gconstpointer bus)
{
  const gsize taken = (gsize)36 << 20;
  FpAccount *account = fp_accounts_get (self->accounts, OTHER);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GVariant) pids = NULL;
  g_autoptr (FpBlock) block = NULL;
  g_autoptr (GError) error = NULL;
  guint n_steps = 0;

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  snapshot = bus_collect (self, NULL);
  pids = g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, (const gint32[]){ getpid () }, 1, sizeof (gint32)));
  g_assert_true (fp_account_charge (account, FP_WORK_MAPPINGS, taken));
  g_assert_null (fp_block_new_files (snapshot, pids, account, count_cb, &n_steps, &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_BUSY);
  g_assert_cmpuint (n_steps, ==, 0);
  g_clear_error (&error);
  fp_account_refund (account, taken);
  block = fp_block_new_files (snapshot, pids, account, count_cb, &n_steps, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (n_steps, >, 0);
  g_assert_cmpuint (block->size, ==, (gsize)lseek (block->fd, 0, SEEK_END));
  g_assert_true (fp_account_charge (account, FP_WORK_MAPPINGS, taken - ((gsize)1 << 20)));
}

/* Returns the answer to Collect, or NULL while this user holds too many. */
static GUnixFDList *
collect_raw (GDBusConnection *connection)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GUnixFDList) fds = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  g_dbus_connection_call_with_unix_fd_list (connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "Collect",
                                            g_variant_new_parsed ("(@a(it) [], @t 0, @a{sv} {})"), NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, NULL,
                                            async_result_cb, &result);
  reply = g_dbus_connection_call_with_unix_fd_list_finish (connection, &fds, async_result_await (&result), &error);
  if (!reply)
    g_assert_cmpint (fp_helper_error_find (error), ==, FP_HELPER_ERROR_BUSY);
  return g_steal_pointer (&fds);
}

/* Descriptors that nobody takes stay in the bus, which holds only so many from one service. */
static void
test_held (Fixture *self,
           gconstpointer bus)
{
  g_auto (Caller) caller = { 0 };
  GUnixFDList *answers[FP_ACCOUNT_MAX_ANSWERS + 1];
  guint n = 0;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  caller_init (&caller, bus);
  while ((answers[n] = collect_raw (caller.connection)))
    g_assert_cmpuint (++n, <=, FP_ACCOUNT_MAX_ANSWERS);
  g_assert_cmpuint (n, ==, FP_ACCOUNT_MAX_ANSWERS);
  while (n > 0)
    g_object_unref (answers[--n]);
  for (guint i = 0; i < 3 * FP_ACCOUNT_MAX_ANSWERS; i++)
    g_object_unref (collect_raw (caller.connection));
}

/* One who has closed his answer holds nothing any more, so he is served however much others hold. */
static void
test_closed (Fixture *self,
             gconstpointer bus)
{
  FpAccount *others = fp_accounts_get (self->accounts, OTHER), *more = fp_accounts_get (self->accounts, OTHER + 1);
  g_autoptr (FpSnapshot) first = NULL, second = NULL;
  g_autoptr (GError) error = NULL;

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  first = bus_collect (self, &error);
  g_assert_no_error (error);
  while (fp_account_charge (others, FP_WORK_SHORT, 4096) || fp_account_charge (more, FP_WORK_SHORT, 4096))
    ;
  do
    {
      g_clear_pointer (&second, fp_snapshot_unref);
      second = bus_collect (self, &error);
      g_assert_no_error (error);
    }
  while (second->info.boottime_us == first->info.boottime_us);
}

/* Connections beyond those that a user may have share what that user may call, each of them. */
static void
test_placeless (Fixture *self,
                gconstpointer bus)
{
  Caller callers[FP_ACCOUNT_MAX_CONNECTIONS + 4];
  guint n_admitted = 0;

  for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
    {
      g_autoptr (GVariant) reply = NULL;

      caller_init (&callers[i], bus);
      caller_send (&callers[i], "Lock", NULL);
      reply = g_dbus_connection_call_finish (callers[i].connection, async_result_await (&callers[i].results[0]), NULL);
      g_assert_true ((reply != NULL) == (i < FP_ACCOUNT_MAX_CONNECTIONS));
    }
  for (guint i = FP_ACCOUNT_MAX_CONNECTIONS; i < G_N_ELEMENTS (callers); i++)
    for (guint j = 0; j < 1000; j++)
      n_admitted += fp_accounts_admit (self->accounts, g_dbus_connection_get_unique_name (callers[i].connection), 0, 1);
  g_assert_cmpuint (n_admitted, ==, FP_ANSWERED * FP_ACCOUNT_BURST);
  for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
    caller_clear (&callers[i]);
}

/* A reading that came back late, of a process of this user's, is paid for before the next one. */
static void
test_late_reading (Fixture *self,
                   gconstpointer bus)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_auto (Caller) caller = { 0 };
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  FpPayer payer = { 0 };
  FpStat stat;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MAPPINGS] = TRUE;
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, getpid ()));
  fp_payer_check (&payer, &proc, getpid ());
  fp_absence_add_cost (payer.uid, 100 * G_USEC_PER_SEC);
  caller_init (&caller, bus);
  caller_send (&caller, "LoadMappings", g_variant_new ("(it)", getpid (), stat.start_ticks));
  reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[0]), &error);
  g_assert_null (reply);
  g_assert_cmpint (fp_helper_error_find (error), ==, FP_HELPER_ERROR_BUSY);
  g_assert_cmpuint (fp_absence_take_cost (payer.uid), ==, 0);
}

static void
end_with_parent (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static gpointer
advise_worker (gpointer memory)
{
  while (madvise (memory, N_SLOW * 4096, MADV_NORMAL) == 0)
    ;
  return NULL;
}

/* It goes over all its mappings without end, and the kernel keeps them from whoever reads them meanwhile. */
static pid_t
start_slow_one (void)
{
  int ready[2];
  char byte, *memory;
  pid_t pid;

  g_assert_cmpint (pipe2 (ready, O_CLOEXEC), ==, 0);
  if ((pid = fork ()) == 0)
    {
      end_with_parent (NULL);
      memory = map_pages (N_SLOW);
      if (memory == MAP_FAILED || write (ready[1], "", 1) != 1)
        _exit (1);
      for (guint i = 0; i < N_SLOW_THREADS; i++)
        g_thread_new ("advise", advise_worker, memory);
      pause ();
      _exit (1);
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  close (ready[1]);
  return pid;
}

/* Others wait for the place of a caller who has a process of its own read, and for it no longer than this. */
static void
test_slow_reading (Fixture *self,
                   gconstpointer bus)
{
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_auto (Caller) caller = { 0 };
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  pid_t pid = start_slow_one ();
  gint64 start_us;
  FpStat stat;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, pid));
  caller_init (&caller, bus);
  start_us = g_get_monotonic_time ();
  caller_send (&caller, "LoadMappings", g_variant_new ("(it)", pid, stat.start_ticks));
  reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[0]), &error);
  g_assert_null (reply);
  g_assert_cmpint (fp_helper_error_find (error), ==, FP_HELPER_ERROR_TOO_MUCH);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 4 * G_USEC_PER_SEC);
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* A long answer would keep those of others waiting in the bus: it is cut, and costs more than the reading of it. */
static void
test_long_answer (Fixture *self,
                  gconstpointer bus)
{
  FpAccount *account = fp_accounts_get (self->accounts, geteuid ());
  g_autofree char *filler = g_strnfill (130000, '\xff'), *script = g_strdup ("kill -STOP $$; :");
  char *argv[] = { (char *)"/bin/sh", (char *)"-c", script, filler, NULL };
  g_auto (FpProcDir) proc = { .fd = -1 };
  g_auto (Caller) caller = { 0 };
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us;
  FpStat stat;
  GPid pid;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, end_with_parent, NULL, &pid, &error));
  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, pid));
  caller_init (&caller, bus);
  start_us = g_get_monotonic_time ();
  caller_send (&caller, "LoadDetails", g_variant_new ("(it)", pid, stat.start_ticks));
  reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[0]), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_variant_get_size (reply), >, 4096);
  g_assert_cmpuint (g_variant_get_size (reply), <, 4400);
  g_assert_false (fp_account_may_spend (account, FP_COST_DETAILS, start_us - 4 * G_USEC_PER_SEC + 250000, NULL));
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* The processor time of a snapshot counts for its caller's user, who waits when it was too much. */
static void
test_paid_snapshot (Fixture *self,
                    gconstpointer bus)
{
  FpAccount *account = fp_accounts_get (self->accounts, geteuid ());
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Caller) caller = { 0 };

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  g_assert_true (fp_account_may_spend (account, FP_COST_SNAPSHOTS, 0, NULL));
  snapshot = bus_collect (self, &error);
  g_assert_no_error (error);
  g_assert_false (fp_account_may_spend (account, FP_COST_SNAPSHOTS, 0, NULL));
  fp_account_spend (account, FP_COST_SNAPSHOTS, g_get_monotonic_time (), 100 * G_USEC_PER_SEC);
  caller_init (&caller, bus);
  caller_send (&caller, "Collect", g_variant_new_parsed ("(@a(it) [], @t 0, @a{sv} {})"));
  reply = g_dbus_connection_call_finish (caller.connection, async_result_await (&caller.results[0]), &error);
  g_assert_null (reply);
  g_assert_cmpint (fp_helper_error_find (error), ==, FP_HELPER_ERROR_BUSY);
}

int
main (int argc,
      char *argv[])
{
  static const BusTest tests[] = {
    { "/bounds/waiting", test_waiting },
    { "/bounds/running", test_running },
    { "/bounds/changes", test_changes },
    { "/bounds/answered", test_answered },
    { "/bounds/late-yes", test_late_yes },
    { "/bounds/overtaken", test_overtaken },
    { "/bounds/kept", test_kept },
    { "/bounds/room", test_room },
    { "/bounds/held", test_held },
    { "/bounds/closed", test_closed },
    { "/bounds/placeless", test_placeless },
    { "/bounds/late-reading", test_late_reading },
    { "/bounds/slow-reading", test_slow_reading },
    { "/bounds/long-answer", test_long_answer },
    { "/bounds/paid-snapshot", test_paid_snapshot },
  };

  bus_become_ordinary ();
  g_test_init (&argc, &argv, NULL);
  return bus_run (tests, G_N_ELEMENTS (tests));
}
