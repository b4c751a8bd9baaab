// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-mapping-reader.h"

G_BEGIN_DECLS

/* A step of reading mappings that pauses for as long as the kernel took, so that the process can go on. */
typedef struct
{
  FpMappingStepFunc step;
  gpointer data;
  gint64 hold_us;  /* it reads so long without a pause */
  gint64 since_us; /* 0: nothing is read yet */
  guint64 since_cpu_us;
  guint64 held_us; /* time of steps that a process may notice: a large mapping is walked in one */
} FpPacer;

void fp_pacer_begin (FpPacer *self);
gboolean fp_pacer_step (guint64 position, guint64 whole, gpointer data);

G_END_DECLS
