// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "fp-mapped-reader.h"
#include "fp-mapped-sum.h"
#include "fp-mapping-scanner.h"

#define N_PROCESSES  3
#define N_TWINS      2000
#define N_FILES      300
#define N_NAMESPACES 15u
#define N_MOUNTS     40000
#define MAX_KIB      (80 * 1024)
#define N_LONG       420000 /* mappings of 100 bytes and more */
#define PRESENT      "Rss: %u kB\nPss: %u kB\nPrivate_Dirty: %u kB\nSwap: 4 kB\nSize: 64 kB\n"

/* The subvolumes of a btrfs have one device; /home/bound is a second place of the first of them. */
#define BTRFS                                                \
  "20 1 0:30 /@ / rw - btrfs /dev/vda rw,subvol=/@\n"        \
  "21 20 0:30 /@snapshot /snapshot rw - btrfs /dev/vda rw\n" \
  "22 20 0:30 /@/lib /home/bound rw - btrfs /dev/vda rw\n"   \
  "23 20 0:31 / /tmp rw - tmpfs tmpfs rw\n"                  \
  "24 20 0:32 / /merged rw - overlay overlay rw,lowerdir=/a:/b\n"

/* One mapping of a process */
typedef struct
{
  const char *facts; /* permissions, offset, device and inode */
  const char *name;
  guint rss;
} Line;

static void
write_process (const Fixture *fixture,
               gint pid,
               const Line *lines,
               guint n)
{
  g_autofree char *stat_name = g_strdup_printf ("%d/stat", pid), *smaps_name = g_strdup_printf ("%d/smaps", pid);
  g_autofree char *mounts_name = g_strdup_printf ("%d/mountinfo", pid), *stat = NULL;
  g_autoptr (GString) smaps = g_string_new (NULL);

  stat = g_strdup_printf ("%d (x) S 1 1 1 0 -1 0 1 0 1 0 1 1 0 0 20 0 2 0 7100 1 1 1 1 1 1 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 0 0 0 1 1 1 1 0\n", pid);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (smaps, "%x000-%x000 %s %s\n" PRESENT, 16 + i, 17 + i, lines[i].facts, lines[i].name, lines[i].rss,
                            lines[i].rss / 2, lines[i].rss / 4);
  fixture_write (fixture, stat_name, stat, -1);
  fixture_write (fixture, smaps_name, smaps->str, -1);
  fixture_write (fixture, mounts_name, BTRFS, -1);
}

/* Processes 1, 2 and so on, which belong to users of the same numbers */
static FpMappedFiles *
read_files (const Fixture *fixture,
            guint n)
{
  g_autofree FpMappedProcess *processes = g_new0 (FpMappedProcess, n);
  g_autoptr (GError) error = NULL;
  FpMappedFiles *files;
  FpProcDir proc;

  for (guint i = 0; i < n; i++)
    processes[i] = (FpMappedProcess){ { (gint)i + 1, 7100 }, i + 1, 0 };
  g_assert_true (fp_proc_dir_open (&proc, fixture->proc, NULL));
  files = fp_mapped_files_read (&proc, processes, n, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  fp_proc_dir_close (&proc);
  return files;
}

/* A line for each file, in the order in which they were found: name, kind, processes, mappings and KiB in RAM. */
static char *
describe (const FpMappedFiles *files)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      FpMemory memory;

      fp_mapped_file_get_memory (file, &memory);
      g_string_append_printf (text, "%s %s %u %u %u\n", file->name, fp_mapping_kind_infos[file->kind].id, file->n_processes,
                              file->n_mappings, (guint)(fp_memory_get (&memory, FP_FIELD_RSS) / 1024));
    }
  return g_string_free (text, FALSE);
}

static void
assert_files (const Line *lines,
              guint n,
              const char *expected)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) files = NULL;
  g_autofree char *found = NULL;

  fixture_make_empty (&fixture);
  for (guint i = 1; i <= N_PROCESSES; i++)
    write_process (&fixture, (gint)i, lines, n);
  files = read_files (&fixture, N_PROCESSES);
  g_assert_cmpuint (files->n_read, ==, N_PROCESSES);
  found = describe (files);
  g_assert_cmpstr (found, ==, expected);
}

#define ASSERT_FILES(expected, ...)                       \
  G_STMT_START                                            \
  {                                                       \
    const Line lines[] = { __VA_ARGS__ };                 \
    assert_files (lines, G_N_ELEMENTS (lines), expected); \
  }                                                       \
  G_STMT_END

/* The parts of a library are one, and it is code whichever part comes first. */
static void
test_library (void)
{
  ASSERT_FILES ("/lib/x.so code 3 12 300\n/lib/data constants 3 3 3\n",
                { "r--p 0 08:01 7", "/lib/x.so", 10 }, { "r-xp 1000 08:01 7", "/lib/x.so", 20 }, { "---p 2000 08:01 7", "/lib/x.so", 0 },
                { "rw-p 3000 08:01 7", "/lib/x.so", 70 }, { "r--p 0 08:01 8", "/lib/data", 1 });
}

/* All memory of a kind is one, but for names that programs gave to theirs. */
static void
test_anonymous (void)
{
  ASSERT_FILES (" heap 3 6 9\n stack 3 3 3\n anonymous 3 6 15\n[anon:pool] named 3 6 30\n[anon:other] named 3 3 12\n kernel 3 6 3\n reserved 3 3 0\n",
                { "rw-p 0 00:00 0", "[heap]", 1 }, { "rw-p 0 00:00 0", "[anon: glibc: malloc]", 2 }, { "rw-p 0 00:00 0", "[stack]", 1 },
                { "rw-p 0 00:00 0", "", 3 }, { "rw-p 0 00:00 0", "[anon:pool]", 5 }, { "rw-p 0 00:00 0", "[anon:other]", 4 },
                { "rw-p 0 00:00 0", "", 2 }, { "rw-p 0 00:00 0", "[anon:pool]", 5 }, { "r--p 0 00:00 0", "[vvar]", 0 },
                { "r-xp 0 00:00 0", "[vdso]", 1 }, { "---p 0 00:00 0", "", 0 });
}

/* Segments and memfds have numbers of their own, which can be the same. */
static void
test_shared_memory (void)
{
  ASSERT_FILES ("/SYSV00000001 (deleted) system_v 3 3 3\n/memfd:a (deleted) shared_memory 3 6 12\n/memfd:a (deleted) shared_memory 3 3 3\n"
                " shared_memory 3 6 6\n/dev/shm/x shared_memory 3 3 3\n",
                { "rw-s 0 00:01 5", "/SYSV00000001 (deleted)", 1 }, { "rw-s 0 00:01 5", "/memfd:a (deleted)", 1 },
                { "rw-s 1000 00:01 5", "/memfd:a (deleted)", 3 }, { "rw-s 0 00:01 6", "/memfd:a (deleted)", 1 },
                { "rw-s 0 00:01 7", "/dev/zero (deleted)", 1 }, { "rw-s 0 00:01 8", "/dev/zero (deleted)", 1 },
                { "rw-s 0 00:17 9", "/dev/shm/x", 1 });
}

/* The same inode of two subvolumes is two files, and by two mounts of one of them it is one. */
static void
test_subvolumes (void)
{
  ASSERT_FILES ("/lib/x.so constants 3 6 12\n/snapshot/lib/x.so constants 3 3 6\n",
                { "r--p 0 00:1e 300", "/lib/x.so", 2 }, { "r--p 0 00:1e 300", "/home/bound/x.so", 2 },
                { "r--p 0 00:1e 300", "/snapshot/lib/x.so", 2 });
}

static void
test_layers (void)
{
  ASSERT_FILES ("/merged/a constants 3 3 3\n/merged/b constants 3 3 3\n",
                { "r--p 0 00:20 2", "/merged/a", 1 }, { "r--p 0 00:20 2", "/merged/b", 1 });
}

/* Every other file system numbers its files once, so that two names are one file. */
static void
test_numbers (void)
{
  ASSERT_FILES ("/tmp/a constants 3 6 6\n/other constants 3 6 6\n",
                { "r--p 0 00:1f 2", "/tmp/a", 1 }, { "r--p 0 00:1f 2", "/tmp/b", 1 },
                { "r--p 0 08:01 2", "/other", 1 }, { "r--p 0 08:01 2", "/name", 1 });
}

static void
test_figures (void)
{
  static const Line lines[] = { { "rw-p 0 08:01 7", "/a", 40 }, { "r--p 0 08:01 7", "/a", 8 } };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) files = NULL;
  FpMemory memory;

  fixture_make_empty (&fixture);
  write_process (&fixture, 1, lines, 2);
  write_process (&fixture, 2, lines, 1);
  files = read_files (&fixture, 2);
  g_assert_cmpuint (files->files->len, ==, 1);
  fp_mapped_file_get_memory (fp_mapped_files_get (files, 0), &memory);
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_RSS), ==, 88 * 1024);
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_PSS), ==, 44 * 1024);
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_PRIVATE_DIRTY), ==, 22 * 1024);
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_SWAP), ==, 12 * 1024);
  g_assert_cmpuint (fp_memory_get (&memory, FP_FIELD_SIZE), ==, 3 * 64 * 1024);
  g_assert_false (fp_memory_has (&memory, FP_FIELD_SHARED_DIRTY));
  g_assert_cmpuint (fp_mapped_files_get (files, 0)->n_users, ==, 2);
}

/* Each is found again in a later list, and no two are taken for each other. */
static void
test_keys (void)
{
  static const Line lines[] = { { "r--p 0 00:1e 300", "/lib/x.so", 2 }, { "r--p 0 00:1e 300", "/snapshot/lib/x.so", 2 }, { "rw-p 0 00:00 0", "[heap]", 1 }, { "rw-p 0 00:00 0", "[anon:a]", 1 }, { "rw-p 0 00:00 0", "[anon:b]", 1 } };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) first = NULL, second = NULL;

  fixture_make_empty (&fixture);
  write_process (&fixture, 1, lines, G_N_ELEMENTS (lines));
  first = read_files (&fixture, 1);
  second = read_files (&fixture, 1);
  g_assert_cmpuint (first->files->len, ==, G_N_ELEMENTS (lines));
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    for (guint j = 0; j < G_N_ELEMENTS (lines); j++)
      {
        const FpMappedFile *a = fp_mapped_files_get (first, i), *b = fp_mapped_files_get (second, j);

        g_assert_cmpint (memcmp (a->key, b->key, sizeof a->key) == 0, ==, i == j);
      }
}

/* Any bytes may be in a name, and it may be as long as the kernel lets it be. */
static void
test_odd_names (void)
{
  g_autofree char *tail = g_strnfill (4090, 'x'), *path = g_strconcat ("/", tail, NULL);
  const Line lines[] = { { "r--p 0 08:01 1", path, 1 }, { "r--p 0 08:01 2", "/new\\012line", 1 }, { "r--p 0 08:01 3", "/\xff\xfe", 1 }, { "r--p 0 08:01 4", "/x (deleted)", 1 } };
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) files = NULL;

  fixture_make_empty (&fixture);
  write_process (&fixture, 1, lines, G_N_ELEMENTS (lines));
  files = read_files (&fixture, 1);
  g_assert_cmpuint (files->files->len, ==, G_N_ELEMENTS (lines));
  for (guint i = 0; i < files->files->len; i++)
    g_assert_true (g_utf8_validate (fp_mapped_files_get (files, i)->name, -1, NULL));
  g_assert_cmpstr (fp_mapped_files_get (files, 0)->name, ==, path);
  g_assert_cmpint (fp_mapped_files_get (files, 3)->state, ==, FP_FILE_UNKNOWN);
}

static void
test_none (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) files = NULL;

  fixture_make_empty (&fixture);
  files = read_files (&fixture, 0);
  g_assert_cmpuint (files->files->len, ==, 0);
  fp_mapped_files_unref (g_steal_pointer (&files));
  files = read_files (&fixture, 2);
  g_assert_cmpuint (files->n_read + files->n_unread, ==, 0);
}

static gboolean
count_cb (guint64 position,
          guint64 whole,
          gpointer data)
{
  (*(guint *)data)++;
  return TRUE;
}

/* Somebody can make thousands of processes with one memory, and map as many files there. Neither the work nor the list
 * grows with their product: every file has one holder, and every process is looked at as often as if it were alone. */
static void
test_many_twins (void)
{
  g_autofree FpMappedProcess *processes = g_new0 (FpMappedProcess, N_TWINS + 1);
  g_autofree Line *lines = g_new0 (Line, N_FILES);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (FpMappedFiles) files = NULL, alone = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n_steps = 0, n_steps_alone = 0;
  FpProcDir proc;

  for (guint i = 0; i < N_FILES; i++)
    {
      g_ptr_array_add (texts, g_strdup_printf ("r--p 0 08:01 %u", i + 1));
      g_ptr_array_add (texts, g_strdup_printf ("/file-%u", i));
      lines[i] = (Line){ texts->pdata[2 * i], texts->pdata[2 * i + 1], 4 };
    }
  for (guint i = 0; i <= N_TWINS; i++)
    processes[i] = (FpMappedProcess){ { (gint)i + 1, 7100 }, i % 3, i > 0 ? 1 : 0 };
  fixture_make_empty (&fixture);
  write_process (&fixture, 1, lines, N_FILES);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  alone = fp_mapped_files_read (&proc, processes, 1, count_cb, NULL, &n_steps_alone, NULL);
  files = fp_mapped_files_read (&proc, processes, N_TWINS + 1, count_cb, NULL, &n_steps, NULL);
  fp_proc_dir_close (&proc);
  g_assert_cmpuint (n_steps, <=, n_steps_alone + 2 * N_TWINS);
  g_assert_cmpuint (files->n_read, ==, N_TWINS + 1);
  g_assert_cmpuint (files->files->len, ==, N_FILES);
  g_assert_cmpuint (files->n_holders, ==, N_FILES);
  g_assert_cmpuint (files->first_twin[N_TWINS + 1], ==, N_TWINS);
  for (guint i = 0; i < N_FILES; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);

      g_assert_cmpuint (file->n_processes, ==, N_TWINS + 1);
      g_assert_cmpuint (file->n_users, ==, 3);
      g_assert_cmpuint (file->n_mappings, ==, 1);
      g_assert_cmpint (fp_mapped_files_get_holder (files, file, 0)->id.pid, ==, 1);
      g_assert_cmpint (fp_mapped_files_get_holder (files, file, N_TWINS)->id.pid, ==, N_TWINS + 1);
    }
}

/* Each holder of a file is found by its number, whether it was read or shares the memory of one that was. */
static void
test_holders (void)
{
  static const Line line = { "r--p 0 08:01 7", "/a", 8 };
  static const gint shares_with[] = { 0, 1, 0, 3, 1, 9 }, expected[] = { 1, 2, 5, 3, 4 };
  FpMappedProcess processes[G_N_ELEMENTS (shares_with)];
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (FpMappedFiles) files = NULL;
  const FpMappedFile *file;
  FpProcDir proc;

  fixture_make_empty (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (processes); i++)
    processes[i] = (FpMappedProcess){ { (gint)i + 1, 7100 }, i, shares_with[i] };
  write_process (&fixture, 1, &line, 1);
  write_process (&fixture, 3, &line, 1);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  files = fp_mapped_files_read (&proc, processes, G_N_ELEMENTS (processes), NULL, NULL, NULL, NULL);
  fp_proc_dir_close (&proc);
  file = fp_mapped_files_get (files, 0);
  g_assert_cmpuint (file->n_holders, ==, 2);
  g_assert_cmpuint (file->n_processes, ==, G_N_ELEMENTS (expected));
  g_assert_cmpuint (file->n_users, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (fp_mapped_files_get_holder (files, file, i)->id.pid, ==, expected[i]);
  g_assert_cmpuint (files->n_read, ==, G_N_ELEMENTS (expected));
  g_assert_cmphex (files->owners[5], ==, FP_MAPPED_NOT_READ);
}

/* Mappings of n files with names of 1,000 bytes, and a heap, 4 KiB each */
static FpMappings *
make_mappings (guint n)
{
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%x000-%x000 r--p 0 08:01 %u /%0999u\n" PRESENT, 16 + i, 17 + i, i + 1, i, 4u, 2u, 1u);
  g_string_append_printf (text, "%x000-%x000 rw-p 0 00:00 0 [heap]\n" PRESENT, 16 + n, 17 + n, 4u, 2u, 1u);
  fp_mapping_scanner_feed (scanner, text->str, text->len);
  return fp_mapping_scanner_finish (scanner);
}

/* Names for which there is no room are summed up as one, and no memory is lost. */
static void
test_limit (void)
{
  static const FpMappedProcess processes[] = { { { 1, 7100 }, 0, 0 }, { { 2, 7100 }, 0, 0 } };
  g_autoptr (FpMappings) mappings = make_mappings (100);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n_rest = 0, n_mappings = 0;
  guint64 rss = 0;
  FpProcDir proc;

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, processes, 2, 50 * 1000);
  g_assert_true (fp_mapped_sum_add (sum, 0, mappings, NULL, NULL));
  g_assert_true (fp_mapped_sum_add (sum, 1, mappings, NULL, NULL));
  files = fp_mapped_sum_finish (sum);
  fp_proc_dir_close (&proc);
  g_assert_cmpuint (files->files->len, >, 10);
  g_assert_cmpuint (files->files->len, <=, 50);
  for (guint i = 0; i < files->files->len; i++)
    {
      const FpMappedFile *file = fp_mapped_files_get (files, i);
      FpMemory memory;

      fp_mapped_file_get_memory (file, &memory);
      rss += fp_memory_get (&memory, FP_FIELD_RSS);
      n_mappings += file->n_mappings;
      n_rest += fp_mapped_file_is_rest (file);
      g_assert_cmpuint (file->n_processes, ==, 2);
    }
  g_assert_cmpuint (n_rest, ==, 1);
  g_assert_cmpuint (n_mappings, ==, 2 * 101);
  g_assert_cmpuint (rss, ==, 2 * 101 * 4 * 1024);
}

/* Many processes with the same files, too, get no more room than that. */
static void
test_holding_limit (void)
{
  enum
  {
    N = 100
  };
  g_autofree FpMappedProcess *processes = g_new0 (FpMappedProcess, N);
  g_autoptr (FpMappings) mappings = make_mappings (20);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n_rest = 0, n_mappings = 0;
  FpProcDir proc;

  for (guint i = 0; i < N; i++)
    processes[i] = (FpMappedProcess){ { (gint)i + 1, 7100 }, 0, 0 };
  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, processes, N, 64 * 1000);
  for (guint i = 0; i < N; i++)
    g_assert_true (fp_mapped_sum_add (sum, i, mappings, NULL, NULL));
  files = fp_mapped_sum_finish (sum);
  fp_proc_dir_close (&proc);
  for (guint i = 0; i < files->files->len; i++)
    {
      n_mappings += fp_mapped_files_get (files, i)->n_mappings;
      n_rest += fp_mapped_file_is_rest (fp_mapped_files_get (files, i));
    }
  g_assert_cmpuint (n_rest, ==, 1);
  g_assert_cmpuint (files->n_holders, >=, 1000);
  g_assert_cmpuint (files->n_holders, <=, 1000 + N);
  g_assert_cmpuint (n_mappings, ==, N * 21);
}

/* A reader for others opens no file, and shortens the names of a process whose text is too long: no figure changes. */
static void
test_for_others (void)
{
  static const FpMappedProcess process = { { 1, 7100 }, 0, 0 };
  static const guint n_lines[] = { 3, 10 * 1000 };
  g_autofree char *name = g_strnfill (1000, 'n');

  name[0] = '/';
  for (guint i = 0; i < G_N_ELEMENTS (n_lines); i++)
    {
      g_autofree Line *lines = g_new0 (Line, n_lines[i]);
      g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (FpMappedFiles) files = NULL, others = NULL;
      g_auto (Fixture) fixture = { 0 };
      FpProcDir proc;

      for (guint j = 0; j < n_lines[i]; j++)
        {
          g_ptr_array_add (texts, g_strdup_printf ("r--p 0 08:01 %u", j + 1));
          lines[j] = (Line){ texts->pdata[j], name, 4 + j };
        }
      fixture_make_empty (&fixture);
      write_process (&fixture, 1, lines, n_lines[i]);
      g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
      files = fp_mapped_files_read (&proc, &process, 1, NULL, NULL, NULL, NULL);
      proc.opens_no_files = TRUE;
      others = fp_mapped_files_read_until (&proc, &process, 1, G_MAXINT64, NULL, NULL, NULL);
      fp_proc_dir_close (&proc);
      g_assert_cmpuint (files->files->len, ==, n_lines[i]);
      g_assert_cmpuint (others->files->len, ==, n_lines[i]);
      for (guint j = 0; j < n_lines[i]; j++)
        {
          const FpMappedFile *a = fp_mapped_files_get (files, j), *b = fp_mapped_files_get (others, j);

          g_assert_cmpmem (a->figures, sizeof a->figures, b->figures, sizeof b->figures);
          g_assert_cmpuint (a->id.inode, ==, b->id.inode);
        }
      g_assert_true ((strlen (fp_mapped_files_get (others, 0)->name) == 1000) == (i == 0));
    }
}

/* A part is as if no other process had been asked for, and stays so while more is added. */
static void
test_part (void)
{
  static const FpMappedProcess processes[] = { { { 1, 7100 }, 0, 0 }, { { 2, 7100 }, 0, 0 } };
  g_autoptr (FpMappings) few = make_mappings (2), more = make_mappings (5);
  g_autoptr (FpMappedFiles) files = NULL, part = NULL;
  g_autofree char *found = NULL, *again = NULL;
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  FpProcDir proc;

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, processes, 2, G_MAXSIZE);
  g_assert_true (fp_mapped_sum_add (sum, 0, few, NULL, NULL));
  part = fp_mapped_sum_get_part (sum, 1);
  found = describe (part);
  g_assert_true (fp_mapped_sum_add (sum, 1, more, NULL, NULL));
  files = fp_mapped_sum_finish (sum);
  fp_mapped_sum_free (g_steal_pointer (&sum));
  fp_proc_dir_close (&proc);
  again = describe (part);
  g_assert_cmpstr (again, ==, found);
  g_assert_true (fp_mapped_files_is_part (part));
  g_assert_cmpuint (part->n_read, ==, 1);
  g_assert_cmpuint (part->files->len, ==, 3);
  g_assert_cmpuint (fp_mapped_files_get (part, 0)->n_processes, ==, 1);
  g_assert_cmpint (fp_mapped_files_get_holder (part, fp_mapped_files_get (part, 2), 0)->id.pid, ==, 1);
  g_assert_false (fp_mapped_files_is_part (files));
  g_assert_cmpuint (files->files->len, ==, 6);
  g_assert_cmpuint (fp_mapped_files_get (files, 0)->n_processes, ==, 2);
}

static gboolean
stop_cb (guint64 position,
         guint64 whole,
         gpointer data)
{
  return ++*(guint *)data < 2;
}

/* A process with many mappings is given up in its midst. */
static void
test_stop (void)
{
  static const FpMappedProcess process = { { 1, 7100 }, 0, 0 };
  g_autoptr (FpMappings) mappings = make_mappings (1000);
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n_steps = 0;
  FpProcDir proc;

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, &process, 1, G_MAXSIZE);
  g_assert_false (fp_mapped_sum_add (sum, 0, mappings, stop_cb, &n_steps));
  g_assert_cmpuint (n_steps, ==, 2);
  fp_proc_dir_close (&proc);
}

/* A process that could not be read whole leaves nothing, neither files of its own nor memory of those of others. */
static void
test_dropped (void)
{
  static const FpMappedProcess processes[] = { { { 1, 7100 }, 0, 0 }, { { 2, 7100 }, 0, 0 } };
  g_autoptr (FpMappings) few = make_mappings (2), more = make_mappings (5);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autofree char *expected = NULL, *found = NULL;
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint n_steps = 1;
  FpProcDir proc;

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, processes, 2, G_MAXSIZE);
  g_assert_true (fp_mapped_sum_add (sum, 0, few, NULL, NULL));
  files = fp_mapped_sum_get_part (sum, 1);
  expected = describe (files);
  for (guint i = 0; i < fp_mappings_get_n (more); i++)
    {
      FpMapping mapping;

      if (i % 3 == 0)
        fp_mapped_sum_begin (sum, 1, NULL);
      fp_mappings_get (more, i, &mapping);
      fp_mapped_sum_add_mapping (sum, &mapping, &mapping.memory);
    }
  fp_mapped_sum_drop (sum);
  g_clear_pointer (&more, fp_mappings_unref);
  more = make_mappings (1000);
  g_assert_false (fp_mapped_sum_add (sum, 1, more, stop_cb, &n_steps));
  g_clear_pointer (&files, fp_mapped_files_unref);
  files = fp_mapped_sum_finish (sum);
  fp_proc_dir_close (&proc);
  found = describe (files);
  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpuint (files->n_read, ==, 1);
  g_assert_cmpuint (files->n_holders, ==, 3);
}

/* When the time is over in the midst of a process, the rest of its files are one, and no memory is lost. */
static void
test_late (void)
{
  static const FpMappedProcess process = { { 1, 7100 }, 0, 0 };
  g_autoptr (FpMappings) mappings = make_mappings (200);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpMappedSum) sum = NULL;
  g_auto (Fixture) fixture = { 0 };
  guint64 rss = 0;
  FpProcDir proc;

  fixture_make_empty (&fixture);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  sum = fp_mapped_sum_new (&proc, &process, 1, G_MAXSIZE);
  fp_mapped_sum_set_end (sum, g_get_monotonic_time () - 1);
  g_assert_true (fp_mapped_sum_add (sum, 0, mappings, NULL, NULL));
  files = fp_mapped_sum_finish (sum);
  fp_proc_dir_close (&proc);
  g_assert_cmpuint (files->files->len, ==, 64);
  g_assert_true (fp_mapped_file_is_rest (fp_mapped_files_get (files, 63)));
  g_assert_cmpuint (fp_mapped_files_get (files, 63)->n_mappings, ==, 201 - 63);
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMemory memory;

      fp_mapped_file_get_memory (fp_mapped_files_get (files, i), &memory);
      rss += fp_memory_get (&memory, FP_FIELD_RSS);
    }
  g_assert_cmpuint (rss, ==, 201 * 4 * 1024);
}

/* Reads all of them, in a process whose memory nothing else has grown. */
static void
read_namespaces (const Fixture *fixture)
{
  g_autoptr (FpMappedFiles) files = read_files (fixture, N_NAMESPACES);
  g_autofree char *found = describe (files), *expected = g_strdup_printf ("/snapshot/lib/x.so constants %u %u %u\n", N_NAMESPACES,
                                                                          N_NAMESPACES, 8 * N_NAMESPACES);
  struct rusage usage;

  g_assert_cmpstr (found, ==, expected);
  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  g_test_message ("%ld KiB", usage.ru_maxrss);
  g_assert_cmpint (usage.ru_maxrss, <, MAX_KIB);
}

/* Whoever makes many namespaces with many mounts each does not fill the memory of who reads them, and all are found. */
static void
test_namespaces (void)
{
  static const Line line = { "r--p 0 00:1e 300", "/snapshot/lib/x.so", 8 };
  g_autoptr (GString) mounts = g_string_new (BTRFS);
  g_auto (Fixture) fixture = { 0 };
  int status;
  pid_t pid;

#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("a sanitizer has memory of its own");
  return;
#endif
  for (guint i = 0; i < N_MOUNTS; i++)
    g_string_append_printf (mounts, "%u 20 0:%u / /mounts/%u rw - tmpfs tmpfs rw\n", 100 + i, 100 + i, i);
  fixture_make_empty (&fixture);
  fixture_write (&fixture, "many-mounts", mounts->str, -1);
  for (guint i = 1; i <= N_NAMESPACES; i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/%u/ns", fixture.proc, i), *link = g_build_filename (folder, "mnt", NULL);
      g_autofree char *id = g_strdup_printf ("mnt:[%u]", i), *info = g_strdup_printf ("%s/%u/mountinfo", fixture.proc, i);

      write_process (&fixture, (gint)i, &line, 1);
      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
      g_assert_cmpint (symlink (id, link), ==, 0);
      g_assert_cmpint (g_unlink (info), ==, 0);
      g_assert_cmpint (symlink ("../many-mounts", info), ==, 0);
    }
  if ((pid = fork ()) == 0)
    {
      read_namespaces (&fixture);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
}

typedef struct
{
  guint n_done;   /* at which the time runs out */
  gint64 *end_us; /* of the monotonic clock */
} Delay;

/* Waits until the time is over. */
static gboolean
delay_cb (guint64 done,
          guint64 all,
          gpointer data)
{
  const Delay *delay = data;

  while (done == delay->n_done && g_get_monotonic_time () <= *delay->end_us)
    g_thread_yield ();
  return TRUE;
}

/* When the time is over, what is left is unread and said to be so; one that shares a memory that was read costs none. User 1,
 * who has most of the processes, has one turn before the others have theirs. */
static void
test_time (void)
{
  static const Line line = { "r--p 0 08:01 7", "/lib/x.so", 8 };
  static const guint32 uids[] = { 1, 1, 1, 1, 2, 3, 1 };
  FpMappedProcess processes[G_N_ELEMENTS (uids)];
  const guint n = G_N_ELEMENTS (uids), n_unread[] = { n, n - 4 };
  g_auto (Fixture) fixture = { 0 };
  FpProcDir proc;

  fixture_make_empty (&fixture);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u/status", i + 1), *status = g_strdup_printf ("Uid:\t%u\t0\t0\t0\n", uids[i]);

      write_process (&fixture, (gint)i + 1, &line, 1);
      fixture_write (&fixture, name, status, -1);
      processes[i] = (FpMappedProcess){ { (gint)i + 1, 7100 }, 0, i == n - 1 ? 1 : 0 };
    }
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  proc.opens_no_files = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (n_unread); i++)
    {
      gint64 end_us = g_get_monotonic_time () + (i == 0 ? -1 : 2 * G_USEC_PER_SEC);
      Delay delay = { i == 0 ? G_MAXUINT : 3, &end_us };
      g_autoptr (FpMappedFiles) files = fp_mapped_files_read_until (&proc, processes, n, end_us, delay_cb, &delay, NULL);

      g_assert_cmpuint (files->n_unread, ==, n_unread[i]);
      g_assert_cmpuint (files->n_read, ==, n - n_unread[i]);
      for (guint j = 0; j < files->n_unread; j++)
        g_assert_false (files->unread[j].is_refused);
      for (guint j = 0; j < n; j++)
        g_assert_cmpint (files->owners[j] != FP_MAPPED_NOT_READ, ==, i == 1 && (j == 0 || j >= 4));
    }
  fp_proc_dir_close (&proc);
}

/* A process with more mappings than the kernel usually allows is left out whole. */
static void
test_long (void)
{
  const FpMappedProcess processes[] = { { { 1, 7100 }, 1, 0 }, { { 2, 7100 }, 1, 0 } };
  g_autofree Line *lines = g_new (Line, N_LONG);
  g_autoptr (FpMappedFiles) files = NULL;
  g_auto (Fixture) fixture = { 0 };
  FpProcDir proc;

  for (guint i = 0; i < N_LONG; i++)
    lines[i] = (Line){ "r--p 0 08:01 7", "/lib/x.so", 8 };
  fixture_make_empty (&fixture);
  write_process (&fixture, 1, lines, N_LONG);
  write_process (&fixture, 2, lines, 65530);
  g_assert_true (fp_proc_dir_open (&proc, fixture.proc, NULL));
  proc.opens_no_files = TRUE;
  files = fp_mapped_files_read_until (&proc, processes, 2, G_MAXINT64, NULL, NULL, NULL);
  fp_proc_dir_close (&proc);
  g_assert_cmpuint (files->n_unread, ==, 1);
  g_assert_cmpuint (files->unread[0].process, ==, 0);
  g_assert_cmpuint (files->n_read, ==, 1);
  g_assert_cmpuint (fp_mapped_files_get (files, 0)->n_mappings, ==, 65530);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  /* It counts memory, so it is the first. */
  g_test_add_func ("/mapped-files/namespaces", test_namespaces);
  g_test_add_func ("/mapped-files/library", test_library);
  g_test_add_func ("/mapped-files/anonymous", test_anonymous);
  g_test_add_func ("/mapped-files/shared-memory", test_shared_memory);
  g_test_add_func ("/mapped-files/subvolumes", test_subvolumes);
  g_test_add_func ("/mapped-files/layers", test_layers);
  g_test_add_func ("/mapped-files/numbers", test_numbers);
  g_test_add_func ("/mapped-files/figures", test_figures);
  g_test_add_func ("/mapped-files/keys", test_keys);
  g_test_add_func ("/mapped-files/odd-names", test_odd_names);
  g_test_add_func ("/mapped-files/none", test_none);
  g_test_add_func ("/mapped-files/many-twins", test_many_twins);
  g_test_add_func ("/mapped-files/holders", test_holders);
  g_test_add_func ("/mapped-files/limit", test_limit);
  g_test_add_func ("/mapped-files/holding-limit", test_holding_limit);
  g_test_add_func ("/mapped-files/for-others", test_for_others);
  g_test_add_func ("/mapped-files/time", test_time);
  g_test_add_func ("/mapped-files/long", test_long);
  g_test_add_func ("/mapped-files/part", test_part);
  g_test_add_func ("/mapped-files/stop", test_stop);
  g_test_add_func ("/mapped-files/dropped", test_dropped);
  g_test_add_func ("/mapped-files/late", test_late);
  return g_test_run ();
}
