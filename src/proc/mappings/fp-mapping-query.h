// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-elf.h"
#include "fp-mapping.h"

G_BEGIN_DECLS

/* Asks the kernel about one mapping, through the process's file maps. */
gboolean fp_mapping_query_name (int maps_fd, const FpMapping *mapping, char *name, gsize size);
int fp_mapping_query_build_id (int maps_fd, const FpMapping *mapping, FpBuildId *id);

G_END_DECLS
