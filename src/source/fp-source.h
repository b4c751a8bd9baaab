// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-details.h"
#include "fp-ending.h"
#include "fp-mapping.h"
#include "fp-page-map.h"
#include "fp-sweep.h"

G_BEGIN_DECLS

#define FP_TYPE_SOURCE (fp_source_get_type ())

G_DECLARE_INTERFACE (FpSource, fp_source, FP, SOURCE, GObject)

/* Addresses at multiples of the page size, and how many bins at most their pages are told in */
typedef struct
{
  guint64 start;
  guint64 end;
  guint max_bins;
} FpPageRange;

/* Where snapshots come from: this process, a helper, a file. One collection at a time. What each of these comes back with
 * is a GTask, which may be that of another source that was asked in its place. */
struct _FpSourceInterface
{
  GTypeInterface parent;

  void (*collect_async) (FpSource *self,
                         const FpSweepRequest *request,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer data);

  /* NULL: it has none */
  void (*load_mappings_async) (FpSource *self,
                               const FpProcessId *id,
                               gboolean may_ask,
                               GCancellable *cancellable,
                               GFileProgressCallback progress,
                               gpointer progress_data,
                               GAsyncReadyCallback callback,
                               gpointer data);

  /* NULL: it has none */
  void (*load_details_async) (FpSource *self,
                              const FpProcessId *id,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data);

  /* NULL: it can't */
  void (*map_pages_async) (FpSource *self,
                           const FpProcessId *id,
                           const FpPageRange *range,
                           GCancellable *cancellable,
                           GFileProgressCallback progress,
                           gpointer progress_data,
                           GAsyncReadyCallback callback,
                           gpointer data);

  /* NULL: it can't */
  void (*load_ending_async) (FpSource *self,
                             const FpEndingMember *members,
                             guint n,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer data);
};

void fp_source_collect_async (FpSource *self,
                              const FpSweepRequest *request,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer data);
FpSnapshot *fp_source_collect_finish (FpSource *self, GAsyncResult *result, GError **error);

void fp_source_load_mappings_async (FpSource *self,
                                    const FpProcessId *id,
                                    gboolean may_ask,
                                    GCancellable *cancellable,
                                    GFileProgressCallback progress,
                                    gpointer progress_data,
                                    GAsyncReadyCallback callback,
                                    gpointer data);
FpMappings *fp_source_load_mappings_finish (FpSource *self, GAsyncResult *result, GError **error);

void fp_source_load_details_async (FpSource *self,
                                   const FpProcessId *id,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer data);
FpDetails *fp_source_load_details_finish (FpSource *self, GAsyncResult *result, GError **error);

void fp_source_map_pages_async (FpSource *self,
                                const FpProcessId *id,
                                const FpPageRange *range,
                                GCancellable *cancellable,
                                GFileProgressCallback progress,
                                gpointer progress_data,
                                GAsyncReadyCallback callback,
                                gpointer data);
FpPageMap *fp_source_map_pages_finish (FpSource *self, GAsyncResult *result, GError **error);

void fp_source_load_ending_async (FpSource *self,
                                  const FpEndingMember *members,
                                  guint n,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer data);
FpEnding *fp_source_load_ending_finish (FpSource *self, GAsyncResult *result, GError **error);

G_END_DECLS
