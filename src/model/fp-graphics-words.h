// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-kept.h"

G_BEGIN_DECLS

char *fp_graphics_words_describe (const FpKept *kept, const FpProcessId *id, const FpFormat *format);

G_END_DECLS
