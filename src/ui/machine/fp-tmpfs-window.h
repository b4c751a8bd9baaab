// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-format.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_TMPFS_WINDOW (fp_tmpfs_window_get_type ())

/* The biggest files of a file system in memory, read when it is opened and when its user asks for it. */
G_DECLARE_FINAL_TYPE (FpTmpfsWindow, fp_tmpfs_window, FP, TMPFS_WINDOW, AdwWindow)

GtkWidget *fp_tmpfs_window_new (FpSource *source, const FpTmpfs *tmpfs, const char *name, const FpFormat *format);

G_END_DECLS
