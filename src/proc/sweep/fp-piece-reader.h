// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-estimate.h"
#include "fp-proc-dir.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

typedef enum
{
  FP_PIECES_MORE, /* the time is over */
  FP_PIECES_DONE,
  FP_PIECES_FAILED,
} FpPiecesState;

/* Reads smaps of a big process mapping by mapping, with pauses, over as many collections as it takes. The lock of its
 * memory is held for one mapping at a time, where smaps_rollup holds it for all. From Linux 6.4 on only changes of its
 * mappings wait for that lock; before, each page fault does. */
typedef struct
{
  FpProcessId id;
  int fd; /* -1: not reading */
  char *text;
  gsize length;
  FpFieldOrder order;
  gint64 pause_us;    /* the time of the next pause */
  guint64 longest_us; /* CPU time of the longest read */
  guint64 held_us;    /* CPU time of all reads */

  gboolean is_shmem; /* the mapping that is being read */
  FpMemory mapping;
  /* Sums of the mappings so far */
  FpEnds anon;
  FpEnds shmem;
  FpEnds rest; /* files, and shared memory that can't be told from them */
  FpEnds swap;
  guint64 shmem_rss;
  FpMemory sums; /* figures that the kernel does not round for each mapping, so not PSS */
} FpPieceReader;

void fp_piece_reader_init (FpPieceReader *self);
void fp_piece_reader_clear (FpPieceReader *self);
void fp_piece_reader_stop (FpPieceReader *self);
guint64 fp_piece_reader_find_largest (const FpProcDir *proc, gint pid);
int fp_piece_reader_begin (FpPieceReader *self, const FpProcDir *proc, const FpProcess *process);
FpPiecesState fp_piece_reader_step (FpPieceReader *self, gint64 deadline_us);
void fp_piece_reader_get_parts (const FpPieceReader *self, FpEstimate *estimate);

static inline gboolean
fp_piece_reader_is_running (const FpPieceReader *self)
{
  return self->fd >= 0;
}

G_END_DECLS
