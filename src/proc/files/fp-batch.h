// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef void (*FpBatchFunc) (gpointer data, guint index);

void fp_batch_run (FpBatchFunc func, gpointer data, guint n, gint64 deadline_us);

G_END_DECLS
