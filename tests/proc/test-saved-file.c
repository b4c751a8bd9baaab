// SPDX-License-Identifier: GPL-3.0-or-later
#include <stddef.h>
#include <string.h>

#include "fixture.h"
#include "fp-saved-file.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"

#define HEADER_SIZE 20
#define AT_FORMAT   16
#define SECRET      "--password=hunter2"

/* A snapshot with every figure, every kind of range and every text, the files of two processes, and a few groups */
typedef struct
{
  FpSnapshot *snapshot;
  FpMappedFiles *files;
  FpControlGroups *groups;
} Saved;

static void
fill (FpSnapshot *snapshot)
{
  FpStrings strings;

  fp_strings_init (&strings, 64);
  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      FpProcess *process = &snapshot->processes[i];

      process->memory = (FpMemory){ 0 };
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        if (field % (i % 3 + 1) == 0)
          fp_memory_set (&process->memory, field, 4096 * (1 + (guint64)field) * (1 + i));
      for (FpRange range = 0; range < FP_N_RANGES; range++)
        if (!fp_memory_has (&process->memory, fp_ranged_fields[range]))
          fp_memory_set_range (&process->memory, fp_ranged_fields[range], 1000 * i, 1000 * i + 1 + range);
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        {
          g_autofree char *words = g_strdup_printf ("text %u of %u %s", (guint)text, i, text == FP_TEXT_COMMAND ? SECRET : "");

          process->texts[text] = fp_strings_intern (&strings, words);
        }
    }
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    fp_system_set (&snapshot->system, field, 1000 + field);
  fp_string_block_unref (snapshot->strings);
  snapshot->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
}

static void
set_up (Saved *self,
        gconstpointer data)
{
  g_autofree char *folder = fixture_get_original ("saved");
  g_autofree char *path = g_build_filename (folder, "files-1.footprint", NULL), *text = NULL;
  g_autoptr (FpSnapshot) with_files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  bytes = g_bytes_new (text, size);
  with_files = fp_saved_file_unpack (bytes, &self->files, &groups, &error);
  g_assert_no_error (error);
  g_assert_null (groups);
  self->snapshot = fixture_sweep_original ("desktop");
  fill (self->snapshot);
  self->groups = fixture_make_groups ();
}

static void
tear_down (Saved *self,
           gconstpointer data)
{
  fp_snapshot_unref (self->snapshot);
  fp_mapped_files_unref (self->files);
  fp_control_groups_unref (self->groups);
}

static void
assert_same (const FpSnapshot *a,
             const FpSnapshot *b,
             gboolean with_commands)
{
  g_assert_cmpmem (&a->info, sizeof a->info, &b->info, sizeof b->info);
  g_assert_cmpuint (a->system.present, ==, b->system.present);
  g_assert_cmpmem (a->system.figures, sizeof a->system.figures, b->system.figures, sizeof b->system.figures);
  g_assert_cmpmem (a->system.swaps, sizeof a->system.swaps[0] * a->system.n_swaps, b->system.swaps,
                   sizeof b->system.swaps[0] * b->system.n_swaps);
  g_assert_cmpuint (a->n_processes, ==, b->n_processes);
  for (guint i = 0; i < a->n_processes; i++)
    {
      const FpProcess *x = &a->processes[i], *y = &b->processes[i];

      g_assert_cmpmem (x, offsetof (FpProcess, texts), y, offsetof (FpProcess, texts));
      g_assert_cmphex (x->memory.present, ==, y->memory.present);
      g_assert_cmphex (x->memory.ranged, ==, y->memory.ranged);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          guint64 low[2] = { 0 }, high[2] = { 0 };

          g_assert_cmpuint (fp_memory_get (&x->memory, field), ==, fp_memory_get (&y->memory, field));
          g_assert_true (fp_memory_get_ends (&x->memory, field, &low[0], &high[0]) ==
                         fp_memory_get_ends (&y->memory, field, &low[1], &high[1]));
          g_assert_cmpuint (low[0], ==, low[1]);
          g_assert_cmpuint (high[0], ==, high[1]);
        }
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        g_assert_cmpstr (text == FP_TEXT_COMMAND && !with_commands ? "" : fp_snapshot_get_text (a, x, text), ==,
                         fp_snapshot_get_text (b, y, text));
    }
}

static void
test_round_trip (Saved *self,
                 gconstpointer with_commands)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, self->groups, with_commands != NULL, &error);
  g_autoptr (GBytes) block = NULL, files_before = NULL, files_after = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;

  g_assert_no_error (error);
  snapshot = fp_saved_file_unpack (bytes, &files, &groups, &error);
  g_assert_no_error (error);
  assert_same (self->snapshot, snapshot, with_commands != NULL);
  fixture_assert_groups (self->groups, groups);
  files_before = fp_snapshot_to_bytes_with_files (self->snapshot, self->files);
  files_after = fp_snapshot_to_bytes_with_files (self->snapshot, files);
  g_assert_true (g_bytes_equal (files_before, files_after));
  block = fp_snapshot_to_bytes (snapshot);
  g_assert_true ((memmem (g_bytes_get_data (block, NULL), g_bytes_get_size (block), SECRET, strlen (SECRET)) != NULL) ==
                 (with_commands != NULL));
  g_assert_cmpuint (g_bytes_get_size (bytes) * 2, <, g_bytes_get_size (block));
}

/* Texts of processes that have ended are in the block of a sweep, and not in a file. */
static void
test_no_remains (Saved *self,
                 gconstpointer data)
{
  g_autoptr (GBytes) bytes = NULL, block = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;

  self->snapshot->n_processes = 1;
  bytes = fp_saved_file_pack (self->snapshot, NULL, NULL, TRUE, NULL);
  snapshot = fp_saved_file_unpack (bytes, &files, &groups, NULL);
  g_assert_null (files);
  g_assert_null (groups);
  g_assert_cmpuint (snapshot->n_processes, ==, 1);
  block = fp_snapshot_to_bytes (snapshot);
  g_assert_nonnull (memmem (g_bytes_get_data (block, NULL), g_bytes_get_size (block), "of 0", 4));
  g_assert_null (memmem (g_bytes_get_data (block, NULL), g_bytes_get_size (block), "of 1", 4));
}

static void
assert_refused (gconstpointer data,
                gsize size,
                const char *message)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_saved_file_unpack (bytes, &files, &groups, &error);

  g_assert_null (snapshot);
  g_assert_null (files);
  g_assert_null (groups);
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL);
  if (!g_pattern_match_simple (message, error->message))
    g_error ("%" G_GSIZE_FORMAT " bytes: “%s” is not “%s”", size, error->message, message);
}

/* Without groups a file is what programs from before there were any can open; with them they say that it is a later one. */
static void
test_format (Saved *self,
             gconstpointer data)
{
  g_autoptr (GBytes) without = fp_saved_file_pack (self->snapshot, self->files, NULL, TRUE, NULL);
  g_autoptr (GBytes) with = fp_saved_file_pack (self->snapshot, self->files, self->groups, TRUE, NULL);
  const guint8 *plain = g_bytes_get_data (without, NULL), *later = g_bytes_get_data (with, NULL);

  g_assert_cmpuint (plain[AT_FORMAT], ==, 1);
  g_assert_cmpuint (later[AT_FORMAT], ==, 2);
  g_assert_cmpmem (plain, AT_FORMAT, later, AT_FORMAT);
  g_assert_cmpuint (g_bytes_get_size (without), <, g_bytes_get_size (with));
  g_assert_true (memcmp (plain + HEADER_SIZE, later + HEADER_SIZE, g_bytes_get_size (without) - HEADER_SIZE) == 0);
}

/* A frame with what is no list of groups, behind a snapshot that is all right */
static void
test_other_groups (Saved *self,
                   gconstpointer data)
{
  static const guint8 frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x04, 0x21, 0x00, 0x00, 'n', 'o', 'n', 'e' };
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, NULL, TRUE, NULL);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *copy = g_malloc (size + sizeof frame);

  memcpy (copy, g_bytes_get_data (bytes, NULL), size);
  memcpy (copy + size, frame, sizeof frame);
  copy[AT_FORMAT] = 0;
  assert_refused (copy, size, "*: its header is damaged");
  copy[AT_FORMAT] = 2;
  assert_refused (copy, size + sizeof frame, "*: its groups are damaged, or a later version saved them");
}

/* Files from before today's format open, and their figures are those of what they were made of. */
static void
test_earlier (gconstpointer name)
{
  g_autofree char *folder = fixture_get_original ("saved");
  g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
  g_autoptr (FpSnapshot) original = fixture_sweep_original ("desktop"), snapshot = NULL;
  g_autoptr (FpMappedFiles) files = NULL;
  g_autoptr (FpControlGroups) groups = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;

  g_assert_true (g_file_get_contents (path, &text, &size, NULL));
  bytes = g_bytes_new (text, size);
  snapshot = fp_saved_file_unpack (bytes, &files, &groups, &error);
  g_assert_no_error (error);
  g_assert_null (groups);
  g_assert_true ((files != NULL) == g_str_has_prefix (name, "files"));
  g_assert_true (!files || files->files->len > 10);
  g_assert_cmpuint (snapshot->n_processes, ==, original->n_processes);
  for (guint i = 0; i < original->n_processes; i++)
    {
      const FpProcess *x = &original->processes[i], *y = &snapshot->processes[i];

      g_assert_cmpint (x->pid, ==, y->pid);
      for (FpField field = 0; field < FP_N_FIELDS; field++)
        {
          g_assert_cmpint (fp_memory_has (&x->memory, field), ==, fp_memory_has (&y->memory, field));
          g_assert_cmpuint (fp_memory_get (&x->memory, field), ==, fp_memory_get (&y->memory, field));
        }
      g_assert_cmpstr (fp_snapshot_get_text (original, x, FP_TEXT_COMMAND), ==, fp_snapshot_get_text (snapshot, y, FP_TEXT_COMMAND));
    }
}

static void
test_cut_short (Saved *self,
                gconstpointer data)
{
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, self->groups, TRUE, NULL);

  for (gsize size = 0; size < g_bytes_get_size (bytes); size++)
    assert_refused (g_bytes_get_data (bytes, NULL), size, "Not a usable Footprint snapshot: it is cut short*");
}

/* A few bits mean nothing to zstd, such as which of many zeros are repeated. All others are found: no figure ever changes. */
static void
test_damaged (Saved *self,
              gconstpointer data)
{
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, self->files, self->groups, TRUE, NULL);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *copy = g_memdup2 (g_bytes_get_data (bytes, NULL), size);
  guint n_opened = 0;

  for (gsize i = 0; i < size * 8; i++)
    {
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (FpMappedFiles) files = NULL;
      g_autoptr (FpControlGroups) groups = NULL;
      g_autoptr (FpSnapshot) snapshot = NULL;
      g_autoptr (GError) error = NULL;

      copy[i / 8] ^= (guint8)(1 << i % 8);
      damaged = g_bytes_new_static (copy, size);
      snapshot = fp_saved_file_unpack (damaged, &files, &groups, &error);
      copy[i / 8] ^= (guint8)(1 << i % 8);
      g_assert_true ((snapshot == NULL) == (error != NULL));
      g_assert_true ((snapshot == NULL) == (groups == NULL));
      if (!snapshot)
        continue;
      n_opened++;
      assert_same (self->snapshot, snapshot, TRUE);
      fixture_assert_groups (self->groups, groups);
    }
  g_assert_cmpuint (n_opened, <, size * 8 / 100);
}

static void
test_foreign (Saved *self,
              gconstpointer data)
{
  g_autoptr (GBytes) bytes = fp_saved_file_pack (self->snapshot, NULL, NULL, TRUE, NULL);
  gsize size = g_bytes_get_size (bytes);
  g_autofree guint8 *copy = g_malloc0 (size + 8);
  guint8 huge[HEADER_SIZE + 17] = { 0 };

  memcpy (copy, g_bytes_get_data (bytes, NULL), size);
  assert_refused ("%PDF-1.7", 8, "*: it is some other kind of file");
  assert_refused (copy + HEADER_SIZE, size - HEADER_SIZE, "*: it is some other kind of file");
  assert_refused (copy, size + 8, "*: there is something after its end");
  copy[AT_FORMAT] = 3;
  assert_refused (copy, size, "A newer version of Footprint saved this, and can open it");
  copy[AT_FORMAT] = 2;
  assert_refused (copy, size, "*: it is cut short or damaged");

  /* A frame with a window and eight bytes of size, which is 1 TiB, and one empty block */
  memcpy (huge, g_bytes_get_data (bytes, NULL), HEADER_SIZE);
  memcpy (huge + HEADER_SIZE, "\x28\xb5\x2f\xfd\xc0\x00\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00", 17);
  assert_refused (huge, sizeof huge, "*: it says that it is larger than any snapshot");
  huge[HEADER_SIZE + 11] = 0;
  huge[HEADER_SIZE + 8] = 1;
  assert_refused (huge, sizeof huge, "*: it is damaged");
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/saved-file/round-trip/with-commands", Saved, "", set_up, test_round_trip, tear_down);
  g_test_add ("/saved-file/round-trip/without-commands", Saved, NULL, set_up, test_round_trip, tear_down);
  g_test_add ("/saved-file/no-remains", Saved, NULL, set_up, test_no_remains, tear_down);
  g_test_add_data_func ("/saved-file/earlier/plain", "plain-1.footprint", test_earlier);
  g_test_add_data_func ("/saved-file/earlier/files", "files-1.footprint", test_earlier);
  g_test_add ("/saved-file/format", Saved, NULL, set_up, test_format, tear_down);
  g_test_add ("/saved-file/other-groups", Saved, NULL, set_up, test_other_groups, tear_down);
  g_test_add ("/saved-file/cut-short", Saved, NULL, set_up, test_cut_short, tear_down);
  g_test_add ("/saved-file/damaged", Saved, NULL, set_up, test_damaged, tear_down);
  g_test_add ("/saved-file/foreign", Saved, NULL, set_up, test_foreign, tear_down);
  return g_test_run ();
}
