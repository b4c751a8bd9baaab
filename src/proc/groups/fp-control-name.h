// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

typedef struct
{
  FpControlKind kind;
  guint32 uid; /* of a USER, else G_MAXUINT32 */
  char text[FP_CONTROL_MAX_NAME];
} FpControlName;

/* root: the path of the tree's own root, which is not "/" where a container sees only its own groups. */
void fp_control_name_parse (FpControlName *self, const char *path, const char *root);

G_END_DECLS
