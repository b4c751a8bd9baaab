// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_LOCAL_SOURCE (fp_local_source_get_type ())

G_DECLARE_FINAL_TYPE (FpLocalSource, fp_local_source, FP, LOCAL_SOURCE, GObject)

FpSource *fp_local_source_new (const char *proc_path);

/* For a reader that can do more than those it reads for: tells which processes their users could have read themselves. */
FpSource *fp_local_source_new_for_others (const char *proc_path);
FpSource *fp_local_source_new_for_graphics (const char *proc_path);

G_END_DECLS
