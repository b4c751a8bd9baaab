// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-kept.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* The machine of tests/population, in which somebody fills /tmp between the second and the third reading. */
FpSnapshot *sample_machine_make_snapshot (guint reading);
FpKept *sample_machine_make_kept (guint reading);

G_END_DECLS
