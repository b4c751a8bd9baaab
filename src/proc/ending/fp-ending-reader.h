// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-ending.h"
#include "fp-mapping-reader.h"

G_BEGIN_DECLS

/* Reads what ending these processes together gives back: their smaps, a piece at a time with pauses, and who else maps or
 * holds the same objects. step is asked whether to go on. */
FpEnding *fp_ending_read (const FpProcDir *proc,
                          const FpEndingMember *members,
                          guint n,
                          FpMappingStepFunc step,
                          gpointer data,
                          GError **error);

G_END_DECLS
