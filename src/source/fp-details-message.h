// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-details.h"

G_BEGIN_DECLS

GVariant *fp_details_message_pack (const FpDetails *details);
FpDetails *fp_details_message_parse (GVariant *message);

G_END_DECLS
