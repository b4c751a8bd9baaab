// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-roster.h"

G_BEGIN_DECLS

guint fp_twins_mark (FpRoster *roster);

G_END_DECLS
