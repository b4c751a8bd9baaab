// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

/* Sends a signal to that process and never to another that was given its PID since. */
gboolean fp_signal_send (const FpProcessId *id, int signal, GError **error);

G_END_DECLS
