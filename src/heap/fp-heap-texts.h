// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-index.h"

G_BEGIN_DECLS

/* Each text once, as valid UTF-8. Number 0 is the empty one, which stands for what is not known. */
typedef struct
{
  GString *block;
  GArray *offsets; /* of guint32 */
  FpHeapIndex index;
} FpHeapTexts;

void fp_heap_texts_init (FpHeapTexts *self);
void fp_heap_texts_clear (FpHeapTexts *self);
void fp_heap_texts_copy (const FpHeapTexts *self, FpHeapTexts *copy);
void fp_heap_texts_finish (FpHeapTexts *self);
guint32 fp_heap_texts_add (FpHeapTexts *self, const char *text, gsize length);

static inline const char *
fp_heap_texts_get (const FpHeapTexts *self,
                   guint32 number)
{
  return self->block->str + g_array_index (self->offsets, guint32, number);
}

G_END_DECLS
