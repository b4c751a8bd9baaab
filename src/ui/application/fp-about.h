// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtk/gtk.h>

#include "fp-source.h"

G_BEGIN_DECLS

/* Shows who made the program, what is new in it, and what a report of a problem should say. source: (nullable): of the window */
void fp_about_show (GtkWindow *window, FpSource *source);

G_END_DECLS
