// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-bus-header.h"

static guint32
get_number (const char *message,
            gsize at)
{
  guint32 number;

  memcpy (&number, message + at, sizeof number);
  return message[0] == 'l' ? GUINT32_FROM_LE (number) : GUINT32_FROM_BE (number);
}

/* Finds a field whose value is text, without taking the message apart. message: at least as long as its first bytes say; each of
 * its fields is a struct of a code and a variant. Or NULL, also where another field cannot be passed over */
const char *
fp_bus_header_find (const char *message,
                    GDBusMessageHeaderField field)
{
  const gsize end = FP_BUS_HEADER_SIZE + get_number (message, 12);
  gsize size;

  for (gsize at = FP_BUS_HEADER_SIZE; at + 6 <= end; at = (at + size + 7) & ~(gsize)7)
    {
      const guint8 code = (guint8)message[at];
      const char type = message[at + 1] == 1 ? message[at + 2] : '\0';

      at += 4;
      if (type == 'u')
        size = sizeof (guint32);
      else if (type == 'g')
        size = (guint8)message[at] + 2u;
      else if ((type == 's' || type == 'o') && end - at >= 5)
        size = get_number (message, at) + (gsize)5;
      else
        return NULL;
      if (size > end - at)
        return NULL;
      if (code == field && (type == 's' || type == 'o') && message[at + size - 1] == '\0')
        return message + at + 4;
    }
  return NULL;
}
