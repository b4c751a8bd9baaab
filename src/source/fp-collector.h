// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_COLLECTOR (fp_collector_get_type ())

/* The clock. One collection is in flight at a time, and the next one starts only after the last was shown.
 *
 * ::collected (FpSnapshot *snapshot)
 * ::failed (GError *error) */
G_DECLARE_FINAL_TYPE (FpCollector, fp_collector, FP, COLLECTOR, GObject)

FpCollector *fp_collector_new (FpSource *source);
void fp_collector_set_interval (FpCollector *self, guint interval_ms);
void fp_collector_set_visible (FpCollector *self, gboolean is_visible);
void fp_collector_set_attention (FpCollector *self, const FpProcessId *ids, guint n);
void fp_collector_measure (FpCollector *self, const FpProcessId *id);
void fp_collector_refresh (FpCollector *self);
gboolean fp_collector_awaits_refresh (FpCollector *self);
void fp_collector_shown (FpCollector *self);

G_END_DECLS
