// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FP_TYPE_HELP_PAGE (fp_help_page_get_type ())

/* One page of the help. Its text is written in the .ui file with elements of its own, which stand in the order in which they
 * are read: <paragraph>, <heading>, and <row> with <name>, <figure> and <text>. A row with the attribute “page” activates the
 * action help.show with that name. */
G_DECLARE_FINAL_TYPE (FpHelpPage, fp_help_page, FP, HELP_PAGE, AdwBin)

void fp_help_page_begin (FpHelpPage *self);
void fp_help_page_add_words (FpHelpPage *self, const char *words);
gboolean fp_help_page_contains (FpHelpPage *self, const char *words);

G_END_DECLS
