// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapped-records.h"

G_BEGIN_DECLS

/* A service, or the processes of one program, of one user and of one container, which use outdated files until they are
 * started again. The texts belong to the snapshot. */
typedef struct
{
  const char *unit; /* empty: it is no service */
  const char *program;
  const char *container;
  const char *user;
  guint32 uid;
  gboolean is_of_user; /* of a user's own services, which anybody can call as they like */
  GArray *pids;        /* ascending */
} FpRestart;

/* Lists FpRestart: the services of the machine come first, then those of root, and then what users have.
 * indices: (nullable): of the files; NULL: all */
GPtrArray *fp_restarts_list (const FpRecords *records,
                             const guint *indices,
                             guint n,
                             const FpSnapshot *snapshot,
                             guint *n_processes);

/* Describes the first of them; free the text. n_more: how many are not among these. max_pids: 0: processes are not named */
char *fp_restarts_describe (const GPtrArray *self, guint n_processes, guint max_named, guint max_pids, guint *n_more);
void fp_restarts_append_pids (GString *text, const gint *pids, guint n, guint max);

G_END_DECLS
