// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "fp-capture.h"
#include "fp-snapshot-mapped.h"
#include "fp-tar.h"
#include "fuzz.h"

#define CHECKSUM 148

static void
try (const guint8 *data,
     gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size), block = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpMappedFiles) files = NULL, again_files = NULL;
  g_autoptr (FpSnapshot) snapshot = fp_capture_open (bytes, &files, &error), again = NULL;

  FUZZ_ASSERT ((snapshot == NULL) == (error != NULL));
  FUZZ_ASSERT ((snapshot == NULL) == (files == NULL));
  if (!snapshot)
    return;
  block = fp_snapshot_to_bytes_with_files (snapshot, files);
  again = fp_snapshot_open_bytes (block, &again_files, &error);
  FUZZ_ASSERT (again && again->n_processes == snapshot->n_processes);
}

/* Makes checksums right as far as there are headers: else they would keep nearly all input away from what is behind them. */
static void
sign (guint8 *data,
      gsize size)
{
  FpTar tar = { data, size };
  FpTarMember member;

  while (tar.left >= FP_TAR_BLOCK)
    {
      guint8 *header = data + (size - tar.left);
      guint sum = 0;

      memset (header + CHECKSUM, ' ', 8);
      for (guint i = 0; i < FP_TAR_BLOCK; i++)
        sum += header[i];
      g_snprintf ((char *)header + CHECKSUM, 8, "%06o", sum);
      if (fp_tar_next (&tar, &member) != FP_TAR_MEMBER)
        return;
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  g_autofree guint8 *copy = g_malloc (MAX (size, 1));

  try (data, size);
  if (size > 0)
    memcpy (copy, data, size);
  sign (copy, size);
  try (copy, size);
  return 0;
}
