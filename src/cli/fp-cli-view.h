// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-cli-reader.h"
#include "fp-rows.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* How often a view is printed: once, or by --watch. */
typedef enum
{
  FP_CLI_ONCE,
  FP_CLI_FIRST,
  FP_CLI_AGAIN,
} FpCliTurn;

/* A snapshot, with the files of its processes and the control groups that were saved with it, and the ones that it is
 * compared with. All but the snapshot may be NULL. */
typedef struct
{
  FpSnapshot *snapshot;
  FpMappedFiles *files;
  FpControlGroups *groups;
  FpSnapshot *before;
  FpMappedFiles *files_before;
  FpControlGroups *groups_before;
} FpCliMoments;

/* The part of one snapshot that is printed. */
typedef struct
{
  const FpCliOptions *options;
  FpCliReader *reader;            /* (nullable): NULL for a saved snapshot */
  const FpProcessId *ids;         /* (nullable): the processes of --pid, 0-terminated; NULL until --watch knows their start times */
  FpSnapshot *snapshot;           /* where two are compared, with the processes that have ended */
  FpSnapshot *before;             /* (nullable): what it is compared with */
  FpMappedFiles *saved_files;     /* (nullable): those that were saved with the snapshot */
  FpControlGroups *groups;        /* (nullable): the same; NULL where they are read */
  FpMappedFiles *files_before;    /* (nullable): those that were saved with the one before */
  FpControlGroups *groups_before; /* (nullable): the same */
  GArray *own_pids;               /* this process and those that only started it, which --filter leaves out */
  FpRecords *processes;           /* all of the snapshot */
  FpRows *chosen;                 /* the processes that the options choose */
  FpRecords *sum;                 /* one total over the chosen */
  FpRecords *records;             /* the chosen, their mappings, groups of either, files, or control groups */
  FpRecords *row_sum;             /* (nullable): one total over the records; NULL for control groups, which are within each other */
  FpRows *rows;
  FpFormat format;
} FpCliView;

gboolean fp_cli_view_init (FpCliView *self,
                           const FpCliOptions *options,
                           FpCliReader *reader,
                           const FpProcessId *ids,
                           const FpCliMoments *moments,
                           GError **error);
void fp_cli_view_clear (FpCliView *self);
FpControlGroups *fp_cli_view_read_groups (const FpCliView *self);
const guint *fp_cli_view_get_chosen (const FpCliView *self, guint *n);
const guint *fp_cli_view_get_possible (const FpCliView *self, guint *n);
guint fp_cli_view_get_n_rows (const FpCliView *self);
const FpColumn *fp_cli_view_get_sort (const FpCliView *self);
char *fp_cli_view_format_time (guint64 us);

static inline const FpTotal *
fp_cli_view_get_sum (const FpCliView *self)
{
  return fp_totals_get (self->sum, 0);
}

void fp_cli_moments_clear (FpCliMoments *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpCliMoments, fp_cli_moments_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FpCliView, fp_cli_view_clear)

G_END_DECLS
