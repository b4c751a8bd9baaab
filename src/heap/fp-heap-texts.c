// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-heap-texts.h"

#define MAX_TEXT  (64 * 1024)
#define MAX_BLOCK (1024 * 1024 * 1024)

static guint32
hash_text (const char *text)
{
  return fp_heap_hash_two (g_str_hash (text), 0);
}

static guint32
get_hash (gconstpointer owner,
          guint32 number)
{
  return hash_text (fp_heap_texts_get (owner, number));
}

static gboolean
is_equal (gconstpointer owner,
          guint32 number,
          gconstpointer key)
{
  return strcmp (fp_heap_texts_get (owner, number), key) == 0;
}

void
fp_heap_texts_init (FpHeapTexts *self)
{
  self->block = g_string_new (NULL);
  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  fp_heap_index_init (&self->index);
  fp_heap_texts_add (self, "", 0);
}

void
fp_heap_texts_clear (FpHeapTexts *self)
{
  if (self->block)
    g_string_free (g_steal_pointer (&self->block), TRUE);
  g_clear_pointer (&self->offsets, g_array_unref);
  fp_heap_index_clear (&self->index);
}

/* Nothing can be added to the copy. */
void
fp_heap_texts_copy (const FpHeapTexts *self,
                    FpHeapTexts *copy)
{
  *copy = (FpHeapTexts){ .block = g_string_new_len (self->block->str, (gssize)self->block->len) };
  copy->offsets = g_array_copy (self->offsets);
}

/* Nothing is added any more. */
void
fp_heap_texts_finish (FpHeapTexts *self)
{
  fp_heap_index_clear (&self->index);
}

/* Returns 0 where there is no room for more. */
guint32
fp_heap_texts_add (FpHeapTexts *self,
                   const char *text,
                   gsize length)
{
  g_autofree char *copy = g_strndup (text, MIN (length, MAX_TEXT)), *valid = NULL;
  const char *kept = copy;
  guint32 number, hash, offset = (guint32)self->block->len;

  if (!g_utf8_validate (copy, -1, NULL))
    kept = valid = g_utf8_make_valid (copy, -1);
  hash = hash_text (kept);
  if (fp_heap_index_find (&self->index, hash, is_equal, self, kept, &number))
    return number;
  if (self->block->len > MAX_BLOCK)
    return 0;
  number = self->offsets->len;
  g_string_append_len (self->block, kept, (gssize)strlen (kept) + 1);
  g_array_append_val (self->offsets, offset);
  fp_heap_index_add (&self->index, hash, number, get_hash, self);
  return number;
}
