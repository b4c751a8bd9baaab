// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

/* The control groups of a saved snapshot, in a block of their own behind it. */
GBytes *fp_control_groups_to_bytes (const FpControlGroups *self);
FpControlGroups *fp_control_groups_from_bytes (GBytes *bytes);

G_END_DECLS
