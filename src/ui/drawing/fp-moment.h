// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *fp_moment_describe (guint64 realtime_us);
char *fp_moment_describe_file (const char *name, guint64 realtime_us);

G_END_DECLS
