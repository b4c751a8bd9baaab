// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fp-helper-protocol.h"

/* abuser KIND: does it until it is ended. */

static GDBusConnection *
join_bus (void)
{
  g_autofree char *address = g_dbus_address_get_for_bus_sync (G_BUS_TYPE_SYSTEM, NULL, NULL);

  return g_dbus_connection_new_for_address_sync (
      address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL,
      NULL, NULL);
}

static GDBusMessage *
make_call (const char *interface,
           const char *method,
           const char *arguments)
{
  GDBusMessage *message = g_dbus_message_new_method_call (FP_HELPER_BUS_NAME, FP_HELPER_PATH, interface, method);

  if (arguments)
    g_dbus_message_set_body (message, g_variant_parse (NULL, arguments, NULL, NULL, NULL));
  return message;
}

/* As fast as the bus takes them. */
static void
flood (const char *interface,
       const char *method,
       const char *arguments,
       GDBusMessageFlags flags)
{
  g_autoptr (GDBusConnection) connection = join_bus ();

  for (guint i = 0;; i++)
    {
      g_autoptr (GDBusMessage) message = make_call (interface, method, arguments);

      g_dbus_message_set_flags (message, flags);
      if (!g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL))
        exit (0);
      if (i % 64 == 0)
        g_dbus_connection_flush_sync (connection, NULL, NULL);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
}

static void
flood_collect (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, @a{sv} {})", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_refresh (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 1, {'refresh-all': <true>})", G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
}

static void
flood_version (void)
{
  flood ("org.freedesktop.DBus.Properties", "Get", "('io.github.footprint_app.Footprint.Helper1', 'Version')",
         G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_mappings (void)
{
  flood (FP_HELPER_INTERFACE, "LoadMappings", "(@i 1, @t 1)", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_questions (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, {'all': <true>})",
         G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION);
}

static void
flood_wrong_types (void)
{
  flood (FP_HELPER_INTERFACE, "Collect", "('all of it', 3.5)", G_DBUS_MESSAGE_FLAGS_NONE);
}

static void
flood_odd_values (void)
{
  flood (FP_HELPER_INTERFACE, "Collect",
         "([(-1, @t 0), (2147483647, @t 18446744073709551615), (0, @t 1)], @t 18446744073709551615,"
         " {'wanted': <[(1, @t 1), (-2147483648, @t 5)]>, 'all': <'yes'>, '': <@a{sv} {}>})",
         G_DBUS_MESSAGE_FLAGS_NONE);
}

/* A whole new caller each time, gone before the answer. */
static void
come_and_go (void)
{
  for (;;)
    {
      g_autoptr (GDBusConnection) connection = join_bus ();
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", "(@a(it) [], @t 0, @a{sv} {})");

      if (!connection)
        continue;
      g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
      g_dbus_connection_flush_sync (connection, NULL, NULL);
      g_dbus_connection_close_sync (connection, NULL, NULL);
    }
}

static GVariant *
make_ids (gint n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(it)"));
  for (gint i = 1; i < n; i++)
    g_variant_builder_add (&builder, "(it)", i, (guint64)i);
  return g_variant_builder_end (&builder);
}

/* Half a million processes to look at: 8 MB each time. */
static void
send_much (void)
{
  g_autoptr (GDBusConnection) connection = join_bus ();

  for (;;)
    {
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", NULL);

      g_dbus_message_set_body (message, g_variant_new ("(@a(it)ta{sv})", make_ids (500000), (guint64)0, NULL));
      if (!g_dbus_connection_send_message (connection, message, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL))
        exit (0);
      g_dbus_connection_flush_sync (connection, NULL, NULL);
    }
}

/* Half a message, and then nothing; or no message at all. */
static void
stop_halfway (void)
{
  static const char half[] = "l\1\0\1\10\0\0\0\1\0\0\0\177\0\0\0\1\1o\0\25\0\0\0/io/github";

  for (guint i = 0;; i++)
    {
      g_autoptr (GDBusConnection) connection = join_bus ();
      GIOStream *stream = connection ? g_dbus_connection_get_stream (connection) : NULL;

      if (!stream)
        continue;
      g_output_stream_write (g_io_stream_get_output_stream (stream), half, sizeof half - 1, NULL, NULL);
      g_usleep (i % 2 ? 100 * 1000 : 1000);
    }
}

static void
say (int fd,
     const char *line)
{
  g_assert_cmpint (write (fd, line, strlen (line)), ==, (gssize)strlen (line));
}

static void
hear (int fd)
{
  char letter = 0;

  while (letter != '\n')
    g_assert_cmpint (read (fd, &letter, 1), ==, 1);
}

static void
send_blob (int fd,
           GDBusMessage *message,
           guint32 serial)
{
  g_autofree guchar *blob = NULL;
  gsize size;

  g_dbus_message_set_serial (message, serial);
  blob = g_dbus_message_to_blob (message, &size, G_DBUS_CAPABILITY_FLAGS_UNIX_FD_PASSING, NULL);
  g_assert_cmpint (write (fd, blob, size), ==, (gssize)size);
}

static int
connect_to_bus (void)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/run/dbus/system_bus_socket" };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  while (connect (fd, (const struct sockaddr *)&address, sizeof address) != 0)
    g_usleep (10 * 1000);
  return fd;
}

static char *
make_authentication (void)
{
  g_autoptr (GString) text = g_string_new ("AUTH EXTERNAL ");
  g_autofree char *uid = g_strdup_printf ("%u", getuid ());

  for (const char *digit = uid; *digit; digit++)
    g_string_append_printf (text, "%02x", (guint)*digit);
  return g_strdup (g_string_append (text, "\r\n")->str);
}

static GDBusMessage *
make_hello (void)
{
  return g_dbus_message_new_method_call ("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "Hello");
}

/* A connection that reads nothing any more */
static int
join_deafly (void)
{
  g_autoptr (GDBusMessage) hello = make_hello ();
  g_autofree char *authentication = make_authentication ();
  int fd = connect_to_bus ();

  g_assert_cmpint (write (fd, "", 1), ==, 1);
  say (fd, authentication);
  hear (fd);
  say (fd, "NEGOTIATE_UNIX_FD\r\n");
  hear (fd);
  say (fd, "BEGIN\r\n");
  send_blob (fd, hello, 1);
  return fd;
}

static void
append_blob (GByteArray *bytes,
             GDBusMessage *message,
             guint32 serial)
{
  g_autofree guchar *blob = NULL;
  gsize size;

  g_dbus_message_set_serial (message, serial);
  blob = g_dbus_message_to_blob (message, &size, G_DBUS_CAPABILITY_FLAGS_NONE, NULL);
  g_byte_array_append (bytes, blob, (guint)size);
}

/* All that a connection ever says, in one piece, and the next connection: as many as the bus takes. */
static void
come_with (GVariant *body,
           guint n)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GDBusMessage) hello = make_hello ();
  g_autofree char *authentication = make_authentication ();

  g_byte_array_append (bytes, (const guint8 *)"", 1);
  g_byte_array_append (bytes, (const guint8 *)authentication, (guint)strlen (authentication));
  g_byte_array_append (bytes, (const guint8 *)"BEGIN\r\n", strlen ("BEGIN\r\n"));
  append_blob (bytes, hello, 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", NULL);

      g_dbus_message_set_flags (message, G_DBUS_MESSAGE_FLAGS_NO_REPLY_EXPECTED);
      g_dbus_message_set_body (message, body);
      append_blob (bytes, message, i + 2);
    }
  signal (SIGPIPE, SIG_IGN);
  for (;;)
    {
      char answer[128];
      int fd = connect_to_bus ();

      /* "OK" comes first, and then what answers Hello, by which time the bus has read the rest. */
      if (write (fd, bytes->data, bytes->len) == (gssize)bytes->len)
        for (gssize n_read = 1, sum = 0; n_read > 0 && sum < (gssize)sizeof answer; sum += n_read)
          n_read = read (fd, answer, sizeof answer);
      close (fd);
    }
}

/* Each with as long a list as a message may have */
static void
come_with_lists (void)
{
  come_with (g_variant_ref_sink (g_variant_new ("(@a(it)ta{sv})", make_ids (4000), (guint64)0, NULL)), 1);
}

/* Each with as many calls as are taken of a stranger */
static void
come_with_calls (void)
{
  come_with (g_variant_ref_sink (g_variant_new ("(@a(it)ta{sv})", make_ids (60), (guint64)0, NULL)), 10);
}

static void
come_with_short_calls (void)
{
  come_with (g_variant_ref_sink (g_variant_new ("(@a(it)ta{sv})", make_ids (1), (guint64)0, NULL)), 9);
}

/* Says when it has made n calls. */
static void
call_deafly (const char *method,
             const char *arguments,
             guint n)
{
  int fd = join_deafly ();

  for (guint i = 0;; i++)
    {
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, method, arguments);

      send_blob (fd, message, i + 2);
      g_usleep (i == 0 ? G_USEC_PER_SEC : 25 * 1000);
      if (i == n)
        {
          printf ("enough\n");
          fflush (stdout);
        }
    }
}

/* The first answers are as many as the socket takes. All others stay in the bus, which reads no more from a service of which it
 * has 64 descriptors. */
static void
never_read (void)
{
  call_deafly ("Collect", "(@a(it) [], @t 0, @a{sv} {})", 400);
}

#define N_MAPPINGS 64000
#define N_CROWD    100
#define N_SILENT   80
#define N_LARGE    40   /* connections */
#define N_NESTED   8000 /* of 8 bytes each */
#define GIANT      ((gsize)32 << 30)
#define GIANT_FILE ((gsize)128 << 20)

static guint64
get_own_start (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  g_file_get_contents ("/proc/self/stat", &text, NULL, NULL);
  fields = g_strsplit (strrchr (text, ')') + 2, " ", -1);
  return g_ascii_strtoull (fields[19], NULL, 10);
}

/* Or 127 MiB, of which an answer with a long command line is half of one. */
static void
never_read_details (void)
{
  g_autofree char *own = NULL, *arguments = NULL, *filler = g_strnfill (130000, '\xff');
  gsize length;

  g_assert_true (g_file_get_contents ("/proc/self/cmdline", &own, &length, NULL));
  if (length < 130000)
    execl ("/proc/self/exe", "abuser", "never-read-details", filler, NULL);
  arguments = g_strdup_printf ("(@i %d, @t %" G_GUINT64_FORMAT ")", getpid (), get_own_start ());
  call_deafly ("LoadDetails", arguments, 320);
}

/* A folder deep enough for a path of about 3,000 bytes, and in it a file that is mapped as often as the kernel allows. */
static void
map_long_path (void)
{
  char name[201] = "";
  int fd;

  memset (name, 'n', sizeof name - 1);
  g_assert_cmpint (chdir (getpwuid (getuid ())->pw_dir), ==, 0);
  for (guint i = 0; i < 14; i++)
    if ((mkdir (name, 0700) != 0 && errno != EEXIST) || chdir (name) != 0)
      exit (3);
  fd = open (name, O_RDWR | O_CREAT, 0600);
  g_assert_cmpint (ftruncate (fd, 4096), ==, 0);
  for (guint i = 0; i < N_MAPPINGS; i++)
    mmap (NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
  close (fd);
}

/* The mappings of that, again and again; all answers are kept, by every second descriptor as a mere path. */
static void
hoard (void)
{
  g_autoptr (GDBusConnection) connection = join_bus ();
  guint64 start = get_own_start ();

  map_long_path ();
  for (guint i = 0;; i++)
    {
      g_autoptr (GUnixFDList) fds = NULL;
      g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
          connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "LoadMappings",
          g_variant_new ("(it)", getpid (), start), G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, &fds, NULL,
          NULL);
      int fd = reply && fds ? g_unix_fd_list_get (fds, 0, NULL) : -1;
      g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

      if (fd >= 0 && i % 2)
        {
          open (path, O_PATH);
          close (fd);
        }
      g_usleep (fd >= 0 ? 1000 : 50 * 1000);
    }
}

/* Every snapshot, too. */
static void
hoard_snapshots (void)
{
  g_autoptr (GDBusConnection) connection = join_bus ();

  for (;;)
    {
      g_autoptr (GUnixFDList) fds = NULL;
      g_autoptr (GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync (
          connection, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "Collect",
          g_variant_new_parsed ("(@a(it) [], @t 0, @a{sv} {})"), G_VARIANT_TYPE ("(vs)"), G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
          NULL, &fds, NULL, NULL);

      if (reply && fds)
        g_unix_fd_list_get (fds, 0, NULL);
      g_usleep (20 * 1000);
    }
}

/* The kernel walks each page of it, though all of them are of one small file. */
static void
become_giant (void)
{
  int fd = memfd_create ("giant", MFD_CLOEXEC);

  g_assert_cmpint (ftruncate (fd, GIANT_FILE), ==, 0);
  for (gsize i = 0; i < GIANT; i += GIANT_FILE)
    g_assert_true (mmap (NULL, GIANT_FILE, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0) != MAP_FAILED);
  close (fd);
}

/* A big process of one's own, which is to be measured all the time. */
static void
flood_wanted (void)
{
  g_autofree char *arguments = NULL;

  become_giant ();
  arguments = g_strdup_printf ("(@a(it) [], @t 250000, {'wanted': <[(%d, @t %" G_GUINT64_FORMAT ")]>})", getpid (),
                               get_own_start ());
  for (;;)
    {
      g_autoptr (GDBusConnection) connection = join_bus ();
      g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", arguments);

      for (guint i = 0; connection && i < 20; i++)
        {
          g_autoptr (GDBusMessage) copy = g_dbus_message_copy (message, NULL);

          g_dbus_connection_send_message (connection, copy, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
          g_usleep (50 * 1000);
        }
    }
}

/* From many connections, which all stay. */
static void
send_from_many (guint n,
                GDBusMessage *message,
                guint interval_us)
{
  GDBusConnection *connections[N_CROWD];

  for (guint i = 0; i < n; i++)
    while (!(connections[i] = join_bus ()))
      g_usleep (10 * 1000);
  for (;;)
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (GDBusMessage) copy = g_dbus_message_copy (message, NULL);

        g_dbus_connection_send_message (connections[i], copy, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
        while (g_main_context_iteration (NULL, FALSE))
          ;
        g_usleep (interval_us);
      }
}

static void
call_from_many (guint n,
                const char *method,
                const char *arguments,
                GDBusMessageFlags flags,
                guint interval_us)
{
  g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, method, arguments);

  g_dbus_message_set_flags (message, flags);
  send_from_many (n, message, interval_us);
}

static void
crowd (void)
{
  call_from_many (N_CROWD, "Collect", "(@a(it) [], @t 0, @a{sv} {})", G_DBUS_MESSAGE_FLAGS_NONE, 1000);
}

/* As long as the helper takes any, which GDBus makes into thousands of pieces */
static void
send_lists (void)
{
  g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", NULL);

  g_dbus_message_set_body (message, g_variant_new ("(@a(it)ta{sv})", make_ids (4000), (guint64)0, NULL));
  send_from_many (N_LARGE, message, 20 * 1000);
}

/* Structures within structures: hundreds of thousands of pieces */
static void
send_nested (void)
{
  g_autoptr (GDBusMessage) message = make_call (FP_HELPER_INTERFACE, "Collect", NULL);
  GVariant *elements[N_NESTED];
  GVariant *options;

  for (guint i = 0; i < N_NESTED; i++)
    {
      elements[i] = g_variant_new_byte (1);
      for (guint depth = 0; depth < 28; depth++)
        elements[i] = g_variant_new_tuple (&elements[i], 1);
    }
  options = g_variant_new_parsed ("{'x': %v}", g_variant_new_array (NULL, elements, N_NESTED));
  g_dbus_message_set_body (message, g_variant_new ("(@a(it)t@a{sv})", make_ids (0), (guint64)0, options));
  send_from_many (N_LARGE, message, 200 * 1000);
}

static void
ask_in_silence (void)
{
  call_from_many (N_SILENT, "Collect", "(@a(it) [], @t 0, {'all': <true>})",
                  G_DBUS_MESSAGE_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION, 5000);
}

static void
flood_invalid (void)
{
  flood (FP_HELPER_INTERFACE, "LoadMappings", "(@i 0, @t 0)", G_DBUS_MESSAGE_FLAGS_NONE);
}

/* At every abstract socket there is. */
static void
knock (void)
{
  for (;;)
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;

      g_file_get_contents ("/proc/net/unix", &text, NULL, NULL);
      lines = g_strsplit (text ? text : "", "\n", -1);
      for (guint i = 0; lines[i]; i++)
        {
          const char *name = strchr (lines[i], '@');
          struct sockaddr_un address = { .sun_family = AF_UNIX };
          int fd = name ? socket (AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;

          if (fd < 0)
            continue;
          g_strlcpy (address.sun_path + 1, name + 1, sizeof address.sun_path - 1);
          if (connect (fd, (const struct sockaddr *)&address, (socklen_t)(sizeof address.sun_family + strlen (name))) == 0)
            g_usleep (100);
          close (fd);
        }
    }
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*run) (void);
  } kinds[] = {
    { "flood-collect", flood_collect },
    { "flood-refresh", flood_refresh },
    { "flood-version", flood_version },
    { "flood-mappings", flood_mappings },
    { "flood-questions", flood_questions },
    { "wrong-types", flood_wrong_types },
    { "odd-values", flood_odd_values },
    { "come-and-go", come_and_go },
    { "come-with-lists", come_with_lists },
    { "come-with-calls", come_with_calls },
    { "come-with-short-calls", come_with_short_calls },
    { "send-much", send_much },
    { "send-lists", send_lists },
    { "send-nested", send_nested },
    { "stop-halfway", stop_halfway },
    { "never-read", never_read },
    { "never-read-details", never_read_details },
    { "hoard", hoard },
    { "hoard-snapshots", hoard_snapshots },
    { "flood-wanted", flood_wanted },
    { "crowd", crowd },
    { "ask-in-silence", ask_in_silence },
    { "flood-invalid", flood_invalid },
    { "knock", knock },
  };

  for (guint i = 0; argc > 1 && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].name, argv[1]))
      kinds[i].run ();
  return 2;
}
