// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of a Flatpak: where what is seen as /app and /usr in here is on the host; NULL: it does not say. */
typedef struct
{
  char *app_path;
  char *runtime_path;
} FpSandbox;

FpSandbox *fp_sandbox_new (const char *info_path);
void fp_sandbox_free (FpSandbox *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpSandbox, fp_sandbox_free)

char **fp_sandbox_make_command (const FpSandbox *self, const char *program, GError **error);

G_END_DECLS
