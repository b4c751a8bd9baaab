// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

/* A list of control groups in an answer of the helper: its flags, and its groups. */
#define FP_GROUP_MESSAGE_TYPE "(ua(tttttuuuussat))"

GVariant *fp_group_message_pack (const FpControlGroups *groups);
FpControlGroups *fp_group_message_parse (GVariant *message, GError **error);

G_END_DECLS
