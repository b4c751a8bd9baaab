// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-mapping-reader.h"

G_BEGIN_DECLS

/* Gets what was read so far, which it then owns. */
typedef void (*FpMappedPartFunc) (FpMappedFiles *part, gpointer data);

/* step gets how many processes were read of how many, and is called at each piece of a process's text.
 * part: (nullable): called about twice a second, with step's data */
FpMappedFiles *fp_mapped_files_read (const FpProcDir *proc,
                                     const FpMappedProcess *processes,
                                     guint n,
                                     FpMappingStepFunc step,
                                     FpMappedPartFunc part,
                                     gpointer data,
                                     GError **error);
FpMappedFiles *fp_mapped_files_read_until (const FpProcDir *proc,
                                           const FpMappedProcess *processes,
                                           guint n,
                                           gint64 end_us,
                                           FpMappingStepFunc step,
                                           gpointer data,
                                           GError **error);

G_END_DECLS
