// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "fixture.h"
#include "fp-file-copies.h"
#include "fp-mapped-reader.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"
#include "fp-sweep.h"

#define N_PROCESSES 5
#define FIGURES     "Rss: 8 kB\nPss: 4 kB\nPrivate_Dirty: 2 kB\nSwap: 4 kB\nSize: 64 kB\n"
#define BUILD_ID    "00ff1234"

/* The places of the counts in the header and of the parts of records of processes and holders, as in a file of version 2 */
#define AT_SCHEMA      8
#define AT_N_FIELDS    12
#define AT_N_FILES     16
#define AT_N_PROCESSES 20
#define AT_N_UNREAD    24
#define AT_N_HOLDERS   28
#define AT_STRINGS     40
#define HEADER_SIZE    48
#define FILE_SIZE      (80 + 8 * FP_N_MAPPED_FIGURES)
#define PROCESS_SIZE   24
#define HOLDER_SIZE    28

/* Version 1 did not have these: build IDs in files, and figures in holders. */
#define OLD_FILE_SIZE   64
#define OLD_HOLDER_SIZE 8

typedef struct
{
  Fixture fixture;
  FpSnapshot *snapshot;
  FpMappedFiles *files;
  GBytes *bytes;
  gsize first; /* where the files begin */
} Saved;

static void
write_process (const Fixture *fixture,
               gint pid,
               const char *smaps)
{
  g_autofree char *stat_name = g_strdup_printf ("%d/stat", pid), *smaps_name = g_strdup_printf ("%d/smaps", pid);
  g_autofree char *stat = NULL;

  stat = g_strdup_printf ("%d (x) S 1 1 1 0 -1 0 1 0 1 0 1 1 0 0 20 0 2 0 7100 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 1 1 1 1 0\n", pid);
  fixture_write (fixture, stat_name, stat, -1);
  if (smaps)
    fixture_write (fixture, smaps_name, smaps, -1);
}

/* Processes 1 and 2 have two files in common, 3 has the memory of 1, 4 can't be read, and 5 has ended. */
static void
set_up (Saved *self,
        gconstpointer data)
{
  FpMappedProcess processes[N_PROCESSES];
  g_autoptr (FpSweep) sweep = NULL;
  g_autofree char *folder = NULL;
  FpSweepRequest request = { 0 };
  FpProcDir proc;

  fixture_make_empty (&self->fixture);
  write_process (&self->fixture, 1, "10000-20000 r--p 0 08:01 7 /lib/x.so\n" FIGURES "30000-40000 rw-p 0 00:00 0 [heap]\n" FIGURES "50000-60000 r--p 0 08:01 8 /new\\012line\n" FIGURES);
  write_process (&self->fixture, 2, "10000-20000 r-xp 0 08:01 7 /lib/x.so\n" FIGURES "30000-40000 rw-p 0 00:00 0 [heap]\n" FIGURES);
  write_process (&self->fixture, 3, NULL);
  write_process (&self->fixture, 4, NULL);
  folder = g_build_filename (self->fixture.proc, "4", "smaps", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  for (gint i = 0; i < N_PROCESSES; i++)
    processes[i] = (FpMappedProcess){ { i + 1, 7100 }, (guint32)(1000 + i), i == 2 ? 1 : 0 };
  g_assert_true (fp_proc_dir_open (&proc, self->fixture.proc, NULL));
  self->files = fp_mapped_files_read (&proc, processes, N_PROCESSES, NULL, NULL, NULL, NULL);
  fp_proc_dir_close (&proc);
  for (guint i = 0; i < 3; i += 2)
    g_array_index (self->files->files, FpMappedFile, i).build_id = fp_mapped_texts_add (self->files->texts, BUILD_ID);
  fp_file_copies_find (self->files);
  sweep = fp_sweep_new (self->fixture.proc, &FP_SWEEP_SETTINGS_DEFAULT, NULL);
  self->snapshot = fp_sweep_collect (sweep, &request, NULL);
  self->bytes = fp_snapshot_to_bytes_with_files (self->snapshot, self->files);
  self->first = fp_snapshot_get_size (self->snapshot);
}

static void
tear_down (Saved *self,
           gconstpointer data)
{
  g_bytes_unref (self->bytes);
  fp_mapped_files_unref (self->files);
  fp_snapshot_unref (self->snapshot);
  fixture_clear (&self->fixture);
}

static void
assert_same_parts (const FpMappedFiles *x,
                   const FpMappedFile *a,
                   const FpMappedFiles *y,
                   const FpMappedFile *b)
{
  for (guint i = 0; i < a->n_processes; i++)
    {
      const FpMappedProcess *of_a, *of_b;
      const FpMappedHolder *in_a = fp_mapped_files_find_holder (x, a, i, &of_a);
      const FpMappedHolder *in_b = fp_mapped_files_find_holder (y, b, i, &of_b);

      g_assert_cmpint (of_a->id.pid, ==, of_b->id.pid);
      g_assert_cmpmem (in_a->kib, sizeof in_a->kib, in_b->kib, sizeof in_b->kib);
    }
}

/* Written in pieces it is the same as in memory, and as long as was said before. */
static void
test_pieces (Saved *self,
             gconstpointer data)
{
  const gsize size = g_bytes_get_size (self->bytes) - self->first;
  g_autofree char *written = g_malloc (size + 1);
  g_auto (FpFd) fd = memfd_create ("pieces", MFD_CLOEXEC);
  g_auto (FpFd) closed = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (fp_mapped_files_get_size (self->files), ==, size);
  g_assert_true (fp_mapped_files_write (self->files, fd, &error));
  g_assert_no_error (error);
  g_assert_cmpint (pread (fd, written, size + 1, 0), ==, (gssize)size);
  g_assert_cmpmem (written, size, (const char *)g_bytes_get_data (self->bytes, NULL) + self->first, size);
  g_assert_false (fp_mapped_files_write (self->files, closed, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_BADF);
}

static void
test_round_trip (Saved *self,
                 gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_open_bytes (self->bytes, &files, &error);
  g_autoptr (GBytes) again = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (snapshot->n_processes, ==, self->snapshot->n_processes);
  g_assert_cmpuint (files->measured_us, ==, self->files->measured_us);
  g_assert_cmpuint (files->n_read, ==, 3);
  g_assert_cmpuint (files->n_unread, ==, 1);
  g_assert_cmpuint (files->unread[0].process, ==, 3);
  g_assert_cmphex (files->owners[4], ==, FP_MAPPED_NOT_READ);
  g_assert_cmpuint (files->files->len, ==, 3);
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *a = fp_mapped_files_get (self->files, i), *b = fp_mapped_files_get (files, i);

      g_assert_cmpstr (a->name, ==, b->name);
      g_assert_cmpstr (a->shown, ==, b->shown);
      g_assert_cmpint (a->kind, ==, b->kind);
      g_assert_cmpint (a->state, ==, b->state);
      g_assert_cmpmem (&a->id, sizeof a->id, &b->id, sizeof b->id);
      g_assert_cmpmem (a->key, sizeof a->key, b->key, sizeof b->key);
      g_assert_cmpuint (a->n_mappings, ==, b->n_mappings);
      g_assert_cmpuint (a->n_processes, ==, b->n_processes);
      g_assert_cmpuint (a->n_users, ==, b->n_users);
      g_assert_cmpstr (b->build_id, ==, i == 1 ? NULL : BUILD_ID);
      g_assert_cmpuint (a->unchanged, ==, b->unchanged);
      g_assert_cmpuint (a->copies, ==, b->copies);
      assert_same_parts (self->files, a, files, b);
      g_assert_cmpmem (a->figures, sizeof a->figures, b->figures, sizeof b->figures);
    }
  g_assert_false (files->lacks_parts);
  g_assert_cmpuint (files->copies->len, ==, 1);
  g_assert_cmpuint (g_array_index (files->copies, FpFileCopies, 0).n, ==, 2);
  g_assert_cmpuint (fp_mapped_files_get (files, 0)->n_processes, ==, 3);
  g_assert_cmpuint (fp_mapped_files_get_holders (files, fp_mapped_files_get (files, 0))[0].kib[0], ==, 4);
  g_assert_cmpuint (fp_mapped_files_get (files, 0)->n_users, ==, 3);
  again = fp_snapshot_to_bytes_with_files (snapshot, files);
  g_assert_true (g_bytes_equal (self->bytes, again));
}

static void
append (GByteArray *out,
        const guint8 **from,
        gsize size,
        gsize taken)
{
  g_byte_array_append (out, *from, (guint)taken);
  *from += size;
}

/* A file of the first version still opens. It has sums alone, and no build IDs. */
static void
test_first_version (Saved *self,
                    gconstpointer data)
{
  const guint8 *at = g_bytes_get_data (self->bytes, NULL), *end = at + g_bytes_get_size (self->bytes);
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GBytes) bytes = NULL;

  append (out, &at, self->first + HEADER_SIZE, self->first + HEADER_SIZE);
  out->data[self->first + AT_SCHEMA] = 1;
  for (guint i = 0; i < 3; i++)
    {
      append (out, &at, FILE_SIZE - 8 * FP_N_MAPPED_FIGURES, OLD_FILE_SIZE);
      append (out, &at, 8 * FP_N_MAPPED_FIGURES, 8 * FP_N_MAPPED_FIGURES);
    }
  append (out, &at, PROCESS_SIZE * N_PROCESSES + 8, PROCESS_SIZE * N_PROCESSES + 8);
  for (guint i = 0; i < self->files->n_holders; i++)
    append (out, &at, HOLDER_SIZE, OLD_HOLDER_SIZE);
  append (out, &at, (gsize)(end - at), (gsize)(end - at));
  bytes = g_byte_array_free_to_bytes (g_steal_pointer (&out));
  snapshot = fp_snapshot_open_bytes (bytes, &files, &error);
  g_assert_no_error (error);
  g_assert_true (files->lacks_parts);
  g_assert_cmpuint (files->files->len, ==, 3);
  g_assert_cmpuint (files->copies->len, ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      const FpMappedFile *a = fp_mapped_files_get (self->files, i), *b = fp_mapped_files_get (files, i);
      FpMemory memory;

      g_assert_cmpstr (a->name, ==, b->name);
      fp_mapped_holder_get_memory (fp_mapped_files_get_holders (files, b), b, &memory);
      g_assert_false (fp_memory_has (&memory, FP_FIELD_PSS));
      g_assert_null (b->build_id);
      g_assert_cmpuint (a->n_processes, ==, b->n_processes);
      g_assert_cmpmem (a->figures, sizeof a->figures, b->figures, sizeof b->figures);
    }
}

/* Without files it is what it always was. */
static void
test_without (Saved *self,
              gconstpointer data)
{
  g_autoptr (GBytes) plain = fp_snapshot_to_bytes (self->snapshot), same = fp_snapshot_to_bytes_with_files (self->snapshot, NULL);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_snapshot_open_bytes (plain, &files, NULL), strict = NULL;

  g_assert_true (g_bytes_equal (plain, same));
  g_assert_cmpuint (fp_snapshot_measure (self->bytes), ==, g_bytes_get_size (plain));
  g_assert_nonnull (snapshot);
  g_assert_null (files);
  /* The helper sends no files, and nothing may be behind what it sends. */
  strict = fp_snapshot_from_bytes (self->bytes, NULL);
  g_assert_null (strict);
}

static FpSnapshot *
open_changed (const guint8 *data,
              gsize size,
              GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (FpMappedFiles) files = NULL;
  FpSnapshot *snapshot = fp_snapshot_open_bytes (bytes, &files, error);

  for (guint i = 0; files && i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);

      for (guint j = 0; j < file->n_processes; j++)
        g_assert_cmpint (fp_mapped_files_get_holder (files, file, j)->id.pid, >, 0);
    }
  return snapshot;
}

static void
test_truncated (Saved *self,
                gconstpointer data)
{
  gsize size = g_bytes_get_size (self->bytes);
  const guint8 *bytes = g_bytes_get_data (self->bytes, NULL);

  for (gsize at = self->first + 1; at < size; at++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (open_changed (bytes, at, &error));
      g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
    }
}

/* Each byte in turn has every other value that differs in one bit: it is refused or can be used. */
static void
test_damaged (Saved *self,
              gconstpointer data)
{
  gsize size = g_bytes_get_size (self->bytes);
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (self->bytes, NULL), size);
  guint n_refused = 0;

  for (gsize at = self->first; at < size; at++)
    for (guint bit = 0; bit < 8; bit++)
      {
        g_autoptr (FpSnapshot) snapshot = NULL;

        copy[at] ^= (guint8)(1 << bit);
        snapshot = open_changed (copy, size, NULL);
        n_refused += snapshot == NULL;
        copy[at] ^= (guint8)(1 << bit);
      }
  g_assert_cmpuint (n_refused, >, 8 * 20);
}

static void
assert_refused (Saved *self,
                gsize at,
                guint32 value)
{
  gsize size = g_bytes_get_size (self->bytes);
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (self->bytes, NULL), size);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (memcmp (copy + self->first + at, &value, sizeof value), !=, 0);
  memcpy (copy + self->first + at, &value, sizeof value);
  g_assert_null (open_changed (copy, size, &error));
  g_assert_nonnull (error);
}

/* Nothing is allocated for a count that the file is too short for, and no number leads out of its table. */
static void
test_refused (Saved *self,
              gconstpointer data)
{
  static const gsize counts[] = { AT_SCHEMA, AT_N_FIELDS, AT_N_FILES, AT_N_PROCESSES, AT_N_UNREAD, AT_N_HOLDERS, AT_STRINGS };
  const gsize processes = HEADER_SIZE + FILE_SIZE * 3, unread = processes + PROCESS_SIZE * N_PROCESSES, holders = unread + 8;

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      assert_refused (self, counts[i], G_MAXUINT32);
      assert_refused (self, counts[i], 0);
    }
  for (guint i = 0; i < 3; i++)
    {
      const gsize file = HEADER_SIZE + FILE_SIZE * i;

      assert_refused (self, file + 40, G_MAXUINT32); /* its name */
      assert_refused (self, file + 40, 2);
      assert_refused (self, file + 52, 0); /* holders */
      assert_refused (self, file + 52, 3);
      assert_refused (self, file + 56, 0); /* users */
      assert_refused (self, file + 56, 4);
      assert_refused (self, file + 60, G_MAXUINT32); /* kind, state and whether it is updated */
      assert_refused (self, file + 68, G_MAXUINT32); /* how much is unchanged */
      assert_refused (self, file + 72, G_MAXUINT32); /* its build ID */
      assert_refused (self, file + 76, G_MAXUINT32); /* whether it is of an overlay, and unchanged a bound */
    }
  assert_refused (self, processes + 8, 0);                     /* a PID */
  assert_refused (self, processes + 20, 1);                    /* process 1 is read, and its memory is of 2 */
  assert_refused (self, processes + 20, N_PROCESSES);          /* of none that there is */
  assert_refused (self, processes + 2 * PROCESS_SIZE + 20, 3); /* of one that was not read */
  assert_refused (self, unread, N_PROCESSES);
  assert_refused (self, holders, N_PROCESSES);
  assert_refused (self, holders, 2); /* one that shares the memory of another */
  assert_refused (self, holders, 1); /* the same as the second */
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/proc/snapshot-mapped/" name, Saved, NULL, set_up, func, tear_down)
  ADD ("pieces", test_pieces);
  ADD ("round-trip", test_round_trip);
  ADD ("first-version", test_first_version);
  ADD ("without", test_without);
  ADD ("truncated", test_truncated);
  ADD ("damaged", test_damaged);
  ADD ("refused", test_refused);
  return g_test_run ();
}
