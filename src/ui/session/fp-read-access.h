// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <adwaita.h>

#include "fp-records.h"
#include "fp-source.h"

G_BEGIN_DECLS

#define FP_TYPE_READ_ACCESS (fp_read_access_get_type ())

/* Knows which processes a window's source may read: its user's, all after Unlock, or in a Flatpak only the sandbox's.
 * The actions that change this are in the window's group "access". Where one of them fails, it explains why.
 *
 * ::changed
 * ::reported (const char *text): as a line for a toast */
G_DECLARE_FINAL_TYPE (FpReadAccess, fp_read_access, FP, READ_ACCESS, GObject)

FpReadAccess *fp_read_access_new (GtkWindow *window, FpSource *source);
void fp_read_access_update (FpReadAccess *self);
gboolean fp_read_access_is_confined (FpReadAccess *self);
gboolean fp_read_access_may_signal (FpReadAccess *self);
FpSource *fp_read_access_get_explained (FpReadAccess *self);
char *fp_read_access_explain_hidden (FpReadAccess *self, const FpSnapshot *snapshot);

G_END_DECLS
