// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _FpUsers FpUsers;

/* Writes the name, or nothing where the user has none. May block as long as it likes. */
typedef void (*FpUserLookup) (guint uid, char *name, gsize size);

FpUsers *fp_users_new (FpUserLookup lookup);
void fp_users_free (FpUsers *self);
void fp_users_request (FpUsers *self, guint uid);
void fp_users_wait (FpUsers *self, gint64 timeout_us);
gboolean fp_users_get_name (FpUsers *self, guint uid, char *name, gsize size);

void fp_user_lookup (guint uid, char *name, gsize size);

G_END_DECLS
