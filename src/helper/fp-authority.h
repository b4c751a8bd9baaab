// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-helper-protocol.h"

G_BEGIN_DECLS

typedef enum
{
  FP_ACTION_READ_OWN_MEMORY,
  FP_ACTION_READ_MEMORY,
  FP_ACTION_READ_MAPPINGS,
  FP_N_ACTIONS,
} FpAction;

#define FP_TYPE_AUTHORITY (fp_authority_get_type ())

/* What polkit says, remembered for each connection until polkit changes its mind or the connection is gone. That what
 * polkit keeps comes to its own end is no change of mind: a password that was given stands as long as its connection. */
G_DECLARE_FINAL_TYPE (FpAuthority, fp_authority, FP, AUTHORITY, GObject)

FpAuthority *fp_authority_new (void);
GVariant *fp_authority_get_kept (FpAuthority *self, const char *sender);
gboolean fp_authority_has_consent (FpAuthority *self);
void fp_authority_forget (FpAuthority *self, const char *sender);

void fp_authority_check_async (FpAuthority *self,
                               const char *sender,
                               FpAction action,
                               gboolean may_ask,
                               GAsyncReadyCallback callback,
                               gpointer data);
gboolean fp_authority_check_finish (FpAuthority *self, GAsyncResult *result, GError **error);

void fp_authority_find_access_async (FpAuthority *self, const char *sender, GAsyncReadyCallback callback, gpointer data);
FpAccess fp_authority_find_access_finish (FpAuthority *self, GAsyncResult *result, GError **error);

G_END_DECLS
