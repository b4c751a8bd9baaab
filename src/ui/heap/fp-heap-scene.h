// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-figure.h"
#include "fp-heap-follower.h"
#include "fp-heap-records.h"

G_BEGIN_DECLS

#define FP_HEAP_AT_PEAK  G_MAXUINT64
#define FP_HEAP_NO_RANGE G_MAXUINT64
#define FP_HEAP_NO_MARK  (G_MAXUINT64 - 1)

/* A range of time, or a moment. At the peak, costs are of the whole recording, and what was in use is that of the peak. */
typedef struct
{
  guint64 from_ms; /* FP_HEAP_NO_RANGE: it is a moment */
  guint64 to_ms;   /* or FP_HEAP_AT_PEAK */
} FpHeapSpan;

/* The scene that is to be made. It may be compared with another profile as a whole, or with another moment of the same. */
typedef struct
{
  FpHeapSpan span;
  guint64 mark_ms;        /* the moment to compare with; FP_HEAP_NO_MARK: none */
  FpHeapProfile *earlier; /* (nullable): the profile to compare with; time says nothing then */
  char *names[2];         /* (nullable): of the files that are compared, the earlier one first */
  FpFigureStyle style;
  gboolean has_steps;
  FpHeapDirection direction; /* of the steps */
  GHashTable *found;         /* (nullable): keys of functions; steps that lead to none of them are left out */
} FpHeapWish;

/* A heap profile at one moment or in one range, with all that its view shows of it. Made in a worker, and never changed. */
typedef struct
{
  gatomicrefcount ref_count;
  FpHeapWish wish;
  FpHeapProfile *profile;
  FpHeapTree *tree; /* of the profile */
  FpHeapExcerpt excerpt;
  FpHeapSpan span;      /* the known one that is the nearest to the wish */
  char *summary;        /* of the whole recording */
  char *sentence;       /* the summary, or what has changed */
  char *condition;      /* (nullable): what is missing */
  FpRecords *functions; /* in this span */
  FpRecords *libraries;
  FpRecords *steps; /* (nullable) */
} FpHeapScene;

/* Called on the main thread. */
typedef void (*FpHeapProgressFunc) (guint64 position, guint64 whole, gpointer data);

static inline gboolean
fp_heap_span_is_range (const FpHeapSpan *self)
{
  return self->from_ms != FP_HEAP_NO_RANGE;
}

static inline gboolean
fp_heap_span_equal (const FpHeapSpan *a,
                    const FpHeapSpan *b)
{
  return a->from_ms == b->from_ms && a->to_ms == b->to_ms;
}

FpHeapScene *fp_heap_scene_ref (FpHeapScene *self);
void fp_heap_scene_unref (FpHeapScene *self);
gboolean fp_heap_scene_has_moments (const FpHeapScene *self);
guint64 fp_heap_scene_get_end_ms (const FpHeapScene *self);
guint64 fp_heap_scene_get_rss_ms (const FpHeapScene *self);
const char *fp_heap_scene_get_cost_title (const FpHeapScene *self, FpHeapCost cost);

static inline gboolean
fp_heap_wish_is_compared (const FpHeapWish *self)
{
  return self->earlier || self->mark_ms != FP_HEAP_NO_MARK;
}

/* The task has no source: its last reference may go in the worker, where no widget may be finalized. data: also of progress;
 * it has to live until the callback */
void fp_heap_scene_read_async (GFile *file,
                               FpFigureStyle style,
                               FpHeapProgressFunc progress,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data);
/* The follower belongs to one task at a time. is_whole: as fp_heap_follower_read() */
void fp_heap_scene_follow_async (FpHeapFollower *follower,
                                 gboolean is_whole,
                                 FpFigureStyle style,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer data);
void fp_heap_scene_move_async (FpHeapScene *from,
                               const FpHeapWish *wish,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data);
FpHeapScene *fp_heap_scene_finish (GAsyncResult *result, GError **error);

/* Reads a profile to compare with. */
void fp_heap_scene_read_earlier_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
FpHeapProfile *fp_heap_scene_read_earlier_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapScene, fp_heap_scene_unref)

G_END_DECLS
