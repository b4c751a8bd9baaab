// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <zstd.h>

#include "fp-saved-file.h"
#include "fp-snapshot-groups.h"
#include "fp-snapshot-mapped.h"
#include "fuzz.h"

#define HEADER 20

/* All that is in a file. */
typedef struct
{
  FpSnapshot *snapshot;
  FpMappedFiles *files;
  FpControlGroups *groups;
} Saved;

static void
saved_clear (Saved *self)
{
  g_clear_pointer (&self->snapshot, fp_snapshot_unref);
  g_clear_pointer (&self->files, fp_mapped_files_unref);
  g_clear_pointer (&self->groups, fp_control_groups_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Saved, saved_clear)

/* Packs and unpacks. */
static void
repack (const Saved *self,
        Saved *again)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = fp_saved_file_pack (self->snapshot, self->files, self->groups, TRUE, &error);

  FUZZ_ASSERT (packed);
  again->snapshot = fp_saved_file_unpack (packed, &again->files, &again->groups, &error);
  FUZZ_ASSERT (again->snapshot && !again->files == !self->files && !again->groups == !self->groups);
}

static gboolean
are_equal (const Saved *a,
           const Saved *b)
{
  g_autoptr (GBytes) block_of_a = fp_snapshot_to_bytes_with_files (a->snapshot, a->files);
  g_autoptr (GBytes) block_of_b = fp_snapshot_to_bytes_with_files (b->snapshot, b->files);
  g_autoptr (GBytes) groups_of_a = a->groups ? fp_control_groups_to_bytes (a->groups) : NULL;
  g_autoptr (GBytes) groups_of_b = b->groups ? fp_control_groups_to_bytes (b->groups) : NULL;

  return g_bytes_equal (block_of_a, block_of_b) && (!groups_of_a || g_bytes_equal (groups_of_a, groups_of_b));
}

static void
try (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_auto (Saved) saved = { 0 }, first = { 0 }, second = { 0 };

  saved.snapshot = fp_saved_file_unpack (bytes, &saved.files, &saved.groups, &error);
  FUZZ_ASSERT ((saved.snapshot == NULL) == (error != NULL));
  FUZZ_ASSERT (saved.snapshot || (!saved.files && !saved.groups));
  if (!saved.snapshot)
    return;
  repack (&saved, &first);
  repack (&first, &second);
  FUZZ_ASSERT (are_equal (&first, &second));
}

/* The input as the groups of a file: what opens is saved as the same. */
static void
try_groups (const guint8 *data,
            gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size), first = NULL, second = NULL;
  g_autoptr (FpControlGroups) groups = fp_control_groups_from_bytes (bytes), again = NULL;

  if (!groups)
    return;
  first = fp_control_groups_to_bytes (groups);
  again = fp_control_groups_from_bytes (first);
  FUZZ_ASSERT (again);
  second = fp_control_groups_to_bytes (again);
  FUZZ_ASSERT (g_bytes_equal (first, second));
}

/* The input as the block of a file whose frame is right: else the checksum would keep nearly all away from it. */
static void
try_block (const guint8 *data,
           gsize size)
{
  static const guint8 header[HEADER] = { 0x50, 0x2a, 0x4d, 0x18, 12, 0, 0, 0, 'F', 'O', 'O', 'T', 'P', 'R', 'N', 'T', 1, 0, 0, 0 };
  gsize bound = ZSTD_compressBound (size);
  g_autofree guint8 *file = g_malloc (HEADER + bound);
  g_autoptr (GBytes) bytes = NULL;

  memcpy (file, header, HEADER);
  bytes = g_bytes_new (file, HEADER + ZSTD_compress (file + HEADER, bound, data, size, 1));
  try (bytes);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  try (bytes);
  try_block (data, size);
  try_groups (data, size);
  return 0;
}
