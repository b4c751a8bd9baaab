// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

#include "fp-account.h"
#include "fp-permission.h"

G_BEGIN_DECLS

#define DBUS_NAME "org.freedesktop.DBus"
#define DBUS_PATH "/org/freedesktop/DBus"

typedef enum
{
  FP_ACTION_READ_OWN_MEMORY,
  FP_ACTION_READ_MEMORY,
  FP_ACTION_READ_MAPPINGS,
  FP_N_ACTIONS,
} FpAction;

/* polkit's answer about one action; it holds until polkit says that something has changed. */
typedef struct
{
  struct _FpCheck *idle; /* (nullable): has its turn to come, and nobody waits for it: the next call may have it */
  guint generation;      /* of polkit's rules */
  gboolean is_yes;
  FpHelperError reason;  /* of a no */
  gboolean has_password; /* typed for this connection; every change but a no keeps it */
  char *kept;            /* (nullable): polkit's id of an authorization that it keeps for a while */
} FpAnswer;

typedef struct _FpCallers FpCallers;
typedef struct _FpCheck FpCheck;

/* One connection to the bus that has called; in an atomic box of GLib's. */
typedef struct
{
  FpCallers *callers;
  char *name;
  guint32 pid;
  FpCallerFacts facts;
  guint32 payer; /* the user whose account it is; until it is identified as the bus has it */
  gboolean is_identified;
  gboolean is_refused; /* until it leaves the bus */
  FpAccount *account;  /* (nullable): NULL until it has one of its user's places */
  FpAccount *inquirer; /* (nullable): while it is being identified, which counts for the user ID that the bus has */
  FpAnswer answers[FP_N_ACTIONS];
  gint n_taken_back; /* atomic: how often something that was permitted to it is not any more */
  guint n_locks;     /* of these, by itself */
  FpCheck *question; /* (nullable): the question that the user is being asked */
  gboolean is_gone;
  GQueue waiting; /* tasks, while it is being identified */
} FpCaller;

typedef void (*FpCallerFunc) (FpCaller *caller);

FpCallers *fp_callers_new (GDBusConnection *connection, FpAccounts *accounts, FpCallerFunc gone);
void fp_callers_free (FpCallers *self);
gboolean fp_callers_have_password (FpCallers *self);

void fp_callers_identify_async (FpCallers *self, const char *name, GAsyncReadyCallback callback, gpointer data);
FpCaller *fp_callers_identify_finish (FpCallers *self, GAsyncResult *result, GError **error);

void fp_caller_unref (gpointer caller);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FpCaller, fp_caller_unref)

G_END_DECLS
