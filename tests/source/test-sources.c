// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "async-result.h"
#include "fp-file-source.h"
#include "fp-local-source.h"
#include "fp-snapshot-mapped.h"

static FpSnapshot *
collect (FpSource *source,
         const FpSweepRequest *request,
         GError **error)
{
  return async_result_ask (source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT, .sweep = *request }, NULL, error);
}

/* Resident sizes at once, the rest as it comes; the request may be gone when the worker reads it. */
static void
test_local (void)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  g_autoptr (FpSnapshot) first = NULL;
  FpSweepRequest request = { .slice_us = 1 };
  const FpProcess *own;
  guint n = 0;

  first = collect (source, &request, NULL);
  own = fp_snapshot_find (first, getpid ());
  g_assert_true (fp_memory_has (&own->memory, FP_FIELD_RSS));
  request.slice_us = 1000;
  for (;; n++)
    {
      g_autoptr (FpSnapshot) next = collect (source, &request, NULL);

      own = fp_snapshot_find (next, getpid ());
      if (next->info.n_pending == 0)
        break;
    }
  g_assert_cmpuint (n, <, 10000);
  g_assert_cmpint (own->reason, ==, FP_REASON_NONE);
}

static void
test_local_missing (void)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/nonexistent");
  g_autoptr (GError) error = NULL;
  FpSweepRequest request = { 0 };

  g_assert_null (collect (source, &request, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (g_strrstr (error->message, "/nonexistent"));
}

static char *
save (gboolean with_files)
{
  g_autofree char *proc = g_build_filename (g_getenv ("FOOTPRINT_FIXTURES"), "desktop", "proc", NULL);
  g_autoptr (FpSource) source = fp_local_source_new (proc);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  FpSweepRequest request = { 0 };
  char *path = g_build_filename (g_get_tmp_dir (), "footprint-test-XXXXXX", NULL);
  int fd = g_mkstemp (path);

  snapshot = collect (source, &request, NULL);
  if (with_files)
    files = fp_mapped_files_new (0, NULL);
  if (with_files)
    fp_mapped_files_index (files);
  bytes = fp_snapshot_to_bytes_with_files (snapshot, files);
  g_assert_cmpint (write (fd, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)), ==, g_bytes_get_size (bytes));
  close (fd);
  return path;
}

static void
test_file (gconstpointer with_files)
{
  g_autofree char *path = save (with_files != NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (FpSource) source = fp_file_source_new (file);
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (FpSnapshot) damaged = NULL;
  g_autoptr (GError) error = NULL;
  FpSweepRequest request = { 0 };

  snapshot = collect (source, &request, NULL);
  g_assert_cmpuint (snapshot->n_processes, >, 20);
  g_assert_cmpint (truncate (path, 1000), ==, 0);
  damaged = collect (source, &request, &error);
  g_assert_null (damaged);
  g_assert_nonnull (error);
  unlink (path);
}

typedef struct
{
  GCancellable *cancellable; /* to be cancelled at the first sign of progress */
  goffset position;
  goffset whole;
  guint n;
} Progress;

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  Progress *self = data;

  g_assert_cmpint (position, >=, self->position);
  g_assert_cmpint (position, <=, whole);
  self->position = position;
  self->whole = whole;
  self->n++;
  g_cancellable_cancel (self->cancellable);
}

static FpMappings *
load_mappings (FpSource *source,
               gint pid,
               guint64 start_ticks,
               Progress *progress,
               GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  FpSourceRequest request = {
    .kind = FP_REQUEST_MAPPINGS, .id = { pid, start_ticks }, .progress = progress_cb, .progress_data = progress
  };

  fp_source_request_async (source, &request, progress->cancellable, async_result_cb, &result);
  memset (&request, 0, sizeof request);
  return fp_source_request_finish (source, FP_REQUEST_MAPPINGS, async_result_await (&result), error);
}

/* The progress goes up to all of its memory. */
static void
test_mappings (void)
{
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  FpSweepRequest request = { 0 };
  g_autoptr (FpSnapshot) snapshot = collect (source, &request, NULL);
  const FpProcess *own = fp_snapshot_find (snapshot, getpid ());
  guint64 rss = fp_memory_get (&own->memory, FP_FIELD_RSS);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Progress progress = { 0 }, cancelling = { .cancellable = cancellable };
  g_autoptr (FpMappings) mappings = load_mappings (source, getpid (), own->start_ticks, &progress, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (fp_mappings_get_n (mappings), >, 20);
  g_assert_cmpuint (progress.n, >, 1);
  g_assert_cmpint (progress.position, ==, progress.whole);
  g_assert_cmpint (progress.whole, >, rss / 2);
  g_assert_cmpint (progress.whole, <, rss * 2);
  g_assert_null (load_mappings (source, getpid (), own->start_ticks + 1, &progress, &error));
  g_assert_nonnull (strstr (error->message, "has ended"));
  g_clear_error (&error);
  g_assert_null (load_mappings (source, getpid (), own->start_ticks, &cancelling, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cancelling.n, ==, 1);
}

static void
test_no_mappings (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent");
  g_autoptr (FpSource) source = fp_file_source_new (file);
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 };

  g_assert_null (load_mappings (source, 1, 1, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_cmpuint (progress.n, ==, 0);
}

static FpPageMap *
map_pages (FpSource *source,
           guint64 start_ticks,
           const FpPageRange *range,
           Progress *progress,
           GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;
  FpSourceRequest request = {
    .kind = FP_REQUEST_PAGES, .id = { getpid (), start_ticks }, .range = *range, .progress = progress_cb, .progress_data = progress
  };

  fp_source_request_async (source, &request, progress->cancellable, async_result_cb, &result);
  memset (&request, 0, sizeof request);
  return fp_source_request_finish (source, FP_REQUEST_PAGES, async_result_await (&result), error);
}

/* A page each 8 MiB, so that it takes a while. */
static void
test_pages (void)
{
  const gsize size = G_GUINT64_CONSTANT (16) << 30, step = 8 << 20;
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FpSnapshot) snapshot = collect (source, &(FpSweepRequest){ 0 }, NULL);
  guint64 start_ticks = fp_snapshot_find (snapshot, getpid ())->start_ticks;
  Progress progress = { 0 }, cancelling = { .cancellable = cancellable };
  char *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  FpPageRange range = { (guint64)(gsize)memory, (guint64)(gsize)memory + size, 512 };
  g_autofree FpPageMap *map = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (memory != MAP_FAILED);
  madvise (memory, size, MADV_NOHUGEPAGE);
  for (gsize i = 0; i < size; i += step)
    memory[i] = 1;
  map = map_pages (source, start_ticks, &range, &progress, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (map->total.pages[FP_PAGE_PRIVATE], ==, size / step);
  g_assert_cmpuint (map->bins[511].pages[FP_PAGE_PRIVATE], ==, size / step / 512);
  g_assert_cmpuint (progress.n, >, 0);
  g_assert_null (map_pages (source, start_ticks, &range, &cancelling, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cancelling.n, ==, 1);
  g_clear_error (&error);
  g_assert_null (map_pages (source, start_ticks + 1, &range, &progress, &error));
  g_assert_nonnull (strstr (error->message, "has ended"));
  munmap (memory, size);
}

static void
test_no_pages (void)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/nonexistent");
  g_autoptr (FpSource) source = fp_file_source_new (file);
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 };

  g_assert_null (map_pages (source, 1, &(FpPageRange){ 4096, 8192, 1 }, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

static FpMappedFiles *
sum_files (FpSource *source,
           guint64 start_ticks,
           guint n,
           Progress *progress,
           GError **error)
{
  g_autofree FpMappedProcess *processes = g_new0 (FpMappedProcess, n);
  g_autoptr (GAsyncResult) result = NULL;
  FpSourceRequest request = { .kind = FP_REQUEST_MAPPED_FILES, .mapped = processes, .n_mapped = n };

  request.progress = progress_cb;
  request.progress_data = progress;
  for (guint i = 0; i < n; i++)
    processes[i].id = (FpProcessId){ getpid (), start_ticks };
  fp_source_request_async (source, &request, progress->cancellable, async_result_cb, &result);
  memset (processes, 0, n * sizeof *processes);
  memset (&request, 0, sizeof request);
  return fp_source_request_finish (source, FP_REQUEST_MAPPED_FILES, async_result_await (&result), error);
}

/* Processes that are behind go up to all of them, of which there are enough to be called off on the way. */
static void
test_mapped_files (void)
{
  const guint n = 600;
  g_autoptr (FpSource) source = fp_local_source_new ("/proc");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (FpSnapshot) snapshot = collect (source, &(FpSweepRequest){ 0 }, NULL);
  guint64 start_ticks = fp_snapshot_find (snapshot, getpid ())->start_ticks;
  Progress progress = { 0 }, cancelling = { .cancellable = cancellable };
  g_autoptr (FpMappedFiles) files = NULL, none = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (sum_files (source, start_ticks, n, &cancelling, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (cancelling.n, ==, 1);
  g_assert_cmpint (cancelling.whole, ==, n);
  g_clear_error (&error);
  files = sum_files (source, start_ticks, n, &progress, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->n_read, ==, n);
  g_assert_cmpuint (progress.n, >, 1);
  none = sum_files (source, start_ticks + 1, 1, &(Progress){ 0 }, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (none->n_read + none->n_unread, ==, 0);
}

static void
test_saved_files (gconstpointer with_files)
{
  g_autofree char *path = save (with_files != NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (FpSource) source = fp_file_source_new (file);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  Progress progress = { 0 };

  files = sum_files (source, 1, 1, &progress, &error);
  unlink (path);
  if (with_files)
    g_assert_cmpuint (files->files->len, ==, 0);
  else
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_cmpint (files != NULL, ==, with_files != NULL);
  g_assert_cmpuint (progress.n, ==, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source/local", test_local);
  g_test_add_func ("/source/local/missing", test_local_missing);
  g_test_add_data_func ("/source/file", NULL, test_file);
  g_test_add_data_func ("/source/file/with-files", "", test_file);
  g_test_add_func ("/source/mappings", test_mappings);
  g_test_add_func ("/source/no-mappings", test_no_mappings);
  g_test_add_func ("/source/pages", test_pages);
  g_test_add_func ("/source/no-pages", test_no_pages);
  g_test_add_func ("/source/mapped-files", test_mapped_files);
  g_test_add_data_func ("/source/mapped-files/saved", "", test_saved_files);
  g_test_add_data_func ("/source/mapped-files/not-saved", NULL, test_saved_files);
  return g_test_run ();
}
