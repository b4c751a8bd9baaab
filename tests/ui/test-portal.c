// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside a Flatpak a file is chosen by the desktop's portal, here one of the test's own. Needs a display. */
#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>

#include "fake-service.h"
#include "fp-rows-export.h"
#include "fp-mapping-scanner.h"

#define NAME      "org.freedesktop.portal.Desktop"
#define PATH      "/org/freedesktop/portal/desktop"
#define INTERFACE "org.freedesktop.portal.FileChooser"

static const char introspection[] =
    "<node><interface name='org.freedesktop.portal.FileChooser'><method name='SaveFile'>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='a{sv}' direction='in'/>"
    "<arg type='o' direction='out'/></method><property name='version' type='u' access='read'/></interface></node>";

static const char smaps[] = "55d000000000-55d000002000 r--p 00000000 fe:00 42                         /usr/bin/a program\n"
                            "Size:                  8 kB\nRss:                   4 kB\nPss:                   4 kB\n"
                            "VmFlags: rd mr mw me\n";

/* In a thread of its own, as it would be a program of its own. */
typedef struct
{
  GMainContext *context;
  GMainLoop *loop;
  char *path; /* what is chosen there */
  char *suggested;
  gint n_calls; /* atomic */
  gint is_ready;
} Portal;

static Portal portal;

static GVariant *
get_version_cb (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *name,
                GError **error,
                gpointer data)
{
  return g_variant_new_uint32 (3);
}

static char *
make_handle (const char *sender,
             GVariant *options)
{
  g_autofree char *owner = g_strdelimit (g_strdup (sender + 1), ".", '_');
  const char *token = "none";

  g_variant_lookup (options, "handle_token", "&s", &token);
  return g_strdup_printf (PATH "/request/%s/%s", owner, token);
}

static void
call_cb (GDBusConnection *connection,
         const char *sender,
         const char *path,
         const char *interface,
         const char *method,
         GVariant *arguments,
         GDBusMethodInvocation *invocation,
         gpointer data)
{
  g_autoptr (GVariant) options = g_variant_get_child_value (arguments, 2);
  g_autofree char *handle = make_handle (sender, options);
  g_autofree char *uri = g_filename_to_uri (portal.path, NULL, NULL);
  const char *const uris[] = { uri, NULL };
  GVariantBuilder results;

  g_variant_lookup (options, "current_name", "s", &portal.suggested);
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(o)", handle));
  g_variant_builder_init (&results, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&results, "{sv}", "uris", g_variant_new_strv (uris, -1));
  g_dbus_connection_emit_signal (connection, sender, handle, "org.freedesktop.portal.Request", "Response",
                                 g_variant_new ("(ua{sv})", 0, &results), NULL);
  g_atomic_int_inc (&portal.n_calls);
}

static gpointer
serve (gpointer data)
{
  static const GDBusInterfaceVTable vtable = { .method_call = call_cb, .get_property = get_version_cb };
  g_autoptr (GDBusConnection) connection = NULL;

  g_main_context_push_thread_default (portal.context);
  connection = fake_service_start (g_getenv ("DBUS_SESSION_BUS_ADDRESS"), NAME, PATH, introspection, &vtable, NULL);
  g_atomic_int_set (&portal.is_ready, TRUE);
  g_main_loop_run (portal.loop);
  g_main_context_pop_thread_default (portal.context);
  return NULL;
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* Exported mappings come to be where the portal says, under the name that was suggested to it. */
static void
test_export (void)
{
  g_autofree char *folder = g_dir_make_tmp ("footprint-portal-XXXXXX", NULL);
  g_autoptr (FpMappingScanner) scanner = fp_mapping_scanner_new ();
  g_autoptr (FpRecords) records = NULL;
  g_autoptr (FpMappings) mappings = NULL;
  g_autofree char *text = NULL;
  GtkWidget *window = gtk_window_new ();
  FpRows *rows = fp_rows_new ();
  guint timer = g_timeout_add (20, wake_cb, NULL);
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  portal.path = g_build_filename (folder, "chosen by the portal.csv", NULL);
  fp_mapping_scanner_feed (scanner, smaps, strlen (smaps));
  mappings = fp_mapping_scanner_finish (scanner);
  records = fp_mapping_records_new (mappings);
  fp_rows_update (rows, records, &(FpFormat){ .style = FP_STYLE_EXACT });
  gtk_window_present (GTK_WINDOW (window));
  fp_rows_export_ask (window, records, rows, "Export", "mappings-42.csv");
  while (!g_file_get_contents (portal.path, &text, NULL, NULL) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  g_assert_cmpint (g_atomic_int_get (&portal.n_calls), ==, 1);
  g_assert_cmpstr (portal.suggested, ==, "mappings-42.csv");
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "/usr/bin/a program"));
  gtk_window_destroy (GTK_WINDOW (window));
  fp_rows_free (rows);
  g_remove (portal.path);
  g_rmdir (folder);
  g_free (portal.path);
  g_free (portal.suggested);
}

int
main (int argc,
      char *argv[])
{
  GThread *thread;
  int status;

  /* As GTK does by itself inside a Flatpak; what it is called has changed with 4.18. */
  g_setenv ("GTK_USE_PORTAL", "1", TRUE);
  g_setenv ("GDK_DEBUG", "portals", TRUE);
  portal.context = g_main_context_new ();
  portal.loop = g_main_loop_new (portal.context, FALSE);
  thread = g_thread_new ("portal", serve, NULL);
  while (!g_atomic_int_get (&portal.is_ready))
    g_usleep (1000);
  adw_init ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/portal/export", test_export);
  status = g_test_run ();
  g_main_loop_quit (portal.loop);
  g_thread_join (thread);
  g_main_loop_unref (portal.loop);
  g_main_context_unref (portal.context);
  return status;
}
