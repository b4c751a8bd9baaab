// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-records.h"

G_BEGIN_DECLS

/* Lines of smaps: "start-end access offset device inode name|Field kB, Field kB, …". In pages of 4 KiB. */
FpMappings *fixture_mappings_scan (const char *const *lines);
FpRecords *fixture_mappings_new (const char *const *lines);

G_END_DECLS
