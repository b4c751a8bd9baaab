// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-helper-protocol.h"
#include "fp-sandbox-page.h"

#define OVERRIDE "flatpak override --user --talk-name=org.freedesktop.Flatpak " FP_APP_ID

struct _FpSandboxPage
{
  AdwBin parent;

  /* Template widgets */
  AdwActionRow *helper;
  AdwActionRow *outside;
  AdwActionRow *command;
};

G_DEFINE_FINAL_TYPE (FpSandboxPage, fp_sandbox_page, ADW_TYPE_BIN)

static void
copy_cb (FpSandboxPage *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), OVERRIDE);
}

static char *
advise_on_helper (const GError *error)
{
  FpHelperError code = error->domain == FP_HELPER_ERROR ? (FpHelperError)error->code : FP_HELPER_ERROR_FAILED;

  switch ((int)code)
    {
    case FP_HELPER_ERROR_NOT_INSTALLED:
      return g_strdup (_ ("Install Footprint on this system, outside of the Flatpak, with “./dev install” in its source "
                          "folder. With an administrator’s password its helper also shows the processes of other users."));
    case FP_HELPER_ERROR_DENIED:
    case FP_HELPER_ERROR_LOCKED:
    case FP_HELPER_ERROR_NO_AGENT:
    case FP_HELPER_ERROR_CANCELLED:
      return g_strdup_printf (_ ("An administrator can permit it in polkit, as action “%s”."),
                              FP_APP_ID ".read-own-memory");
    default:
      return g_strdup (fp_helper_error_get_advice (code));
    }
}

static char *
advise_on_outside (const GError *error)
{
  if (g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_SANDBOXED))
    return g_strdup (_ ("Permit it with this command in a terminal, then start Footprint again:"));
  if (g_error_matches (error, FP_HELPER_ERROR, FP_HELPER_ERROR_OTHER_VERSION))
    return g_strdup (_ ("The Flatpak has been updated; start Footprint again."));
  if (error->domain == G_IO_ERROR)
    return g_strdup_printf (_ ("Start Footprint with “%s”."), "flatpak run " FP_APP_ID);
  return g_strdup_printf (_ ("Start Footprint in a terminal to see its messages: “%s”."),
                          "flatpak run " FP_APP_ID);
}

/* Takes the advice. */
static void
show (AdwActionRow *row,
      const GError *error,
      char *advice)
{
  g_autofree char *text = g_strdup_printf ("%s.\n%s", error->message, advice ? advice : "");

  adw_action_row_set_subtitle (row, text);
  g_free (advice);
}

void
fp_sandbox_page_update (FpSandboxPage *self,
                        FpSource *source)
{
  const FpSourceStatus status = fp_source_get_status (source);

  g_return_if_fail (FP_IS_SANDBOX_PAGE (self));

  if (status.helper_error)
    show (self->helper, status.helper_error, advise_on_helper (status.helper_error));
  if (status.outside_error)
    show (self->outside, status.outside_error, advise_on_outside (status.outside_error));
  gtk_widget_set_visible (GTK_WIDGET (self->command),
                          g_error_matches (status.outside_error, FP_HELPER_ERROR, FP_HELPER_ERROR_SANDBOXED));
}

static void
fp_sandbox_page_class_init (FpSandboxPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/footprint_app/Footprint/fp-sandbox-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpSandboxPage, helper);
  gtk_widget_class_bind_template_child (widget_class, FpSandboxPage, outside);
  gtk_widget_class_bind_template_child (widget_class, FpSandboxPage, command);
  gtk_widget_class_bind_template_callback (widget_class, copy_cb);
}

static void
fp_sandbox_page_init (FpSandboxPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->command), OVERRIDE);
}
