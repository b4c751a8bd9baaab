// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FP_FLOOD_BURST      40
#define FP_FLOOD_PER_SECOND 20

/* How often each caller may ask. Of any thread. */
typedef struct _FpFloodGuard FpFloodGuard;

FpFloodGuard *fp_flood_guard_new (void);
void fp_flood_guard_free (FpFloodGuard *self);
gboolean fp_flood_guard_admit (FpFloodGuard *self, const char *sender, gint64 now_us);

G_END_DECLS
