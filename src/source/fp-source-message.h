// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

/* The answer to CONTROL_GROUPS or KEPT, packed. */
GVariant *fp_source_message_read (FpSource *source, FpRequestKind kind, GError **error);

G_END_DECLS
