// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "folders.h"
#include "fp-figure.h"
#include "fp-heap-window.h"
#include "fp-host-source.h"
#include "fp-message-dialog.h"
#include "fp-names-label.h"
#include "fp-profile-dialog.h"
#include "fp-program.h"
#include "fp-recorder.h"
#include "fp-recording.h"

#define PAUSE_MS     200 /* in typing */
#define SANDBOX_FILE "/.flatpak-info"

struct _FpProfileDialog
{
  AdwWindow parent;

  /* Template widgets */
  GtkWidget *record;
  GtkWidget *form;
  GtkEditable *command;
  GtkEditable *folder;
  GtkEditable *environment;
  GtkWidget *result;
  GtkImage *icon;
  GtkLabel *words;
  GtkLabel *costs;

  /* Owned */
  GSettings *settings;
  GCancellable *cancellable; /* while a program is looked at */
  GtkNativeDialog *chooser;  /* NULL: it is not open */
  guint source;
  gboolean is_starting;
};

G_DEFINE_FINAL_TYPE (FpProfileDialog, fp_profile_dialog, ADW_TYPE_WINDOW)

/* The task of a worker: it looks at a program, and starts it where that is wanted. */
typedef struct
{
  char **argv;
  char *folder;
  char **environment;
  gboolean is_start;
  gboolean is_possible;
  char *words; /* (nullable): why it is not possible, or only in part */
  FpRecording recording;
} Order;

static void
order_free (gpointer data)
{
  Order *self = data;

  g_strfreev (self->argv);
  g_free (self->folder);
  g_strfreev (self->environment);
  g_free (self->words);
  fp_recording_clear (&self->recording);
  g_free (self);
}

static char *
describe_missing (void)
{
  g_autofree char *command = fp_recorder_find_command ("/");

  if (command)
    return g_strdup_printf (_ ("Programs are recorded with heaptrack, which is not installed. In a terminal, type: %s"), command);
  return g_strdup (_ ("Programs are recorded with heaptrack, which is not installed. Install the package heaptrack of your system."));
}

/* words: (transfer full) */
static void
refuse (Order *self,
        char *words)
{
  g_free (self->words);
  self->words = words;
  self->is_possible = FALSE;
}

static void
look_at_room (Order *self,
              const char *folder)
{
  guint64 room = fp_recording_find_room (folder);
  char text[FP_FIGURE_TEXT_SIZE], needed[FP_FIGURE_TEXT_SIZE];

  if (room >= FP_RECORDING_MIN_FREE)
    return;
  fp_figure_format (fp_figure_exact (room), FP_UNIT_BYTES, FP_STYLE_IEC, 0, text, sizeof text);
  fp_figure_format (fp_figure_exact (FP_RECORDING_MIN_FREE), FP_UNIT_BYTES, FP_STYLE_IEC, 0, needed, sizeof needed);
  /* Translators: a size, a folder, and a size */
  refuse (self, g_strdup_printf (_ ("Only %s is free in %s, and a recording leaves %s to others."), text, folder, needed));
}

static void
start (Order *self,
       const char *recorder,
       const char *folder)
{
  g_autoptr (GError) error = NULL;

  if (!fp_recording_start (&self->recording, recorder, folder, self->argv, self->folder, self->environment, &error))
    refuse (self, g_strdup (error->message));
}

static void
look_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  Order *self = data;
  g_autofree char *recorder = fp_recorder_find ("/"), *folder = NULL;
  g_auto (FpProgram) program = { 0 };
  g_autoptr (GError) error = NULL;

  fp_program_look (&program, self->argv[0], self->folder, self->environment);
  self->words = fp_program_describe (&program);
  self->is_possible = fp_program_can_be_recorded (&program);
  if (!g_file_test (self->folder, G_FILE_TEST_IS_DIR))
    refuse (self, g_strdup_printf (_ ("There is no folder %s."), self->folder));
  else if (!recorder)
    refuse (self, describe_missing ());
  else if (!(folder = fp_recording_make_folder (&error)))
    refuse (self, g_strdup (error->message));
  else if (self->is_possible)
    look_at_room (self, folder);
  if (self->is_possible && self->is_start)
    start (self, recorder, folder);
  g_task_return_boolean (task, TRUE);
}

static void
show_words (FpProfileDialog *self,
            const char *icon,
            const char *words)
{
  gtk_image_set_from_icon_name (self->icon, icon);
  gtk_label_set_text (self->words, words ? words : "");
  gtk_widget_set_visible (self->result, words != NULL);
}

static void
open_window (FpProfileDialog *self,
             FpRecording *recording)
{
  g_autoptr (FpSource) source = fp_host_source_new (FP_LIBEXEC_DIR "/footprint-helper");
  FpHeapWindow *window =
      fp_heap_window_new_recording (GTK_APPLICATION (g_application_get_default ()), self->settings, source, recording);

  gtk_window_present (GTK_WINDOW (window));
  gtk_window_close (GTK_WINDOW (self));
}

/* The dialog may have been closed while a program was started: it is recorded all the same. */
static void
looked_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpProfileDialog) self = data;
  Order *order = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_object (&self->cancellable);
  self->is_starting = FALSE;
  gtk_widget_set_sensitive (self->form, TRUE);
  gtk_widget_set_sensitive (self->record, order->is_possible);
  show_words (self, order->is_possible ? "dialog-information-symbolic" : "dialog-warning-symbolic", order->words);
  if (order->recording.path)
    open_window (self, &order->recording);
}

/* Each word is one NAME=value. */
static gboolean
add_variables (char ***environment,
               const char *text)
{
  g_auto (GStrv) words = NULL;

  if (g_shell_parse_argv (text, NULL, &words, NULL))
    for (guint i = 0; words[i]; i++)
      {
        char *equals = strchr (words[i], '=');

        if (!equals || equals == words[i])
          return FALSE;
        *equals = '\0';
        *environment = g_environ_setenv (*environment, words[i], equals + 1, TRUE);
      }
  return words != NULL || strspn (text, " \t") == strlen (text);
}

/* Gives what is asked for, or the words that say what is wrong with it. Neither: nothing is entered */
static Order *
make_order (FpProfileDialog *self,
            const char **problem)
{
  g_autoptr (GError) error = NULL;
  const char *folder = gtk_editable_get_text (self->folder), *command = gtk_editable_get_text (self->command);
  g_auto (GStrv) argv = NULL, environment = g_get_environ ();
  Order *order;

  *problem = NULL;
  if (!g_shell_parse_argv (command, NULL, &argv, &error))
    {
      if (!g_error_matches (error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
        *problem = _ ("The quotation marks of the command don’t match.");
      return NULL;
    }
  if (!add_variables (&environment, gtk_editable_get_text (self->environment)))
    *problem = _ ("The environment has a word that is not of the form NAME=value.");
  else if (*folder && !g_path_is_absolute (folder))
    *problem = _ ("The folder needs its whole path, from / on.");
  if (*problem)
    return NULL;
  order = g_new0 (Order, 1);
  order->argv = g_steal_pointer (&argv);
  order->environment = g_steal_pointer (&environment);
  order->folder = g_strdup (*folder ? folder : g_get_home_dir ());
  return order;
}

static void
look (FpProfileDialog *self,
      gboolean is_start)
{
  g_autoptr (GTask) task = NULL;
  const char *problem;
  Order *order = make_order (self, &problem);

  g_clear_handle_id (&self->source, g_source_remove);
  gtk_widget_set_sensitive (self->record, FALSE);
  if (!order)
    {
      show_words (self, "dialog-warning-symbolic", problem);
      return;
    }
  order->is_start = self->is_starting = is_start;
  gtk_widget_set_sensitive (self->form, !is_start);
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, is_start ? NULL : self->cancellable, looked_cb, g_object_ref (self));
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, order, order_free);
  g_task_run_in_thread (task, look_worker);
}

static void
stop_looking (FpProfileDialog *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
paused_cb (gpointer data)
{
  FpProfileDialog *self = data;

  self->source = 0;
  look (self, FALSE);
}

static void
changed_cb (FpProfileDialog *self)
{
  if (self->is_starting)
    return;
  stop_looking (self);
  gtk_widget_set_sensitive (self->record, FALSE);
  self->source = g_timeout_add_once (PAUSE_MS, paused_cb, self);
}

static void
record_cb (FpProfileDialog *self)
{
  if (self->is_starting)
    return;
  stop_looking (self);
  look (self, TRUE);
}

static void
chosen_cb (GtkNativeDialog *chooser,
           int response,
           FpProfileDialog *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser)) : NULL;

  g_clear_object (&self->chooser);
  if (file && g_file_peek_path (file))
    gtk_editable_set_text (self->folder, g_file_peek_path (file));
}

static void
choose_cb (FpProfileDialog *self)
{
  if (self->chooser)
    return;
  self->chooser = GTK_NATIVE_DIALOG (gtk_file_chooser_native_new (_ ("Choose a Folder"), GTK_WINDOW (self),
                                                                  GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, NULL, NULL));
  gtk_native_dialog_set_modal (self->chooser, TRUE);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (chosen_cb), self, 0);
  gtk_native_dialog_show (self->chooser);
}

static void
fp_profile_dialog_dispose (GObject *object)
{
  FpProfileDialog *self = FP_PROFILE_DIALOG (object);

  stop_looking (self);
  if (self->chooser)
    gtk_native_dialog_destroy (self->chooser);
  g_clear_object (&self->chooser);

  G_OBJECT_CLASS (fp_profile_dialog_parent_class)->dispose (object);
}

static void
fp_profile_dialog_finalize (GObject *object)
{
  g_clear_object (&FP_PROFILE_DIALOG (object)->settings);

  G_OBJECT_CLASS (fp_profile_dialog_parent_class)->finalize (object);
}

static void
fp_profile_dialog_class_init (FpProfileDialogClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_profile_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_profile_dialog_finalize;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-profile-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, record);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, form);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, command);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, folder);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, environment);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, result);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, icon);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, words);
  gtk_widget_class_bind_template_child (widget_class, FpProfileDialog, costs);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
  gtk_widget_class_bind_template_callback (widget_class, record_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fp_profile_dialog_init (FpProfileDialog *self)
{
  g_autofree char *costs = NULL;
  char largest[FP_FIGURE_TEXT_SIZE];

  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->words);
  fp_figure_format (fp_figure_exact (FP_RECORDING_MAX_SIZE), FP_UNIT_BYTES, FP_STYLE_IEC, 0, largest, sizeof largest);
  costs = g_strdup_printf (_ ("While it is recorded a program takes two to fifteen times as long, and each allocation takes 30 to 40 "
                              "bytes of disk. At %s the recording ends. The programs that it starts are not recorded."),
                           largest);
  gtk_label_set_text (self->costs, costs);
}

FpProfileDialog *
fp_profile_dialog_new (GtkWindow *parent,
                       GSettings *settings)
{
  FpProfileDialog *self = g_object_new (FP_TYPE_PROFILE_DIALOG, "transient-for", parent, NULL);
  g_autofree char *recorder = fp_recorder_find ("/"), *missing = recorder ? NULL : describe_missing ();

  self->settings = g_object_ref (settings);
  show_words (self, "dialog-warning-symbolic", missing);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->command));
  if (g_file_test (SANDBOX_FILE, G_FILE_TEST_EXISTS))
    {
      show_words (self, "dialog-warning-symbolic",
                  _ ("Footprint runs in the sandbox of a Flatpak, where it can’t start programs of the system. Record with heaptrack in "
                     "a terminal, and open the file here."));
      gtk_widget_set_sensitive (self->form, FALSE);
    }
  return self;
}
