// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-bar.h"
#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_MEMORY_BAR (fp_memory_bar_get_type ())

/* The machine's memory at a glance: who has it, and one bar for each swap device. */
G_DECLARE_FINAL_TYPE (FpMemoryBar, fp_memory_bar, FP, MEMORY_BAR, AdwBin)

void fp_memory_bar_set_narrow (FpMemoryBar *self, gboolean is_narrow);
void fp_memory_bar_set_session (FpMemoryBar *self, FpSession *session);

G_END_DECLS
