// SPDX-License-Identifier: GPL-3.0-or-later
/* A window from which a file can be dragged. Its label says whether what the pointer is above would take the file. */
#include <glib-unix.h>
#include <gtk/gtk.h>
#include <signal.h>

static void
selected_cb (GdkDrag *drag,
             GParamSpec *spec,
             GtkLabel *label)
{
  gtk_label_set_text (label, gdk_drag_get_selected_action (drag) == GDK_ACTION_COPY ? "It would be taken" : "Drag me");
}

static void
begin_cb (GtkDragSource *source,
          GdkDrag *drag,
          GtkLabel *label)
{
  g_signal_connect (drag, "notify::selected-action", G_CALLBACK (selected_cb), label);
}

static void
open_cb (GtkApplication *application,
         GFile **files,
         int n,
         const char *hint,
         gpointer data)
{
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_typed (G_TYPE_FILE, files[0]);
  GtkWidget *window = gtk_application_window_new (application), *label = gtk_label_new ("Drag me");
  GtkDragSource *source = gtk_drag_source_new ();

  gtk_drag_source_set_content (source, content);
  g_signal_connect (source, "drag-begin", G_CALLBACK (begin_cb), label);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_widget_set_size_request (label, 160, 80);
  gtk_window_set_title (GTK_WINDOW (window), "Source");
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
}

static gboolean
quit_cb (gpointer application)
{
  g_application_quit (application);
  return G_SOURCE_REMOVE;
}

int
main (int argc,
      char *argv[])
{
  g_autoptr (GtkApplication) application = gtk_application_new (NULL, G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);

  g_unix_signal_add (SIGTERM, quit_cb, application);
  g_signal_connect (application, "open", G_CALLBACK (open_cb), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
