// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-list-page.h"

G_BEGIN_DECLS

/* What is as it was when the program is started the next time: the window's size, and what is chosen on its pages:
 * that of the processes and that of the users. */
void fp_window_state_save (GtkWindow *window, FpListPage *const *pages, GSettings *settings);
void fp_window_state_restore (GtkWindow *window, FpListPage *const *pages, GSettings *settings);

G_END_DECLS
