// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-proc-dir.h"

G_BEGIN_DECLS

typedef struct _FpControlGroupReader FpControlGroupReader;

FpControlGroupReader *fp_control_group_reader_new (const FpProcDir *proc, GError **error);
FpControlGroupReader *fp_control_group_reader_new_at (const char *path, const char *prefix, GError **error);
void fp_control_group_reader_free (FpControlGroupReader *self);
FpControlGroups *fp_control_group_reader_read (FpControlGroupReader *self);

/* How many times the files of a group were read. */
guint64 fp_control_group_reader_get_n_reads (const FpControlGroupReader *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpControlGroupReader, fp_control_group_reader_free)

G_END_DECLS
