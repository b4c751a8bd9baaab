// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-kept.h"

G_BEGIN_DECLS

/* The helper's answer about what is kept in memory: when it was read, how many processes could not be looked at or were
 * not yet, flags; file systems, held files, graphics, their holders, the processes whose graphics are known, segments. */
#define FP_KEPT_MESSAGE_TYPE "(tuuua(tsttiuu)a(ttstiuu)a(utssitttttu)a(iu)a(it)a(ttiutttu))"

#define FP_KEPT_MESSAGE_MAX 65536 /* entries of each list */

GVariant *fp_kept_message_pack (const FpKept *kept);
FpKept *fp_kept_message_parse (GVariant *message, GError **error);

G_END_DECLS
