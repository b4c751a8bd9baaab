// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-account.h"

G_BEGIN_DECLS

#define FP_BUS_FILTER_MAX_MESSAGE (64 * 1024)
#define FP_BUS_FILTER_MAX_REST    768 /* of a call, beside a list of ids; the longest of this project's has 600 bytes */

/* The two sides, as long as the process. */
typedef struct
{
  GSocketConnection *bus;
  GSocketConnection *inside;
  FpAccounts *accounts;
} FpBusFilter;

/* Connects to the system bus; messages from it that are too big, or of a flood, never arrive. accounts: lives as long as the process */
GDBusConnection *fp_bus_filter_connect (FpAccounts *accounts, GError **error);

/* Threads for the two ways, with an FpBusFilter. Both end when one of the sides does, and end the other. */
gpointer fp_bus_filter_in_worker (gpointer data);
gpointer fp_bus_filter_out_worker (gpointer data);

G_END_DECLS
