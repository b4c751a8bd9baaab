// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "fp-message-dialog.h"
#include "fp-patience.h"

#define PATIENCE_MS 500

struct _FpPatience
{
  GtkWidget *widget; /* the dialog is in front of its window */
  char *heading;
  GCancellable *cancellable;
  guint source;
  GtkWindow *dialog; /* NULL: it has not taken long yet */
};

static void
cancelled_cb (AdwMessageDialog *dialog,
              const char *response,
              gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
}

static void
show_cb (gpointer data)
{
  FpPatience *self = data;
  GtkRoot *root = gtk_widget_get_root (self->widget);
  GtkWidget *spinner = gtk_spinner_new ();
  GtkWidget *dialog = fp_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, self->heading);

  self->source = 0;
  gtk_spinner_start (GTK_SPINNER (spinner));
  gtk_widget_set_size_request (spinner, 32, 32);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), spinner);
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"));
  g_signal_connect (dialog, "response", G_CALLBACK (cancelled_cb), self->cancellable);
  self->dialog = g_object_ref (GTK_WINDOW (dialog));
  gtk_window_present (self->dialog);
}

FpPatience *
fp_patience_new (GtkWidget *widget,
                 const char *heading,
                 GCancellable *cancellable)
{
  FpPatience *self = g_new0 (FpPatience, 1);

  self->widget = g_object_ref (widget);
  self->heading = g_strdup (heading);
  self->cancellable = g_object_ref (cancellable);
  self->source = g_timeout_add_once (PATIENCE_MS, show_cb, self);
  return self;
}

/* A dialog that is closed answers, too. */
void
fp_patience_free (FpPatience *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->dialog)
    {
      g_signal_handlers_disconnect_by_data (self->dialog, self->cancellable);
      gtk_window_destroy (self->dialog);
    }
  g_clear_object (&self->dialog);
  g_object_unref (self->widget);
  g_object_unref (self->cancellable);
  g_free (self->heading);
  g_free (self);
}
