// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "fp-snapshot-file.h"

#define MAGIC           "FOOTPRNT"
#define BYTE_ORDER_MARK 0x01020304
#define SCHEMA          1
#define MAX_FIELDS      64
#define MAX_TEXTS       64
#define MAX_FIGURE      (G_GUINT64_CONSTANT (1) << 56) /* the largest address space; sums may still overflow */
#define MAX_PROCESSES   (4 * 1024 * 1024)              /* the kernel's PID_MAX_LIMIT */
#define PIECE_SIZE      (64 * 1024)
#define PROCESS_HEAD    offsetof (FpProcess, texts)
#define ALIGN(size)     (((size) + 7) & ~(gsize)7)

/* The block of DESIGN section 3: header, system, processes, strings; each padded to 8 bytes. Counts of fields and
 * texts are in the header, so that a reader with more or fewer of them takes what both know. */
typedef struct
{
  char magic[8];
  guint32 byte_order;
  guint32 schema;
  guint32 n_fields; /* up to the last one that is known of any process */
  guint32 n_texts;
  guint32 n_system_fields;
  guint32 n_swaps;
  guint32 n_huge_pools;
  guint32 n_ranges; /* 0 where no process has any, and in files from before there were any */
  guint64 n_processes;
  guint64 strings_size;
  FpSnapshotInfo info;
} Header;

typedef struct
{
  const guint8 *at;
  gsize left;
} Reader;

/* The mask of ranged figures and their upper ends are there where any can be. */
static gsize
get_ranges_size (guint n_ranges)
{
  return n_ranges > 0 ? sizeof (guint64) * (1 + n_ranges) : 0;
}

static gsize
process_size (const Header *header)
{
  return ALIGN (PROCESS_HEAD) + sizeof (guint64) * (1 + header->n_fields) + get_ranges_size (header->n_ranges) +
         ALIGN (sizeof (guint32) * header->n_texts);
}

/* Into memory that is big enough, or by pieces that stay in the processor's cache into a file. */
typedef struct
{
  guint8 *buffer;
  gsize used;
  gsize capacity;
  int fd;
  int error; /* or 0 */
} Writer;

static void
write_out (Writer *writer,
           const guint8 *data,
           gsize size)
{
  while (size > 0 && writer->error == 0)
    {
      gssize n = write (writer->fd, data, size);

      if (n < 0 && errno != EINTR)
        writer->error = errno;
      if (n > 0)
        {
          data += n;
          size -= (gsize)n;
        }
    }
}

static void
flush (Writer *writer)
{
  write_out (writer, writer->buffer, writer->used);
  writer->used = 0;
}

/* NULL: it is more than the writer has room for at once. */
static guint8 *
reserve (Writer *writer,
         gsize size)
{
  if (writer->used + size > writer->capacity)
    flush (writer);
  if (size > writer->capacity)
    return NULL;
  writer->used += size;
  return writer->buffer + writer->used - size;
}

static void
append (Writer *writer,
        gconstpointer data,
        gsize size)
{
  static const guint8 zeros[8] = { 0 };
  guint8 *to = reserve (writer, ALIGN (size));

  if (to)
    {
      memcpy (to, data, size);
      memset (to + size, 0, ALIGN (size) - size);
      return;
    }
  write_out (writer, data, size);
  write_out (writer, zeros, ALIGN (size) - size);
}

static guint64
mask_first (guint n)
{
  return n > 0 ? G_MAXUINT64 >> (MAX_FIELDS - n) : 0;
}

/* The mask of figures that nothing can have. Nearly always there is none. */
static guint64
find_absurd (const guint64 *figures,
             guint n)
{
  guint64 any = 0, absurd = 0;
  guint at = 0;

  /* By fours, as one after the other each would wait for the one before. */
  for (; at + 4 <= n; at += 4)
    any |= (figures[at] | figures[at + 1]) | (figures[at + 2] | figures[at + 3]);
  for (; at < n; at++)
    any |= figures[at];
  for (guint i = 0; any > MAX_FIGURE && i < n; i++)
    absurd |= (guint64)(figures[i] > MAX_FIGURE) << i;
  return absurd;
}

/* An absurd figure is left out, because a reader would refuse the whole block. A figure that is not present is 0 in the
 * block, whatever was there before. Most are present. */
static void
append_figures (Writer *writer,
                guint64 present,
                guint64 ranged,
                const guint64 *figures,
                guint n)
{
  guint64 left_out = find_absurd (figures, n), *to = (guint64 *)(gpointer)reserve (writer, sizeof *to * (1 + n));

  g_return_if_fail (to);
  present &= ~left_out;
  to[0] = present;
  memcpy (to + 1, figures, sizeof figures[0] * n);
  for (guint64 absent = mask_first (n) & ~((present | ranged) & ~left_out); absent; absent &= absent - 1)
    to[1 + __builtin_ctzll (absent)] = 0;
}

/* A range of which an end is not to be believed is left out, as a figure is. */
static void
append_ranges (Writer *writer,
               const FpMemory *memory)
{
  guint64 ranged = memory->ranged, ends[FP_N_RANGES];

  for (FpRange range = 0; range < FP_N_RANGES; range++)
    {
      guint64 bit = G_GUINT64_CONSTANT (1) << fp_ranged_fields[range];

      ends[range] = memory->at_most[range];
      if ((ranged & bit) == 0 || ends[range] > MAX_FIGURE || memory->figures[fp_ranged_fields[range]] > MAX_FIGURE)
        {
          ranged &= ~bit;
          ends[range] = 0;
        }
    }
  append (writer, &ranged, sizeof ranged);
  append (writer, ends, sizeof ends);
}

static gboolean
is_absurd (const FpSwap *swap)
{
  return swap->stored > MAX_FIGURE || swap->compressed > MAX_FIGURE || swap->cost > MAX_FIGURE;
}

static gboolean
is_unknown (const FpSwap *swap)
{
  return swap->stored == FP_SWAP_UNKNOWN && swap->compressed == FP_SWAP_UNKNOWN && swap->cost == FP_SWAP_UNKNOWN;
}

static void
append_swap (Writer *writer,
             FpSwap swap)
{
  swap.size = MIN (swap.size, MAX_FIGURE);
  swap.used = MIN (swap.used, MAX_FIGURE);
  if (is_absurd (&swap))
    swap.stored = swap.compressed = swap.cost = FP_SWAP_UNKNOWN;
  append (writer, &swap, sizeof swap);
}

/* The size of the texts is found without asking their block, to which the next sweep appends in its own time: it is up to the
 * end of the last one. */
static Header
make_header (const FpSnapshot *self)
{
  guint64 known = 0, ranged = 0;
  guint n_fields = 0;
  guint32 last = 0;

  for (guint i = 0; i < self->n_processes; i++)
    {
      const FpProcess *process = &self->processes[i];

      ranged |= process->memory.ranged;
      known |= process->memory.present | ranged;
      for (FpText text = 0; text < FP_N_TEXTS; text++)
        last = MAX (last, process->texts[text]);
    }
  while (n_fields < FP_N_FIELDS && known >> n_fields != 0)
    n_fields++;
  return (Header){
    .magic = MAGIC,
    .byte_order = BYTE_ORDER_MARK,
    .schema = SCHEMA,
    .n_fields = n_fields,
    .n_texts = FP_N_TEXTS,
    .n_system_fields = FP_N_SYSTEM_FIELDS,
    .n_swaps = (guint32)self->system.n_swaps,
    .n_huge_pools = (guint32)self->system.n_huge_pools,
    .n_ranges = ranged != 0 ? FP_N_RANGES : 0,
    .n_processes = self->n_processes,
    .strings_size = last + strlen (self->strings->data + last) + 1,
    .info = self->info,
  };
}

static gsize
get_body_size (const Header *header)
{
  return sizeof (guint64) * (1 + header->n_system_fields) + ALIGN (sizeof (FpSwap)) * header->n_swaps +
         ALIGN (sizeof (FpHugePool)) * header->n_huge_pools +
         process_size (header) * header->n_processes + ALIGN (header->strings_size);
}

static void
write_block (Writer *writer,
             const FpSnapshot *self,
             const Header *header)
{
  const FpSystem *system = &self->system;

  append (writer, header, sizeof *header);
  append_figures (writer, system->present, 0, system->figures, FP_N_SYSTEM_FIELDS);
  for (guint i = 0; i < system->n_swaps; i++)
    append_swap (writer, system->swaps[i]);
  for (guint i = 0; i < system->n_huge_pools; i++)
    append (writer, &system->huge_pools[i], sizeof system->huge_pools[i]);
  for (guint i = 0; i < self->n_processes; i++)
    {
      const FpProcess *process = &self->processes[i];

      append (writer, process, PROCESS_HEAD);
      append_figures (writer, process->memory.present, process->memory.ranged, process->memory.figures, header->n_fields);
      if (header->n_ranges > 0)
        append_ranges (writer, &process->memory);
      append (writer, process->texts, sizeof process->texts);
    }
  append (writer, self->strings->data, header->strings_size);
}

/* Returns the number of bytes that fp_snapshot_write () writes. */
gsize
fp_snapshot_get_size (const FpSnapshot *self)
{
  Header header = make_header (self);

  return sizeof header + get_body_size (&header);
}

GBytes *
fp_snapshot_to_bytes (const FpSnapshot *self)
{
  Header header = make_header (self);
  gsize size = sizeof header + get_body_size (&header);
  Writer writer = { .buffer = g_malloc (size), .capacity = size, .fd = -1 };

  write_block (&writer, self, &header);
  return g_bytes_new_take (writer.buffer, writer.used);
}

gboolean
fp_snapshot_write (const FpSnapshot *self,
                   int fd,
                   GError **error)
{
  g_autofree guint8 *buffer = g_malloc (PIECE_SIZE);
  Writer writer = { .buffer = buffer, .capacity = PIECE_SIZE, .fd = fd };
  Header header = make_header (self);

  write_block (&writer, self, &header);
  flush (&writer);
  if (writer.error == 0)
    return TRUE;
  g_set_error_literal (error, G_FILE_ERROR, (gint)g_file_error_from_errno (writer.error), g_strerror (writer.error));
  return FALSE;
}

gboolean
fp_snapshot_refuse (GError **error,
                    const char *why)
{
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("Not a usable Footprint snapshot: %s"), why);
  return FALSE;
}

gboolean
fp_snapshot_refuse_newer (GError **error)
{
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, _ ("A newer version of Footprint saved this, and can open it"));
  return FALSE;
}

static gboolean
take (Reader *reader,
      gpointer data,
      gsize size)
{
  if (reader->left < ALIGN (size))
    return FALSE;
  memcpy (data, reader->at, size);
  reader->at += ALIGN (size);
  reader->left -= ALIGN (size);
  return TRUE;
}

static gboolean
has_absurd_counts (const Header *header)
{
  return header->n_fields > MAX_FIELDS || header->n_texts > MAX_TEXTS || header->n_system_fields > MAX_FIELDS ||
         header->n_ranges > MAX_FIELDS || header->n_swaps > FP_MAX_SWAPS || header->n_huge_pools > FP_MAX_HUGE_POOLS ||
         header->n_processes > MAX_PROCESSES || header->strings_size > G_MAXUINT32;
}

static gboolean
check_header (const Header *header,
              gsize left,
              GError **error)
{
  gsize size;

  if (memcmp (header->magic, MAGIC, sizeof header->magic) != 0)
    return fp_snapshot_refuse (error, _ ("it is some other kind of file"));
  if (header->byte_order != BYTE_ORDER_MARK)
    return fp_snapshot_refuse (error, _ ("it was saved on a machine with another byte order"));
  if (header->schema > SCHEMA)
    return fp_snapshot_refuse_newer (error);
  if (header->schema != SCHEMA || has_absurd_counts (header))
    return fp_snapshot_refuse (error, _ ("its header is damaged"));
  size = get_body_size (header);
  if (size != left)
    return fp_snapshot_refuse (error, size > left ? _ ("it is cut short") : _ ("there is something after its end"));
  if (memchr (header->info.boot_id, '\0', sizeof header->info.boot_id) == NULL ||
      !g_str_is_ascii (header->info.boot_id) || header->info.ticks_per_second == 0 || header->info.page_size == 0)
    return fp_snapshot_refuse (error, _ ("its header is damaged"));
  return TRUE;
}

/* Returns the number of bytes that the snapshot at the beginning says it has; 0: there is none. */
gsize
fp_snapshot_measure (GBytes *bytes)
{
  Reader reader;
  Header header;

  reader.at = g_bytes_get_data (bytes, &reader.left);
  if (!take (&reader, &header, sizeof header) || memcmp (header.magic, MAGIC, sizeof header.magic) != 0 ||
      header.byte_order != BYTE_ORDER_MARK || header.schema != SCHEMA || has_absurd_counts (&header))
    return 0;
  return sizeof header + get_body_size (&header);
}

/* Masks what this version does not know. */
static gboolean
take_figures (Reader *reader,
              guint64 *present,
              guint64 *figures,
              guint n_there,
              guint n_here)
{
  n_here = MIN (n_here, n_there);
  if (!take (reader, present, sizeof *present) || reader->left < sizeof figures[0] * n_there)
    return FALSE;
  memcpy (figures, reader->at, sizeof figures[0] * n_here);
  reader->at += sizeof figures[0] * n_there;
  reader->left -= sizeof figures[0] * n_there;
  *present &= mask_first (n_here);
  return (*present & find_absurd (figures, n_here)) == 0;
}

static gboolean
take_system (Reader *reader,
             FpSystem *system,
             const Header *header)
{
  *system = (FpSystem){ .n_swaps = header->n_swaps, .n_huge_pools = header->n_huge_pools };
  if (!take_figures (reader, &system->present, system->figures, header->n_system_fields, FP_N_SYSTEM_FIELDS))
    return FALSE;
  if (!take (reader, system->swaps, sizeof system->swaps[0] * system->n_swaps) ||
      !take (reader, system->huge_pools, sizeof system->huge_pools[0] * system->n_huge_pools))
    return FALSE;
  for (guint i = 0; i < system->n_swaps; i++)
    {
      const FpSwap *swap = &system->swaps[i];

      if (!memchr (swap->name, '\0', sizeof swap->name) || !g_utf8_validate (swap->name, -1, NULL) ||
          swap->type > FP_SWAP_ZRAM || swap->size > MAX_FIGURE || swap->used > MAX_FIGURE ||
          (is_absurd (swap) && !is_unknown (swap)))
        return FALSE;
    }
  for (guint i = 0; i < system->n_huge_pools; i++)
    {
      const FpHugePool *pool = &system->huge_pools[i];

      if (pool->page_size > MAX_FIGURE || pool->n_total > MAX_FIGURE || pool->n_free > MAX_FIGURE ||
          pool->n_reserved > MAX_FIGURE || pool->n_surplus > MAX_FIGURE)
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_process (const FpProcess *process,
               gint last_pid,
               const FpStringBlock *strings)
{
  if (process->pid <= last_pid || process->ppid < 0 || process->shares_with < 0 || process->reason >= FP_N_REASONS ||
      process->exe_state > FP_EXE_UPDATED || process->main_thread_exited > 1 ||
      process->is_plain > 1 ||
      !g_ascii_isgraph ((gchar)process->state) || ABS (process->oom_score_adj) > 1000)
    return FALSE;
  for (FpText text = 0; text < FP_N_TEXTS; text++)
    {
      guint32 offset = process->texts[text];

      if (offset >= strings->used || (offset > 0 && strings->data[offset - 1] != '\0'))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_range (const FpMemory *memory,
             FpRange range)
{
  FpField field = fp_ranged_fields[range];

  return !fp_memory_has_range (memory, field) ||
         (!fp_memory_has (memory, field) && memory->figures[field] < memory->at_most[range] &&
          memory->at_most[range] <= MAX_FIGURE);
}

/* A range that this version does not know has no figure it could stand for. */
static gboolean
take_ranges (Reader *reader,
             FpMemory *memory,
             const Header *header)
{
  guint64 ends[MAX_FIELDS], ranged, known = 0;
  guint n = MIN (header->n_ranges, FP_N_RANGES);

  if (header->n_ranges == 0)
    return TRUE;
  if (!take (reader, &ranged, sizeof ranged) || !take (reader, ends, sizeof ends[0] * header->n_ranges))
    return FALSE;
  for (FpRange range = 0; range < n; range++)
    {
      memory->at_most[range] = ends[range];
      known |= fp_ranged_fields[range] < header->n_fields ? G_GUINT64_CONSTANT (1) << fp_ranged_fields[range] : 0;
    }
  if (header->n_ranges <= FP_N_RANGES && (ranged & ~known) != 0)
    return FALSE;
  memory->ranged = ranged & known;
  for (FpRange range = 0; range < n; range++)
    if (!check_range (memory, range))
      return FALSE;
  return TRUE;
}

static gboolean
take_process (Reader *reader,
              FpProcess *process,
              const Header *header)
{
  guint32 texts[MAX_TEXTS];

  *process = (FpProcess){ 0 };
  if (!take (reader, process, PROCESS_HEAD) ||
      !take_figures (reader, &process->memory.present, process->memory.figures, header->n_fields, FP_N_FIELDS) ||
      !take_ranges (reader, &process->memory, header) || !take (reader, texts, sizeof texts[0] * header->n_texts))
    return FALSE;
  memcpy (process->texts, texts, sizeof texts[0] * MIN (header->n_texts, FP_N_TEXTS));
  return TRUE;
}

static gboolean
check_strings (const FpStringBlock *strings)
{
  if (strings->used == 0 || strings->data[0] != '\0' || strings->data[strings->used - 1] != '\0')
    return FALSE;
  for (gsize at = 1; at < strings->used; at += strlen (strings->data + at) + 1)
    if (!g_utf8_validate (strings->data + at, -1, NULL))
      return FALSE;
  return TRUE;
}

static gboolean
take_strings (FpSnapshot *self,
              const guint8 *end,
              const Header *header)
{
  self->strings = fp_string_block_new (MAX (header->strings_size, 1));
  self->strings->used = header->strings_size;
  memcpy (self->strings->data, end - ALIGN (header->strings_size), header->strings_size);
  return check_strings (self->strings);
}

static gboolean
is_foreign (GBytes *bytes)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);

  return size > 0 && memcmp (data, MAGIC, MIN (size, strlen (MAGIC))) != 0;
}

/* Whole, once, and as if an enemy had written it. */
FpSnapshot *
fp_snapshot_take_bytes (GBytes *bytes,
                        FpSnapshotPool *pool,
                        GError **error)
{
  g_autoptr (FpSnapshot) self = NULL;
  Reader reader;
  Header header;

  reader.at = g_bytes_get_data (bytes, &reader.left);
  if (!take (&reader, &header, sizeof header))
    {
      fp_snapshot_refuse (error, is_foreign (bytes) ? _ ("it is some other kind of file") : _ ("it is cut short"));
      return NULL;
    }
  if (!check_header (&header, reader.left, error))
    return NULL;

  self = fp_snapshot_pool_take (pool, (guint)header.n_processes);
  self->info = header.info;
  if (!take_strings (self, reader.at + reader.left, &header))
    {
      fp_snapshot_refuse (error, _ ("its texts are damaged"));
      return NULL;
    }
  if (!take_system (&reader, &self->system, &header))
    {
      fp_snapshot_refuse (error, _ ("its figures of the machine are damaged"));
      return NULL;
    }
  for (guint i = 0; i < header.n_processes; i++)
    {
      FpProcess *process = &self->processes[i];
      gint last_pid = i > 0 ? self->processes[i - 1].pid : 0;

      if (!take_process (&reader, process, &header) || !check_process (process, last_pid, self->strings))
        {
          fp_snapshot_refuse (error, _ ("its records are damaged"));
          return NULL;
        }
    }
  self->n_processes = (guint)header.n_processes;
  return g_steal_pointer (&self);
}

FpSnapshot *
fp_snapshot_from_bytes (GBytes *bytes,
                        GError **error)
{
  FpSnapshotPool *pool = fp_snapshot_pool_new ();
  FpSnapshot *self = fp_snapshot_take_bytes (bytes, pool, error);

  fp_snapshot_pool_unref (pool);
  return self;
}
