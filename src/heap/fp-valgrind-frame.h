// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-builder.h"

G_BEGIN_DECLS

guint32 fp_valgrind_frame_add (FpHeapBuilder *builder, const char *text);

G_END_DECLS
