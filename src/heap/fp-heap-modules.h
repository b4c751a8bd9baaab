// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A loaded piece of a program or library. */
typedef struct
{
  guint64 begin, end;
  guint64 base;   /* address 0 of the file is here */
  guint32 path;   /* number of a text */
  guint32 object; /* of the symbols */
} FpHeapSegment;

/* The modules of the recorded process, as they are at this place of the recording. */
typedef struct
{
  GArray *segments; /* of FpHeapSegment */
  gboolean is_sorted;
} FpHeapModules;

void fp_heap_modules_init (FpHeapModules *self);
void fp_heap_modules_clear (FpHeapModules *self);
void fp_heap_modules_forget (FpHeapModules *self);
void fp_heap_modules_add (FpHeapModules *self, const FpHeapSegment *segment);
const FpHeapSegment *fp_heap_modules_find (FpHeapModules *self, guint64 address);

G_END_DECLS
