// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-authority.h"
#include "fp-shared-sweep.h"

G_BEGIN_DECLS

#define FP_TYPE_HELPER (fp_helper_get_type ())

/* The interface on one connection.
 *
 * ::idle: nobody has asked for anything for a minute */
G_DECLARE_FINAL_TYPE (FpHelper, fp_helper, FP, HELPER, GObject)

FpHelper *fp_helper_new (GDBusConnection *connection, FpAuthority *authority, GError **error);

G_END_DECLS
