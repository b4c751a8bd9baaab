// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "async-result.h"
#include "fake-source.h"
#include "fp-host-source.h"

typedef struct
{
  FakeSource *helper, *outside, *here;
  FpSource *source;
  guint n_changes;
} Fixture;

static void
reader_changed_cb (Fixture *self)
{
  self->n_changes++;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  gboolean has_outside = data == NULL;
  FpSource *sources[FP_N_HOST_CANDIDATES] = { NULL };
  GError *error = NULL;

  self->helper = fake_source_new ();
  self->outside = fake_source_new ();
  self->here = fake_source_new ();
  sources[FP_HOST_HELPER] = g_object_ref (FP_SOURCE (self->helper));
  sources[FP_HOST_HERE] = g_object_ref (FP_SOURCE (self->here));
  if (has_outside)
    sources[FP_HOST_OUTSIDE] = g_object_ref (FP_SOURCE (self->outside));
  else
    error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "No place is known");
  self->source = fp_host_source_new_with (sources, error);
  g_signal_connect_swapped (self->source, "reader-changed", G_CALLBACK (reader_changed_cb), self);
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_object_unref (self->source);
  g_object_unref (self->helper);
  g_object_unref (self->outside);
  g_object_unref (self->here);
}

static void
fail (FakeSource *source,
      const char *message)
{
  fake_source_fail (source, G_IO_ERROR, G_IO_ERROR_FAILED, message);
}

static gboolean
collect (Fixture *self,
         gboolean refresh_all,
         GError **error)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .sweep.refresh_all = refresh_all };
  g_autoptr (FpSnapshot) snapshot = async_result_ask (self->source, &request, NULL, error);

  return snapshot != NULL;
}

/* The number of times that each was asked, and the words about those that could not. */
static void
expect (Fixture *self,
        const guint asked[3],
        const char *helper_problem,
        const char *outside_problem)
{
  const FpSourceStatus status = fp_source_get_status (self->source);

  g_assert_cmpuint (self->helper->n_collections, ==, asked[0]);
  g_assert_cmpuint (self->outside->n_collections, ==, asked[1]);
  g_assert_cmpuint (self->here->n_collections, ==, asked[2]);
  g_assert_cmpstr (status.helper_error ? status.helper_error->message : NULL, ==, helper_problem);
  g_assert_cmpstr (status.outside_error ? status.outside_error->message : NULL, ==, outside_problem);
  g_assert_cmpint (status.is_confined, ==, asked[2] > 0);
}

#define ASKED(...) ((const guint[3]){ __VA_ARGS__ })

static void
test_helper (Fixture *self,
             gconstpointer data)
{
  g_assert_true (collect (self, FALSE, NULL));
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (2, 0, 0), NULL, NULL);
  g_assert_cmpuint (self->n_changes, ==, 1);
}

static void
test_outside (Fixture *self,
              gconstpointer data)
{
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (1, 2, 0), "There is none", NULL);
  g_assert_cmpuint (self->n_changes, ==, 1);
}

static void
test_neither (Fixture *self,
              gconstpointer data)
{
  fail (self->helper, "There is none");
  fail (self->outside, "It may not");
  g_assert_true (collect (self, FALSE, NULL));
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (1, 1, 2), "There is none", "It may not");
  g_assert_cmpuint (self->n_changes, ==, 1);
}

static void
test_no_outside (Fixture *self,
                 gconstpointer data)
{
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (1, 0, 1), "There is none", "No place is known");
}

static void
test_nothing (Fixture *self,
              gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fail (self->helper, "No");
  fail (self->outside, "No");
  fail (self->here, "Not even that");
  g_assert_false (collect (self, FALSE, &error));
  g_assert_cmpstr (error->message, ==, "Not even that");
  g_assert_cmpuint (self->n_changes, ==, 0);
}

/* One that answered and fails: all are tried again, in their order, within the same collection. */
static void
test_broken (Fixture *self,
             gconstpointer data)
{
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  fail (self->outside, "It died");
  fake_source_mend (self->helper);
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (2, 2, 0), NULL, "It died");
  g_assert_cmpuint (self->n_changes, ==, 2);
}

/* It is started again, and what it was is forgotten. */
static void
test_restarted (Fixture *self,
                gconstpointer data)
{
  g_assert_true (collect (self, FALSE, NULL));
  fail (self->helper, "It died");
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (3, 1, 0), "It died", NULL);
  fail (self->outside, "It died, too");
  fake_source_mend (self->helper);
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (4, 2, 0), NULL, "It died, too");
}

/* Only asking for all of it anew does this; the clock does not. */
static void
test_mended (Fixture *self,
             gconstpointer data)
{
  fail (self->helper, "No");
  fail (self->outside, "No");
  g_assert_true (collect (self, FALSE, NULL));
  fake_source_mend (self->outside);
  g_assert_true (collect (self, FALSE, NULL));
  expect (self, ASKED (1, 1, 2), "No", "No");
  g_assert_true (collect (self, TRUE, NULL));
  g_assert_cmpuint (self->helper->n_collections, ==, 2);
  g_assert_cmpuint (self->outside->n_collections, ==, 2);
  g_assert_false (fp_source_get_status (self->source).is_confined);
  g_assert_null (fp_source_get_status (self->source).outside_error);
  g_assert_true (collect (self, TRUE, NULL));
  g_assert_cmpuint (self->helper->n_collections, ==, 2);
  g_assert_cmpuint (self->n_changes, ==, 2);
}

/* Is no failure of the reader. */
static void
test_cancelled (Fixture *self,
                gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fake_source_fail (self->helper, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  g_assert_false (collect (self, FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  expect (self, ASKED (1, 0, 0), NULL, NULL);
}

static void
load_details (Fixture *self)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_DETAILS, .id = { 1, 1 } };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpDetails) details = async_result_ask (self->source, &request, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (details);
}

static const FpSourceRequest pages_request = { .kind = FP_REQUEST_PAGES, .id = { 1, 1 }, .range = { 0x1000, 0x2000, 1 } };

static void
expect_no_pages (Fixture *self,
                 gint code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (async_result_ask (self->source, &pages_request, NULL, &error));
  g_assert_error (error, G_IO_ERROR, code);
}

/* The sandbox's own file systems in memory are not the machine's, whoever reads its processes. */
static void
expect_nothing_kept (Fixture *self)
{
  const FpTmpfs tmpfs = { .path = (char *)"/dev/shm" };
  const FpSourceRequest requests[] = {
    { .kind = FP_REQUEST_KEPT },
    { .kind = FP_REQUEST_TMPFS_FILES, .tmpfs = &tmpfs, .n_biggest = 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (requests); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (async_result_ask (self->source, &requests[i], NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
      g_assert_nonnull (strstr (error->message, "Flatpak"));
    }
}

/* Details come from whoever reads; pages are only this process's own affair. */
static void
test_reader (Fixture *self,
             gconstpointer data)
{
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  load_details (self);
  g_assert_cmpuint (self->outside->n_details, ==, 1);
  expect_no_pages (self, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (self->outside->n_maps, ==, 0);

  fail (self->outside, "It died");
  g_assert_true (collect (self, FALSE, NULL));
  load_details (self);
  g_assert_cmpuint (self->here->n_details, ==, 1);
  expect_no_pages (self, G_IO_ERROR_NOT_FOUND);
  g_assert_cmpuint (self->here->n_maps, ==, 1);
  expect_nothing_kept (self);
}

static void
load_groups (Fixture *self)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_CONTROL_GROUPS };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpControlGroups) groups = async_result_ask (self->source, &request, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (groups);
}

/* The helper on the bus does not tell them, while one outside of the sandbox can, whoever reads the processes. */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  g_assert_true (collect (self, FALSE, NULL));
  load_groups (self);
  g_assert_cmpuint (self->helper->n_groups, ==, 0);
  g_assert_cmpuint (self->outside->n_groups, ==, 1);
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  load_groups (self);
  g_assert_cmpuint (self->outside->n_groups, ==, 2);
}

static void
load_kept (Fixture *self)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_KEPT };
  g_autoptr (GError) error = NULL;
  g_autoptr (FpKept) kept = async_result_ask (self->source, &request, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (kept);
}

/* The reader outside tells what the machine keeps, beside the helper as well. */
static void
test_kept (Fixture *self,
           gconstpointer data)
{
  g_assert_true (collect (self, FALSE, NULL));
  load_kept (self);
  g_assert_cmpuint (self->helper->n_kept, ==, 0);
  g_assert_cmpuint (self->outside->n_kept, ==, 1);
  fail (self->helper, "There is none");
  g_assert_true (collect (self, FALSE, NULL));
  load_kept (self);
  g_assert_cmpuint (self->outside->n_kept, ==, 2);
  fail (self->outside, "It died");
  g_assert_true (collect (self, FALSE, NULL));
  expect_nothing_kept (self);
  g_assert_cmpuint (self->here->n_kept, ==, 0);
}

/* A caller that gave up may be gone, whatever there would have been to say. */
static void
test_pages_cancelled (Fixture *self,
                      gconstpointer data)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fp_source_request_async (self->source, &pages_request, cancellable, async_result_cb, &result);
  g_cancellable_cancel (cancellable);
  async_result_await (&result);
  g_assert_null (fp_source_request_finish (self->source, FP_REQUEST_PAGES, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, data, function) g_test_add ("/host-sandbox/" name, Fixture, data, set_up, function, tear_down)
  ADD ("helper", NULL, test_helper);
  ADD ("outside", NULL, test_outside);
  ADD ("neither", NULL, test_neither);
  ADD ("no-outside", "nothing outside", test_no_outside);
  ADD ("nothing", NULL, test_nothing);
  ADD ("broken", NULL, test_broken);
  ADD ("restarted", NULL, test_restarted);
  ADD ("mended", NULL, test_mended);
  ADD ("cancelled", NULL, test_cancelled);
  ADD ("reader", NULL, test_reader);
  ADD ("groups", NULL, test_groups);
  ADD ("kept", NULL, test_kept);
  ADD ("pages-cancelled", NULL, test_pages_cancelled);
  return g_test_run ();
}
