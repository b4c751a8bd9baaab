// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Work that waits for its turn. */
typedef enum
{
  FP_WORK_SHORT, /* snapshots and details */
  FP_WORK_MAPPINGS,
  FP_N_WORKS,
} FpWork;

/* Reading that costs processor time, and holds another process up meanwhile. */
typedef enum
{
  FP_COST_MAPPINGS,
  FP_COST_WANTED,
  FP_N_COSTS,
} FpCost;

/* A call has to pass both. */
typedef enum
{
  FP_GATE_ANSWER, /* the rest of a flood is dropped unread */
  FP_GATE_ADMIT,  /* the rest is told to come back */
  FP_N_GATES,
} FpGate;

#define FP_ACCOUNT_MAX_BYTES       ((gsize)48 << 20) /* handed out and still held by somebody */
#define FP_ACCOUNT_MAX_CONNECTIONS 16
#define FP_ACCOUNT_REFUSED_MS      5000 /* for a connection more */
#define FP_ACCOUNT_MAX_QUESTIONS   2
#define FP_ACCOUNT_BURST           80 /* calls at once */
#define FP_ACCOUNT_CALLS_PER_S     40
#define FP_STRANGER_BURST          10 /* of a connection whose user is not known */
#define FP_STRANGER_CALLS_PER_S    2
#define FP_ANSWERED                2 /* times as many calls are answered, if only with Busy */

/* What one user takes of the helper, on all of its connections together. Other users are served by turns, so a crowd
 * shares the turn of its user. Admit, charge and refund are for any thread. */
typedef struct _FpAccounts FpAccounts;
typedef struct _FpAccount FpAccount;

typedef void (*FpTurnFunc) (gpointer data);

FpAccounts *fp_accounts_new (void);
void fp_accounts_free (FpAccounts *self);
FpAccount *fp_accounts_get (FpAccounts *self, guint32 uid);

gboolean fp_accounts_admit (FpAccounts *self, FpGate gate, const char *sender, gint64 now_us);

gboolean fp_account_add_connection (FpAccount *self, const char *name, gint64 now_us, GError **error);
void fp_account_remove_connection (FpAccount *self, const char *name);
gboolean fp_account_begin_call (FpAccount *self, GError **error);
void fp_account_end_call (FpAccount *self);
gboolean fp_account_begin_check (FpAccount *self, GError **error);
void fp_account_end_check (FpAccount *self);
gboolean fp_account_begin_question (FpAccount *self, GError **error);
void fp_account_end_question (FpAccount *self);

gboolean fp_account_take_turn (FpAccount *self, FpWork work, FpTurnFunc func, gpointer data, GError **error);
void fp_account_end_turn (FpAccount *self, FpWork work);

gboolean fp_account_may_spend (FpAccount *self, FpCost cost, gint64 now_us, GError **error);
void fp_account_spend (FpAccount *self, FpCost cost, gint64 now_us, gint64 spent_us);

/* self: (nullable): whoever started this process has no account */
gboolean fp_account_charge (FpAccount *self, FpWork work, gsize size);
void fp_account_refund (FpAccount *self, gsize size);

G_END_DECLS
