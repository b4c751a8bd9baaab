// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>

#include "fp-about.h"

#define HOMEPAGE "https://github.com/footprint-app/footprint"
#define METAINFO "/io/github/footprint_app/Footprint/metainfo.xml"

/* Gives what is between two marks, and leaves the text behind the second one. NULL: there are none; free it */
static char *
cut_out (const char **text,
         const char *start,
         const char *end)
{
  const char *from = *text ? strstr (*text, start) : NULL;
  const char *to = from ? strstr (from + strlen (start), end) : NULL;

  if (!to)
    return NULL;
  *text = to + strlen (end);
  return g_strndup (from + strlen (start), (gsize)(to - from) - strlen (start));
}

/* The latest release stands first in the metainfo. */
static void
add_news (AdwAboutWindow *about)
{
  g_autoptr (GBytes) file = g_resources_lookup_data (METAINFO, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  const char *text = file ? g_bytes_get_data (file, NULL) : NULL;
  g_autofree char *version = cut_out (&text, "<release version=\"", "\"");
  g_autofree char *notes = version ? cut_out (&text, "<description>", "</description>") : NULL;

  if (!notes)
    return;
  adw_about_window_set_release_notes_version (about, version);
  adw_about_window_set_release_notes (about, notes);
}

static const char *
describe_reading (const FpSourceStatus *status)
{
  if (status->is_saved)
    return "a saved snapshot";
  if (status->is_confined)
    return "only this sandbox";
  return status->is_unlocked ? "all processes, through the helper" : "what this user may";
}

/* For a report in English, without anything about its writer. Free the text. */
static char *
make_facts (FpSource *source)
{
  GString *text = g_string_new ("Footprint " FP_VERSION "\n");
  struct utsname kernel;

  if (uname (&kernel) == 0)
    g_string_append_printf (text, "%s %s %s\n", kernel.sysname, kernel.release, kernel.machine);
  g_string_append_printf (text, "GTK %u.%u.%u, libadwaita %u.%u.%u, GLib %u.%u.%u\n", gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version (), adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version (),
                          glib_major_version, glib_minor_version, glib_micro_version);
  g_string_append_printf (text, "Display: %s\n", G_OBJECT_TYPE_NAME (gdk_display_get_default ()));
  g_string_append_printf (text, "Language: %s\n", g_get_language_names ()[0]);
  if (source)
    {
      FpSourceStatus status = fp_source_get_status (source);

      g_string_append_printf (text, "Flatpak: %s\n", status.is_sandboxed ? "yes" : "no");
      g_string_append_printf (text, "Reads: %s\n", describe_reading (&status));
      if (status.helper_error)
        g_string_append_printf (text, "Helper: %s\n", status.helper_error->message);
      if (status.outside_error)
        g_string_append_printf (text, "Outside: %s\n", status.outside_error->message);
    }
  return g_string_free (text, FALSE);
}

void
fp_about_show (GtkWindow *window,
               FpSource *source)
{
  GtkWidget *about = adw_about_window_new ();
  g_autofree char *facts = make_facts (source);

  g_object_set (about, "application-name", _ ("Footprint"), "application-icon", FP_APP_ID, "version", FP_VERSION,
                "developer-name", _ ("The Footprint developers"), "license-type", GTK_LICENSE_GPL_3_0, "comments",
                _ ("Shows where memory really goes"), "website", HOMEPAGE, "issue-url", HOMEPAGE "/issues", "debug-info",
                facts, "debug-info-filename", "footprint.txt", "transient-for", window, NULL);
  add_news (ADW_ABOUT_WINDOW (about));
  gtk_window_present (GTK_WINDOW (about));
}
