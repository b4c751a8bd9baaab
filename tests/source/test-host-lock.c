// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <unistd.h>

#include "async-result.h"
#include "fake-source.h"
#include "fp-helper-protocol.h"
#include "fp-host-source.h"
#include "fp-local-source.h"

typedef struct
{
  FakeSource *helper;
  FakeSource *spare;
  FpSource *source;
  guint n_changes;
  char *message;
} Fixture;

static void
lock_changed_cb (Fixture *self,
                 const GError *error)
{
  self->n_changes++;
  g_free (self->message);
  self->message = error ? g_strdup (error->message) : NULL;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  FpSource *sources[FP_N_HOST_CANDIDATES] = { NULL };

  self->helper = fake_source_new ();
  self->spare = fake_source_new ();
  sources[FP_HOST_HERE] = fp_local_source_new ("/proc");
  sources[FP_HOST_UNLOCKED] = g_object_ref (FP_SOURCE (self->helper));
  sources[FP_HOST_ROOT] = g_object_ref (FP_SOURCE (self->spare));
  self->source = fp_host_source_new_with (sources, NULL);
  g_signal_connect_swapped (self->source, "lock-changed", G_CALLBACK (lock_changed_cb), self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_object_unref (self->source);
  g_object_unref (self->helper);
  g_object_unref (self->spare);
  g_free (self->message);
}

static FpSnapshot *
collect (Fixture *self,
         GError **error)
{
  return async_result_ask (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, error);
}

static gboolean
is_unlocked (Fixture *self)
{
  return fp_source_get_status (self->source).is_unlocked;
}

/* By this process, in which it is itself to be seen, or by the helper, in which nothing is. */
static void
assert_is_local (Fixture *self,
                 gboolean is_local)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = collect (self, &error);

  g_assert_no_error (error);
  g_assert_cmpint (fp_snapshot_find (snapshot, getpid ()) != NULL, ==, is_local);
}

/* The signal and the callback tell the same. */
static void
unlock (Fixture *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  guint before = self->n_changes;

  fp_source_unlock_async (self->source, NULL, async_result_cb, &result);
  g_assert_cmpint (fp_source_unlock_finish (self->source, async_result_await (&result), &error), ==, is_unlocked (self));
  g_assert_cmpuint (self->n_changes, ==, before + 1);
  g_assert_cmpstr (error ? error->message : NULL, ==, self->message);
}

static void
test_unlock (Fixture *self,
             gconstpointer data)
{
  /* No password lets root read what the kernel keeps from it. */
  g_assert_cmpint (fp_source_get_status (self->source).can_unlock, ==, geteuid () != 0);
  assert_is_local (self, TRUE);
  g_assert_cmpuint (self->helper->n_collections, ==, 0);
  unlock (self);
  g_assert_false (fp_source_get_status (self->source).can_unlock);
  g_assert_null (self->message);
  g_assert_true (is_unlocked (self));
  assert_is_local (self, FALSE);
  fp_source_lock (self->source);
  g_assert_cmpuint (self->n_changes, ==, 2);
  g_assert_cmpuint (self->helper->n_locks, ==, 1);
  assert_is_local (self, TRUE);
}

/* The helper asks once more for the files of all users; after a no, one's own are there. */
static void
test_files (Fixture *self,
            gconstpointer data)
{
  g_autoptr (FpSnapshot) snapshot = collect (self, NULL);
  const FpProcess *own = fp_snapshot_find (snapshot, getpid ());
  const FpMappedProcess mapped = { { own->pid, own->start_ticks }, own->uid, 0 };
  const FpSourceRequest request = { .kind = FP_REQUEST_MAPPED_FILES, .mapped = &mapped, .n_mapped = 1, .may_ask = TRUE };

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FpMappedFiles) files = async_result_ask (self->source, &request, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (files->n_read, ==, 1);
      g_assert_cmpuint (self->helper->n_sums, ==, i);
      if (i == 0)
        unlock (self);
    }
}

static void
test_refused (Fixture *self,
              gconstpointer data)
{
  fake_source_fail (self->helper, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "It broke");
  unlock (self);
  g_assert_cmpstr (self->message, ==, "It broke");
  g_assert_false (is_unlocked (self));
  assert_is_local (self, TRUE);
}

/* This process collects at once what it fails to collect. */
static void
test_broken (Fixture *self,
             gconstpointer data)
{
  unlock (self);
  fake_source_fail (self->helper, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "It broke");
  assert_is_local (self, TRUE);
  g_assert_cmpstr (self->message, ==, "It broke");
  g_assert_cmpuint (self->n_changes, ==, 2);
  g_assert_false (is_unlocked (self));
  assert_is_local (self, TRUE);
}

/* The spare one is asked where the helper is not installed, and nowhere else. */
static void
test_missing (Fixture *self,
              gconstpointer data)
{
  fake_source_fail (self->helper, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED, "It is not there");
  unlock (self);
  g_assert_null (self->message);
  g_assert_cmpuint (self->spare->n_unlocks, ==, 1);
  assert_is_local (self, FALSE);
  g_assert_cmpuint (self->spare->n_collections, ==, 1);
  g_assert_cmpuint (self->helper->n_collections, ==, 0);
  g_assert_cmpuint (self->helper->n_unlocks, ==, 1);
  fp_source_lock (self->source);
  assert_is_local (self, TRUE);
  fake_source_fail (self->helper, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "It broke");
  unlock (self);
  g_assert_cmpstr (self->message, ==, "It broke");
  g_assert_cmpuint (self->spare->n_unlocks, ==, 1);
}

/* No service of the machine keeps a journal of the spare one, which pkexec starts. */
static void
test_advice (Fixture *self,
             gconstpointer data)
{
  const char *advice;

  fake_source_fail (self->helper, FP_HELPER_ERROR, FP_HELPER_ERROR_CRASHED, "It ended");
  unlock (self);
  g_assert_nonnull (strstr (fp_source_get_status (self->source).advice, "journalctl"));
  fake_source_fail (self->helper, FP_HELPER_ERROR, FP_HELPER_ERROR_NOT_INSTALLED, "It is not there");
  fake_source_fail (self->spare, FP_HELPER_ERROR, FP_HELPER_ERROR_CRASHED, "It ended, too");
  unlock (self);
  g_assert_cmpstr (self->message, ==, "It ended, too");
  advice = fp_source_get_status (self->source).advice;
  g_assert_nonnull (advice);
  g_assert_null (strstr (advice, "journalctl"));
  fake_source_fail (self->spare, G_IO_ERROR, G_IO_ERROR_BROKEN_PIPE, "It broke");
  unlock (self);
  g_assert_null (fp_source_get_status (self->source).advice);
}

/* Lock gives up the question that is open, and nothing has changed; one question at a time. */
static void
test_given_up (Fixture *self,
               gconstpointer data)
{
  g_autoptr (GAsyncResult) first = NULL, second = NULL;
  g_autoptr (GError) error = NULL;

  fp_source_unlock_async (self->source, NULL, async_result_cb, &first);
  fp_source_unlock_async (self->source, NULL, async_result_cb, &second);
  fp_source_lock (self->source);
  g_assert_false (fp_source_unlock_finish (self->source, async_result_await (&second), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PENDING);
  g_clear_error (&error);
  g_assert_false (fp_source_unlock_finish (self->source, async_result_await (&first), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (is_unlocked (self));
  g_assert_cmpuint (self->n_changes, ==, 0);
  unlock (self);
  g_assert_true (is_unlocked (self));
}

/* So does its own cancellable. */
static void
test_cancelled (Fixture *self,
                gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fp_source_unlock_async (self->source, cancellable, async_result_cb, &result);
  g_cancellable_cancel (cancellable);
  g_assert_false (fp_source_unlock_finish (self->source, async_result_await (&result), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_false (is_unlocked (self));
  g_assert_cmpuint (self->n_changes, ==, 0);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/host-lock/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("unlock", test_unlock);
  ADD ("files", test_files);
  ADD ("refused", test_refused);
  ADD ("broken", test_broken);
  ADD ("missing", test_missing);
  ADD ("advice", test_advice);
  ADD ("given-up", test_given_up);
  ADD ("cancelled", test_cancelled);
  return g_test_run ();
}
