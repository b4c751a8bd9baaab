// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-format.h"
#include "fp-kept.h"
#include "fp-ledger.h"
#include "fp-totals.h"

G_BEGIN_DECLS

/* The lines of the view of the machine; they sum to MemTotal. */
typedef enum
{
  FP_MACHINE_PROGRAMS,
  FP_MACHINE_GRAPHICS,
  FP_MACHINE_KEPT,
  FP_MACHINE_SWAP,
  FP_MACHINE_CACHE,
  FP_MACHINE_KERNEL,
  FP_MACHINE_HUGE_PAGES,
  FP_MACHINE_FREE,
  FP_MACHINE_UNEXPLAINED,
  FP_N_MACHINE_LINES,
} FpMachineLine;

typedef struct
{
  const char *name; /* never translated */
  const char *title;
  const char *meaning;
} FpMachineLineInfo;

extern const FpMachineLineInfo fp_machine_line_infos[FP_N_MACHINE_LINES];

/* Bytes; what is not explained, and changes, may be negative. */
typedef struct
{
  gint64 low;
  gint64 high;
} FpMachineEnds;

/* How much each line has. Without graphics only four lines can be ranges, in pairs of opposites: what is kept and the cache,
 * where it is not known which of the mapped pages belong to files in memory; swap and what is not explained, where it is
 * not known what zram costs. So the lower ends and the widths of one range of each pair sum to the total. */
typedef struct
{
  FpMachineEnds lines[FP_N_MACHINE_LINES];
  gint64 total;
  gint64 page_tables;    /* part of the kernel's line */
  gboolean has_graphics; /* else graphics are within what is kept and what is not explained */
} FpMachineState;

/* The memory of programs that is of no user here. Each figure is for all that the others have not, so they overlap. */
typedef struct
{
  guint64 all;
  FpFigure gained; /* since processes were read */
  FpFigure unread; /* of processes that could not be read */
  FpFigure hidden; /* of processes that are not even listed */
  FpFigure rest;   /* beyond all of these, as where a snapshot is of some programs; 0: no more than different moments make */
} FpMachineUnknown;

void fp_machine_state_find_unknown (const FpMachineState *self, const FpSystem *system, const FpTotal *all, FpMachineUnknown *unknown);
gboolean fp_machine_state_make (FpMachineState *self, const FpSystem *system, const FpTotal *all, const FpKept *kept);
FpMachineEnds fp_machine_ends_subtract (FpMachineEnds self, FpMachineEnds other);
void fp_machine_ends_format (FpMachineEnds self, const FpFormat *format, gboolean has_sign, char *text, gsize size);
void fp_machine_ends_format_change (FpMachineEnds self, const FpFormat *format, char *text, gsize size);
char *fp_machine_ends_describe_change (FpMachineEnds self, const FpFormat *format);

G_END_DECLS
