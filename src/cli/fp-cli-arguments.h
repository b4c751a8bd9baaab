// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char **fp_cli_arguments_split (char **argv, const GOptionEntry *entries);

G_END_DECLS
