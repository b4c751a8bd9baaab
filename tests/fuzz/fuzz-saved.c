// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>
#include <zstd.h>

#include "fp-saved-file.h"
#include "fp-snapshot-mapped.h"
#include "fuzz.h"

#define HEADER 20

/* Packs and unpacks. Returns the block that came back, by which it is compared. */
static GBytes *
repack (const FpSnapshot *snapshot,
        const FpMappedFiles *files,
        FpSnapshot **again,
        FpMappedFiles **again_files)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) packed = fp_saved_file_pack (snapshot, files, TRUE, &error);

  FUZZ_ASSERT (packed);
  *again = fp_saved_file_unpack (packed, again_files, &error);
  FUZZ_ASSERT (*again && (*again_files == NULL) == (files == NULL));
  return fp_snapshot_to_bytes_with_files (*again, *again_files);
}

static void
try (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL, first_files = NULL, second_files = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_saved_file_unpack (bytes, &files, &error), first = NULL, second = NULL;
  g_autoptr (GBytes) first_block = NULL, second_block = NULL;

  FUZZ_ASSERT ((snapshot == NULL) == (error != NULL));
  FUZZ_ASSERT (snapshot || !files);
  if (!snapshot)
    return;
  first_block = repack (snapshot, files, &first, &first_files);
  second_block = repack (first, first_files, &second, &second_files);
  FUZZ_ASSERT (g_bytes_equal (first_block, second_block));
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
  return 0;
}
