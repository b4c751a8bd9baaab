// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

/* How much of the resident memory, in bytes, is behind what was read; whole is 0 where it is not known. FALSE: to stop */
typedef gboolean (*FpMappingStepFunc) (guint64 position, guint64 whole, gpointer data);

FpMappings *fp_mappings_read (
    const FpProcDir *proc, const FpProcessId *id, FpMappingStepFunc step, gpointer data, GError **error);

/* A piece of the text, or NULL where the reading begins. FALSE: it failed, with errno set */
typedef gboolean (*FpMappingTextFunc) (const char *text, gsize length, gpointer data);

gboolean fp_mappings_copy (
    const FpProcDir *proc, const FpProcessId *id, FpMappingTextFunc take, gpointer data, GError **error);

G_END_DECLS
