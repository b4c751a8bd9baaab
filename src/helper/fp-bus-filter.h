// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-account.h"

G_BEGIN_DECLS

#define FP_BUS_FILTER_MAX_MESSAGE (64 * 1024)

/* Connects to the system bus; messages from it that are too big, and those of a flood, never arrive.
 * accounts: has to live as long as this process */
GDBusConnection *fp_bus_filter_connect (FpAccounts *accounts, GError **error);

/* Both end when one of the sides does, and end the other. */
void fp_bus_filter_pass_in (GSocketConnection *from, GSocketConnection *to, FpAccounts *accounts);
void fp_bus_filter_pass_out (GSocketConnection *from, GSocketConnection *to);

G_END_DECLS
