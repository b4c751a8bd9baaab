// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-reader.h"

G_BEGIN_DECLS

#define FP_MAPPING_MAX_SHORT_PATH 72 /* bytes of a path that stay, beside an ellipsis */

gboolean fp_mappings_copy_within (const FpProcDir *proc,
                                  const FpProcessId *id,
                                  gsize max_long,
                                  FpMappingTextFunc take,
                                  FpMappingConfirmFunc confirm,
                                  gpointer data,
                                  GError **error);
void fp_mapping_shorten (GString *line, const char *text, gsize length, GString *output);

G_END_DECLS
