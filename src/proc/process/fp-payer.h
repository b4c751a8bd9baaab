// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-proc-dir.h"

G_BEGIN_DECLS

/* Where each user may have only so much, a process counts for the user behind it, and not for the user ID that it has: with
 * subordinate user IDs one person has thousands of them. */
typedef struct
{
  guint32 owner; /* of its folder in /proc, when it was looked at */
  guint32 uid;
  gboolean is_known;
} FpPayer;

/* The folder of a process in /proc, which shows this without waiting for the process. */
typedef struct
{
  guint32 owner;
  guint64 inode;
} FpFolder;

typedef enum
{
  FP_USER_NAMESPACE_OURS,
  FP_USER_NAMESPACE_WITHIN_OURS,
  FP_USER_NAMESPACE_UNKNOWN,
} FpUserNamespace;

gboolean fp_folder_read (FpFolder *self, const FpProcDir *proc, gint pid);
FpUserNamespace fp_user_namespace_find (int process_dir, guint32 *maker);

guint32 fp_payer_find (int process_dir);
guint32 fp_payer_find_in (const char *status, gsize length, int process_dir);
guint32 fp_payer_guess (FpPayer *self, const FpProcDir *proc, gint pid);
guint32 fp_payer_check (FpPayer *self, const FpProcDir *proc, gint pid);
guint32 fp_payer_find_superior (guint32 uid);
gboolean fp_payer_find_range (const char *subordinates, guint32 uid, guint32 *first);

G_END_DECLS
