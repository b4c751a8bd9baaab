// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint fp_descriptors_raise_limit (void);

G_END_DECLS
