// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fp_demangle (const char *name, gsize length);
char *fp_demangle_rust (const char *name);
char *fp_demangle_rust_legacy (const char *name);

G_END_DECLS
