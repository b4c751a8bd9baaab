// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-payer.h"
#include "fp-stat.h"

G_BEGIN_DECLS

/* Whether this collection saw a process end. */
typedef enum
{
  FP_LIFE_GOES_ON,
  FP_LIFE_DIED, /* in its walk: the next collection will find a zombie, and no death */
  FP_LIFE_GONE,
} FpLife;

/* Whether its memory was read before. */
typedef enum
{
  FP_TRIAL_NONE,
  FP_TRIAL_MADE,
  FP_TRIAL_DENIED,
} FpTrial;

/* How old the names are that the record has. */
typedef enum
{
  FP_NAMES_KEPT, /* from an earlier collection, or not read yet */
  FP_NAMES_FRESH,
  FP_NAMES_STALE, /* of the program before an exec */
} FpNames;

/* The state that a sweep keeps of a process from one collection to the next, beside its record. */
typedef struct
{
  int stat_fd;
  guint64 folder; /* its inode, which stays the same while stat_fd is open */
  FpStat stat;
  /* The last walk */
  FpFingerprint walked;
  guint64 walked_rss;
  guint64 walked_us;
  guint64 walked_sweep;
  /* The last reading of names and status */
  guint64 named_us;
  guint64 named_sweep;
  guint64 status_rss;
  guint64 judged_faults; /* that it had before its owner was judged */
  FpPayer payer;
  guint is_plain : 1;
  /* Only the functions below change these. */
  FpLife life : 2;
  FpTrial trial : 2;
  FpNames names : 2;
  guint is_wanted : 1;    /* its user asked for it, and it was not walked since */
  guint is_suspect : 1;   /* a process it may share pages with was born or died since its walk */
  guint in_attention : 1; /* in this collection */
  guint is_looked_at : 1; /* the same: its state was read */
} FpTracked;

#define FP_TRACKED_NEW ((FpTracked){ .stat_fd = -1 })

static inline void
fp_tracked_begin_collection (FpTracked *self)
{
  self->life = FP_LIFE_GOES_ON;
  self->in_attention = FALSE;
  self->is_looked_at = FALSE;
  if (self->names == FP_NAMES_FRESH)
    self->names = FP_NAMES_KEPT;
}

static inline void
fp_tracked_note_look (FpTracked *self)
{
  self->is_looked_at = TRUE;
}

/* A wish holds until the process is walked, attention in this collection only. */
static inline void
fp_tracked_take_request (FpTracked *self,
                         gboolean in_attention,
                         gboolean is_wanted)
{
  self->in_attention = in_attention;
  self->is_wanted |= is_wanted;
}

static inline void
fp_tracked_suspect (FpTracked *self)
{
  self->is_suspect = TRUE;
}

/* One that was denied before stays so until note_trial says otherwise. */
static inline void
fp_tracked_begin_walk (FpTracked *self,
                       guint64 now_us)
{
  if (self->trial == FP_TRIAL_NONE)
    self->trial = FP_TRIAL_MADE;
  self->is_suspect = self->is_wanted = FALSE;
  self->walked_us = now_us;
}

static inline void
fp_tracked_note_trial (FpTracked *self,
                       FpTrial trial)
{
  self->trial = trial;
}

static inline void
fp_tracked_note_names (FpTracked *self,
                       FpNames names)
{
  self->names = names;
}

static inline void
fp_tracked_note_end (FpTracked *self,
                     FpLife life)
{
  self->life = life;
}

static inline gboolean
fp_tracked_was_tried (const FpTracked *self)
{
  return self->trial != FP_TRIAL_NONE;
}

G_END_DECLS
