// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

/* An amount that is known to lie between two ends. */
typedef struct
{
  guint64 low;
  guint64 high; /* G_MAXUINT64: there is no upper end */
} FpSpan;

typedef enum
{
  FP_ENDING_STAYS, /* a named file in memory, or a System V segment: it stays without users */
  FP_ENDING_HELD,  /* others that go on use it too */
} FpEndingFate;

typedef struct
{
  FpEndingFate fate;
  guint64 bytes;
  char *name;        /* the file's; or the first holder's comm, "another process" if that is unknown */
  gint pid;          /* the first holder; 0: none, or unknown */
  guint n_others;    /* more programs that hold it */
  gboolean is_least; /* how much more is not known */
  gboolean is_mixed; /* Which of them has which page of it is not known: some goes before all have ended, and one may have none. */
} FpEndingPart;

/* The memory that comes back when some processes end together. It never changes, and nothing in it is guessed. */
typedef struct
{
  guint n;
  guint n_unread;   /* those of n that could not be read; memory.low has their least, and no high end is known then */
  guint64 doubtful; /* how much of memory may not come back, because processes that can't be read may have it, too */
  guint n_closed;   /* so many of these */
  FpSpan memory;    /* page tables and stacks included */
  FpSpan swap;
  FpSpan cache; /* pages of files that stay until the memory is needed */
  FpSpan pool;  /* goes back to the pool of huge pages */
  guint64 page_tables;
  guint64 stacks;   /* the kernel's, one a thread */
  guint64 held_us;  /* Time for which processes may have noticed that they were read */
  GPtrArray *parts; /* by fate, the largest first */
} FpEnding;

/* A process that is to end; least: the bytes that its end gives back at least, used where it may not be read. */
typedef struct
{
  FpProcessId id;
  guint64 least;
} FpEndingMember;

FpEnding *fp_ending_new (guint n);
void fp_ending_free (gpointer self);
void fp_ending_doubt (FpEnding *self, guint64 bytes, guint n_closed);
void fp_ending_add_part (FpEnding *self, const FpEndingPart *part);
void fp_ending_sort (FpEnding *self);

static inline void
fp_span_add (FpSpan *self,
             guint64 low,
             guint64 high)
{
  self->low += low;
  self->high = self->high == G_MAXUINT64 || high == G_MAXUINT64 ? G_MAXUINT64 : self->high + high;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpEnding, fp_ending_free)

G_END_DECLS
