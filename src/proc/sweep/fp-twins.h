// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-process-reader.h"

G_BEGIN_DECLS

guint fp_twins_mark (FpTracked *tracked, FpProcess *processes, guint n);

G_END_DECLS
