// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-account.h"

G_BEGIN_DECLS

#define FP_TYPE_HELPER (fp_helper_get_type ())

/* Serves the interface on one connection. ::idle: it was not called for a minute, no password stands, and no answer is held */
G_DECLARE_FINAL_TYPE (FpHelper, fp_helper, FP, HELPER, GObject)

FpHelper *fp_helper_new (GDBusConnection *connection, FpAccounts *accounts, GError **error);
gboolean fp_helper_has_password (FpHelper *self);

G_END_DECLS
