// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fp_heap_is_wrapper (const char *function);

G_END_DECLS
