// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 address; /* 0: free slot */
  guint64 size;
  guint32 stack;
} FpHeapBlock;

/* The blocks that are in use, by their addresses. */
typedef struct
{
  FpHeapBlock *slots;
  gsize mask;
  gsize n;
} FpHeapPointers;

void fp_heap_pointers_init (FpHeapPointers *self);
void fp_heap_pointers_clear (FpHeapPointers *self);
gboolean fp_heap_pointers_take (FpHeapPointers *self, guint64 address, FpHeapBlock *block);
void fp_heap_pointers_add (FpHeapPointers *self, const FpHeapBlock *block);

G_END_DECLS
