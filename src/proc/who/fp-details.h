// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-limits.h"

G_BEGIN_DECLS

/* Details of a process that are read on request only, never by a sweep. */
typedef struct
{
  FpLimits limits;
  char *command; /* valid UTF-8, control characters are kept; with an ellipsis where even this is cut. NULL: not told */
} FpDetails;

FpDetails *fp_details_new (void);
void fp_details_free (FpDetails *self);
FpDetails *fp_details_read (const FpProcDir *proc, const FpProcessId *id, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpDetails, fp_details_free)

G_END_DECLS
