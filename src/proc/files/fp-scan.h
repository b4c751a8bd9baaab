// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* "Key:   123 kB" as smaps, status and meminfo have it. */
typedef struct
{
  const char *key;
  gsize key_length;
  const char *text;
  gsize text_length;
  guint64 value;
  gboolean has_value;
  gboolean is_kilobytes;
} FpLine;

static inline guint64
fp_scan_number (const char **cursor,
                const char *end)
{
  const char *start = *cursor, *c = start;
  guint64 value = 0;

  for (; c < end && *c >= '0' && *c <= '9'; c++)
    if (c - start < 18)
      value = value * 10 + (guint64)(*c - '0');
    else if (__builtin_mul_overflow (value, 10, &value) || __builtin_add_overflow (value, *c - '0', &value))
      value = G_MAXUINT64;
  *cursor = c;
  return value;
}

/* A number up to stop, which is skipped. The text has a line end behind it, which stops the loop. */
static inline gboolean
fp_scan_hex (const char **cursor,
             const char *end,
             char stop,
             guint64 *number)
{
  /* clang-format off */
  static const guint8 digits[256] = {
    ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
    ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
  };
  /* clang-format on */
  const char *start = *cursor, *c = start;
  guint64 value = 0;

  for (guint8 digit; (digit = digits[(guchar)*c]) != 0; c++)
    value = value << 4 | (digit - 1u);
  if (c == start || c - start > 16 || c >= end || *c != stop)
    return FALSE;
  *number = value;
  *cursor = c + 1;
  return TRUE;
}

static inline const char *
fp_scan_blanks (const char *cursor,
                const char *end)
{
  while (cursor < end && (*cursor == ' ' || *cursor == '\t'))
    cursor++;
  return cursor;
}

/* The number behind a key, in bytes where the line says kB; what does not fit 64 bits is no number. */
static inline gboolean
fp_scan_value (const char **cursor,
               const char *end,
               guint64 *value,
               gboolean *is_kilobytes)
{
  const char *start = *cursor = fp_scan_blanks (*cursor, end);

  *value = fp_scan_number (cursor, end);
  if (*cursor == start)
    return FALSE;
  *is_kilobytes = end - *cursor >= 3 && memcmp (*cursor, " kB", 3) == 0;
  if (*is_kilobytes)
    {
      *cursor += 3;
      return !__builtin_mul_overflow (*value, 1024, value);
    }
  return *value != G_MAXUINT64;
}

static inline gboolean
fp_scan_line (const char **cursor,
              const char *end,
              FpLine *line)
{
  while (*cursor < end)
    {
      const char *newline = memchr (*cursor, '\n', end - *cursor);
      const char *line_end = newline ? newline : end;
      const char *colon = memchr (*cursor, ':', line_end - *cursor);

      line->key = *cursor;
      *cursor = newline ? newline + 1 : end;
      if (!colon)
        continue;
      line->key_length = colon - line->key;
      line->text = fp_scan_blanks (colon + 1, line_end);
      line->text_length = line_end - line->text;
      colon = line->text;
      line->has_value = fp_scan_value (&colon, line_end, &line->value, &line->is_kilobytes);
      return TRUE;
    }
  return FALSE;
}

static inline gboolean
fp_line_has_key (const FpLine *line,
                 const char *key)
{
  return strlen (key) == line->key_length && memcmp (line->key, key, line->key_length) == 0;
}

static inline guint64
fp_less (guint64 from,
         guint64 what)
{
  return from - MIN (from, what);
}

G_END_DECLS
