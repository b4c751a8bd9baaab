// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <stddef.h>
#include <string.h>
#include <zstd.h>

#include "fp-capture.h"
#include "fp-saved-file.h"
#include "fp-snapshot-file.h"
#include "fp-snapshot-groups.h"
#include "fp-snapshot-mapped.h"
#include "fp-tar.h"

#define MAGIC      "FOOTPRNT"
#define LEVEL      3                    /* the usual one: a thousand processes take 2 ms */
#define MAX_BLOCK  ((guint64)512 << 20) /* as many as half a million processes have */
#define MAX_GROUPS ((guint64)16 << 20)  /* twice as much as FP_CONTROL_MAX_GROUPS with the longest names have */
#define FRAME      ZSTD_MAGIC_SKIPPABLE_START

/* Programs from before there were any groups open files without them. */
enum
{
  FORMAT_PLAIN = 1,
  FORMAT_GROUPS,
};

/* Every file begins with a frame that zstd skips, so that zstd unpacks it, and file types are told by their first bytes.
 * Behind it is one frame with the block that fp-snapshot-mapped describes, and in FORMAT_GROUPS another with that of
 * fp-snapshot-groups. All numbers are little-endian. */
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
make_header (guint32 format)
{
  return (Header){ GUINT32_TO_LE (FRAME), GUINT32_TO_LE (sizeof (Header) - 8), MAGIC, GUINT32_TO_LE (format) };
}

/* The checksum finds damage that would only change figures. Returns what went wrong; NULL: nothing */
static const char *
append_frame (GByteArray *out,
              GBytes *block)
{
  gsize size = g_bytes_get_size (block), bound = ZSTD_compressBound (size), used, start = out->len;
  ZSTD_CCtx *context = ZSTD_createCCtx ();

  g_byte_array_set_size (out, (guint)(start + bound));
  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  used = ZSTD_compress2 (context, out->data + start, bound, g_bytes_get_data (block, NULL), size);
  ZSTD_freeCCtx (context);
  if (ZSTD_isError (used))
    return ZSTD_getErrorName (used);
  g_byte_array_set_size (out, (guint)(start + used));
  return NULL;
}

/* files, groups: (nullable). The command lines may have passwords in them, so they are left out unless they are asked for.
 * Names of groups tell no more than what the snapshot says of the processes in them. */
GBytes *
fp_saved_file_pack (const FpSnapshot *snapshot,
                    const FpMappedFiles *files,
                    const FpControlGroups *groups,
                    gboolean with_commands,
                    GError **error)
{
  const Header header = make_header (groups ? FORMAT_GROUPS : FORMAT_PLAIN);
  g_autoptr (FpSnapshot) copy = copy_snapshot (snapshot, with_commands);
  g_autoptr (GBytes) block = fp_snapshot_to_bytes_with_files (copy, files);
  g_autoptr (GBytes) of_groups = groups ? fp_control_groups_to_bytes (groups) : NULL;
  g_autoptr (GByteArray) out = g_byte_array_new ();
  const char *problem;

  if (g_bytes_get_size (block) > MAX_BLOCK)
    return fail_to_pack (error, _ ("it is too large"));
  g_byte_array_append (out, (const guint8 *)&header, sizeof header);
  problem = append_frame (out, block);
  if (!problem && of_groups)
    problem = append_frame (out, of_groups);
  return problem ? fail_to_pack (error, problem) : g_byte_array_free_to_bytes (g_steal_pointer (&out));
}

/* Files from before there was any compression are the block alone. */
static gboolean
is_packed (const guint8 *data,
           gsize size)
{
  const Header header = make_header (FORMAT_PLAIN);

  return size > 0 && memcmp (data, &header, MIN (size, offsetof (Header, format))) == 0;
}

/* Returns what is wrong with the first frame, before anything is allocated for what it says it has; NULL: nothing */
static const char *
check_frame (GBytes *frames,
             guint64 most,
             gsize *frame_size,
             guint64 *block_size)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (frames, &size);

  *frame_size = ZSTD_findFrameCompressedSize (data, size);
  *block_size = ZSTD_getFrameContentSize (data, size);
  if (ZSTD_isError (*frame_size))
    return _ ("it is cut short or damaged");
  if (*block_size == ZSTD_CONTENTSIZE_ERROR || *block_size == ZSTD_CONTENTSIZE_UNKNOWN || *block_size == 0)
    return _ ("its header is damaged");
  return *block_size > most ? _ ("it says that it is larger than any snapshot") : NULL;
}

/* Takes the first frame off, and returns what is in it. */
static GBytes *
decompress (GBytes **frames,
            guint64 most,
            GError **error)
{
  g_autoptr (GBytes) all = g_steal_pointer (frames);
  g_autofree guint8 *block = NULL;
  const char *problem;
  gsize size, used;
  guint64 block_size;

  problem = check_frame (all, most, &size, &block_size);
  if (!problem && !(block = g_try_malloc (block_size)))
    problem = _ ("there is no memory for it");
  used = problem ? 0 : ZSTD_decompress (block, block_size, g_bytes_get_data (all, NULL), size);
  if (!problem && (ZSTD_isError (used) || used != block_size))
    problem = _ ("it is damaged");
  if (problem)
    {
      fp_snapshot_refuse (error, problem);
      return NULL;
    }
  *frames = g_bytes_new_from_bytes (all, size, g_bytes_get_size (all) - size);
  return g_bytes_new_take (g_steal_pointer (&block), used);
}

/* Groups whose snapshot can't be used are none: it says in which order their bytes are. */
static FpSnapshot *
open_frames (GBytes *bytes,
             gboolean has_groups,
             FpMappedFiles **files,
             FpControlGroups **groups,
             GError **error)
{
  g_autoptr (GBytes) frames = g_bytes_ref (bytes), block = decompress (&frames, MAX_BLOCK, error), of_groups = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (FpMappedFiles) of_processes = NULL;

  if (!block || (has_groups && !(of_groups = decompress (&frames, MAX_GROUPS, error))))
    return NULL;
  if (g_bytes_get_size (frames) > 0)
    {
      fp_snapshot_refuse (error, _ ("there is something after its end"));
      return NULL;
    }
  if (!(snapshot = fp_snapshot_open_bytes (block, &of_processes, error)))
    return NULL;
  if (of_groups && !(*groups = fp_control_groups_from_bytes (of_groups)))
    {
      fp_snapshot_refuse (error, _ ("its groups are damaged, or a later version saved them"));
      return NULL;
    }
  *files = g_steal_pointer (&of_processes);
  return g_steal_pointer (&snapshot);
}

/* Opens a capture of smemcap, too. files, groups: get the files and the groups, or NULL where none were saved */
FpSnapshot *
fp_saved_file_unpack (GBytes *bytes,
                      FpMappedFiles **files,
                      FpControlGroups **groups,
                      GError **error)
{
  g_autoptr (GBytes) frames = NULL;
  Header header;
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  guint32 format;

  *files = NULL;
  *groups = NULL;
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
  format = GUINT32_FROM_LE (header.format);
  if (format > FORMAT_GROUPS)
    {
      fp_snapshot_refuse_newer (error);
      return NULL;
    }
  if (format < FORMAT_PLAIN)
    {
      fp_snapshot_refuse (error, _ ("its header is damaged"));
      return NULL;
    }
  frames = g_bytes_new_from_bytes (bytes, sizeof header, size - sizeof header);
  return open_frames (frames, format == FORMAT_GROUPS, files, groups, error);
}
