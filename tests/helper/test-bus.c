// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <unistd.h>

#include "async-result.h"
#include "bus-fixture.h"
#include "fake-service.h"
#include "fake-source.h"
#include "fp-helper-source.h"
#include "fp-host-source.h"

static void
test_denied (Fixture *self,
             gconstpointer data)
{
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
  self->may_ask = TRUE;
  bus_expect_error (self, FP_HELPER_ERROR_DENIED);
  g_assert_cmpuint (polkit.n_questions, ==, 1);
  polkit.is_challenge = FALSE;
  bus_say_changed (self);
  self->may_ask = TRUE;
  bus_expect_error (self, FP_HELPER_ERROR_DENIED);
  g_assert_cmpuint (polkit.n_questions, ==, 1);
}

/* Refuses the first call as the bus does when more than it holds wait for a program to start. */
static GDBusMessage *
refuse_first_cb (GDBusConnection *connection,
                 GDBusMessage *message,
                 gboolean is_incoming,
                 gpointer data)
{
  g_autoptr (GDBusMessage) reply = NULL;
  gint *n_refused = data;

  if (!is_incoming || g_dbus_message_get_message_type (message) != G_DBUS_MESSAGE_TYPE_METHOD_CALL ||
      g_atomic_int_add (n_refused, 1) > 0)
    return message;
  reply = g_dbus_message_new_method_error_literal (message, "org.freedesktop.DBus.Error.LimitsExceeded", "Too many wait");
  g_dbus_connection_send_message (connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
  g_object_unref (message);
  return NULL;
}

static void
test_busy_bus (Fixture *self,
               gconstpointer data)
{
  gint n_refused = 0;
  guint filter = g_dbus_connection_add_filter (self->connection, refuse_first_cb, &n_refused, NULL);

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  bus_expect_access (self, FP_ACCESS_OWN);
  g_assert_cmpint (n_refused, >, 1);
  g_dbus_connection_remove_filter (self->connection, filter);
}

/* polkit, which looks up each caller on the bus, is asked what it has said before only when that may have changed. */
static void
test_known_answer (Fixture *self,
                   gconstpointer data)
{
  for (guint i = 1; i <= 3; i++)
    {
      self->may_ask = TRUE;
      bus_expect_error (self, FP_HELPER_ERROR_DENIED);
      g_assert_cmpuint (polkit.n_questions, ==, i);
      g_assert_cmpuint (polkit.n_checks, ==, 1 + i);
    }
}

/* Asked once a connection, and never with a question that the caller did not allow. */
static void
test_own (Fixture *self,
          gconstpointer data)
{
  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  for (guint i = 0; i < 3; i++)
    bus_expect_access (self, FP_ACCESS_OWN);
  g_assert_cmpuint (polkit.n_checks, ==, 2);
  g_assert_cmpuint (polkit.n_questions, ==, 0);
}

/* A newcomer waits for polkit once: it has the next question before it has answered the first. */
static void
test_asked_at_once (Fixture *self,
                    gconstpointer data)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.is_slow = TRUE;
  fp_source_request_async (self->source, &request, NULL, async_result_cb, &result);
  while (!polkit.held_before)
    g_main_context_iteration (NULL, TRUE);
  bus_answer_check (polkit.held_before, FP_APP_ID ".read-own-memory", FALSE);
  bus_answer_check (polkit.held, FP_APP_ID ".read-memory", FALSE);
  snapshot = fp_source_request_finish (self->source, FP_REQUEST_COLLECT, async_result_await (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  g_assert_cmpint (fp_helper_source_get_access (FP_HELPER_SOURCE (self->source)), ==, FP_ACCESS_OWN);
  g_assert_cmpuint (polkit.n_checks, ==, 2);
}

/* A no about one's own is no reason to doubt what polkit says in the same turn about everybody's. */
static void
test_withdrawn (Fixture *self,
                gconstpointer data)
{
  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  bus_expect_access (self, FP_ACCESS_ALL);
  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MEMORY] = FALSE;
  polkit.n_checks = 0;
  bus_say_changed (self);
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
  g_assert_cmpuint (polkit.n_checks, ==, 2);
}

static void
test_dismissed (Fixture *self,
                gconstpointer data)
{
  polkit.is_dismissed = TRUE;
  self->may_ask = TRUE;
  bus_expect_error (self, FP_HELPER_ERROR_CANCELLED);
}

/* Until polkit changes its mind. */
static void
test_changed (Fixture *self,
              gconstpointer data)
{
  guint n_checks;

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  self->may_ask = TRUE;
  bus_expect_access (self, FP_ACCESS_ALL);
  bus_expect_access (self, FP_ACCESS_ALL);
  n_checks = polkit.n_checks;
  g_assert_cmpuint (n_checks, ==, 1);
  polkit.allows[FP_ACTION_READ_MEMORY] = FALSE;
  bus_expect_access (self, FP_ACCESS_ALL);
  bus_say_changed (self);
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
  g_assert_cmpuint (polkit.n_checks, >, n_checks);
}

static void
give_password (Fixture *self)
{
  polkit.knows_password = TRUE;
  self->may_ask = TRUE;
  bus_expect_access (self, FP_ACCESS_ALL);
  g_assert_cmpuint (polkit.n_questions, ==, 1);
}

/* A password stands when what polkit keeps has ended or was revoked: only a plain no takes it back, and for good. */
static void
test_password (Fixture *self,
               gconstpointer data)
{
  polkit.kept = "tmpauthz0";
  give_password (self);
  for (guint i = 0; i < 3; i++)
    {
      bus_say_changed (self);
      bus_expect_access (self, FP_ACCESS_ALL);
    }
  g_assert_cmpuint (polkit.n_questions, ==, 1);
  polkit.is_challenge = FALSE;
  bus_say_changed (self);
  bus_expect_error (self, FP_HELPER_ERROR_DENIED);
  polkit.is_challenge = TRUE;
  bus_say_changed (self);
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
}

/* The process is root's, or of whoever started all else here. */
static FpProcessId
find_first_process (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  const FpProcess *process;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  snapshot = bus_collect (self, &error);
  g_assert_no_error (error);
  process = fp_snapshot_find (snapshot, 1);
  return (FpProcessId){ process->pid, process->start_ticks };
}

static FpSourceRequest
make_mappings_request (Fixture *self)
{
  return (FpSourceRequest){ .kind = FP_REQUEST_MAPPINGS, .id = find_first_process (self), .may_ask = TRUE };
}

/* A caller that looks at one process after the other is asked once, for the last; no call is refused for those before it. */
static void
test_one_question (Fixture *self,
                   gconstpointer data)
{
  const FpSourceRequest request = make_mappings_request (self);
  GAsyncResult *results[6] = { NULL };
  const guint last = G_N_ELEMENTS (results) - 1;

  polkit.is_thinking = polkit.knows_password = TRUE;
  for (guint i = 0; i <= last; i++)
    {
      fp_source_request_async (self->source, &request, NULL, async_result_cb, &results[i]);
      while (i > 0 ? !results[i - 1] && polkit.n_questions == 1 : !polkit.held)
        g_main_context_iteration (NULL, TRUE);
      if (i > 0)
        {
          g_autoptr (GError) error = NULL;

          g_assert_cmpuint (polkit.n_questions, ==, 1);
          g_assert_null (fp_source_request_finish (self->source, FP_REQUEST_MAPPINGS, results[i - 1], &error));
          g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_CANCELLED);
        }
    }
  g_assert_null (results[last]);
  bus_answer_check (polkit.held, FP_APP_ID ".read-mappings", TRUE);
  async_result_await (&results[last]);
  g_assert_true (fp_helper_has_password (self->helper));
  for (guint i = 0; i <= last; i++)
    g_object_unref (results[i]);
}

/* The one who asked has left, and the helper too. */
static void
test_late_answer (Fixture *self,
                  gconstpointer data)
{
  const FpSourceRequest request = make_mappings_request (self);
  g_autoptr (GAsyncResult) result = NULL;
  gpointer helper = self->helper;

  polkit.is_thinking = polkit.knows_password = TRUE;
  fp_source_request_async (self->source, &request, NULL, async_result_cb, &result);
  while (!polkit.held)
    g_main_context_iteration (NULL, TRUE);
  fp_source_lock (self->source);
  async_result_await (&result);
  g_object_add_weak_pointer (G_OBJECT (self->helper), &helper);
  g_clear_object (&self->helper);
  while (helper)
    g_main_context_iteration (NULL, TRUE);
  bus_answer_check (polkit.held, FP_APP_ID ".read-mappings", TRUE);
  /* The bus has passed the answer on when it answers the first, and it has arrived when the second has. */
  bus_get_id (self->polkit_connection);
  bus_get_id (self->connection);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* In a sandbox the helper reads before and after Unlock: Lock takes back what was given for mappings as well. */
static void
test_lock_in_sandbox (Fixture *self,
                      gconstpointer data)
{
  const FpSourceRequest request = make_mappings_request (self);
  FpSource *const sources[FP_N_HOST_CANDIDATES] = {
    [FP_HOST_HELPER] = g_object_ref (self->source),
    [FP_HOST_HERE] = FP_SOURCE (fake_source_new ()),
    [FP_HOST_UNLOCKED] = fp_helper_source_new (),
  };
  g_autoptr (FpSource) host = fp_host_source_new_with (sources, NULL);
  g_autoptr (GAsyncResult) result = NULL, unlocked = NULL;
  g_autoptr (GError) error = NULL;
  gint64 end_us;

  polkit.knows_password = TRUE;
  fp_source_request_async (host, &request, NULL, async_result_cb, &result);
  async_result_await (&result);
  g_assert_true (fp_helper_has_password (self->helper));
  fp_source_unlock_async (host, NULL, async_result_cb, &unlocked);
  g_assert_true (fp_source_unlock_finish (host, async_result_await (&unlocked), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (polkit.n_questions, ==, 2);
  fp_source_lock (host);
  end_us = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;
  while (fp_helper_has_password (self->helper) && g_get_monotonic_time () < end_us)
    g_main_context_iteration (NULL, FALSE);
  g_assert_false (fp_helper_has_password (self->helper));
  bus_expect_access (self, FP_ACCESS_OWN);
}

/* Nothing is left of a program that has gone. */
static void
test_left (Fixture *self,
           gconstpointer data)
{
  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  bus_expect_access (self, FP_ACCESS_ALL);
  polkit.allows[FP_ACTION_READ_MEMORY] = FALSE;
  g_object_unref (self->source);
  self->source = fp_helper_source_new ();
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
  give_password (self);
  g_object_unref (self->source);
  self->source = fp_helper_source_new ();
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
  g_assert_false (fp_helper_has_password (self->helper));
}

static gboolean
has_owner (GDBusConnection *connection,
           const char *name)
{
  g_autoptr (GVariant) reply = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                            "org.freedesktop.DBus", "NameHasOwner", g_variant_new ("(s)", name),
                                                            NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  gboolean has_owner;

  g_variant_get (reply, "(b)", &has_owner);
  return has_owner;
}

static void
call_details (GDBusConnection *caller)
{
  g_dbus_connection_call (caller, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "LoadDetails",
                          g_variant_new ("(it)", 1, G_GUINT64_CONSTANT (1)), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL, NULL);
  g_assert_true (g_dbus_connection_flush_sync (caller, NULL, NULL));
}

/* Takes the caller. Nothing is dispatched before the bus has told the helper's connection that it left. */
static void
leave (Fixture *self,
       GDBusConnection *caller)
{
  g_autofree char *name = g_strdup (g_dbus_connection_get_unique_name (caller));

  g_assert_true (g_dbus_connection_close_sync (caller, NULL, NULL));
  g_object_unref (caller);
  while (has_owner (self->connection, name))
    g_thread_yield ();
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* A connection can't give up what another asked for, also not one of the same user. */
static void
test_cancel_files (Fixture *self,
                   gconstpointer data)
{
  polkit.is_thinking = polkit.knows_password = TRUE;
  for (guint is_own = 0; is_own <= 1; is_own++)
    {
      g_autoptr (GDBusConnection) caller = fake_service_join_bus (g_test_dbus_get_bus_address ((GTestDBus *)data));
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GVariant) reply = NULL;
      g_autoptr (GError) error = NULL;

      g_dbus_connection_call (caller, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, "LoadFiles",
                              g_variant_new_parsed ("([%i],)", getpid ()), NULL,
                              G_DBUS_CALL_FLAGS_ALLOW_INTERACTIVE_AUTHORIZATION, -1, NULL, async_result_cb, &result);
      while (!polkit.held)
        g_main_context_iteration (NULL, TRUE);
      bus_call (is_own ? caller : self->polkit_connection, "CancelFiles");
      bus_answer_check (g_steal_pointer (&polkit.held), FP_APP_ID ".read-mappings", TRUE);
      reply = g_dbus_connection_call_finish (caller, async_result_await (&result), &error);
      g_assert_true (is_own ? error && fp_helper_error_find (error) == FP_HELPER_ERROR_CANCELLED : reply != NULL);
    }
}

/* A call and the news that its caller has left arrive together. The account of the caller, which owes nothing, goes with
 * its connection, and the call must not count for it. */
static void
test_left_at_once (Fixture *self,
                   gconstpointer data)
{
  GDBusConnection *caller = fake_service_join_bus (g_test_dbus_get_bus_address ((GTestDBus *)data));

  bus_call (caller, "Lock");
  call_details (caller);
  leave (self, caller);
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
}

static GDBusMessage *
watch_cb (GDBusConnection *connection,
          GDBusMessage *message,
          gboolean is_incoming,
          gpointer has_asked)
{
  if (!is_incoming && g_strcmp0 (g_dbus_message_get_member (message), "GetConnectionCredentials") == 0)
    g_atomic_int_set ((gint *)has_asked, TRUE);
  return message;
}

/* Callers that leave while the helper finds out who they are take none of their user's places with them. Some of these
 * leave later than that. */
static void
test_left_unidentified (Fixture *self,
                        gconstpointer data)
{
  gint has_asked = FALSE;
  guint filter = g_dbus_connection_add_filter (self->connection, watch_cb, &has_asked, NULL);

  for (guint i = 0; i < 4 * FP_ACCOUNT_MAX_CONNECTIONS; i++)
    {
      GDBusConnection *caller = fake_service_join_bus (g_test_dbus_get_bus_address ((GTestDBus *)data));

      call_details (caller);
      while (!g_atomic_int_get (&has_asked))
        if (!g_main_context_iteration (NULL, FALSE))
          g_usleep (1000);
      g_atomic_int_set (&has_asked, FALSE);
      /* The answer about the caller has arrived before this one. */
      bus_get_id (self->connection);
      leave (self, caller);
    }
  g_dbus_connection_remove_filter (self->connection, filter);
  bus_expect_error (self, FP_HELPER_ERROR_LOCKED);
}

static void
test_no_polkit (Fixture *self,
                gconstpointer data)
{
  g_dbus_connection_close_sync (self->polkit_connection, NULL, NULL);
  bus_expect_error (self, FP_HELPER_ERROR_NO_POLKIT);
}

/* Other programs of the same user have taken its connections: the call waits, and comes back when the helper said. */
static void
test_busy (Fixture *self,
           gconstpointer data)
{
  GDBusConnection *others[FP_ACCOUNT_MAX_CONNECTIONS];
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (FpSnapshot) snapshot = NULL;
  g_autoptr (GError) error = NULL;
  gint64 start_us = g_get_monotonic_time ();

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      others[i] = fake_service_join_bus (g_test_dbus_get_bus_address ((GTestDBus *)data));
      bus_call (others[i], "Lock");
    }
  fp_source_request_async (self->source, &(FpSourceRequest){ .kind = FP_REQUEST_COLLECT }, NULL, async_result_cb, &result);
  while (g_get_monotonic_time () - start_us < 2 * G_USEC_PER_SEC)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (result);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_dbus_connection_close_sync (others[i], NULL, NULL);
      g_object_unref (others[i]);
    }
  snapshot = fp_source_request_finish (self->source, FP_REQUEST_COLLECT, async_result_await (&result), &error);
  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
}

/* Reading details has its share of the processor, too: a call waits until it has come in again. */
static void
test_details_cost (Fixture *self,
                   gconstpointer data)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_DETAILS, .id = find_first_process (self) };
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (FpDetails) details = NULL;
  g_autoptr (GError) error = NULL;

  fp_account_spend (fp_accounts_get (self->accounts, geteuid ()), FP_COST_DETAILS, start_us, 3 * G_USEC_PER_SEC / 2);
  details = async_result_ask (self->source, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_get_monotonic_time () - start_us, >=, 2 * G_USEC_PER_SEC * 95 / 100);
}

/* Callers read control groups and what they keep in memory without the helper. */
static void
test_no_groups (Fixture *self,
                gconstpointer data)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_CONTROL_GROUPS };
  g_autoptr (GError) error = NULL;

  g_assert_null (async_result_ask (self->source, &request, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
}

/* The helper tells the graphics memory of all processes to those who may read all, and to nobody else. */
static void
test_graphics (Fixture *self,
               gconstpointer data)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_KEPT };
  g_autoptr (FpKept) kept = NULL;
  g_autoptr (GError) error = NULL;

  polkit.allows[FP_ACTION_READ_OWN_MEMORY] = polkit.allows[FP_ACTION_READ_MAPPINGS] = TRUE;
  g_assert_null (async_result_ask (self->source, &request, NULL, &error));
  g_assert_error (error, FP_HELPER_ERROR, FP_HELPER_ERROR_LOCKED);
  g_assert_cmpuint (polkit.n_questions, ==, 0);
  g_clear_error (&error);

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  fp_source_lock (self->source);
  kept = async_result_ask (self->source, &request, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kept->told->len, >, 0);
  g_assert_cmpuint (kept->tmpfs->len, ==, 0);
  g_assert_cmpuint (kept->held->len, ==, 0);
  g_assert_null (kept->segments);
}

/* The name is there, and what is behind it speaks something else. */
static void
test_other_version (Fixture *self,
                    gconstpointer data)
{
  g_clear_object (&self->helper);
  bus_expect_error (self, FP_HELPER_ERROR_OTHER_VERSION);
}

static GDBusMessage *
swallow_cb (GDBusConnection *connection,
            GDBusMessage *message,
            gboolean is_incoming,
            gpointer data)
{
  gboolean is_call = is_incoming && g_dbus_message_get_message_type (message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL;

  if (!is_call)
    return message;
  g_object_unref (message);
  return NULL;
}

/* One that hangs: it is left after a while, and the next call starts afresh. */
static void
test_timed_out (Fixture *self,
                gconstpointer data)
{
  guint filter = g_dbus_connection_add_filter (self->connection, swallow_cb, NULL, NULL);
  gint64 start_us = g_get_monotonic_time ();

  polkit.allows[FP_ACTION_READ_MEMORY] = TRUE;
  bus_expect_error (self, FP_HELPER_ERROR_TIMED_OUT);
  g_assert_cmpint (g_get_monotonic_time () - start_us, <, 30 * G_USEC_PER_SEC);
  g_dbus_connection_remove_filter (self->connection, filter);
  bus_expect_access (self, FP_ACCESS_ALL);
}

/* Each says something of its own, and what can be done about it where something can: an end stays one, and a no of the
 * kernel too. */
static void
test_messages (Fixture *self,
               gconstpointer data)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (FpHelperError code = 0; code < FP_N_HELPER_ERRORS; code++)
    {
      g_assert_true (g_hash_table_add (known, (gpointer)fp_helper_error_get_message (code)));
      g_assert_cmpint (fp_helper_error_get_advice (code) != NULL, ==,
                       code != FP_HELPER_ERROR_ENDED && code != FP_HELPER_ERROR_REFUSED);
    }
}

int
main (int argc,
      char *argv[])
{
  static const BusTest tests[] = {
    { "/bus/denied", test_denied },
    { "/bus/busy-bus", test_busy_bus },
    { "/bus/known-answer", test_known_answer },
    { "/bus/own", test_own },
    { "/bus/asked-at-once", test_asked_at_once },
    { "/bus/withdrawn", test_withdrawn },
    { "/bus/dismissed", test_dismissed },
    { "/bus/changed", test_changed },
    { "/bus/password", test_password },
    { "/bus/one-question", test_one_question },
    { "/bus/late-answer", test_late_answer },
    { "/bus/lock-in-sandbox", test_lock_in_sandbox },
    { "/bus/cancel-files", test_cancel_files },
    { "/bus/left", test_left },
    { "/bus/left-at-once", test_left_at_once },
    { "/bus/left-unidentified", test_left_unidentified },
    { "/bus/no-polkit", test_no_polkit },
    { "/bus/busy", test_busy },
    { "/bus/details-cost", test_details_cost },
    { "/bus/no-groups", test_no_groups },
    { "/bus/graphics", test_graphics },
    { "/bus/other-version", test_other_version },
    { "/bus/timed-out", test_timed_out },
    { "/bus/messages", test_messages },
  };

  bus_become_ordinary ();
  g_test_init (&argc, &argv, NULL);
  return bus_run (tests, G_N_ELEMENTS (tests));
}
