// SPDX-License-Identifier: GPL-3.0-or-later
/* Every source keeps what fp-source.h promises, whatever it is asked for: one callback for each call, never before the call
 * returned, and G_IO_ERROR_CANCELLED once it was cancelled. */
#include <sys/stat.h>
#include <unistd.h>

#include "async-result.h"
#include "fake-source.h"
#include "fp-file-source.h"
#include "fp-helper-source.h"
#include "fp-host-source.h"
#include "fp-local-source.h"
#include "fp-shared-sweep.h"
#include "fp-stat.h"

#define UNLOCK FP_N_REQUEST_KINDS /* a call like the others, though no request */

static FpSource *
make_local (void)
{
  return fp_local_source_new ("/proc");
}

static FpSource *
make_missing_local (void)
{
  return fp_local_source_new ("/nonexistent");
}

static FpSource *
make_shared (void)
{
  return FP_SOURCE (fp_shared_sweep_new ("/proc"));
}

static FpSource *
make_file (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent");

  return fp_file_source_new (file);
}

static FpSource *
make_helper (void)
{
  return fp_helper_source_new_for_command ((const char *const[]){ g_getenv ("FOOTPRINT_HELPER"), "--stdio", NULL }, FALSE);
}

static FpSource *
make_missing_helper (void)
{
  return fp_helper_source_new_for_command ((const char *const[]){ "/nonexistent", NULL }, FALSE);
}

static FpSource *
make_fake (void)
{
  return FP_SOURCE (fake_source_new ());
}

static FpSource *
make_broken_fake (void)
{
  FakeSource *fake = fake_source_new ();

  fake_source_fail (fake, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "It broke");
  return FP_SOURCE (fake);
}

static FpSource *
make_host (void)
{
  FpSource *const sources[FP_N_HOST_CANDIDATES] = {
    [FP_HOST_HERE] = make_local (), [FP_HOST_UNLOCKED] = make_missing_helper (), [FP_HOST_ROOT] = make_fake ()
  };

  return fp_host_source_new_with (sources, NULL);
}

/* All that it falls back on fails, up to this process. */
static FpSource *
make_sandboxed_host (void)
{
  FpSource *const sources[FP_N_HOST_CANDIDATES] = {
    [FP_HOST_HELPER] = make_missing_helper (),
    [FP_HOST_OUTSIDE] = make_broken_fake (),
    [FP_HOST_HERE] = make_local (),
    [FP_HOST_UNLOCKED] = make_broken_fake (),
  };

  return fp_host_source_new_with (sources, NULL);
}

static const struct
{
  const char *name;
  FpSource *(*make) (void);
} makers[] = {
  { "local", make_local },
  { "local, missing", make_missing_local },
  { "shared sweep", make_shared },
  { "file", make_file },
  { "helper", make_helper },
  { "helper, missing", make_missing_helper },
  { "fake", make_fake },
  { "fake, broken", make_broken_fake },
  { "host", make_host },
  { "host, sandboxed", make_sandboxed_host },
};

typedef struct
{
  FpSource *source;
  guint kind;
  gboolean has_returned;
  guint n; /* callbacks */
  gboolean was_cancelled;
} Call;

static void
free_answer (FpRequestKind kind,
             gpointer answer)
{
  switch (kind)
    {
    case FP_REQUEST_COLLECT:
      fp_snapshot_unref (answer);
      break;
    case FP_REQUEST_MAPPINGS:
      fp_mappings_unref (answer);
      break;
    case FP_REQUEST_DETAILS:
      fp_details_free (answer);
      break;
    case FP_REQUEST_PAGES:
      g_free (answer);
      break;
    case FP_REQUEST_ENDING:
      fp_ending_free (answer);
      break;
    case FP_REQUEST_CONTROL_GROUPS:
      fp_control_groups_unref (answer);
      break;
    case FP_REQUEST_KEPT:
      fp_kept_unref (answer);
      break;
    case FP_REQUEST_MAPPED_FILES:
      fp_mapped_files_unref (answer);
      break;
    case FP_REQUEST_SECTIONS:
      fp_sections_free (answer);
      break;
    case FP_REQUEST_MALLOC:
      fp_malloc_free (answer);
      break;
    case FP_REQUEST_TMPFS_FILES:
      fp_tmpfs_files_free (answer);
      break;
    case FP_N_REQUEST_KINDS:
    default:
      g_assert_not_reached ();
    }
}

static void
called_cb (GObject *object,
           GAsyncResult *result,
           gpointer data)
{
  Call *call = data;
  g_autoptr (GError) error = NULL;

  g_assert_true (call->has_returned);
  g_assert_true (object == G_OBJECT (call->source));
  call->n++;
  if (call->kind == UNLOCK)
    g_assert_cmpint (fp_source_unlock_finish (call->source, result, &error), ==, error == NULL);
  else
    {
      gpointer answer = fp_source_request_finish (call->source, call->kind, result, &error);

      g_assert_cmpint (answer != NULL, ==, error == NULL);
      if (answer)
        free_answer (call->kind, answer);
    }
  call->was_cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static FpProcessId own_id;

static FpEndingMember own_member;

static char *own_program;
static FpMappedProcess own_process;
static FpTmpfs shared_memory = { .path = (char *)"/dev/shm" };

static FpSourceRequest
make_request (FpRequestKind kind)
{
  return (FpSourceRequest){
    .kind = kind,
    .id = own_id,
    .range = { 0x1000, 0x2000, 1 },
    .file = own_program,
    .members = &own_member,
    .n_members = 1,
    .mapped = &own_process,
    .n_mapped = 1,
    .tmpfs = &shared_memory,
    .n_biggest = 3,
  };
}

static void
begin (Call *call,
       GCancellable *cancellable)
{
  const FpSourceRequest request = make_request (call->kind);

  if (call->kind == UNLOCK)
    fp_source_unlock_async (call->source, cancellable, called_cb, call);
  else
    fp_source_request_async (call->source, &request, cancellable, called_cb, call);
  g_assert_cmpuint (call->n, ==, 0);
  call->has_returned = TRUE;
}

static void
await (Call *call)
{
  while (call->n == 0)
    g_main_context_iteration (NULL, TRUE);
}

/* A worker or a helper that was left alone may still have something to say. */
static void
settle (void)
{
  for (gint64 end_us = g_get_monotonic_time () + 5 * 1000; g_get_monotonic_time () < end_us;)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

static void
for_each (void (*check) (Call *call))
{
  for (guint i = 0; i < G_N_ELEMENTS (makers); i++)
    for (guint kind = 0; kind <= UNLOCK; kind++)
      {
        g_autoptr (FpSource) source = makers[i].make ();
        Call call = { .source = source, .kind = kind };

        g_test_message ("%s, call %u", makers[i].name, kind);
        check (&call);
        settle ();
        g_assert_cmpuint (call.n, ==, 1);
      }
}

static void
check_once (Call *call)
{
  begin (call, NULL);
  await (call);
  g_assert_false (call->was_cancelled);
}

static void
test_once (void)
{
  for_each (check_once);
}

static void
check_cancelled_before (Call *call)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  begin (call, cancellable);
  await (call);
  g_assert_true (call->was_cancelled);
}

static void
test_cancelled_before (void)
{
  for_each (check_cancelled_before);
}

static void
check_cancelled (Call *call)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  begin (call, cancellable);
  g_cancellable_cancel (cancellable);
  await (call);
  g_assert_true (call->was_cancelled);
}

static void
test_cancelled (void)
{
  for_each (check_cancelled);
}

static void
check_cancelled_later (Call *call)
{
  for (guint n_steps = 1; n_steps <= 4; n_steps++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      gboolean was_answered;

      *call = (Call){ .source = call->source, .kind = call->kind };
      begin (call, cancellable);
      for (guint i = 0; i < n_steps && call->n == 0; i++)
        g_main_context_iteration (NULL, TRUE);
      was_answered = call->n > 0;
      g_cancellable_cancel (cancellable);
      await (call);
      g_assert_cmpint (call->was_cancelled, ==, !was_answered);
      settle ();
      g_assert_cmpuint (call->n, ==, 1);
    }
}

static void
test_cancelled_later (void)
{
  for_each (check_cancelled_later);
}

static void
check_sync (Call *call)
{
  const FpSourceRequest request = make_request (call->kind);
  g_autoptr (GError) error = NULL;
  gpointer answer;

  call->n = 1;
  if (call->kind == UNLOCK)
    return;
  answer = fp_source_request_sync (call->source, &request, &error);
  g_assert_cmpint (answer != NULL, ==, error == NULL);
  if (answer)
    free_answer (call->kind, answer);
}

/* A caller that waits for the answer gets one, or an error. */
static void
test_sync (void)
{
  for_each (check_sync);
}

/* A source collects once at a time, and says so. */
static void
test_pending (void)
{
  g_autoptr (FpSource) source = make_local ();
  Call first = { .source = source, .kind = FP_REQUEST_COLLECT };
  g_autoptr (GError) error = NULL;

  begin (&first, NULL);
  g_assert_null (async_result_ask (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  g_assert_null (fp_source_request_sync (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL));
  await (&first);
}

static void
find_shared_memory (void)
{
  struct stat status;

  if (stat (shared_memory.path, &status) == 0)
    shared_memory.device = status.st_dev;
}

static void
read_own_id (void)
{
  FpStat stat = { 0 };
  FpProcDir proc;

  g_assert_true (fp_proc_dir_open (&proc, "/proc", NULL));
  g_assert_true (fp_stat_read_any (&stat, &proc, getpid ()));
  fp_proc_dir_close (&proc);
  own_id = (FpProcessId){ getpid (), stat.start_ticks };
  own_member.id = own_process.id = own_id;
  own_program = g_file_read_link ("/proc/self/exe", NULL);
}

int
main (int argc,
      char *argv[])
{
  /* The sanitizer looks for leaks with ptrace, which the helper forbids itself; its children have this setting. */
  g_setenv ("ASAN_OPTIONS", "detect_leaks=0", TRUE);
  g_test_init (&argc, &argv, NULL);
  read_own_id ();
  find_shared_memory ();
  g_test_add_func ("/contract/once", test_once);
  g_test_add_func ("/contract/cancelled-before", test_cancelled_before);
  g_test_add_func ("/contract/cancelled", test_cancelled);
  g_test_add_func ("/contract/cancelled-later", test_cancelled_later);
  g_test_add_func ("/contract/sync", test_sync);
  g_test_add_func ("/contract/pending", test_pending);
  return g_test_run ();
}
