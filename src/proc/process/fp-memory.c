// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-memory.h"
#include "fp-scan.h"

#define KEY_WIDTH        16
#define NUMBER_WIDTH     8
#define MAX_USUAL_LENGTH 28 /* a key, a number, " kB" and the line's end */

#define FP_FIELD_INFO(id, name, source, key, unit, bound, title, meaning)                                                \
  {                                                                                                                      \
    name, key ":               ", sizeof (key) - 1, FP_ORIGIN_##source, FP_UNIT_##unit, FP_FIELD_##bound, title, meaning \
  },

const FpFieldInfo fp_field_infos[FP_N_FIELDS] = {
  FP_MEMORY_FIELDS (FP_FIELD_INFO)
};

#undef FP_FIELD_INFO

const FpField fp_ranged_fields[FP_N_RANGES] = {
#define FP_RANGED_FIELD(id) FP_FIELD_##id,
  FP_RANGED_FIELDS (FP_RANGED_FIELD)
#undef FP_RANGED_FIELD
};

/* origins: a mask of FpOrigin. A bit for each field */
guint64
fp_fields_of_origins (guint origins)
{
  guint64 fields = 0;

  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if (fp_field_infos[field].origin & origins)
      fields |= G_GUINT64_CONSTANT (1) << field;
  return fields;
}

void
fp_field_order_init (FpFieldOrder *self,
                     guint origins)
{
  self->n_fields = self->next = 0;
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    if ((fp_field_infos[field].origin & origins) && fp_field_infos[field].key_length > 0)
      self->fields[self->n_fields++] = (guint8)field;
}

static inline gboolean
key_matches (FpField field,
             const char *key,
             const char *end)
{
  const FpFieldInfo *info = &fp_field_infos[field];

  return (gsize)(end - key) > info->key_length && key[info->key_length] == ':' &&
         memcmp (key, info->key, info->key_length) == 0;
}

static FpField
search_key (FpFieldOrder *order,
            const char *key,
            const char *end)
{
  for (guint i = 0; i < order->n_fields; i++)
    {
      guint8 found = order->fields[i];

      if (!key_matches (found, key, end))
        continue;
      if (i > order->next)
        {
          order->fields[i] = order->fields[order->next];
          order->fields[order->next++] = found;
        }
      else
        order->next = i + 1;
      return found;
    }
  return FP_FIELD_NONE;
}

static gboolean
scan_any_field (FpMemory *self,
                FpFieldOrder *order,
                const char **cursor,
                const char *end)
{
  const char *key = *cursor, *c = key;
  gboolean is_kilobytes = FALSE;
  guint64 value = 0;
  FpField field;

  while (c < end && (g_ascii_isalnum (*c) || *c == '_'))
    c++;
  if (c == end || *c != ':' || c == key)
    return FALSE;
  field = search_key (order, key, end);
  c++;
  if (field != FP_FIELD_NONE && fp_scan_value (&c, end, &value, &is_kilobytes) &&
      is_kilobytes == (fp_field_infos[field].unit == FP_UNIT_BYTES))
    fp_memory_set (self, field, value);
  c = memchr (c, '\n', end - c);
  *cursor = c ? c + 1 : end;
  return TRUE;
}

/* Eight characters as the kernel writes a figure: blanks, then digits up to the end. */
static inline gboolean
scan_padded_number (const char *text,
                    guint64 *number)
{
  const guint64 blanks = G_GUINT64_CONSTANT (0x2020202020202020), ones = G_GUINT64_CONSTANT (0x1010101010101010);
  guint64 word;

  memcpy (&word, text, sizeof word);
  word = GUINT64_FROM_LE (word) ^ blanks;
  if (word == G_GUINT64_CONSTANT (0x1000000000000000))
    {
      *number = 0;
      return TRUE;
    }
  if (word == 0)
    return FALSE;
  /* Blanks are 0 now, and digits are 16 more than they mean. */
  word ^= ones << (__builtin_ctzll (word) & ~7);
  if ((word | (word + G_GUINT64_CONSTANT (0x7676767676767676))) & G_GUINT64_CONSTANT (0x8080808080808080))
    return FALSE;
  /* Neighbours are joined: digits, then pairs, then fours. */
  word = (word * 10 + (word >> 8)) & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff);
  word = (word * 100 + (word >> 16)) & G_GUINT64_CONSTANT (0x0000ffff0000ffff);
  *number = (word * 10000 + (word >> 32)) & G_MAXUINT32;
  return TRUE;
}

/* Takes the lines that come in the order learnt, each with its key padded to 16 characters and its number to 8, and stops
 * at any other: of 60,000 mappings that are 1.4 million lines. Nothing of a line is searched for. */
static void
scan_usual_fields (FpMemory *self,
                   FpFieldOrder *order,
                   const char **cursor,
                   const char *end)
{
  const char *line = *cursor;
  guint64 seen = 0;

  for (; order->next < order->n_fields && end - line >= MAX_USUAL_LENGTH; order->next++)
    {
      const FpField field = order->fields[order->next];
      const FpFieldInfo *info = &fp_field_infos[field];
      const char *unit = line + KEY_WIDTH + NUMBER_WIDTH;
      guint64 number;

      if (memcmp (line, info->key, KEY_WIDTH) != 0 || !scan_padded_number (line + KEY_WIDTH, &number))
        break;
      if (info->unit == FP_UNIT_BYTES ? memcmp (unit, " kB\n", 4) != 0 : *unit != '\n')
        break;
      self->figures[field] = info->unit == FP_UNIT_BYTES ? number * 1024 : number;
      seen |= G_GUINT64_CONSTANT (1) << field;
      line = unit + (info->unit == FP_UNIT_BYTES ? 4 : 1);
    }
  self->present |= seen;
  self->ranged &= ~seen;
  *cursor = line;
}

/* Takes one line "Key: value", and as many more as look like those before; FALSE at anything else, with the cursor where it
 * was. */
gboolean
fp_memory_scan_fields (FpMemory *self,
                       FpFieldOrder *order,
                       const char **cursor,
                       const char *end)
{
  const char *start = *cursor;

  scan_usual_fields (self, order, cursor, end);
  return *cursor > start || scan_any_field (self, order, cursor, end);
}

/* origins: a mask of FpOrigin */
void
fp_memory_scan (FpMemory *self,
                guint origins,
                const char *text,
                gsize length)
{
  const char *cursor = text, *end = text + length;
  FpFieldOrder order;

  fp_field_order_init (&order, origins);
  while (cursor < end)
    if (!fp_memory_scan_fields (self, &order, &cursor, end))
      {
        const char *newline = memchr (cursor, '\n', end - cursor);

        cursor = newline ? newline + 1 : end;
      }
}

void
fp_memory_clear_origins (FpMemory *self,
                         guint origins)
{
  guint64 fields = fp_fields_of_origins (origins);

  self->present &= ~fields;
  self->ranged &= ~fields;
}

/* FP_N_RANGES: it is never a range. */
FpRange
fp_field_get_range (FpField field)
{
  switch (field)
    {
#define FP_RANGE_CASE(id) \
  case FP_FIELD_##id:     \
    return FP_RANGE_##id;
      FP_RANGED_FIELDS (FP_RANGE_CASE)
#undef FP_RANGE_CASE
    default:
      return FP_N_RANGES;
    }
}

/* field: one of FP_RANGED_FIELDS. Where both ends are the same, the figure is exact. */
void
fp_memory_set_range (FpMemory *self,
                     FpField field,
                     guint64 low,
                     guint64 high)
{
  FpRange range = fp_field_get_range (field);

  g_return_if_fail (range < FP_N_RANGES && low <= high);
  fp_memory_set (self, field, low);
  if (low == high)
    return;
  self->present &= ~(G_GUINT64_CONSTANT (1) << field);
  self->ranged |= G_GUINT64_CONSTANT (1) << field;
  self->at_most[range] = high;
}

/* The ends between which the figure lies, as well as they are known; FALSE without an upper end. */
gboolean
fp_memory_get_ends (const FpMemory *self,
                    FpField field,
                    guint64 *low,
                    guint64 *high)
{
  *low = fp_memory_has (self, field) || fp_memory_has_range (self, field) ? self->figures[field] : 0;
  *high = *low;
  if (fp_memory_has (self, field))
    return TRUE;
  if (!fp_memory_has_range (self, field))
    return fp_memory_bound (self, field, high);
  *high = self->at_most[fp_field_get_range (field)];
  return TRUE;
}

static void
derive_sum (FpMemory *self,
            FpField sum,
            FpField a,
            FpField b)
{
  guint64 figure;

  if (fp_memory_has (self, a) && fp_memory_has (self, b) &&
      !__builtin_add_overflow (self->figures[a], self->figures[b], &figure))
    fp_memory_set (self, sum, figure);
}

void
fp_memory_derive (FpMemory *self)
{
  derive_sum (self, FP_FIELD_USS, FP_FIELD_PRIVATE_CLEAN, FP_FIELD_PRIVATE_DIRTY);
  derive_sum (self, FP_FIELD_SHARED, FP_FIELD_SHARED_CLEAN, FP_FIELD_SHARED_DIRTY);
  derive_sum (self, FP_FIELD_CLEAN, FP_FIELD_PRIVATE_CLEAN, FP_FIELD_SHARED_CLEAN);
  derive_sum (self, FP_FIELD_DIRTY, FP_FIELD_PRIVATE_DIRTY, FP_FIELD_SHARED_DIRTY);
  derive_sum (self, FP_FIELD_MEMORY_AND_SWAP, FP_FIELD_PSS, FP_FIELD_SWAP_PSS);
  derive_sum (self, FP_FIELD_RSS_AND_SWAP, FP_FIELD_RSS, FP_FIELD_VM_SWAP);
  if (fp_memory_has (self, FP_FIELD_PRIVATE_HUGETLB) && fp_memory_has (self, FP_FIELD_SHARED_HUGETLB))
    derive_sum (self, FP_FIELD_HUGETLB, FP_FIELD_PRIVATE_HUGETLB, FP_FIELD_SHARED_HUGETLB);
}

/* Finds a known figure that an unknown one can't exceed. FALSE: there is none */
gboolean
fp_memory_bound (const FpMemory *self,
                 FpField field,
                 guint64 *bound)
{
  for (FpField by = fp_field_infos[field].bound; by != FP_FIELD_NONE; by = fp_field_infos[by].bound)
    if (fp_memory_has (self, by))
      {
        *bound = self->figures[by];
        return TRUE;
      }
  return FALSE;
}
