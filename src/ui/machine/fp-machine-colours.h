// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-machine-state.h"

G_BEGIN_DECLS

/* As CSS and Pango read them; free memory has the colour of its dot in a legend. */
extern const char *const fp_machine_colours[FP_N_MACHINE_LINES];

G_END_DECLS
