// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-file-identity.h"
#include "fp-mapped-files.h"
#include "fp-mapping-reader.h"

G_BEGIN_DECLS

/* Adds up the mappings of one process after the other. */
typedef struct _FpMappedSum FpMappedSum;

/* max_size: bytes for files and their names; those of which no more can be kept are one */
FpMappedSum *fp_mapped_sum_new (const FpProcDir *proc, const FpMappedProcess *processes, guint n, gsize max_size);
void fp_mapped_sum_free (FpMappedSum *self);
void fp_mapped_sum_set_end (FpMappedSum *self, gint64 end_us);

/* Either a process that was read, or one whose mappings come one by one: begin, add_mapping, and end or drop.
 * step: (nullable): called now and then; FALSE: to give it up */
gboolean fp_mapped_sum_add (FpMappedSum *self,
                            guint process,
                            const FpMappings *mappings,
                            FpMappingStepFunc step,
                            gpointer data);
gboolean fp_mapped_sum_needs_root (const FpMappedSum *self);
void fp_mapped_sum_begin (FpMappedSum *self, guint process, FpFileRoot *root);
void fp_mapped_sum_add_mapping (FpMappedSum *self, const FpMapping *mapping, const FpMemory *memory);
gboolean fp_mapped_sum_end (FpMappedSum *self, const FpMappings *rest, FpMappingStepFunc step, gpointer data);
void fp_mapped_sum_drop (FpMappedSum *self);

void fp_mapped_sum_add_twin (FpMappedSum *self, guint process, guint owner);
void fp_mapped_sum_add_unread (FpMappedSum *self, guint process, gboolean is_refused);
FpMappedFiles *fp_mapped_sum_get_part (const FpMappedSum *self, guint n_tried);
FpMappedFiles *fp_mapped_sum_finish (FpMappedSum *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpMappedSum, fp_mapped_sum_free)

G_END_DECLS
