// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-helper-protocol.h"
#include "fp-standing.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* The bus and the kernel give these facts about a caller. */
typedef struct
{
  guint32 uid;
  guint32 gid;
  char *label; /* (nullable): of the security module */
  FpStanding standing;
} FpCallerFacts;

/* The permission says which processes and figures one caller is given. */
typedef struct
{
  FpAccess access;
  guint32 uid;
  guint32 gid;
  gboolean hides_others; /* some /proc of the machine hides processes */
} FpPermission;

gboolean fp_caller_facts_is_confined (const FpCallerFacts *self);

FpAccess fp_permission_decide (const FpCallerFacts *caller, FpAccess permitted, gboolean has_password);
gboolean fp_permission_owns (const FpPermission *self, const FpOwner *owner);
gboolean fp_permission_may_name (const FpCallerFacts *caller, const FpProcess *process, gboolean hides_others);
gboolean fp_permission_may_read (const FpPermission *self, const FpProcess *process);
gboolean fp_permission_may_list (const FpPermission *self, const FpOwner *owner);
gboolean fp_permission_may_measure (const FpPermission *self, const FpProcess *process);
FpSnapshot *fp_permission_filter (const FpPermission *self, FpSnapshot *snapshot);

G_END_DECLS
