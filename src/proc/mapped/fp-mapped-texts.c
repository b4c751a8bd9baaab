// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapped-texts.h"

/* GLib rounds a text that fits in no block up to a power of two, so a block holds several of the longest paths. */
#define BLOCK_SIZE (64 * 1024)

struct _FpMappedTexts
{
  gatomicrefcount ref_count;
  GStringChunk *chunk;
  GHashTable *known; /* of the thread that adds */
  gsize size, max_size;
};

FpMappedTexts *
fp_mapped_texts_new (gsize max_size)
{
  FpMappedTexts *self = g_new0 (FpMappedTexts, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->chunk = g_string_chunk_new (BLOCK_SIZE);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  self->max_size = max_size;
  return self;
}

FpMappedTexts *
fp_mapped_texts_ref (FpMappedTexts *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_mapped_texts_unref (FpMappedTexts *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->known);
  g_string_chunk_free (self->chunk);
  g_free (self);
}

const char *
fp_mapped_texts_add (FpMappedTexts *self,
                     const char *text)
{
  const char *known = g_hash_table_lookup (self->known, text);
  gsize length = strlen (text);

  if (known || self->size + length >= self->max_size)
    return known;
  known = g_string_chunk_insert_len (self->chunk, text, (gssize)length);
  g_hash_table_add (self->known, (gpointer)known);
  self->size += length + 1;
  return known;
}

void
fp_mapped_texts_charge (FpMappedTexts *self,
                        gsize size)
{
  self->size += size;
}
