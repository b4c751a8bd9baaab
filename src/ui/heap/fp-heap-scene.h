// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-figure.h"
#include "fp-heap-tree.h"
#include "fp-records.h"

G_BEGIN_DECLS

#define FP_HEAP_AT_PEAK G_MAXUINT64

/* A heap profile at one moment, with all that its view shows of it. Made in a worker, and never changed. */
typedef struct
{
  gatomicrefcount ref_count;
  FpHeapProfile *profile;
  FpHeapTree *tree;
  GArray *stacks;  /* of FpHeapStack, at this moment */
  guint64 time_ms; /* FP_HEAP_AT_PEAK: costs are of the whole recording, and what was in use is that of the peak */
  FpFigureStyle style;
  char *sentence;       /* of the whole recording */
  char *condition;      /* (nullable): what is missing */
  FpRecords *functions; /* at this moment */
  FpRecords *libraries;
} FpHeapScene;

/* Called on the main thread. */
typedef void (*FpHeapProgressFunc) (guint64 position, guint64 whole, gpointer data);

FpHeapScene *fp_heap_scene_ref (FpHeapScene *self);
void fp_heap_scene_unref (FpHeapScene *self);
gboolean fp_heap_scene_has_moments (const FpHeapScene *self);

/* The task has no source: its last reference may go in the worker, where no widget may be finalized. data: also of progress;
 * it has to live until the callback */
void fp_heap_scene_read_async (GFile *file,
                               FpFigureStyle style,
                               FpHeapProgressFunc progress,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data);
void fp_heap_scene_move_async (FpHeapScene *from,
                               guint64 time_ms,
                               FpFigureStyle style,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer data);
FpHeapScene *fp_heap_scene_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpHeapScene, fp_heap_scene_unref)

G_END_DECLS
