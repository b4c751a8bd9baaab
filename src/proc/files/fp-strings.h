// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A block of 0-terminated strings that only grows. A text is its offset; offset 0 is the empty one.
 * Growing makes a new block, so a reader that holds the old one never sees it change. */
typedef struct
{
  gatomicrefcount ref_count;
  gsize capacity;
  gsize used;
  char data[];
} FpStringBlock;

typedef struct
{
  FpStringBlock *block;
  GHashTable *offsets;
} FpStrings;

FpStringBlock *fp_string_block_new (gsize capacity);
FpStringBlock *fp_string_block_ref (FpStringBlock *self);
void fp_string_block_unref (FpStringBlock *self);

void fp_strings_init (FpStrings *self, gsize capacity);
void fp_strings_clear (FpStrings *self);
guint32 fp_strings_intern (FpStrings *self, const char *text);

static inline const char *
fp_strings_get (const FpStrings *self,
                guint32 offset)
{
  return self->block->data + offset;
}

char *fp_text_make_plain (const char *text);
void fp_text_clean (char *clean, gsize size, const char *raw, gsize length);

G_END_DECLS
