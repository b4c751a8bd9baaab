// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_SANDBOX_SOURCE (fp_sandbox_source_get_type ())

/* Inside a Flatpak: the system's helper reads, or the agent on the host, or this process; the first that can.
 *
 * ::reader-changed: another one than before */
G_DECLARE_FINAL_TYPE (FpSandboxSource, fp_sandbox_source, FP, SANDBOX_SOURCE, GObject)

FpSource *fp_sandbox_source_new (FpSource *helper, FpSource *agent, const GError *agent_error, FpSource *here);
void fp_sandbox_source_lock (FpSandboxSource *self);
gboolean fp_sandbox_source_is_confined (FpSandboxSource *self);
const GError *fp_sandbox_source_get_helper_error (FpSandboxSource *self);
const GError *fp_sandbox_source_get_agent_error (FpSandboxSource *self);

G_END_DECLS
