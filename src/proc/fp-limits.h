// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

#define FP_NO_LIMIT G_MAXUINT64

/* What a process may not have more of; FP_NO_LIMIT: as much as there is. */
typedef struct
{
  guint64 address_space;
  guint64 group_max;  /* of its control group and those that is in, the smallest; beyond it something is ended */
  guint64 group_high; /* beyond it all of the group is slowed down */
} FpLimits;

void fp_limits_init (FpLimits *self);
void fp_limits_parse (FpLimits *self, const char *text);
void fp_limits_read_group (FpLimits *self, int groups_fd, const char *path);
gboolean fp_limits_read (FpLimits *self, const FpProcDir *proc, const FpProcessId *id, GError **error);

G_END_DECLS
