// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>

#include "fp-message-dialog.h"
#include "fp-names-label.h"

/* Pixels: wide enough for one letter at any text size, narrower than every dialog */
#define HEADING_MIN_WIDTH 100

static GtkWidget *
find_with_class (GtkWidget *widget,
                 const char *css_class)
{
  GtkWidget *found = gtk_widget_has_css_class (widget, css_class) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child && !found; child = gtk_widget_get_next_sibling (child))
    found = find_with_class (child, css_class);
  return found;
}

/* Tells that something was not done, and why. */
void
fp_message_dialog_tell (GtkWidget *widget,
                        const char *heading,
                        const char *text)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *dialog = gtk_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                              GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_ERROR,
                                              GTK_BUTTONS_CLOSE, "%s", heading);

  gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (dialog), "%s", text);
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* libadwaita has a heading in large letters and one in small letters, which may wrap, and measures both for the width that
 * one of them needs. GTK 4.18 warns of a label that is measured for less than it needs, so that both need the same. */
GtkWidget *
fp_message_dialog_new (GtkWindow *parent,
                       const char *heading)
{
  static const char *const headings[] = { "title-2", "title-4" };
  GtkWidget *self = adw_message_dialog_new (parent, heading, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    {
      GtkWidget *label = find_with_class (self, headings[i]);

      if (!GTK_IS_LABEL (label))
        continue;
      fp_names_label_wrap (GTK_LABEL (label));
      gtk_widget_set_size_request (label, HEADING_MIN_WIDTH, -1);
    }
  return self;
}
