// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_GATE_MAX_MESSAGE (64 * 1024)

/* A connection to the system bus through which nothing big comes in. */
GDBusConnection *fp_gate_get_bus (GError **error);

/* Both take their descriptors. */
void fp_gate_pass_in (int from, int to);
void fp_gate_pass_out (int from, int to);

G_END_DECLS
