// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-files.h"
#include "fp-snapshot.h"

G_BEGIN_DECLS

/* A capture of smemcap, smem's program for small machines: an archive with meminfo and version, and for each process its
 * stat, its cmdline and its smaps. It has no figures but these, no time but that of its members, and no name of a user but
 * what the archive says. */
FpSnapshot *fp_capture_open (GBytes *bytes, FpMappedFiles **files, GError **error);

G_END_DECLS
