// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "fp-saved-file.h"
#include "test-capture.h"

#define KERNEL_THREAD 2
#define ZOMBIE        1650
#define FIREFOX       1500

typedef struct
{
  Fixture tree; /* with the mappings of all processes */
  FpSnapshot *original;
  GByteArray *bytes;
} Capture;

static const CaptureStyle styles[] = { CAPTURE_OF_SMEM, CAPTURE_OF_BUSYBOX, CAPTURE_OF_TAR };

static void
set_up (Capture *self,
        gconstpointer data)
{
  const CaptureStyle style = data ? *(const CaptureStyle *)data : CAPTURE_OF_SMEM;

  fixture_copy (&self->tree, "desktop");
  self->original = fixture_sweep (self->tree.proc);
  self->bytes = g_byte_array_new ();
  capture_begin (self->bytes, style, self->tree.proc);
  for (guint i = 0; i < self->original->n_processes; i++)
    capture_add_process (self->bytes, style, self->tree.proc, self->original->processes[i].pid, "ada");
  capture_end (self->bytes, style);
}

static void
tear_down (Capture *self,
           gconstpointer data)
{
  g_byte_array_unref (self->bytes);
  fp_snapshot_unref (self->original);
  fixture_clear (&self->tree);
}

static FpSnapshot *
open_bytes (gconstpointer data,
            gsize size,
            FpMappedFiles **files,
            GError **error)
{
  g_autofree guint8 *exact = g_memdup2 (data, size);
  g_autoptr (GBytes) bytes = g_bytes_new_static (exact, size);
  g_autoptr (FpControlGroups) groups = NULL;

  return fp_saved_file_unpack (bytes, files, &groups, error);
}

/* smem's way: the sum of the lines that are called so. It knows no other rule. */
static guint64
sum_lines (const char *smaps,
           const char *key)
{
  g_auto (GStrv) lines = g_strsplit (smaps, "\n", -1);
  gsize length = strlen (key);
  guint64 sum = 0;

  for (char **line = lines; *line; line++)
    if (strncmp (*line, key, length) == 0 && (*line)[length] == ':')
      sum += strtoull (*line + length + 1, NULL, 10);
  return sum * 1024;
}

static void
assert_process (const Capture *self,
                const FpProcess *process)
{
  g_autofree char *name = g_strdup_printf ("%d/smaps", process->pid), *smaps = fixture_read (&self->tree, name);
  const FpMemory *memory = &process->memory;

  if (!*smaps)
    {
      g_assert_false (fp_memory_has (memory, FP_FIELD_PSS));
      return;
    }
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PSS), ==, sum_lines (smaps, "Pss"));
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_RSS), ==, sum_lines (smaps, "Rss"));
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_SWAP), ==, sum_lines (smaps, "Swap"));
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_USS), ==,
                    sum_lines (smaps, "Private_Clean") + sum_lines (smaps, "Private_Dirty"));
  g_assert_cmpuint (fp_memory_get (memory, FP_FIELD_PSS), >, 0);
  g_assert_cmpint (process->reason, ==, FP_REASON_NONE);
}

/* Figures are smem's, and names, states and the machine those of the tree that was captured. */
static void
test_figures (Capture *self,
              gconstpointer style)
{
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = open_bytes (self->bytes->data, self->bytes->len, &files, &error);
  guint64 of_files = 0, of_processes = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (snapshot->n_processes, ==, self->original->n_processes);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i], *original = &self->original->processes[i];

      g_assert_cmpint (process->pid, ==, original->pid);
      g_assert_cmpint (process->ppid, ==, original->ppid);
      g_assert_cmpuint (process->start_ticks, ==, original->start_ticks);
      g_assert_cmpint (process->state, ==, original->state);
      g_assert_cmpint (fp_process_is_kernel_thread (process), ==, fp_process_is_kernel_thread (original));
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), ==,
                       fp_snapshot_get_text (self->original, original, FP_TEXT_COMM));
      g_assert_cmpstr (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMMAND), ==,
                       fp_snapshot_get_text (self->original, original, FP_TEXT_COMMAND));
      assert_process (self, process);
      of_processes += fp_memory_get (&process->memory, FP_FIELD_PSS);
    }
  for (guint i = 0; i < files->files->len; i++)
    {
      FpMemory memory;

      fp_mapped_file_get_memory (fp_mapped_files_get (files, i), &memory);
      of_files += fp_memory_get (&memory, FP_FIELD_PSS);
    }
  g_assert_cmpuint (of_files, ==, of_processes);
  g_assert_cmpuint (fp_system_get (&snapshot->system, FP_SYSTEM_MEM_TOTAL), ==,
                    fp_system_get (&self->original->system, FP_SYSTEM_MEM_TOTAL));
  g_assert_cmpint (fp_snapshot_find (snapshot, KERNEL_THREAD)->reason, ==, FP_REASON_KERNEL_THREAD);
  g_assert_cmpint (fp_snapshot_find (snapshot, ZOMBIE)->reason, ==, FP_REASON_ZOMBIE);
}

/* Saved anew it is a snapshot as any other. */
static void
test_saved (Capture *self,
            gconstpointer data)
{
  g_autoptr (FpMappedFiles) files = NULL, files_again = NULL;
  g_autoptr (FpSnapshot) snapshot = open_bytes (self->bytes->data, self->bytes->len, &files, NULL), again = NULL;
  g_autoptr (GBytes) packed = fp_saved_file_pack (snapshot, files, NULL, TRUE, NULL);
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (GError) error = NULL;

  again = fp_saved_file_unpack (packed, &files_again, &groups, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->n_processes, ==, snapshot->n_processes);
  g_assert_cmpuint (files_again->files->len, ==, files->files->len);
  for (guint i = 0; i < again->n_processes; i++)
    assert_process (self, &again->processes[i]);
}

static GByteArray *
make (const CaptureMember *members)
{
  GByteArray *bytes = g_byte_array_new ();

  for (; members->name; members++)
    capture_add (bytes, CAPTURE_OF_SMEM, members);
  return bytes;
}

#define MEMINFO                                                      \
  {                                                                  \
    .name = "meminfo", TEXT_OF ("MemTotal: 1000 kB\n"), .time = 1000 \
  }
#define TEXT_OF(a)  .text = a, .size = sizeof a - 1
#define STAT(state) "(it) " state " 1 7 7 0 -1 0 1 2 3 4 5 6 0 0 20 0 1 0 4200 8192 2\n"
#define SMAPS       "1000-2000 rw-p 0 00:00 0 \nRss: 4 kB\nPss: 3 kB\n"

/* The archive does not say it all: an owner, a reader's permission, a process that was gone meanwhile */
static void
test_gaps (void)
{
  static const CaptureMember members[] = {
    MEMINFO,
    { .name = "7", .uid = 1000, .time = 2000 },
    { .name = "7/smaps", TEXT_OF (SMAPS) },
    { .name = "7/cmdline", TEXT_OF ("/bin/it\0-v\0") },
    { .name = "7/stat", TEXT_OF ("7 " STAT ("S")), .time = 1500 },
    { .name = "8", .uid = 0 },
    { .name = "8/smaps", TEXT_OF ("") },
    { .name = "8/cmdline", TEXT_OF ("") },
    { .name = "8/stat", TEXT_OF ("8 " STAT ("S")), .uid = 33 },
    { .name = "9" },
    { .name = "9/smaps", TEXT_OF ("") },
    { .name = "9/cmdline", TEXT_OF ("") },
    { .name = "9/stat", TEXT_OF ("") },
    { .name = "sys/kernel/9/stat", TEXT_OF ("9 " STAT ("S")) },
    { .name = "../../10/stat", TEXT_OF ("10 " STAT ("S")) },
    { .name = "/11/stat", TEXT_OF ("11 " STAT ("S")) },
    { .name = "99999999999/stat", TEXT_OF ("12 " STAT ("S")) },
    { NULL },
  };
  g_autoptr (GByteArray) bytes = make (members);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = open_bytes (bytes->data, bytes->len, &files, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (snapshot->n_processes, ==, 2);
  g_assert_cmpint (snapshot->processes[0].pid, ==, 7);
  g_assert_cmpuint (snapshot->processes[0].uid, ==, 1000);
  g_assert_cmpuint (fp_memory_get (&snapshot->processes[0].memory, FP_FIELD_PSS), ==, 3 * 1024);
  g_assert_false (fp_memory_has (&snapshot->processes[0].memory, FP_FIELD_USS));
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, &snapshot->processes[0], FP_TEXT_COMMAND), ==, "/bin/it -v");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, &snapshot->processes[0], FP_TEXT_PROGRAM), ==, "it");
  g_assert_cmpstr (fp_snapshot_get_text (snapshot, &snapshot->processes[0], FP_TEXT_USER), ==, "1000");
  g_assert_cmpuint (snapshot->processes[1].uid, ==, 33);
  g_assert_cmpint (snapshot->processes[1].reason, ==, FP_REASON_PERMISSION);
  g_assert_cmpuint (files->n_unread, ==, 1);
  g_assert_cmpuint (snapshot->info.realtime_us, ==, 2000 * G_USEC_PER_SEC);
  g_assert_cmpuint (snapshot->info.boottime_us, ==, 42 * G_USEC_PER_SEC);
}

static void
assert_refused (gconstpointer data,
                gsize size,
                const char *message)
{
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = open_bytes (data, size, &files, &error);

  g_assert_null (snapshot);
  g_assert_null (files);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  if (!g_pattern_match_simple (message, error->message))
    g_error ("%" G_GSIZE_FORMAT " bytes: “%s” is not “%s”", size, error->message, message);
}

/* smemcap marks no end, so an archive that was cut between two processes is as good as a whole one. */
static void
test_cut_short (void)
{
  static const CaptureMember members[] = {
    MEMINFO,
    { .name = "7" },
    { .name = "7/smaps", TEXT_OF (SMAPS) },
    { .name = "7/cmdline", TEXT_OF ("it") },
    { .name = "7/stat", TEXT_OF ("7 " STAT ("S")) },
    { .name = "8" },
    { .name = "8/smaps", TEXT_OF (SMAPS) },
    { .name = "8/cmdline", TEXT_OF ("it") },
    { .name = "8/stat", TEXT_OF ("8 " STAT ("S")) },
    { NULL },
  };
  g_autoptr (GByteArray) bytes = make (members);
  guint n_opened = 0;

  for (gsize size = CAPTURE_BLOCK; size < bytes->len; size++)
    {
      g_autoptr (FpMappedFiles) files = NULL;
      g_autoptr (FpSnapshot) snapshot = open_bytes (bytes->data, size, &files, NULL);

      n_opened += snapshot != NULL;
      if (!snapshot)
        assert_refused (bytes->data, size, "Not a usable capture of smemcap: it is cut short");
      else
        g_assert_cmpuint (snapshot->n_processes, ==, 1);
    }
  g_assert_cmpuint (n_opened, ==, 1);
  for (gsize size = 0; size < CAPTURE_BLOCK; size++)
    assert_refused (bytes->data, size, "Not a usable Footprint snapshot: *");
}

static void
assert_members_refused (const CaptureMember *members,
                        const char *message)
{
  g_autoptr (GByteArray) bytes = make (members);

  assert_refused (bytes->data, bytes->len, message);
}

static void
test_foreign (void)
{
  static const CaptureMember other[] = { { .name = "notes.txt", TEXT_OF ("hello") }, { NULL } };
  static const CaptureMember no_process[] = { MEMINFO, { NULL } };
  static const CaptureMember symbolic[] = { MEMINFO, { .name = "7" }, { .name = "7/smaps", .type = '2' }, { NULL } };
  static const CaptureMember hard[] = { { .name = "meminfo", .type = '1' }, { NULL } };
  g_autoptr (GByteArray) whole = make (no_process);

  assert_members_refused (other, "*an archive of something else");
  assert_members_refused (no_process, "*it is cut short");
  capture_end (whole, CAPTURE_OF_TAR);
  assert_refused (whole->data, whole->len, "*there is no process in it");
  assert_members_refused (symbolic, "*it has links, which are not followed");
  assert_members_refused (hard, "*it has links, which are not followed");
}

/* Sizes and names that lie */
static void
test_damaged (void)
{
  static const CaptureMember members[] = {
    MEMINFO,
    { .name = "7" },
    { .name = "7/smaps", TEXT_OF (SMAPS) },
    { .name = "7/stat", TEXT_OF ("7 " STAT ("S")) },
    { NULL },
  };
  static const char *const sizes[] = { "77777777777", "\377\377\377\377\377\377\377\377\377\377\377\377", "00000001001", "seven" };
  static const char *const messages[] = { "*it is cut short", "*it is damaged", "*it is damaged", "*it is damaged" };
  g_autoptr (GByteArray) bytes = make (members);
  char *header = (char *)bytes->data + 3 * CAPTURE_BLOCK;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      memcpy (header + CAPTURE_SIZE, sizes[i], MIN (strlen (sizes[i]) + 1, 12));
      capture_sign (header);
      assert_refused (bytes->data, bytes->len, messages[i]);
    }
  memset (header, '9', 100);
  memset (header + CAPTURE_USER_NAME + 80, '9', 155);
  memcpy (header + CAPTURE_MAGIC, "ustar\00000", 8);
  g_snprintf (header + CAPTURE_SIZE, 12, "%011o", (guint)strlen (SMAPS));
  capture_sign (header);
  header[CAPTURE_TYPE] = 'x';
  assert_refused (bytes->data, bytes->len, "*it is damaged");
}

/* No bit makes it do worse than refuse. */
static void
test_every_bit (void)
{
  static const CaptureMember members[] = {
    MEMINFO,
    { .name = "7" },
    { .name = "7/smaps", TEXT_OF (SMAPS) },
    { .name = "7/cmdline", TEXT_OF ("it") },
    { .name = "7/stat", TEXT_OF ("7 " STAT ("S")) },
    { NULL },
  };
  g_autoptr (GByteArray) bytes = make (members);
  guint n_refused = 0;

  for (gsize i = 0; i < bytes->len * 8; i++)
    {
      g_autoptr (FpMappedFiles) files = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (FpSnapshot) snapshot = NULL;

      bytes->data[i / 8] ^= (guint8)(1 << i % 8);
      snapshot = open_bytes (bytes->data, bytes->len, &files, &error);
      bytes->data[i / 8] ^= (guint8)(1 << i % 8);
      g_assert_true ((snapshot == NULL) == (error != NULL));
      g_assert_true ((snapshot == NULL) == (files == NULL));
      n_refused += snapshot == NULL;
    }
  g_assert_cmpuint (n_refused, >, 5 * CAPTURE_BLOCK * 8 / 2);
}

/* smem's other source: a copy of /proc with no more than smem reads */
static void
test_folder (Capture *self,
             gconstpointer data)
{
  g_autoptr (FpSnapshot) snapshot = NULL;

  for (guint i = 0; i < self->original->n_processes; i++)
    {
      g_autofree char *name = g_strdup_printf ("%d/smaps_rollup", self->original->processes[i].pid);

      if (fp_memory_has (&self->original->processes[i].memory, FP_FIELD_PSS))
        fixture_remove (&self->tree, name);
    }
  snapshot = fixture_sweep (self->tree.proc);
  g_assert_cmpuint (snapshot->n_processes, ==, self->original->n_processes);
  for (guint i = 0; i < snapshot->n_processes; i++)
    if (!fp_process_is_kernel_thread (&snapshot->processes[i]))
      assert_process (self, &snapshot->processes[i]);
  g_assert_cmpuint (fp_memory_get (&fp_snapshot_find (snapshot, FIREFOX)->memory, FP_FIELD_PSS), >, 0);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/capture/figures/smem", Capture, &styles[0], set_up, test_figures, tear_down);
  g_test_add ("/capture/figures/busybox", Capture, &styles[1], set_up, test_figures, tear_down);
  g_test_add ("/capture/figures/tar", Capture, &styles[2], set_up, test_figures, tear_down);
  g_test_add ("/capture/saved", Capture, NULL, set_up, test_saved, tear_down);
  g_test_add ("/capture/folder", Capture, NULL, set_up, test_folder, tear_down);
  g_test_add_func ("/capture/gaps", test_gaps);
  g_test_add_func ("/capture/cut-short", test_cut_short);
  g_test_add_func ("/capture/foreign", test_foreign);
  g_test_add_func ("/capture/damaged", test_damaged);
  g_test_add_func ("/capture/every-bit", test_every_bit);
  return g_test_run ();
}
