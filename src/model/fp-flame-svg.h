// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-flame.h"

G_BEGIN_DECLS

void fp_flame_svg_write (const FpFlame *flame, guint32 zoomed, const char *title, GString *out);

G_END_DECLS
