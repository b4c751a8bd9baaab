// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-strings.h"

#define MAX_PLAIN 40 /* letters */

FpStringBlock *
fp_string_block_new (gsize capacity)
{
  FpStringBlock *self = g_malloc (sizeof *self + capacity);

  g_atomic_ref_count_init (&self->ref_count);
  self->capacity = capacity;
  self->used = 1;
  self->data[0] = '\0';
  return self;
}

FpStringBlock *
fp_string_block_ref (FpStringBlock *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
fp_string_block_unref (FpStringBlock *self)
{
  if (g_atomic_ref_count_dec (&self->ref_count))
    g_free (self);
}

void
fp_strings_init (FpStrings *self,
                 gsize capacity)
{
  self->block = fp_string_block_new (capacity);
  self->offsets = g_hash_table_new (g_str_hash, g_str_equal);
}

void
fp_strings_clear (FpStrings *self)
{
  g_clear_pointer (&self->offsets, g_hash_table_unref);
  g_clear_pointer (&self->block, fp_string_block_unref);
}

static void
index_block (FpStrings *self)
{
  FpStringBlock *block = self->block;

  g_hash_table_remove_all (self->offsets);
  for (gsize at = 1; at < block->used; at += strlen (block->data + at) + 1)
    g_hash_table_add (self->offsets, block->data + at);
}

static void
grow (FpStrings *self,
      gsize needed)
{
  FpStringBlock *old = self->block;

  self->block = fp_string_block_new (MAX (old->capacity * 2, old->used + needed));
  memcpy (self->block->data, old->data, old->used);
  self->block->used = old->used;
  index_block (self);
  fp_string_block_unref (old);
}

guint32
fp_strings_intern (FpStrings *self,
                   const char *text)
{
  const char *known;
  gsize size;
  char *copy;

  if (!*text)
    return 0;
  if ((known = g_hash_table_lookup (self->offsets, text)))
    return (guint32)(known - self->block->data);

  size = strlen (text) + 1;
  if (self->block->used + size > self->block->capacity)
    grow (self, size);
  copy = memcpy (self->block->data + self->block->used, text, size);
  self->block->used += size;
  g_hash_table_add (self->offsets, copy);
  return (guint32)(copy - self->block->data);
}

/* Most texts are plain from end to end, and are copied without a call for each letter. */
static gsize
copy_ascii (char *clean,
            gsize room,
            const char *raw,
            gsize length)
{
  gsize n = 0;

  for (; n < MIN (length, room) && raw[n] && !(raw[n] & 0x80); n++)
    clean[n] = raw[n];
  return n;
}

/* Valid UTF-8 whatever bytes the kernel gave: others become \xNN; a cut text ends with an ellipsis. */
void
fp_text_clean (char *clean,
               gsize size,
               const char *raw,
               gsize length)
{
  static const char ellipsis[] = "…", digits[] = "0123456789abcdef";
  const char *end = raw + length;
  gsize used = copy_ascii (clean, size > sizeof ellipsis ? size - sizeof ellipsis : 0, raw, length);
  gsize cut = used; /* where an ellipsis still fits */

  raw += used;
  while (raw < end && *raw)
    {
      gunichar c = g_utf8_get_char_validated (raw, end - raw);
      gboolean valid = c != (gunichar)-1 && c != (gunichar)-2;
      gsize width = valid ? (gsize)g_utf8_skip[(guchar)*raw] : 4;

      if (used + width >= size)
        {
          if (size >= sizeof ellipsis)
            memcpy (clean + cut, ellipsis, sizeof ellipsis);
          else if (size > 0)
            clean[0] = '\0';
          return;
        }
      if (valid)
        memcpy (clean + used, raw, width);
      else
        {
          const char escape[] = { '\\', 'x', digits[(guchar)*raw >> 4], digits[*raw & 15] };

          memcpy (clean + used, escape, sizeof escape);
        }
      used += width;
      raw += valid ? width : 1;
      if (used + sizeof ellipsis <= size)
        cut = used;
    }
  if (size > 0)
    clean[used] = '\0';
}

static gboolean
is_plain (gunichar letter)
{
  const GUnicodeType type = g_unichar_type (letter);

  return g_unichar_isprint (letter) && type != G_UNICODE_INITIAL_PUNCTUATION && type != G_UNICODE_FINAL_PUNCTUATION &&
         !g_utf8_strchr ("<>&\"„‚″＂〝〞〟", -1, letter);
}

/* Another user may have chosen the text: it is cut, and has no letters that could pass for a line or mark of a dialog, or for the
 * end of what stands in quotation marks there. */
char *
fp_text_make_plain (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (guint i = 0; i < MAX_PLAIN && *text; i++, text = g_utf8_next_char (text))
    {
      gunichar letter = g_utf8_get_char (text);

      g_string_append_unichar (plain, is_plain (letter) ? letter : '?');
    }
  return g_string_free (plain, FALSE);
}
