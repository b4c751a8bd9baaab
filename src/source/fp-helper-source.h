// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-helper-protocol.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_HELPER_SOURCE (fp_helper_source_get_type ())

/* Another process reads: the system's helper, or one at the other end of a pipe, which may have been started as root.
 * Its errors are FP_HELPER_ERROR, or G_IO_ERROR_CANCELLED; after any of them the next call starts afresh. */
G_DECLARE_FINAL_TYPE (FpHelperSource, fp_helper_source, FP, HELPER_SOURCE, GObject)

FpSource *fp_helper_source_new (void);
FpSource *fp_helper_source_new_for_command (const char *const *argv, gboolean is_on_host);
FpSource *fp_helper_source_new_as_root (const char *const *argv, gboolean is_on_host);

FpAccess fp_helper_source_get_access (FpHelperSource *self);

G_END_DECLS
