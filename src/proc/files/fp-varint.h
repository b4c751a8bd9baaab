// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A number in seven bits a byte, the lowest first; at most 10 bytes. The highest bit says that more follow. */
static inline guint8 *
fp_varint_write (guint8 *to,
                 guint64 number)
{
  for (; number >= 0x80; number >>= 7)
    *to++ = (guint8)(number | 0x80);
  *to++ = (guint8)number;
  return to;
}

static inline guint64
fp_varint_read (const guint8 **from)
{
  guint64 number = 0;
  guint shift = 0;

  for (; **from & 0x80; shift += 7)
    number |= (guint64)(*(*from)++ & 0x7f) << shift;
  return number | (guint64) * (*from)++ << shift;
}

G_END_DECLS
