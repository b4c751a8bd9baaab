// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui-calls.h"

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define COMPONENT  "org.a11y.atspi.Component"
#define NOWHERE    "/org/a11y/atspi/null"
#define TIMEOUT_MS 60000

static void
free_message (gpointer message)
{
  if (message)
    dbus_message_unref (message);
}

UiCalls *
ui_calls_new (UiNode *of)
{
  UiCalls *self = g_new0 (UiCalls, 1);

  /* A node has none any more when its program has left the bus. */
  self->program = ATSPI_OBJECT (of)->app ? g_object_ref (ATSPI_OBJECT (of)->app) : NULL;
  self->messages = g_ptr_array_new_with_free_func (free_message);
  return self;
}

void
ui_calls_free (UiCalls *self)
{
  g_clear_object (&self->program);
  g_ptr_array_unref (self->messages);
  g_free (self);
}

static DBusMessage *
ask (UiCalls *self,
     const char *path,
     const char *interface,
     const char *member)
{
  DBusMessage *message = dbus_message_new_method_call (self->program ? self->program->bus_name : NULL, path, interface, member);

  g_ptr_array_add (self->messages, message);
  return message;
}

static void
ask_property (UiCalls *self,
              const char *path,
              const char *name)
{
  const char *interface = ACCESSIBLE;

  dbus_message_append_args (ask (self, path, DBUS_INTERFACE_PROPERTIES, "Get"), DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &name,
                            DBUS_TYPE_INVALID);
}

void
ui_calls_ask_role (UiCalls *self,
                   const char *path)
{
  ask (self, path, ACCESSIBLE, "GetRole");
}

void
ui_calls_ask_name (UiCalls *self,
                   const char *path)
{
  ask_property (self, path, "Name");
}

void
ui_calls_ask_states (UiCalls *self,
                     const char *path)
{
  ask (self, path, ACCESSIBLE, "GetState");
}

void
ui_calls_ask_parent (UiCalls *self,
                     const char *path)
{
  ask_property (self, path, "Parent");
}

void
ui_calls_ask_children (UiCalls *self,
                       const char *path)
{
  ask (self, path, ACCESSIBLE, "GetChildren");
}

/* Never of the screen: GTK 4.8 does not know its coordinates, and warns. */
void
ui_calls_ask_box (UiCalls *self,
                  const char *path)
{
  dbus_uint32_t of_window = ATSPI_COORD_TYPE_WINDOW;

  dbus_message_append_args (ask (self, path, COMPONENT, "GetExtents"), DBUS_TYPE_UINT32, &of_window, DBUS_TYPE_INVALID);
}

void
ui_calls_ask_at (UiCalls *self,
                 const char *path,
                 int x,
                 int y)
{
  dbus_int32_t place[] = { x, y };
  dbus_uint32_t of_window = ATSPI_COORD_TYPE_WINDOW;

  dbus_message_append_args (ask (self, path, COMPONENT, "GetAccessibleAtPoint"), DBUS_TYPE_INT32, &place[0], DBUS_TYPE_INT32, &place[1],
                            DBUS_TYPE_UINT32, &of_window, DBUS_TYPE_INVALID);
}

static DBusMessage *
await_answer (DBusPendingCall *pending)
{
  DBusMessage *answer;

  if (!pending)
    return NULL;
  dbus_pending_call_block (pending);
  answer = dbus_pending_call_steal_reply (pending);
  dbus_pending_call_unref (pending);
  if (answer && dbus_message_get_type (answer) == DBUS_MESSAGE_TYPE_ERROR)
    g_clear_pointer (&answer, dbus_message_unref);
  return answer;
}

void
ui_calls_make (UiCalls *self)
{
  guint n = self->messages->len;
  g_autofree DBusPendingCall **pending = g_new0 (DBusPendingCall *, n);

  for (guint i = 0; i < n; i++)
    {
      DBusMessage *question = g_ptr_array_index (self->messages, i);

      if (self->program && self->program->bus)
        dbus_connection_send_with_reply (self->program->bus, question, &pending[i], TIMEOUT_MS);
      dbus_message_unref (question);
      g_ptr_array_index (self->messages, i) = NULL;
    }
  for (guint i = 0; i < n; i++)
    g_ptr_array_index (self->messages, i) = await_answer (pending[i]);
}

/* A property is wrapped in a variant. Returns whether there is a value of this type. */
static gboolean
find_value (UiCalls *self,
            guint i,
            int type,
            DBusMessageIter *value)
{
  DBusMessage *answer = g_ptr_array_index (self->messages, i);
  DBusMessageIter outer;

  if (!answer || !dbus_message_iter_init (answer, &outer))
    return FALSE;
  *value = outer;
  if (dbus_message_iter_get_arg_type (&outer) == DBUS_TYPE_VARIANT)
    dbus_message_iter_recurse (&outer, value);
  return dbus_message_iter_get_arg_type (value) == type;
}

AtspiRole
ui_calls_get_role (UiCalls *self,
                   guint i)
{
  DBusMessageIter value;
  dbus_uint32_t role = ATSPI_ROLE_INVALID;

  if (find_value (self, i, DBUS_TYPE_UINT32, &value))
    dbus_message_iter_get_basic (&value, &role);
  return role;
}

const char *
ui_calls_get_name (UiCalls *self,
                   guint i)
{
  DBusMessageIter value;
  const char *name = "";

  if (find_value (self, i, DBUS_TYPE_STRING, &value))
    dbus_message_iter_get_basic (&value, &name);
  return g_intern_string (name);
}

gboolean
ui_calls_has_state (UiCalls *self,
                    guint i,
                    AtspiStateType state)
{
  DBusMessageIter value, words;
  dbus_uint32_t word = 0;

  if (!find_value (self, i, DBUS_TYPE_ARRAY, &value))
    return FALSE;
  dbus_message_iter_recurse (&value, &words);
  for (guint n = state / 32; n > 0; n--)
    dbus_message_iter_next (&words);
  if (dbus_message_iter_get_arg_type (&words) == DBUS_TYPE_UINT32)
    dbus_message_iter_get_basic (&words, &word);
  return (word >> (state % 32) & 1) != 0;
}

/* NULL: it refers to nothing */
static const char *
read_reference (DBusMessageIter *reference)
{
  DBusMessageIter part;
  const char *path;

  dbus_message_iter_recurse (reference, &part);
  if (!dbus_message_iter_next (&part) || dbus_message_iter_get_arg_type (&part) != DBUS_TYPE_OBJECT_PATH)
    return NULL;
  dbus_message_iter_get_basic (&part, &path);
  return g_str_equal (path, NOWHERE) ? NULL : g_intern_string (path);
}

const char *
ui_calls_get_path (UiCalls *self,
                   guint i)
{
  DBusMessageIter value;

  return find_value (self, i, DBUS_TYPE_STRUCT, &value) ? read_reference (&value) : NULL;
}

GPtrArray *
ui_calls_get_paths (UiCalls *self,
                    guint i)
{
  GPtrArray *paths = g_ptr_array_new ();
  DBusMessageIter value, reference;

  if (!find_value (self, i, DBUS_TYPE_ARRAY, &value))
    return paths;
  for (dbus_message_iter_recurse (&value, &reference); dbus_message_iter_get_arg_type (&reference) == DBUS_TYPE_STRUCT;
       dbus_message_iter_next (&reference))
    {
      const char *path = read_reference (&reference);

      if (path)
        g_ptr_array_add (paths, (gpointer)path);
    }
  return paths;
}

UiBox
ui_calls_get_box (UiCalls *self,
                  guint i)
{
  DBusMessageIter value, part;
  dbus_int32_t numbers[4] = { 0 };

  if (!find_value (self, i, DBUS_TYPE_STRUCT, &value))
    return (UiBox){ 0 };
  dbus_message_iter_recurse (&value, &part);
  for (guint n = 0; n < G_N_ELEMENTS (numbers) && dbus_message_iter_get_arg_type (&part) == DBUS_TYPE_INT32; n++)
    {
      dbus_message_iter_get_basic (&part, &numbers[n]);
      dbus_message_iter_next (&part);
    }
  return (UiBox){ numbers[0], numbers[1], numbers[2], numbers[3] };
}
