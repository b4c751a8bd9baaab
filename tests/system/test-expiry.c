// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>

#include "fp-helper-protocol.h"
#include "system-user.h"

#define SERVICES   "/usr/share/dbus-1/system-services/"
#define SHIFT      "/run/fp-clock-shift"
#define ACTION     "action.id.indexOf(\"io.github.footprint_app.Footprint.\") == 0"
#define FORBID     "if (" ACTION ") return polkit.Result.NO;"
#define KEEPING_S  300
#define SETTLING_S 4 /* polkitd looks up every 2 s while it keeps something */

static gint64 shift_s;

static void
set_shift (gint64 seconds)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (SHIFT);
  g_autoptr (GFileIOStream) stream = g_file_open_readwrite (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (stream)), &seconds,
                                            sizeof seconds, NULL, NULL, NULL));
  shift_s = seconds;
}

static void
let_pass (gint64 seconds)
{
  set_shift (shift_s + seconds);
  g_usleep (SETTLING_S * G_USEC_PER_SEC);
}

/* polkitd and the helper, with a clock that can be put on. */
static void
shift_clock_of (const char *service)
{
  g_autofree char *path = g_strconcat (SERVICES, service, ".service", NULL);
  g_autofree char *exec = g_strdup_printf ("Exec=/usr/bin/env LD_PRELOAD=%s ",
                                           g_getenv ("FOOTPRINT_CLOCK_SHIFT"));
  g_autofree char *text = NULL;
  g_autoptr (GString) new_text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  new_text = g_string_new (text);
  g_assert_cmpuint (g_string_replace (new_text, "Exec=", exec, 0), ==, 1);
  g_assert_true (g_file_set_contents (path, new_text->str, -1, NULL));
}

/* Is asked for the password, gives it, and holds. */
static void
unlock (SystemProcess *client,
        SystemSession *session,
        const char *steps)
{
  g_autofree char *all_steps = g_strconcat ("hold all again hold ", steps, NULL);
  SystemProcess agent;

  system_make_session (session, "fp-ben");
  system_start_client (client, "fp-ben", all_steps);
  system_expect (client, "holding");
  system_join_session (session, client->pid);
  system_start_session_agent (&agent, session, "password", "secret");
  system_release (client);
  system_expect (&agent, "asked io.github.footprint_app.Footprint.read-memory");
  system_expect (client, "all all");
  system_expect (client, "again all");
  system_expect (client, "holding");
  system_stop (&agent);
}

/* An authorization that polkit keeps ends by itself, as the next connection of the same program finds; the one that has it keeps it
 * meanwhile, also when nobody has read for more than the helper's minute. */
static void
test_expired (void)
{
  SystemSession session;
  SystemProcess client;
  pid_t helper;

  unlock (&client, &session, "again hold again leave all hold");
  helper = system_find_helper ();
  let_pass (KEEPING_S / 2);
  let_pass (KEEPING_S / 2 + 1);
  system_release (&client);
  system_expect (&client, "again all");
  system_expect (&client, "holding");
  let_pass (24 * 3600);
  system_release (&client);
  system_expect (&client, "again all");
  g_assert_cmpint (system_find_helper (), ==, helper);
  system_expect_error (&client, "all", FP_HELPER_ERROR_NO_AGENT);
  system_expect (&client, "holding");
  system_stop (&client);
  system_clear_session (&session);
}

static void
test_forbidden (void)
{
  SystemSession session;
  SystemProcess client;

  unlock (&client, &session, "again hold again hold");
  let_pass (KEEPING_S + 1);
  system_release (&client);
  system_expect (&client, "again all");
  system_expect (&client, "holding");
  system_set_rule ("20-test", FORBID);
  system_release (&client);
  system_expect_error (&client, "again", FP_HELPER_ERROR_DENIED);
  system_expect (&client, "holding");
  system_stop (&client);
  system_clear_session (&session);
  system_set_rule ("20-test", NULL);
}

/* Another program of the session takes back what polkit keeps, which looks as if it had come to its end: the connection
 * that has the password keeps it until a rule says no, and the next connection asks again. */
static void
test_revoked (void)
{
  static const char revoke[] = "read line; pkcheck --revoke-temp && echo revoked; read line";
  SystemSession session;
  SystemProcess client, other;

  unlock (&client, &session, "again hold again leave all hold");
  system_start (&other, "fp-ben", (const char *const[]){ "/bin/sh", "-c", revoke, NULL });
  system_join_session (&session, other.pid);
  system_release (&other);
  system_expect (&other, "revoked");
  system_stop (&other);
  system_release (&client);
  system_expect (&client, "again all");
  system_expect (&client, "holding");
  system_set_rule ("20-test", FORBID);
  system_release (&client);
  system_expect_error (&client, "again", FP_HELPER_ERROR_DENIED);
  system_expect_error (&client, "all", FP_HELPER_ERROR_DENIED);
  system_expect (&client, "holding");
  system_stop (&client);
  system_clear_session (&session);
  system_set_rule ("20-test", NULL);
}

/* Outside of a session polkit keeps nothing: the yes stands when it changes its mind about others, and Lock, with which
 * it ends, makes it ask again. */
static void
test_outside (void)
{
  static const char question[] = "asked io.github.footprint_app.Footprint.read-memory";
  SystemProcess client, agent;

  system_start_client (&client, "fp-ben", "hold all hold again lock own all hold");
  system_expect (&client, "holding");
  system_start_agent (&agent, client.pid, "password", "secret");
  system_release (&client);
  system_expect (&agent, question);
  system_expect (&client, "all all");
  system_expect (&client, "holding");
  system_set_rule ("20-test", "");
  system_release (&client);
  system_expect (&client, "again all");
  system_expect_error (&client, "own", FP_HELPER_ERROR_DENIED);
  system_expect (&agent, question);
  system_expect (&client, "all all");
  system_expect (&client, "holding");
  system_stop (&client);
  system_stop (&agent);
  system_set_rule ("20-test", NULL);
}

int
main (int argc,
      char *argv[])
{
  static const gint64 none = 0;

  g_test_init (&argc, &argv, NULL);
  g_assert_true (g_file_set_contents (SHIFT, (const char *)&none, sizeof none, NULL));
  shift_clock_of ("org.freedesktop.PolicyKit1");
  shift_clock_of ("io.github.footprint_app.Footprint.Helper");
  g_usleep (1000 * 1000);
  g_test_add_func ("/expiry/expired", test_expired);
  g_test_add_func ("/expiry/forbidden", test_forbidden);
  g_test_add_func ("/expiry/revoked", test_revoked);
  g_test_add_func ("/expiry/outside", test_outside);
  return g_test_run ();
}
