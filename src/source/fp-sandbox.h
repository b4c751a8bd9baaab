// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The host's paths of this Flatpak's /app and /usr. NULL: Flatpak does not name it. */
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
