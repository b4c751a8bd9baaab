// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-list-page.h"

G_BEGIN_DECLS

/* Keep the window's size, and the choices in its views of processes and users, for the next start of the program.
 * pages: the list of processes, then the list of users */
void fp_window_state_save (GtkWindow *window, FpListPage *const *pages, GSettings *settings);
void fp_window_state_restore (GtkWindow *window, FpListPage *const *pages, GSettings *settings);

G_END_DECLS
