// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-errands.h"
#include "fp-process-reader.h"

G_BEGIN_DECLS

/* One reading of a process, as an errand: its thread may be left behind, so it works on copies. */
typedef struct
{
  FpProcessReader *reader; /* a reference */
  FpTracked tracked;
  FpProcess process;
  guint64 now_us;
  guint64 spent_us;
  FpLook look;
  FpErrandVerdict verdict;
  gboolean has_names;
  guint64 first; /* from here to the end the mappings lie that were walked */
  guint64 end;
  FpIdentity identity; /* if it has names */
} FpVisit;

guint32 fp_visit_get_payer (const FpTracked *tracked, const FpProcess *process);

void fp_visit_begin (
    FpVisit *self, FpProcessReader *reader, const FpTracked *tracked, const FpProcess *process, guint64 now_us);
void fp_visit_look (gpointer visit, FpRunner *runner);
void fp_visit_meet (gpointer visit, FpRunner *runner);
void fp_visit_identify (gpointer visit, FpRunner *runner);
void fp_visit_walk (gpointer visit, FpRunner *runner);
void fp_visit_read_rss (gpointer visit, FpRunner *runner);
void fp_visit_see (gpointer visit, FpRunner *runner);
gboolean fp_visit_end (FpVisit *self, FpTracked *tracked, FpProcess *process);
void fp_visit_leave (
    FpProcessReader *reader, FpTracked *tracked, FpProcess *process, guint64 now_us, FpErrandVerdict verdict);
void fp_visit_show_unanswered (FpProcessReader *reader, FpTracked *tracked, FpProcess *process, guint64 now_us);
void fp_visit_leave_unread (FpTracked *tracked, FpProcess *process, guint64 now_us);
void fp_visit_clear (gpointer visit);

G_END_DECLS
