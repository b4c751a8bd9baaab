// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-permission.h"
#include "fp-sweep.h"

G_BEGIN_DECLS

/* The arguments of Collect, cut to the most that one call may ask for. */
typedef struct
{
  FpSweepRequest sweep; /* with lists of its own */
  gboolean needs_all;
} FpRequest;

void fp_request_parse (FpRequest *self, GVariant *arguments);
void fp_request_clear (FpRequest *self);
void fp_request_restrict (FpRequest *self, const FpPermission *permission, const FpSnapshot *snapshot);
gboolean fp_request_parse_id (GVariant *arguments, FpProcessId *id);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpRequest, fp_request_clear)

G_END_DECLS
