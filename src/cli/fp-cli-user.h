// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  char *name;
  gboolean has_uid; /* the name is a number, or NSS knows it */
  guint32 uid;
} FpCliUser;

gboolean fp_cli_user_find (const char *name, guint32 *uid);

G_END_DECLS
