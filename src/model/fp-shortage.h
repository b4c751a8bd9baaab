// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-control-groups.h"
#include "fp-format.h"
#include "fp-machine-history.h"

G_BEGIN_DECLS

typedef enum
{
  FP_SHORTAGE_UNKNOWN,
  FP_SHORTAGE_CALM,
  FP_SHORTAGE_TIGHT,
  FP_SHORTAGE_THRASHING,
  FP_N_SHORTAGES,
} FpShortageLevel;

/* Whether memory is short, and who had to wait for it. */
typedef struct
{
  FpShortageLevel level;
  gboolean has_pressure; /* else it is judged by what is available, and by swapping */
  gboolean is_average;   /* waited_us is the kernel's average of the last minute */
  guint64 waited_us;     /* how long at least one program stood still, within… */
  guint64 over_us;       /* …this time; 0: not known */
  guint limited;         /* the control group at whose limit those are who waited longest, while the machine has memory left;
                          * else FP_CONTROL_NONE */
} FpShortage;

/* groups, before, minute: (nullable); swapping is counted since before, waiting since a minute ago */
void fp_shortage_judge (FpShortage *self,
                        const FpSystem *system,
                        const FpControlGroups *groups,
                        const FpMachineMoment *before,
                        const FpMachineMoment *minute,
                        const FpMachineMoment *now);
const char *fp_shortage_get_name (FpShortageLevel level);
char *fp_shortage_make_title (const FpShortage *self, const FpControlGroups *groups);
char *fp_shortage_describe (const FpShortage *self, const FpControlGroups *groups);

G_END_DECLS
