// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"

G_BEGIN_DECLS

void fp_control_figures_parse (FpControlGroup *group, const char *file, const char *text, gsize length);
void fp_control_figures_read (FpControlGroup *group, int folder);
/* path: where that file is, from the folder */
void fp_control_figures_read_file (FpControlGroup *group, int folder, const char *file, const char *path);

G_END_DECLS
