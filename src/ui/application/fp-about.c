// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>

#include "fp-about.h"

#define HOMEPAGE "https://github.com/footprint-app/footprint"
#define METAINFO "/io/github/footprint_app/Footprint/metainfo.xml"

/* Gives the description of the newest release, which comes first, in markup that the window reads as it is. */
static char *
make_release_notes (void)
{
  static const char begin[] = "<description>", end[] = "</description>";
  g_autoptr (GBytes) file = g_resources_lookup_data (METAINFO, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  const char *release = strstr (text, "<release "), *first = release ? strstr (release, begin) : NULL;
  const char *last = first ? strstr (first, end) : NULL;

  return last ? g_strndup (first + strlen (begin), (gsize)(last - first) - strlen (begin)) : NULL;
}

/* Facts that a report of a fault has to have. They are read by developers, so they are not translated. */
static char *
make_facts (void)
{
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  struct utsname kernel;

  uname (&kernel);
  return g_strdup_printf ("Footprint %s%s\n"
                          "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n"
                          "%s, %s %s, %s\n"
                          "%s\n",
                          FP_VERSION, g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) ? ", as a Flatpak" : "",
                          gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (), adw_get_major_version (),
                          adw_get_minor_version (), adw_get_micro_version (), glib_major_version, glib_minor_version,
                          glib_micro_version, system ? system : "unknown system", kernel.sysname, kernel.release,
                          kernel.machine, G_OBJECT_TYPE_NAME (gdk_display_get_default ()));
}

void
fp_about_show (GtkWindow *parent)
{
  g_autofree char *notes = make_release_notes (), *facts = make_facts ();

  adw_show_about_window (parent, "application-name", _ ("Footprint"), "application-icon", FP_APP_ID, "version", FP_VERSION,
                         "developer-name", _ ("The Footprint developers"), "license-type", GTK_LICENSE_GPL_3_0, "comments",
                         _ ("Shows where memory really goes"), "website", HOMEPAGE, "issue-url", HOMEPAGE "/issues",
                         "release-notes", notes, "release-notes-version", FP_VERSION, "debug-info", facts,
                         "debug-info-filename", "footprint.txt", NULL);
}
