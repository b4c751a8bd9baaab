// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A machine of 32 GiB that five people share, the same at each call: to show, and to measure lists with. */
FpSnapshot *population_make_snapshot (void);

G_END_DECLS
