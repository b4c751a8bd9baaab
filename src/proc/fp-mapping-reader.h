// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* How much of the resident memory, in bytes, is behind what was read; whole is 0 where it is not known. FALSE: to stop */
typedef gboolean (*FpMappingStepFunc) (guint64 position, guint64 whole, gpointer data);

FpMappings *fp_mappings_read (
    const FpProcDir *proc, const FpProcessId *id, FpMappingStepFunc step, gpointer data, GError **error);

gboolean fp_mappings_copy (const FpProcDir *proc, const FpProcessId *id, int fd, gsize max_size, GError **error);

G_END_DECLS
