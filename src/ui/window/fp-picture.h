// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-frame-pace.h"

G_BEGIN_DECLS

/* The picture of a window that the program was called for. With it the window closes. */
typedef struct _FpPicture FpPicture;

FpPicture *fp_picture_new (GtkWindow *window, FpFramePace *pace, const char *path, gboolean *failed);
void fp_picture_free (FpPicture *self);
void fp_picture_painted (FpPicture *self, gboolean is_ready);
void fp_picture_fail (FpPicture *self, const char *problem);

G_END_DECLS
