// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define FP_BUS_FILTER_MAX_MESSAGE (64 * 1024)

/* Connects to the system bus; messages from it that are too big never arrive. */
GDBusConnection *fp_bus_filter_connect (GError **error);

/* Both take their descriptors. */
void fp_bus_filter_pass_in (int from, int to);
void fp_bus_filter_pass_out (int from, int to);

G_END_DECLS
