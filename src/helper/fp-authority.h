// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-caller.h"

G_BEGIN_DECLS

/* Asks polkit about callers. A caller's answers are remembered until polkit says that something has changed. A password
 * that was typed for a connection stands until the connection is locked or closed, or a check after such a change says
 * no: what polkit keeps by itself for some minutes comes to its own end, which takes nothing from an open window. */
typedef struct _FpAuthority FpAuthority;

#define FP_AUTHORITY_TAKEN_BACK "1 ms: what was permitted is not any more"

FpAuthority *fp_authority_new (GDBusConnection *connection, void (*changed) (gpointer data), gpointer data);
void fp_authority_free (FpAuthority *self);

/* details: (nullable): an a{ss} for the text of a question; NULL: nobody may be asked. Finish it with g_task_propagate_boolean (). */
void fp_authority_check_async (FpAuthority *self,
                               FpCaller *caller,
                               FpAction action,
                               GVariant *details,
                               GAsyncReadyCallback callback,
                               gpointer data);

void fp_authority_abandon (FpCaller *caller);
GStrv fp_authority_lock (FpCaller *caller);

G_END_DECLS
