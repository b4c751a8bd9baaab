// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  FP_HISTORY_PSS, /* of a control group its memory */
  FP_HISTORY_USS, /* of a control group its own memory */
  FP_HISTORY_RSS, /* a control group has none */
  FP_HISTORY_SWAP,
  FP_N_HISTORY_FIGURES,
} FpHistoryFigure;

#define FP_HISTORY_UNKNOWN G_MAXUINT32

/* Both ends of what was known at a moment. Without a lower end nothing was; without an upper end it may be any more. */
typedef struct
{
  guint32 low_kib[FP_N_HISTORY_FIGURES];
  guint32 high_kib[FP_N_HISTORY_FIGURES];
} FpHistoryEnds;

/* A past is what one record was from one collection to the next, packed: only where it changed, and by how much. */
typedef struct
{
  FpHistoryEnds first;
  FpHistoryEnds last;
  guint32 first_collection;
  guint32 last_collection;
  guint32 start; /* of the changes after the first */
  guint32 end;
  guint32 capacity;
  guint8 *changes;
} FpPast;

/* Walks from the first collection on. What it says holds until the next change. */
typedef struct
{
  const FpPast *past;
  FpHistoryEnds ends;
  FpHistoryEnds next;
  guint32 next_collection; /* G_MAXUINT32: there is no further change */
  guint32 place;           /* after the next change */
} FpPastWalk;

void fp_past_begin (FpPast *self, guint32 collection, const FpHistoryEnds *ends);
void fp_past_clear (FpPast *self);
void fp_past_add (FpPast *self, guint32 collection, const FpHistoryEnds *ends);
void fp_past_forget (FpPast *self, guint32 oldest);

void fp_past_walk_init (FpPastWalk *self, const FpPast *past);
void fp_past_walk_to (FpPastWalk *self, guint32 collection);

static inline gboolean
fp_past_is_calm (const FpPast *self)
{
  return self->start == self->end;
}

G_END_DECLS
