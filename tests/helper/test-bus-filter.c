// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fp-bus-filter.h"
#include "fp-helper-protocol.h"
#include "make-accounts.h"

/* Takes the descriptors. */
static FpBusFilter
make_filter (int bus,
             int inside,
             FpAccounts *accounts)
{
  g_autoptr (GSocket) a = g_socket_new_from_fd (bus, NULL);
  g_autoptr (GSocket) b = g_socket_new_from_fd (inside, NULL);

  return (FpBusFilter){ g_socket_connection_factory_create_connection (a), g_socket_connection_factory_create_connection (b), accounts };
}

static void
filter_clear (FpBusFilter *self)
{
  g_object_unref (self->bus);
  g_object_unref (self->inside);
}

static gpointer
write_worker (gpointer data)
{
  const GByteArray *bytes = ((gpointer *)data)[0];
  int fd = GPOINTER_TO_INT (((gpointer *)data)[1]);

  for (guint at = 0; at < bytes->len;)
    {
      gssize n = send (fd, bytes->data + at, MIN (bytes->len - at, 7777), MSG_NOSIGNAL);

      if (n <= 0)
        break;
      at += (guint)n;
    }
  shutdown (fd, SHUT_WR);
  return NULL;
}

/* The bytes that come out at the other side, up to its end. */
static GByteArray *
pass (const GByteArray *bytes)
{
  int outside[2], inside[2];
  FpAccounts *accounts = make_accounts ();
  GByteArray *result = g_byte_array_new ();
  FpBusFilter filter;
  gpointer writing[2];
  GThread *thread, *writer;
  char buffer[4096];
  gssize n;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, outside), ==, 0);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, inside), ==, 0);
  filter = make_filter (outside[1], inside[0], accounts);
  writing[0] = (gpointer)bytes;
  writing[1] = GINT_TO_POINTER (outside[0]);
  thread = g_thread_new ("filter", fp_bus_filter_in_worker, &filter);
  writer = g_thread_new ("writer", write_worker, writing);
  while ((n = recv (inside[1], buffer, sizeof buffer, 0)) > 0)
    g_byte_array_append (result, (const guint8 *)buffer, (guint)n);
  g_thread_join (writer);
  g_thread_join (thread);
  filter_clear (&filter);
  close (outside[0]);
  close (inside[1]);
  return result;
}

/* Before another call of strangers is admitted, which a busy machine can take longer for. */
static GByteArray *
pass_at_once (const GByteArray *bytes)
{
  GByteArray *result = NULL;
  gint64 start_us;

  do
    {
      g_clear_pointer (&result, g_byte_array_unref);
      start_us = g_get_monotonic_time ();
      result = pass (bytes);
    }
  while (g_get_monotonic_time () - start_us >= G_USEC_PER_SEC / FP_STRANGERS_CALLS_PER_S);
  return result;
}

/* An answer of the bus, so many bytes long */
static void
add_answer (GByteArray *bytes,
            GDBusMessageByteOrder order,
            gsize size)
{
  g_autoptr (GDBusMessage) message = g_dbus_message_new ();
  g_autofree guint8 *filler = g_malloc0 (size);
  g_autofree guchar *empty = NULL, *blob = NULL;
  gsize least;

  g_dbus_message_set_byte_order (message, order);
  g_dbus_message_set_message_type (message, G_DBUS_MESSAGE_TYPE_METHOD_RETURN);
  g_dbus_message_set_serial (message, 7);
  g_dbus_message_set_reply_serial (message, 5);
  g_dbus_message_set_body (message, g_variant_new_parsed ("(@ay [],)"));
  empty = g_dbus_message_to_blob (message, &least, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_assert_cmpuint (least, <=, size);
  g_dbus_message_set_body (message, g_variant_new ("(@ay)", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, filler, size - least, 1)));
  blob = g_dbus_message_to_blob (message, &least, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_assert_cmpuint (least, ==, size);
  g_byte_array_append (bytes, blob, (guint)size);
}

static void
add_line (GByteArray *bytes,
          const char *line)
{
  g_byte_array_append (bytes, (const guint8 *)line, (guint)strlen (line));
}

static void
assert_same (const GByteArray *a,
             const GByteArray *b)
{
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
}

static void
test_small (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  add_line (bytes, "OK 0123456789abcdef\r\nAGREE_UNIX_FD\r\n");
  add_answer (bytes, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, 100);
  add_answer (bytes, G_DBUS_MESSAGE_BYTE_ORDER_BIG_ENDIAN, 1029);
  add_answer (bytes, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, FP_BUS_FILTER_MAX_MESSAGE);
  passed = pass (bytes);
  assert_same (passed, bytes);
}

static void
test_big (void)
{
  static const gsize sizes[] = { FP_BUS_FILTER_MAX_MESSAGE + 1, 2 * FP_BUS_FILTER_MAX_MESSAGE, 3000100 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      add_answer (bytes, i % 2 ? G_DBUS_MESSAGE_BYTE_ORDER_BIG_ENDIAN : G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, sizes[i]);
      add_answer (bytes, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, 66 + i);
      add_answer (expected, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, 66 + i);
    }
  passed = pass (bytes);
  assert_same (passed, expected);
}

/* Whoever asked the bus for more than is passed on waits no more: a caller can be in 65,536 groups, which the bus tells. */
static void
test_big_answer_of_bus (void)
{
  const gsize size = 5 * FP_BUS_FILTER_MAX_MESSAGE;
  g_autofree guint8 *filler = g_malloc0 (size);
  g_autoptr (GDBusMessage) message = g_dbus_message_new (), passed_message = NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree guchar *blob = NULL;
  gsize length;

  g_dbus_message_set_message_type (message, G_DBUS_MESSAGE_TYPE_METHOD_RETURN);
  g_dbus_message_set_serial (message, 7);
  g_dbus_message_set_reply_serial (message, 0x12345);
  g_dbus_message_set_sender (message, "org.freedesktop.DBus");
  g_dbus_message_set_body (message, g_variant_new ("(@ay)", g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, filler, size, 1)));
  blob = g_dbus_message_to_blob (message, &length, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_byte_array_append (bytes, blob, (guint)length);
  passed = pass (bytes);
  passed_message = g_dbus_message_new_from_blob (passed->data, passed->len, G_DBUS_CAPABILITY_FLAGS_NONE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_dbus_message_get_reply_serial (passed_message), ==, 0x12345);
  g_assert_true (g_dbus_message_to_gerror (passed_message, &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_TOO_MUCH);
}

/* 8 GiB by what it says: nothing is made ready for them. */
static void
test_lies (void)
{
  static const char lie[] = "l\1\0\1\377\377\377\377\1\0\0\0\377\377\377\377and no more";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  g_byte_array_append (bytes, (const guint8 *)lie, sizeof lie - 1);
  passed = pass (bytes);
  g_assert_cmpuint (passed->len, ==, 0);
}

static void
test_cut (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;
  g_autoptr (GByteArray) line = g_byte_array_new ();
  g_autoptr (GByteArray) none = NULL;

  add_answer (bytes, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, 200);
  g_byte_array_set_size (bytes, 150);
  passed = pass (bytes);
  g_assert_cmpuint (passed->len, ==, 0);

  g_byte_array_set_size (line, 5000);
  memset (line->data, 'A', line->len);
  none = pass (line);
  g_assert_cmpuint (none->len, ==, 0);
}

static void
add_with_body (GByteArray *bytes,
               const char *sender,
               GDBusMessageType type,
               const char *destination,
               GDBusMessageByteOrder order,
               GVariant *body)
{
  g_autoptr (GDBusMessage) message = g_dbus_message_new ();
  g_autofree guchar *blob = NULL;
  gsize size;

  g_dbus_message_set_byte_order (message, order);
  g_dbus_message_set_message_type (message, type);
  g_dbus_message_set_serial (message, 7);
  g_dbus_message_set_path (message, "/io/github");
  g_dbus_message_set_interface (message, "io.github.Any");
  g_dbus_message_set_member (message, "Any");
  if (type == G_DBUS_MESSAGE_TYPE_METHOD_RETURN)
    g_dbus_message_set_reply_serial (message, 5);
  g_dbus_message_set_destination (message, destination);
  g_dbus_message_set_body (message, body);
  g_dbus_message_set_sender (message, sender);
  blob = g_dbus_message_to_blob (message, &size, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_byte_array_append (bytes, blob, (guint)size);
}

/* As the bus passes it on */
static void
add_from (GByteArray *bytes,
          const char *sender,
          GDBusMessageType type,
          const char *destination,
          GDBusMessageByteOrder order)
{
  add_with_body (bytes, sender, type, destination, order, g_variant_new ("(ss)", "a body", "with two parts"));
}

/* Calls of one sender up to a limit, in whatever byte order; others' calls, answers and the bus's own words all. */
static void
test_floods (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  for (guint i = 0; i < 100; i++)
    {
      GByteArray *both[] = { bytes, expected };

      for (guint j = 0; j < 2; j++)
        {
          if (j == 0 || i < FP_STRANGER_BURST + FP_STRANGERS_BURST)
            add_from (both[j], ":1.5", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1",
                      i % 2 ? G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN : G_DBUS_MESSAGE_BYTE_ORDER_BIG_ENDIAN);
          add_from (both[j], ":1.5", G_DBUS_MESSAGE_TYPE_METHOD_RETURN, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
          add_from (both[j], "org.freedesktop.DBus", G_DBUS_MESSAGE_TYPE_SIGNAL, ":1.1",
                    G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
        }
    }
  add_from (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  add_from (expected, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  passed = pass_at_once (bytes);
  assert_same (passed, expected);
}

static GVariant *
make_ids (gint n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(it)"));
  for (gint i = 0; i < n; i++)
    g_variant_builder_add (&builder, "(it)", 4194303 - i, (guint64)0x28282828);
  return g_variant_builder_end (&builder);
}

/* The greatest that a program of this project asks, from a sender whose user is not known yet */
static void
test_great_calls (void)
{
  g_autofree gint32 *pids = g_new (gint32, 15000);

  for (gint i = 0; i < 15000; i++)
    pids[i] = 0x282828 + i;
  for (gint order = 0; order < 2; order++)
    {
      GDBusMessageByteOrder byte_order = order ? G_DBUS_MESSAGE_BYTE_ORDER_BIG_ENDIAN : G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN;
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      g_autoptr (GByteArray) passed = NULL;

      add_with_body (bytes, ":1.2", G_DBUS_MESSAGE_TYPE_METHOD_CALL, FP_HELPER_BUS_NAME, byte_order,
                     g_variant_new ("(@ai)", g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, pids, 15000, sizeof *pids)));
      add_with_body (bytes, ":1.4", G_DBUS_MESSAGE_TYPE_METHOD_CALL, FP_HELPER_BUS_NAME, byte_order,
                     g_variant_new_parsed ("(%@a(it), @t 250000, {'wanted': <%@a(it)>, 'all': <true>, 'refresh-all': <true>})",
                                           make_ids (FP_HELPER_MAX_ATTENTION), make_ids (FP_HELPER_MAX_WANTED)));
      passed = pass (bytes);
      assert_same (passed, bytes);
    }
}

/* Arguments that no method has, and that GDBus would take apart into very many pieces, are dropped; and so is a message of a kind
 * that does not exist. */
static void
test_costly_calls (void)
{
  g_autofree char *filler = g_strnfill (FP_BUS_FILTER_MAX_REST, 'x');
  g_autofree char *tuple = g_strdup_printf ("(@a(it) [], @t 0, {'x': <'%s'>})", filler);
  GVariant *bodies[] = {
    g_variant_new ("(s)", filler),
    g_variant_new_parsed (tuple),
    g_variant_new_parsed ("(@a(it) [], @t 0, {'x': <[(((((@y 1,),),),),)]>})"),
    g_variant_new_parsed ("((((((@y 1,),),),),),)"),
    g_variant_new ("(@a(it)s)", make_ids (3), filler),
  };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    add_with_body (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN, bodies[i]);
  add_from (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  passed = pass (bytes);
  g_assert_cmpuint (passed->len, >, 0);
  g_assert_cmpuint (passed->len, <, FP_BUS_FILTER_MAX_REST);
  bytes->data[bytes->len - passed->len + 1] = 5;
  g_clear_pointer (&passed, g_byte_array_unref);
  passed = pass (bytes);
  g_assert_cmpuint (passed->len, ==, 0);
}

/* dbus-broker leaves fields in a header that nobody knows, in front of the sender that it adds itself. */
static void
test_unknown_field (void)
{
  /* A call with field 200, a byte; then path and member, and the sender */
  static const char call[] = "l\1\0\1"
                             "\0\0\0\0"
                             "\7\0\0\0"
                             "\62\0\0\0"
                             "\310\1y\0"
                             "\5\0\0\0"
                             "\1\1o\0"
                             "\1\0\0\0"
                             "/\0\0\0\0\0\0\0"
                             "\3\1s\0"
                             "\1\0\0\0"
                             "M\0\0\0\0\0\0\0"
                             "\7\1s\0"
                             "\1\0\0\0"
                             ":\0\0\0\0\0\0\0";
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  g_byte_array_append (bytes, (const guint8 *)call, sizeof call - 1);
  add_from (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  add_from (expected, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  passed = pass (bytes);
  assert_same (passed, expected);
}

/* The bus passes this on, and GDBus would leave the bus over it, unless it is a later version. */
static void
test_unsound (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;
  g_autoptr (GDBusMessage) message = NULL;

  add_with_body (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN,
                 g_variant_new_parsed ("(([(signature 'a{sv}',), (signature 'y',)], @x 7), (@u 4294967295, objectpath '/a/b_1'))"));
  message = g_dbus_message_new_from_blob (bytes->data, bytes->len, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  if (message)
    g_byte_array_append (expected, bytes->data, bytes->len);
  add_from (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  add_from (expected, ":1.6", G_DBUS_MESSAGE_TYPE_METHOD_CALL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  passed = pass (bytes);
  assert_same (passed, expected);
}

/* polkit tells all; whoever tells only this one wasn't asked. */
static void
test_signals (void)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GByteArray) expected = g_byte_array_new ();
  g_autoptr (GByteArray) passed = NULL;

  add_from (bytes, ":1.5", G_DBUS_MESSAGE_TYPE_SIGNAL, ":1.1", G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  add_from (bytes, ":1.6", G_DBUS_MESSAGE_TYPE_SIGNAL, NULL, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  add_from (expected, ":1.6", G_DBUS_MESSAGE_TYPE_SIGNAL, NULL, G_DBUS_MESSAGE_BYTE_ORDER_LITTLE_ENDIAN);
  passed = pass (bytes);
  assert_same (passed, expected);
}

/* Descriptors go out with the bytes that they came with. */
static void
test_descriptors (void)
{
  int inside[2], outside[2], null = open ("/dev/null", O_RDONLY), got = -1;
  union
  {
    struct cmsghdr align;
    char bytes[CMSG_SPACE (sizeof (int))];
  } control = { 0 };
  char text[8] = "handle";
  struct iovec part = { text, 6 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
  struct cmsghdr *head = CMSG_FIRSTHDR (&message);
  FpBusFilter filter;
  GThread *thread;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, outside), ==, 0);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, inside), ==, 0);
  filter = make_filter (outside[0], inside[1], NULL);
  thread = g_thread_new ("filter", fp_bus_filter_out_worker, &filter);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN (sizeof (int));
  memcpy (CMSG_DATA (head), &null, sizeof null);
  g_assert_cmpint (sendmsg (inside[0], &message, 0), ==, 6);
  memset (&control, 0, sizeof control);
  g_assert_cmpint (recvmsg (outside[1], &message, 0), ==, 6);
  head = CMSG_FIRSTHDR (&message);
  if (head)
    memcpy (&got, CMSG_DATA (head), sizeof got);
  g_assert_cmpint (fcntl (got, F_GETFD), >=, 0);
  shutdown (inside[0], SHUT_WR);
  g_thread_join (thread);
  close (got);
  close (null);
  filter_clear (&filter);
  close (inside[0]);
  close (outside[1]);
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/bus-filter/small", test_small);
  g_test_add_func ("/bus-filter/big", test_big);
  g_test_add_func ("/bus-filter/big-answer-of-bus", test_big_answer_of_bus);
  g_test_add_func ("/bus-filter/lies", test_lies);
  g_test_add_func ("/bus-filter/cut", test_cut);
  g_test_add_func ("/bus-filter/floods", test_floods);
  g_test_add_func ("/bus-filter/great-calls", test_great_calls);
  g_test_add_func ("/bus-filter/costly-calls", test_costly_calls);
  g_test_add_func ("/bus-filter/unknown-field", test_unknown_field);
  g_test_add_func ("/bus-filter/unsound", test_unsound);
  g_test_add_func ("/bus-filter/signals", test_signals);
  g_test_add_func ("/bus-filter/descriptors", test_descriptors);
  return g_test_run ();
}
