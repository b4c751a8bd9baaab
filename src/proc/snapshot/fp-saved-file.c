// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stddef.h>
#include <string.h>
#include <zstd.h>

#include "fp-capture.h"
#include "fp-saved-file.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-mapped.h"
#include "fp-tar.h"

#define MAGIC     "FOOTPRNT"
#define FORMAT    1
#define LEVEL     3                    /* the usual one: a thousand processes take 2 ms */
#define MAX_BLOCK ((guint64)512 << 20) /* as many as half a million processes have */
#define FRAME     ZSTD_MAGIC_SKIPPABLE_START

/* Every file begins with a frame that zstd skips, so that zstd unpacks it, and file types are told by their first bytes.
 * Behind it is one frame with the block that fp-snapshot-mapped describes. All numbers are little-endian. */
typedef struct
{
  guint32 frame;
  guint32 frame_size;
  char magic[8];
  guint32 format;
} Header;

G_STATIC_ASSERT (sizeof (Header) == 20);

/* A new block of texts has no remains of processes that have ended, and no command lines where they are left out. */
static FpSnapshot *
copy_snapshot (const FpSnapshot *self,
               gboolean with_commands)
{
  FpSnapshot *copy = fp_snapshot_new (self->n_processes);
  FpStrings strings;

  fp_strings_init (&strings, 4096);
  copy->info = self->info;
  copy->system = self->system;
  for (guint i = 0; i < self->n_processes; i++)
    {
      FpProcess *process = &copy->processes[i];

      *process = self->processes[i];
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        process->texts[text] = text == FP_TEXT_COMMAND && !with_commands
                                   ? 0
                                   : fp_strings_intern (&strings, fp_snapshot_get_text (self, &self->processes[i], text));
    }
  copy->n_processes = self->n_processes;
  copy->strings = fp_string_block_ref (strings.block);
  fp_strings_clear (&strings);
  return copy;
}

static GBytes *
fail_to_pack (GError **error,
              const char *why)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, _ ("The snapshot can’t be packed: %s"), why);
  return NULL;
}

static Header
make_header (void)
{
  return (Header){ GUINT32_TO_LE (FRAME), GUINT32_TO_LE (sizeof (Header) - 8), MAGIC, GUINT32_TO_LE (FORMAT) };
}

/* The checksum finds damage that would only change figures. */
static GBytes *
compress (GBytes *block,
          GError **error)
{
  const Header header = make_header ();
  gsize size = g_bytes_get_size (block), bound = ZSTD_compressBound (size), used;
  g_autofree guint8 *out = g_malloc (sizeof header + bound);
  ZSTD_CCtx *context = ZSTD_createCCtx ();

  memcpy (out, &header, sizeof header);
  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  used = ZSTD_compress2 (context, out + sizeof header, bound, g_bytes_get_data (block, NULL), size);
  ZSTD_freeCCtx (context);
  if (ZSTD_isError (used))
    return fail_to_pack (error, ZSTD_getErrorName (used));
  return g_bytes_new (out, sizeof header + used);
}

/* files: (nullable). The command lines may have passwords in them, so they are left out unless they are asked for. */
GBytes *
fp_saved_file_pack (const FpSnapshot *snapshot,
                    const FpMappedFiles *files,
                    gboolean with_commands,
                    GError **error)
{
  g_autoptr (FpSnapshot) copy = copy_snapshot (snapshot, with_commands);
  g_autoptr (GBytes) block = fp_snapshot_to_bytes_with_files (copy, files);

  if (g_bytes_get_size (block) > MAX_BLOCK)
    return fail_to_pack (error, _ ("it is too large"));
  return compress (block, error);
}

/* Files from before there was any compression are the block alone. */
static gboolean
is_packed (const guint8 *data,
           gsize size)
{
  const Header header = make_header ();

  return size > 0 && memcmp (data, &header, MIN (size, offsetof (Header, format))) == 0;
}

/* Returns what is wrong with the frame, before anything is allocated for what it says it has; NULL: nothing */
static const char *
check_frame (const guint8 *data,
             gsize size,
             guint64 *block_size)
{
  gsize frame_size = ZSTD_findFrameCompressedSize (data, size);

  *block_size = ZSTD_getFrameContentSize (data, size);
  if (ZSTD_isError (frame_size))
    return _ ("it is cut short or damaged");
  if (frame_size != size)
    return _ ("there is something after its end");
  if (*block_size == ZSTD_CONTENTSIZE_ERROR || *block_size == ZSTD_CONTENTSIZE_UNKNOWN || *block_size == 0)
    return _ ("its header is damaged");
  return *block_size > MAX_BLOCK ? _ ("it says that it is larger than any snapshot") : NULL;
}

static GBytes *
decompress (const guint8 *data,
            gsize size,
            GError **error)
{
  g_autofree guint8 *block = NULL;
  const char *problem;
  guint64 block_size;
  gsize used;

  problem = check_frame (data, size, &block_size);
  if (!problem && !(block = g_try_malloc (block_size)))
    problem = _ ("there is no memory for it");
  used = problem ? 0 : ZSTD_decompress (block, block_size, data, size);
  if (!problem && (ZSTD_isError (used) || used != block_size))
    problem = _ ("it is damaged");
  if (!problem)
    return g_bytes_new_take (g_steal_pointer (&block), used);
  fp_snapshot_refuse (error, problem);
  return NULL;
}

/* Opens a capture of smemcap, too. files: gets the files, or NULL where none were saved */
FpSnapshot *
fp_saved_file_unpack (GBytes *bytes,
                      FpMappedFiles **files,
                      GError **error)
{
  g_autoptr (GBytes) block = NULL;
  Header header;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  *files = NULL;
  if (fp_tar_is_one (data, size))
    return fp_capture_open (bytes, files, error);
  if (!is_packed (data, size))
    return fp_snapshot_open_bytes (bytes, files, error);
  if (size < sizeof header)
    {
      fp_snapshot_refuse (error, _ ("it is cut short"));
      return NULL;
    }
  memcpy (&header, data, sizeof header);
  if (header.format != GUINT32_TO_LE (FORMAT))
    {
      fp_snapshot_refuse (error, _ ("it was saved by a later version in another format"));
      return NULL;
    }
  block = decompress (data + sizeof header, size - sizeof header, error);
  return block ? fp_snapshot_open_bytes (block, files, error) : NULL;
}
