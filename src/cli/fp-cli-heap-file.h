// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-profile.h"

G_BEGIN_DECLS

FpHeapProfile *fp_cli_heap_file_read (const char *path, GError **error);

G_END_DECLS
