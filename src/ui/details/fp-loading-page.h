// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-figure.h"

G_BEGIN_DECLS

#define FP_TYPE_LOADING_PAGE (fp_loading_page_get_type ())

/* While mappings or files are read: that they are, how far that is, and the way to give it up (::cancelled). */
G_DECLARE_FINAL_TYPE (FpLoadingPage, fp_loading_page, FP, LOADING_PAGE, AdwBin)

void fp_loading_page_reset (FpLoadingPage *self);
void fp_loading_page_set_progress (FpLoadingPage *self, guint64 position, guint64 whole, FpFigureStyle style);

G_END_DECLS
