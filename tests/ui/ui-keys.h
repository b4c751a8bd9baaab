// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui-driver.h"

G_BEGIN_DECLS

/* The hand that has no pointer: a name is a glob, and a key is pressed until the focus has come to what is called so. */
gboolean keys_has_focus (UiNode *root, const char *name);
void keys_walk_to (UiNode *root, const char *key, const char *name);

G_END_DECLS
