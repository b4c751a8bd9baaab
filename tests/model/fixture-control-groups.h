// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

/* Control groups made by hand. Add parents before their children; each is in the one whose path its own begins with. */
FpControlGroups *fixture_control_groups_new (void);
FpControlGroup *fixture_control_groups_add (FpControlGroups *self, FpControlKind kind, const char *path, const char *name);
void fixture_control_set (FpControlGroup *group, FpControlField field, guint64 figure);

G_END_DECLS
