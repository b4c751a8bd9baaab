// SPDX-License-Identifier: GPL-3.0-or-later
/* The program's window over a machine that does not exist. The first argument is the mode of its source. "--screenshot FILE" saves
 * a picture and ends. */
#include <adwaita.h>
#include <glib-unix.h>

#include "fp-screenshot.h"
#include "fp-window.h"
#include "sample-source.h"

#define PICTURE_SNAPSHOTS 5 /* before a picture of the window is taken */

/* (nullable): the file for a picture of the window, after which it ends */
static const char *picture;

/* The snapshot before was painted when the next is asked for. */
static void
asked_cb (SampleSource *source)
{
  GApplication *application = g_application_get_default ();
  g_autoptr (GError) error = NULL;

  if (!picture || sample_source_get_n_snapshots (source) != PICTURE_SNAPSHOTS)
    return;
  fp_screenshot_save (GTK_WIDGET (gtk_application_get_active_window (GTK_APPLICATION (application))), picture, &error);
  g_assert_no_error (error);
  g_application_quit (application);
}

static void
activate_cb (GtkApplication *application,
             const char *mode)
{
  g_autoptr (GSettings) settings = g_settings_new ("io.github.footprint_app.Footprint");
  g_autoptr (FpSource) source = sample_source_new (mode);
  g_autoptr (GtkCssProvider) style = gtk_css_provider_new ();
  FpWindow *window;

  g_signal_connect (source, "asked", G_CALLBACK (asked_cb), NULL);
  gtk_css_provider_load_from_resource (style, "/io/github/footprint_app/Footprint/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  if (g_getenv ("SAMPLE_DARK"))
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  gtk_application_set_accels_for_action (application, "win.search", (const char *[]){ "<Control>f", NULL });
  gtk_application_set_accels_for_action (application, "win.view::users", (const char *[]){ "<Alt>3", NULL });
  window = fp_window_new (application, settings, source);
  fp_window_show_view (window, g_str_equal (mode, "machine") ? "system" : "groups");
  gtk_window_present (GTK_WINDOW (window));
}

/* So that what leads to the help looks as it does in the program. */
static void
help_cb (GSimpleAction *action,
         GVariant *page,
         gpointer application)
{
}

static gboolean
terminate_cb (gpointer application)
{
  gtk_window_close (gtk_application_get_active_window (application));
  return G_SOURCE_CONTINUE;
}

int
main (int argc,
      char **argv)
{
  const GActionEntry help = { "help", help_cb, "s", NULL, NULL, { 0 } };
  g_autoptr (AdwApplication) application =
      adw_application_new ("io.github.footprint_app.SampleGroups", G_APPLICATION_NON_UNIQUE);

  if (argc == 4 && g_str_equal (argv[2], "--screenshot"))
    picture = argv[3];
  g_signal_connect (application, "activate", G_CALLBACK (activate_cb), argc > 1 ? argv[1] : (gpointer) "whole");
  g_action_map_add_action_entries (G_ACTION_MAP (application), &help, 1, application);
  g_unix_signal_add (SIGTERM, terminate_cb, application);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
