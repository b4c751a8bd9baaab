// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_MAPPING_MAX_SHORT_PATH 72 /* bytes of a path that stay, beside an ellipsis */

void fp_mapping_shorten (GString *line, const char *text, gsize length, GString *output);

G_END_DECLS
