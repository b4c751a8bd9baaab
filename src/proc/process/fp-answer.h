// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean fp_answer_await (int process_dir);

G_END_DECLS
