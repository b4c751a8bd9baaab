// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_PAGE_STRIP (fp_page_strip_get_type ())

/* The pages of a mapping side by side, each in what state it is. The pointer, or the arrow keys, choose one (or as many
 * as are in one place of the strip); it is told in words. */
G_DECLARE_FINAL_TYPE (FpPageStrip, fp_page_strip, FP, PAGE_STRIP, GtkWidget)

void fp_page_strip_load (
    FpPageStrip *self, FpSource *source, const FpProcessId *id, guint64 start, guint64 end, const char *name);
void fp_page_strip_set_style (FpPageStrip *self, FpFigureStyle style);
void fp_page_strip_clear (FpPageStrip *self);

G_END_DECLS
