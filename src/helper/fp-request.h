// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-permission.h"
#include "fp-sweep.h"

G_BEGIN_DECLS

void fp_request_parse (FpSweepRequest *self, GVariant *arguments, const FpPermission *permission, const FpSnapshot *last);
void fp_request_clear (FpSweepRequest *self);
gboolean fp_request_parse_id (GVariant *arguments, FpProcessId *id);

G_END_DECLS
