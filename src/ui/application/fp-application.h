// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_APPLICATION (fp_application_get_type ())

G_DECLARE_FINAL_TYPE (FpApplication, fp_application, FP, APPLICATION, AdwApplication)

FpApplication *fp_application_new (void);
int fp_application_run (FpApplication *self, int argc, char *argv[]);

G_END_DECLS
