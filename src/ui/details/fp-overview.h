// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-session.h"

G_BEGIN_DECLS

#define FP_TYPE_OVERVIEW (fp_overview_get_type ())

/* A process, or the sum of some, in words, as a bar of its parts and over time.
 *
 * ::process-requested (int pid): a link to its parent was followed */
G_DECLARE_FINAL_TYPE (FpOverview, fp_overview, FP, OVERVIEW, GtkWidget)

/* The record that is shown, and what only the view knows of it. */
typedef struct
{
  FpRecords *records;
  guint index;
  const char *title;   /* of a sum that has no name of its own, or NULL */
  const char *members; /* of a sum, a line each, or NULL */
  const char *ending;  /* what ending the processes gives back; NULL: none of them can end */
  GdkPaintable *icon;  /* (nullable) */
} FpDetailTarget;

void fp_overview_set_source (FpOverview *self, FpSource *source);
void fp_overview_update (FpOverview *self, const FpDetailTarget *target, const FpSessionState *state);

G_END_DECLS
