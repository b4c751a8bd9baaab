// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_SANDBOX_PAGE (fp_sandbox_page_get_type ())

/* Inside a Flatpak from which nothing of the host can be read: why each way failed, and what to do about it. */
G_DECLARE_FINAL_TYPE (FpSandboxPage, fp_sandbox_page, FP, SANDBOX_PAGE, AdwBin)

void fp_sandbox_page_update (FpSandboxPage *self, FpSource *source);

G_END_DECLS
