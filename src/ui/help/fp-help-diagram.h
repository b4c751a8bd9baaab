// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_HELP_DIAGRAM (fp_help_diagram_get_type ())

/* The same three programs twice: with the memory they share counted in full, and divided among them. */
G_DECLARE_FINAL_TYPE (FpHelpDiagram, fp_help_diagram, FP, HELP_DIAGRAM, AdwBin)

G_END_DECLS
