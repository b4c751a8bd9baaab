// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

/* A list of control groups in an answer of the helper and in a saved file: its flags, and its groups. */
#define FP_GROUP_MESSAGE_TYPE "(ua(tttttuuuussat))"

/* A bit of the mask says that a group has a figure. */
#define FP_GROUP_MESSAGE_MAX_FIELDS 64

GVariant *fp_group_message_pack (const FpControlGroups *groups);
FpControlGroups *fp_group_message_parse (GVariant *message, const FpControlField *fields, guint n_fields, GError **error);

G_END_DECLS
