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

static gsize
get_end (const char *message)
{
  return FP_BUS_HEADER_SIZE + get_number (message, 12);
}

/* Finds a field whose value is text, without taking the message apart. message: at least as long as its first bytes say; each of
 * its fields is a struct of a code and a variant. Or NULL, also where another field cannot be passed over */
const char *
fp_bus_header_find (const char *message,
                    GDBusMessageHeaderField field)
{
  const gsize end = get_end (message);
  gsize size;

  for (gsize at = FP_BUS_HEADER_SIZE; at + 6 <= end; at = (at + size + 7) & ~(gsize)7)
    {
      const guint8 code = (guint8)message[at];
      const char type = message[at + 1] == 1 ? message[at + 2] : '\0';
      const gsize prefix = type == 'g' ? sizeof (guint8) : sizeof (guint32); /* the length of the text */

      at += 4;
      if (type == 'u')
        size = sizeof (guint32);
      else if (type == 'g')
        size = (guint8)message[at] + prefix + 1;
      else if ((type == 's' || type == 'o') && end - at > prefix)
        size = get_number (message, at) + prefix + 1;
      else
        return NULL;
      if (size > end - at)
        return NULL;
      if (code == field && type != 'u' && message[at + size - 1] == '\0')
        return message + at + prefix;
    }
  return NULL;
}

/* How much of the message is a list of numbers or of processes' ids, at the beginning of its arguments. 0: it begins with
 * something else. size: of the message */
gsize
fp_bus_header_get_list_size (const char *message,
                             gsize size)
{
  const char *types = fp_bus_header_find (message, G_DBUS_MESSAGE_HEADER_FIELD_SIGNATURE);
  const gsize body = (get_end (message) + 7) & ~(gsize)7;

  if (!types || !(g_str_has_prefix (types, "ai") || g_str_has_prefix (types, "a(it)")) || body + sizeof (guint32) > size)
    return 0;
  return MIN (get_number (message, body), size - body - sizeof (guint32));
}

/* GDBus leaves the bus over a message that it can’t take apart, and the bus passes on some of those: the two disagree about the
 * padding of arrays, and about how deep a variant may be. */
gboolean
fp_bus_message_is_sound (const char *message,
                         gsize size)
{
  g_autoptr (GDBusMessage) taken_apart =
      g_dbus_message_new_from_blob ((guchar *)message, size, G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING, NULL);

  return taken_apart != NULL;
}
