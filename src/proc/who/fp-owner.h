// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-stat.h"

G_BEGIN_DECLS

/* The effective ids of a process; is_plain: its user could read its memory without any privilege. */
typedef struct
{
  guint32 uid;
  guint32 gid;
  gboolean is_plain;
} FpOwner;

void fp_owner_parse (FpOwner *self, const char *status, gsize length);
void fp_owner_read (FpOwner *self, int process_dir, const char *status, gsize length);
gboolean fp_owner_read_process (FpOwner *self, const FpProcDir *proc, gint pid);
gboolean fp_owner_await (FpOwner *self, FpStat *stat, const FpProcDir *proc, const FpProcessId *id);

G_END_DECLS
