// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-view.h"

G_BEGIN_DECLS

#define FP_TYPE_MACHINE_PAGE (fp_machine_page_get_type ())

/* The view of the machine: whether memory is short, and where it is. */
G_DECLARE_FINAL_TYPE (FpMachinePage, fp_machine_page, FP, MACHINE_PAGE, FpView)

G_END_DECLS
