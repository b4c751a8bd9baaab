// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Work that waits for its turn. */
typedef enum
{
  FP_WORK_SHORT,   /* snapshots and control groups */
  FP_WORK_DETAILS, /* a process that locks its memory keeps it */
  FP_WORK_MAPPINGS,
  FP_WORK_FILES,    /* many processes' mappings */
  FP_WORK_KEPT,     /* many processes' descriptors */
  FP_WORK_CHECK,    /* polkit is asked without a question, mostly twice at once; it answers one after the other */
  FP_WORK_IDENTITY, /* a new connection's process is looked at, which may not answer */
  FP_N_WORKS,
} FpWork;

/* A share of time that comes in as it goes by: of calls, and of what costs a processor and holds another process up. */
typedef enum
{
  FP_COST_CALLS,
  FP_COST_SNAPSHOTS, /* mostly the list of mounts, which users can make long */
  FP_COST_MAPPINGS,
  FP_COST_DETAILS,
  FP_COST_WANTED,
  FP_N_COSTS,
} FpCost;

/* Things of which each user has only so many at a time */
typedef enum
{
  FP_COUNT_CONNECTIONS,
  FP_COUNT_CALLS,
  FP_COUNT_QUESTIONS,
  FP_COUNT_ANSWERS, /* of which somebody still has the descriptor */
  FP_COUNT_BLOCKS,  /* with answers, of two descriptors each, until they are taken back */
  FP_N_COUNTS,
} FpCount;

#define FP_ACCOUNT_MAX_BYTES       ((gsize)40 << 20) /* passed on and still held by a caller */
#define FP_ACCOUNT_MAX_MAPPINGS    ((gsize)37 << 20) /* the most of them for which there is ever room */
#define FP_ACCOUNT_MAX_CONNECTIONS 16
#define FP_ACCOUNT_MAX_QUESTIONS   2
#define FP_ACCOUNT_MAX_ANSWERS     4
#define FP_ACCOUNT_BURST           80 /* calls at once */
#define FP_ACCOUNT_CALLS_PER_S     40
#define FP_ANSWERED                2 /* times as many calls get an answer, even if it is Busy */
#define FP_STRANGER_BURST          2 /* of a connection whose user is not known yet, */
#define FP_STRANGER_CALLS_PER_S    2
#define FP_STRANGERS_BURST         40 /* and further ones of all those together */
#define FP_STRANGERS_CALLS_PER_S   20

/* An account limits what one user takes of the helper, on all connections together. Users are served by turns, so many
 * connections of one user share a single turn. Admit, charge and refund are for any thread. */
typedef struct _FpAccounts FpAccounts;
typedef struct _FpAccount FpAccount;

typedef void (*FpTurnFunc) (gpointer data);

FpAccounts *fp_accounts_new (void);
FpAccount *fp_accounts_get (FpAccounts *self, guint32 uid);

gboolean fp_accounts_admit (FpAccounts *self, const char *sender, gsize size, gint64 now_us);

gboolean fp_account_begin (FpAccount *self, FpCount count, GError **error);
void fp_account_end (FpAccount *self, FpCount count);
gboolean fp_account_begin_call (FpAccount *self, gint64 now_us, GError **error);
gboolean fp_account_add_connection (FpAccount *self, const char *name, GError **error);
void fp_account_remove_connection (FpAccount *self, const char *name);
void fp_account_add_sender (FpAccount *self, const char *name, gboolean has_place);

gboolean fp_account_take_turn (FpAccount *self, FpWork work, FpTurnFunc func, gpointer data, GError **error);
void fp_account_end_turn (FpAccount *self, FpWork work);

gboolean fp_account_may_spend (FpAccount *self, FpCost cost, gint64 now_us, GError **error);
void fp_account_spend (FpAccount *self, FpCost cost, gint64 now_us, gint64 spent_us);

/* self: (nullable): whoever started this process has no account */
gboolean fp_account_charge (FpAccount *self, FpWork work, gsize size);
void fp_account_refund (FpAccount *self, gsize size);

G_END_DECLS
