// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-page-map.h"
#include "fp-stat.h"

G_BEGIN_DECLS

/* Reads a page map in small pieces with pauses, so that the process is held up no more than 1 ms at a time. */
typedef struct _FpPageMapReader FpPageMapReader;

FpPageMapReader *fp_page_map_reader_new (
    const FpProcDir *proc, const FpProcessId *id, guint64 start, guint64 end, guint max_bins, GError **error);
void fp_page_map_reader_free (FpPageMapReader *self);
gboolean fp_page_map_reader_step (FpPageMapReader *self, gint64 deadline_us, GError **error);
guint64 fp_page_map_reader_get_position (const FpPageMapReader *self);
FpPageMap *fp_page_map_reader_finish (FpPageMapReader *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpPageMapReader, fp_page_map_reader_free)

G_END_DECLS
