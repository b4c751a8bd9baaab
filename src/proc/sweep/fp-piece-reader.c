// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fp-clock.h"
#include "fp-mapping.h"
#include "fp-piece-reader.h"
#include "fp-scan.h"

#define PIECE_SIZE 512 /* less than any mapping's text: the kernel walks one mapping in a read, or none */
#define TEXT_SIZE  (FP_MAPPING_NAME_SIZE * 4 + PIECE_SIZE)
#define PAUSE_US   100 /* without it the reader has the lock again before the other gets it */
#define HOLD_US    100 /* small mappings are read so long without a pause */
#define WALK_US    20  /* a read that takes longer has walked pages */
#define PSS_STEP   1024

#define BEGINS(name, end, prefix) \
  ((gsize)((end) - (name)) >= sizeof prefix - 1 && memcmp (name, prefix, sizeof prefix - 1) == 0)

/* The kernel rounds these down to KiB for each mapping, so that their sums are too small. */
static const FpField rounded[] = { FP_FIELD_PSS, FP_FIELD_PSS_DIRTY, FP_FIELD_SWAP_PSS, FP_FIELD_LOCKED };

void
fp_piece_reader_init (FpPieceReader *self)
{
  *self = (FpPieceReader){ .fd = -1 };
  self->text = g_malloc (TEXT_SIZE);
}

void
fp_piece_reader_stop (FpPieceReader *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
}

void
fp_piece_reader_clear (FpPieceReader *self)
{
  fp_piece_reader_stop (self);
  g_clear_pointer (&self->text, g_free);
}

/* "start-end perms …" */
static void
find_larger (gpointer data,
             const char *line,
             const char *end)
{
  guint64 *largest = data, from, to;

  if (fp_scan_hex (&line, end, '-', &from) && fp_scan_hex (&line, end, ' ', &to) && end - line >= 3 &&
      memcmp (line, "---", 3) != 0)
    *largest = MAX (*largest, fp_less (to, from));
}

/* The address range of the largest mapping that may have pages, from maps, which walks no pages. */
guint64
fp_piece_reader_find_largest (const FpProcDir *proc,
                              gint pid)
{
  g_auto (FpFd) fd = fp_proc_dir_open_file (proc, pid, "maps");
  guint64 largest = 0;

  return fd >= 0 && fp_read_lines (fd, find_larger, &largest) ? largest : G_MAXUINT64;
}

/* 0 or an errno */
int
fp_piece_reader_begin (FpPieceReader *self,
                       const FpProcDir *proc,
                       const FpProcess *process)
{
  g_auto (FpFd) dir = fp_proc_dir_open_memory (proc, process->pid, process->main_thread_exited);
  char *text = self->text;

  if (dir < 0)
    return errno;
  fp_piece_reader_stop (self);
  *self = (FpPieceReader){ .text = text, .id = { process->pid, process->start_ticks } };
  self->fd = openat (dir, "smaps", O_RDONLY | O_CLOEXEC);
  if (self->fd < 0)
    return errno;
  self->mapping.present = self->sums.present = 0;
  fp_field_order_init (&self->order, FP_ORIGIN_SMAPS);
  return 0;
}

static void
add_ends (FpEnds *sum,
          guint64 low,
          guint64 high)
{
  sum->low += low;
  sum->high += high;
}

static void
add_exact (FpPieceReader *self)
{
  guint64 left = self->mapping.present;

  for (guint i = 0; i < G_N_ELEMENTS (rounded); i++)
    left &= ~(G_GUINT64_CONSTANT (1) << rounded[i]);
  for (; left; left &= left - 1)
    {
      FpField field = (FpField)__builtin_ctzll (left);

      fp_memory_set (&self->sums, field, fp_memory_get (&self->sums, field) + self->mapping.figures[field]);
    }
}

/* A mapping without shared pages has its RSS as PSS exactly. Where a mapping has pages of both kinds, its deficit lies in
 * one or the other. */
static void
add_deficit (FpPieceReader *self)
{
  const FpMemory *mapping = &self->mapping;
  guint64 rss = fp_memory_get (mapping, FP_FIELD_RSS), anon = fp_memory_get (mapping, FP_FIELD_ANONYMOUS);
  guint64 shared = fp_memory_get (mapping, FP_FIELD_SHARED_CLEAN) + fp_memory_get (mapping, FP_FIELD_SHARED_DIRTY);
  guint64 high = fp_less (rss, fp_memory_get (mapping, FP_FIELD_PSS)), low = fp_less (high, PSS_STEP);
  guint64 other = fp_less (rss, anon);

  guint64 swap = fp_less (fp_memory_get (mapping, FP_FIELD_SWAP), fp_memory_get (mapping, FP_FIELD_SWAP_PSS));

  add_ends (&self->swap, fp_less (swap, PSS_STEP), swap);
  if (self->is_shmem)
    self->shmem_rss += other;
  if (shared == 0)
    return;
  add_ends (&self->anon, fp_less (low, other), MIN (high, anon));
  add_ends (self->is_shmem ? &self->shmem : &self->rest, fp_less (low, anon), MIN (high, other));
}

static void
finish_mapping (FpPieceReader *self)
{
  if (self->mapping.present == 0)
    return;
  add_exact (self);
  add_deficit (self);
  self->mapping.present = 0;
}

/* "start-end perms offset dev inode   name" */
static void
take_header (FpPieceReader *self,
             const char *line,
             const char *end)
{
  guint n_blanks = 0;

  finish_mapping (self);
  while (line < end && n_blanks < 5)
    n_blanks += *line++ == ' ';
  while (line < end && *line == ' ')
    line++;
  self->is_shmem = BEGINS (line, end, "/memfd:") || BEGINS (line, end, "/SYSV") || BEGINS (line, end, "/dev/shm/") ||
                   BEGINS (line, end, "/dev/zero (deleted)") || BEGINS (line, end, "[anon_shmem:");
  self->order.next = 0;
}

static void
take_lines (FpPieceReader *self)
{
  const char *cursor = self->text, *end = self->text + self->length, *newline;

  while ((newline = memchr (cursor, '\n', (gsize)(end - cursor))))
    {
      const char *line = cursor;

      if (!fp_memory_scan_fields (&self->mapping, &self->order, &cursor, newline + 1))
        take_header (self, line, newline);
      cursor = newline + 1;
    }
  self->length = (gsize)(end - cursor);
  memmove (self->text, cursor, self->length);
}

/* The reader that goes on at once is interrupted for the process it has just woken, with the lock in hand again. */
static void
pause_when_due (FpPieceReader *self,
                guint64 held_us)
{
  gint64 now_us = g_get_monotonic_time ();

  if (held_us < WALK_US && now_us < self->pause_us)
    return;
  g_usleep (PAUSE_US);
  self->pause_us = now_us + PAUSE_US + HOLD_US;
}

FpPiecesState
fp_piece_reader_step (FpPieceReader *self,
                      gint64 deadline_us)
{
  while (g_get_monotonic_time () < deadline_us)
    {
      guint64 start_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID);
      gssize n = read (self->fd, self->text + self->length, MIN (PIECE_SIZE, TEXT_SIZE - self->length));
      guint64 held_us = fp_clock_us (CLOCK_THREAD_CPUTIME_ID) - start_us;

      self->longest_us = MAX (self->longest_us, held_us);
      self->held_us += held_us;
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          finish_mapping (self);
          fp_piece_reader_stop (self);
          return n == 0 && self->sums.present != 0 ? FP_PIECES_DONE : FP_PIECES_FAILED;
        }
      self->length += (gsize)n;
      take_lines (self);
      if (self->length == TEXT_SIZE)
        self->length = 0;
      pause_when_due (self, held_us);
    }
  return FP_PIECES_MORE;
}

/* estimate: with the moment before the first mapping was read. Resident shared memory outside the
 * mappings that are certainly of it is among the files. */
void
fp_piece_reader_get_parts (const FpPieceReader *self,
                           FpEstimate *estimate)
{
  const FpMemory *sums = &self->sums;
  guint64 unseen = fp_less (estimate->moment.whole[FP_PAGES_SHMEM], self->shmem_rss);
  guint64 shared = fp_memory_get (sums, FP_FIELD_SHARED_CLEAN) + fp_memory_get (sums, FP_FIELD_SHARED_DIRTY);
  gboolean has_no_shmem = fp_memory_get (sums, FP_FIELD_SWAP) == estimate->moment.whole[FP_PAGES_SWAP];

  estimate->shared = (FpEnds){ shared, shared };
  estimate->deficit[FP_PAGES_ANON] = self->anon;
  estimate->deficit[FP_PAGES_FILE] = (FpEnds){ fp_less (self->rest.low, unseen), self->rest.high };
  estimate->deficit[FP_PAGES_SHMEM] = (FpEnds){ self->shmem.low, self->shmem.high + MIN (self->rest.high, unseen) };
  estimate->deficit[FP_PAGES_SWAP] = (FpEnds){ has_no_shmem ? self->swap.low : 0, self->swap.high };
}
