// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-collector.h"
#include "fp-columns.h"
#include "fp-ended.h"
#include "fp-files-reader.h"
#include "fp-history.h"
#include "fp-machine-history.h"
#include "fp-read-access.h"
#include "fp-total-history.h"

G_BEGIN_DECLS

#define FP_TYPE_SESSION (fp_session_get_type ())

/* Holds all that a window shows, so that each part of the window watches one object. Only the session changes its state.
 *
 * ::refreshed: there is a new snapshot, and all that is made of it. The properties "format" and "problem" change between
 * two of these; "mark" changes before one. */
G_DECLARE_FINAL_TYPE (FpSession, fp_session, FP, SESSION, GObject)

typedef struct
{
  FpSource *source;
  FpCollector *collector;
  FpReadAccess *access;
  FpFilesReader *files;       /* that processes map */
  const FpSnapshot *snapshot; /* this and the next three are NULL before the first snapshot */
  FpRecords *records;         /* where two moments are compared, with those that have ended */
  FpRecords *totals;          /* of each user */
  FpRecords *sum;             /* one total of all users */
  FpControlGroups *groups;    /* (nullable): while a view that is shown needs them */
  FpRecords *group_records;   /* of groups; NULL without them */
  char *groups_problem;       /* why they could not be read; NULL: they could, or were not asked for */
  FpKept *kept;               /* (nullable): the same */
  FpHistory *history;
  FpTotalHistory *total_history;
  FpHistory *group_history;  /* of control groups, while they are asked for */
  FpMachineHistory *machine; /* of the whole session, whichever view was shown */
  FpEnded *ended;
  const FpMachineMoment *mark;  /* (nullable): changes count from then on; NULL: from the start */
  FpControlGroups *mark_groups; /* (nullable): at the mark */
  const FpSnapshot *before;     /* (nullable): the moment that is compared with the snapshot */
  char *before_name;            /* (nullable): of its file */
  FpMachineMoment start;        /* the machine at that moment */
  gboolean has_start;           /* it is known */
  FpFormat format;
  guint64 begun_us; /* when the first snapshot was made, since 1970 */
  char *problem;    /* why the last collection failed; NULL: it did not */
  gboolean is_live; /* it is this machine now, read again and again */
} FpSessionState;

/* A part of the window that shows what is read beside the processes. */
typedef enum
{
  FP_NEEDER_VIEW,
  FP_NEEDER_PANE,
  FP_N_NEEDERS,
} FpNeeder;

FpSession *fp_session_new (GtkWindow *window, FpSource *source);
const FpSessionState *fp_session_get (FpSession *self);
FpHistory *fp_session_find_history (const FpSessionState *state, const FpRecords *records, guint index);
gboolean fp_session_is_outdated (FpSession *self);
void fp_session_follow (FpSession *self, FpRecords *records, guint index);
void fp_session_mark (FpSession *self, guint64 time_us);
void fp_session_unmark (FpSession *self);
void fp_session_compare (
    FpSession *self, FpSnapshot *snapshot, FpMappedFiles *files, FpControlGroups *groups, const char *name);
void fp_session_set_interval (FpSession *self, guint interval_ms);
void fp_session_set_figure_style (FpSession *self, FpFigureStyle style);
void fp_session_set_needs (FpSession *self, FpNeeder needer, guint needs);
void fp_session_take (FpSession *self, FpSnapshot *snapshot);

G_END_DECLS
