// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-bus-header.h"
#include "fp-helper-protocol.h"

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

/* Finds a field without taking the message apart; the serial of a call that is answered is a number, and all others are text.
 * message: at least as long as its first bytes say; each of its fields is a struct of a code and a variant. Or NULL, also where
 * another field cannot be passed over */
const char *
fp_bus_header_find (const char *message,
                    GDBusMessageHeaderField field)
{
  const gsize end = get_end (message);
  const gboolean is_number = field == G_DBUS_MESSAGE_HEADER_FIELD_REPLY_SERIAL;
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
      if (code == field && is_number == (type == 'u') && (is_number || message[at + size - 1] == '\0'))
        return message + at + (is_number ? 0 : prefix);
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

/* Makes the error that stands for an answer of the bus itself which is too long. The bus tells all groups of a caller, who can be
 * in 65,536 with a user namespace of its own. NULL: it is something else. message: the beginning of it, with all of its fields */
guchar *
fp_bus_header_refuse_answer (const char *message,
                             gsize size,
                             gsize *refusal_size)
{
  const gboolean has_fields = get_number (message, 12) <= size - FP_BUS_HEADER_SIZE;
  const char *sender = has_fields ? fp_bus_header_find (message, G_DBUS_MESSAGE_HEADER_FIELD_SENDER) : NULL;
  const char *serial = has_fields ? fp_bus_header_find (message, G_DBUS_MESSAGE_HEADER_FIELD_REPLY_SERIAL) : NULL;
  g_autofree char *name = g_dbus_error_encode_gerror (&(GError){ FP_HELPER_ERROR, FP_HELPER_ERROR_TOO_MUCH, (char *)"" });
  g_autoptr (GDBusMessage) refusal = NULL;

  if (message[1] != G_DBUS_MESSAGE_TYPE_METHOD_RETURN || g_strcmp0 (sender, "org.freedesktop.DBus") != 0 || !serial)
    return NULL;
  refusal = g_dbus_message_new ();
  g_dbus_message_set_message_type (refusal, G_DBUS_MESSAGE_TYPE_ERROR);
  g_dbus_message_set_serial (refusal, get_number (message, 8));
  g_dbus_message_set_reply_serial (refusal, get_number (message, (gsize)(serial - message)));
  g_dbus_message_set_sender (refusal, sender);
  g_dbus_message_set_error_name (refusal, name);
  return g_dbus_message_to_blob (refusal, refusal_size, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
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
