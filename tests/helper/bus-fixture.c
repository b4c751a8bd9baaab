// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <grp.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "async-result.h"
#include "bus-fixture.h"
#include "fake-service.h"
#include "fp-helper-source.h"
#include "make-accounts.h"

#define NOBODY 65534

FakePolkit polkit;

static const char authority_xml[] =
    "<node><interface name='org.freedesktop.PolicyKit1.Authority'>"
    "<method name='CheckAuthorization'><arg type='(sa{sv})' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='a{ss}' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='(bba{ss})' direction='out'/></method>"
    "<signal name='Changed'/>"
    "<property name='BackendName' type='s' access='read'/><property name='BackendVersion' type='s' access='read'/>"
    "<property name='BackendFeatures' type='u' access='read'/></interface></node>";

static gboolean
is_allowed (const char *action)
{
  static const char *const names[FP_N_ACTIONS] = { ".read-own-memory", ".read-memory", ".read-mappings" };

  for (guint i = 0; i < FP_N_ACTIONS; i++)
    if (g_str_has_suffix (action, names[i]))
      return polkit.allows[i];
  return FALSE;
}

void
bus_answer_check (GDBusMethodInvocation *invocation,
                  const char *action,
                  gboolean is_question)
{
  GVariantBuilder details;
  gboolean is_yes;

  is_yes = is_allowed (action) || (is_question && polkit.knows_password);
  g_variant_builder_init (&details, G_VARIANT_TYPE ("a{ss}"));
  if (polkit.is_dismissed && is_question)
    g_variant_builder_add (&details, "{ss}", "polkit.dismissed", "true");
  if (is_yes && polkit.kept)
    g_variant_builder_add (&details, "{ss}", "polkit.temporary_authorization_id", polkit.kept);
  g_dbus_method_invocation_return_value (
      invocation, g_variant_new ("((bba{ss}))", is_yes, !is_yes && !is_question && polkit.is_challenge, &details));
}

static void
check_cb (GDBusConnection *connection,
          const char *sender,
          const char *path,
          const char *interface,
          const char *method,
          GVariant *parameters,
          GDBusMethodInvocation *invocation,
          gpointer data)
{
  const char *action;
  guint32 flags;

  g_variant_get_child (parameters, 1, "&s", &action);
  g_variant_get_child (parameters, 3, "u", &flags);
  if (!(flags & 1) && polkit.awaits_marker)
    {
      polkit.awaits_marker = FALSE;
      bus_answer_check (invocation, action, FALSE);
      if (polkit.typed)
        bus_answer_check (g_steal_pointer (&polkit.typed), action, TRUE);
      return;
    }
  polkit.n_checks++;
  polkit.n_questions += flags & 1;
  polkit.awaits_marker = flags & 1;
  if (polkit.is_slow || ((flags & 1) && polkit.is_thinking))
    {
      polkit.held_before = polkit.held;
      polkit.held = invocation;
    }
  else if ((flags & 1) && polkit.knows_password && !is_allowed (action))
    polkit.typed = invocation;
  else
    bus_answer_check (invocation, action, flags & 1);
}

static GVariant *
get_property_cb (GDBusConnection *connection,
                 const char *sender,
                 const char *path,
                 const char *interface,
                 const char *name,
                 GError **error,
                 gpointer data)
{
  return g_str_equal (name, "BackendFeatures") ? g_variant_new_uint32 (0) : g_variant_new_string ("test");
}

void
bus_set_up (Fixture *self,
            gconstpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = check_cb, .get_property = get_property_cb };
  const char *address = g_test_dbus_get_bus_address ((GTestDBus *)data);
  g_autoptr (GError) error = NULL;

  polkit = (FakePolkit){ .is_challenge = TRUE };
  self->source = fp_helper_source_new ();
  self->polkit_connection = fake_service_start (address, "org.freedesktop.PolicyKit1",
                                                "/org/freedesktop/PolicyKit1/Authority", authority_xml, &vtable, NULL);
  self->connection = fake_service_join_bus (address);
  self->accounts = make_accounts ();
  self->helper = fp_helper_new (self->connection, self->accounts, &error);
  g_assert_no_error (error);
  fake_service_own_name (self->connection, FP_HELPER_BUS_NAME);
}

void
bus_tear_down (Fixture *self,
               gconstpointer data)
{
  g_clear_object (&self->source);
  g_clear_object (&self->helper);
  g_dbus_connection_close_sync (self->connection, NULL, NULL);
  g_dbus_connection_close_sync (self->polkit_connection, NULL, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&self->connection);
  g_clear_object (&self->polkit_connection);
}

FpSnapshot *
bus_collect (Fixture *self,
             GError **error)
{
  FpSnapshot *snapshot = NULL;

  do
    {
      const FpSourceRequest request = { .kind = FP_REQUEST_COLLECT, .may_ask = self->may_ask };

      self->may_ask = FALSE;
      g_clear_pointer (&snapshot, fp_snapshot_unref);
      snapshot = async_result_ask (self->source, &request, NULL, error);
    }
  while (snapshot && snapshot->info.n_pending > 0);
  return snapshot;
}

void
bus_expect_error (Fixture *self,
                  FpHelperError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (bus_collect (self, &error));
  g_assert_error (error, FP_HELPER_ERROR, (gint)code);
}

void
bus_expect_access (Fixture *self,
                   FpAccess access)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FpSnapshot) snapshot = bus_collect (self, &error);
  const FpProcess *own;

  g_assert_no_error (error);
  g_assert_cmpint (fp_helper_source_get_access (FP_HELPER_SOURCE (self->source)), ==, access);
  own = fp_snapshot_find (snapshot, getpid ());
  if (!fp_memory_has (&own->memory, FP_FIELD_PSS))
    g_error ("this process is not measured, for reason %d", (gint)own->reason);
}

void
bus_emit_changed (Fixture *self)
{
  g_dbus_connection_emit_signal (self->polkit_connection, NULL, "/org/freedesktop/PolicyKit1/Authority",
                                 "org.freedesktop.PolicyKit1.Authority", "Changed", NULL, NULL);
}

/* Until the helper has heard it */
void
bus_say_changed (Fixture *self)
{
  bus_emit_changed (self);
  g_dbus_connection_flush_sync (self->polkit_connection, NULL, NULL);
  for (gint64 end_us = g_get_monotonic_time () + 300 * 1000; g_get_monotonic_time () < end_us;)
    g_main_context_iteration (NULL, FALSE);
}

void
bus_call (GDBusConnection *caller,
          const char *method)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  g_dbus_connection_call (caller, FP_HELPER_BUS_NAME, FP_HELPER_PATH, FP_HELPER_INTERFACE, method, NULL, NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, async_result_cb, &result);
  reply = g_dbus_connection_call_finish (caller, async_result_await (&result), &error);
  g_assert_no_error (error);
}

/* Returns when all that was sent to the connection, or from it, before this is there. */
void
bus_get_id (GDBusConnection *connection)
{
  g_autoptr (GVariant) id = g_dbus_connection_call_sync (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                                         "org.freedesktop.DBus", "GetId", NULL, NULL,
                                                         G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);

  g_assert_nonnull (id);
}

void
bus_become_ordinary (void)
{
  if (geteuid () != 0)
    return;
  g_assert_cmpint (setgroups (0, NULL), ==, 0);
  g_assert_cmpint (setresgid (NOBODY, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (setresuid (NOBODY, NOBODY, NOBODY), ==, 0);
  g_assert_cmpint (prctl (PR_SET_DUMPABLE, 1, 0, 0, 0), ==, 0);
}

/* Runs them all on one bus. */
int
bus_run (const BusTest *tests,
         guint n)
{
  g_autoptr (GTestDBus) bus = g_test_dbus_new (G_TEST_DBUS_NONE);
  int status;

  g_test_dbus_up (bus);
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (bus), TRUE);
  for (guint i = 0; i < n; i++)
    g_test_add (tests[i].path, Fixture, bus, bus_set_up, tests[i].test, bus_tear_down);
  status = g_test_run ();
  g_test_dbus_stop (bus);
  return status;
}
