// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-account.h"
#include "fp-permission.h"

G_BEGIN_DECLS

typedef enum
{
  FP_ACTION_READ_OWN_MEMORY,
  FP_ACTION_READ_MEMORY,
  FP_ACTION_READ_MAPPINGS,
  FP_N_ACTIONS,
} FpAction;

/* What polkit said about one action, until it says that something has changed. */
typedef struct
{
  gboolean is_known;
  gboolean is_yes;
  FpHelperError reason;  /* of a no */
  gboolean has_password; /* was typed for this connection, and outlives every change but a no */
  char *kept;            /* (nullable): polkit's id of what it keeps permitted for a while */
} FpAnswer;

typedef struct _FpQuestion FpQuestion;

/* One connection to the bus that has called. */
typedef struct
{
  char *name;
  FpAccount *account; /* from when it was identified */
  FpCallerFacts facts;
  FpAnswer answers[FP_N_ACTIONS];
  FpQuestion *question; /* (nullable): that somebody is being asked */
  gboolean is_gone;
  GQueue waiting; /* tasks, while it is being identified */
} FpCaller;

typedef void (*FpCallerFunc) (FpCaller *caller, gpointer data);

typedef struct _FpCallers FpCallers;

FpCallers *fp_callers_new (GDBusConnection *connection, FpAccounts *accounts, FpCallerFunc gone, gpointer data);
void fp_callers_free (FpCallers *self);
void fp_callers_foreach (FpCallers *self, FpCallerFunc func, gpointer data);

void fp_callers_identify_async (FpCallers *self, const char *name, GAsyncReadyCallback callback, gpointer data);
FpCaller *fp_callers_identify_finish (FpCallers *self, GAsyncResult *result, GError **error);

FpCaller *fp_caller_ref (FpCaller *self);
void fp_caller_unref (FpCaller *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpCaller, fp_caller_unref)

G_END_DECLS
