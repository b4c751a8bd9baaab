// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping.h"

G_BEGIN_DECLS

FpMappings *fp_mappings_read (const FpProcDir *proc, const FpProcessId *id, const gint *cancelled, GError **error);

gboolean fp_mappings_copy (const FpProcDir *proc, const FpProcessId *id, int fd, gsize max_size, GError **error);

G_END_DECLS
