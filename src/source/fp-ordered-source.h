// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_ORDERED_SOURCE (fp_ordered_source_get_type ())

/* Inside a Flatpak: the system's helper reads, or the agent on the host, or this process; the first that can.
 *
 * ::reader-changed: another one than before */
G_DECLARE_FINAL_TYPE (FpOrderedSource, fp_ordered_source, FP, ORDERED_SOURCE, GObject)

/* agent: may be NULL */
FpSource *fp_ordered_source_new (FpSource *helper, FpSource *agent, FpSource *here);
gboolean fp_ordered_source_is_confined (FpOrderedSource *self);
const GError *fp_ordered_source_get_helper_error (FpOrderedSource *self);
const GError *fp_ordered_source_get_agent_error (FpOrderedSource *self);

G_END_DECLS
