// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _FpUsers FpUsers;

typedef struct
{
  char name[64];
  char full_name[128];
} FpUser;

/* Leaves a name empty that the user does not have. May block as long as it likes. */
typedef void (*FpUserLookup) (guint uid, FpUser *user);

FpUsers *fp_users_new (FpUserLookup lookup);
void fp_users_free (FpUsers *self);
void fp_users_request (FpUsers *self, guint uid);
void fp_users_wait (FpUsers *self, gint64 timeout_us);
gboolean fp_users_get (FpUsers *self, guint uid, FpUser *user);

void fp_users_load_services (void);
void fp_user_lookup (guint uid, FpUser *user);
void fp_user_find_owner (guint uid, const char *subuids, FpUser *user);

G_END_DECLS
