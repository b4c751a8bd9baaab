// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

#define FP_NO_LIMIT G_MAXUINT64

/* The limits on a process's memory; FP_NO_LIMIT: unlimited. */
typedef struct
{
  guint64 address_space;
  guint64 group_max;  /* the smallest of its control group and all groups around it; beyond it a process is ended */
  guint64 group_high; /* likewise; beyond it the whole group is slowed down */
} FpLimits;

void fp_limits_init (FpLimits *self);
void fp_limits_parse (FpLimits *self, const char *text);
void fp_limits_read_group (FpLimits *self, int groups_fd, const char *path);
gboolean fp_limits_read (FpLimits *self, const FpProcDir *proc, const FpProcessId *id, GError **error);

G_END_DECLS
