// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>

#include "fp-column-sets.h"
#include "fp-display.h"
#include "fp-message-dialog.h"
#include "fp-process-actions.h"
#include "fp-signal.h"

/* A request keeps the chosen processes while a dialog asks about them. Later snapshots do not change it. */
typedef struct
{
  FpProcessId *ids;
  char **names;
  char *program; /* of the first */
  guint n;
  guint n_paused;
  int signal;
  FpFormat format;
  FpEndingLoader *ending;
  GtkLabel *answer; /* in the dialog: what ending the processes gives back */
  GWeakRef window;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_free (self->ids);
  g_strfreev (self->names);
  g_free (self->program);
  g_clear_object (&self->ending);
  g_weak_ref_clear (&self->window);
  g_free (self);
}

/* As lines of a spreadsheet: a header, then what stands in the columns most asked for. */
void
fp_process_actions_append_lines (GString *text,
                                 const FpRecords *records,
                                 const guint *indices,
                                 guint n)
{
  const FpColumnSet *set = fp_column_set_find (records->class->kind);
  const FpColumn *column;
  FpFormat format = { .style = FP_STYLE_EXACT };
  char cell[FP_CELL_SIZE], shown[FP_CELL_SIZE];

  for (guint i = 0; (column = fp_column_set_get (set, i)); i++)
    g_string_append_printf (text, "%s%s", i ? "\t" : "", _ (column->title));
  g_string_append_c (text, '\n');
  for (guint row = 0; row < n; row++)
    for (guint i = 0; (column = fp_column_set_get (set, i)); i++)
      {
        fp_column_format (column, records, indices[row], &format, cell, sizeof cell);
        fp_display_escape (cell, shown, sizeof shown);
        g_string_append_printf (text, "%s%s%s", i ? "\t" : "", shown, !set->columns[i + 1] ? "\n" : "");
      }
}

/* As text, and as what a spreadsheet asks for first */
void
fp_process_actions_copy (GtkWidget *widget,
                         const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  GdkContentProvider *both[] = { gdk_content_provider_new_typed (G_TYPE_STRING, text),
                                 gdk_content_provider_new_for_bytes ("text/tab-separated-values", bytes) };
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_union (both, G_N_ELEMENTS (both));

  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), content);
}

static void
signal_worker (GTask *task,
               gpointer source,
               gpointer data,
               GCancellable *cancellable)
{
  Request *request = data;
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < request->n; i++)
    {
      g_autoptr (GError) error = NULL;

      if (fp_signal_send (&request->ids[i], request->signal, &error))
        continue;
      if (!first)
        /* Translators: a process, and why it could not be ended */
        first = g_error_new (error->domain, error->code, _ ("%s: %s"), request->names[i], error->message);
    }
  if (first)
    g_task_return_error (task, g_steal_pointer (&first));
  else
    g_task_return_boolean (task, TRUE);
}

/* One is called by its name, and several are counted. Free the text. */
static char *
describe_done (const Request *self)
{
  guint n = self->n;

  switch (self->signal)
    {
    case SIGTERM:
      return n == 1 ? g_strdup_printf (_ ("Asked %s to end"), self->program)
                    : g_strdup_printf (ngettext ("Asked %u process to end", "Asked %u processes to end", n), n);
    case SIGKILL:
      return n == 1 ? g_strdup_printf (_ ("Killed %s"), self->program)
                    : g_strdup_printf (ngettext ("Killed %u process", "Killed %u processes", n), n);
    case SIGSTOP:
      return n == 1 ? g_strdup_printf (_ ("Paused %s"), self->program)
                    : g_strdup_printf (ngettext ("Paused %u process", "Paused %u processes", n), n);
    default:
      return n == 1 ? g_strdup_printf (_ ("Resumed %s"), self->program)
                    : g_strdup_printf (ngettext ("Resumed %u process", "Resumed %u processes", n), n);
    }
}

static void
signalled_cb (GObject *source,
              GAsyncResult *result,
              gpointer data)
{
  Request *request = g_task_get_task_data (G_TASK (result));
  g_autoptr (GtkWindow) window = g_weak_ref_get (&request->window);
  g_autoptr (GError) error = NULL;
  g_autofree char *done = NULL;

  if (!window)
    return;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    done = describe_done (request);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.report", "s", done ? done : error->message);
}

static void
send (Request *request)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, signalled_cb, NULL);

  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, signal_worker);
}

static void
response_cb (AdwMessageDialog *dialog,
             const char *response,
             gpointer data)
{
  Request *request = data;

  g_signal_handlers_disconnect_by_data (request->answer, request);
  g_signal_handlers_disconnect_by_data (request->ending, request);
  if (g_str_equal (response, "send"))
    send (data);
  else
    request_free (data);
}

#define MAX_NAMED 12

static char *
join_names (Request *request)
{
  GString *text = g_string_new (NULL);
  guint n = request->n > MAX_NAMED ? MAX_NAMED - 1 : request->n;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i ? "\n" : "", request->names[i]);
  if (n < request->n)
    {
      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("and %u more", "and %u more", request->n - n), request->n - n);
    }
  return g_string_free (text, FALSE);
}

/* The signal waits until they go on. NULL: nothing is in the way */
static const char *
explain_obstacle (const Request *self)
{
  if (self->signal != SIGTERM || self->n_paused == 0)
    return NULL;
  return self->n == 1 ? _ ("It is paused, and ends once it is resumed.") : _ ("Those that are paused end once they are resumed.");
}

static void
show_answer (Request *self)
{
  const char *obstacle = explain_obstacle (self);
  gboolean is_kill = self->signal == SIGKILL;
  const char *lost = self->n == 1 ? _ ("It can’t save anything first.") : _ ("They can’t save anything first.");
  g_autofree char *freed = NULL, *text = NULL;

  /* The selection may have changed by now; the dialog is about the processes it was opened for. */
  if (!fp_ending_loader_has_target (self->ending, self->ids, self->n))
    return;
  freed = fp_ending_loader_describe (self->ending, &self->format);
  text = !is_kill && obstacle ? g_strjoin ("\n", obstacle, freed, NULL) : g_strjoin ("\n", freed ? freed : "", is_kill ? lost : NULL, NULL);
  gtk_label_set_text (self->answer, text);
}

/* The dialog can go with its window, without a response. */
static void
forget_answer (Request *self)
{
  g_signal_handlers_disconnect_by_data (self->ending, self);
}

static GtkWidget *
make_answer (Request *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  self->answer = GTK_LABEL (label);
  gtk_label_set_wrap (self->answer, TRUE);
  gtk_label_set_justify (self->answer, GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (self->answer, 50);
  gtk_label_set_yalign (self->answer, 0);
  gtk_widget_add_css_class (label, "ending");
  show_answer (self);
  g_signal_connect_swapped (self->ending, "changed", G_CALLBACK (show_answer), self);
  g_signal_connect_swapped (label, "destroy", G_CALLBACK (forget_answer), self);
  return label;
}

/* Free the text. */
static char *
make_heading (const Request *self)
{
  gboolean is_kill = self->signal == SIGKILL;

  if (self->n == 1)
    return g_strdup_printf (is_kill ? _ ("Kill %s?") : _ ("End %s?"), self->program);
  return g_strdup_printf (is_kill ? ngettext ("Kill %u Process?", "Kill %u Processes?", self->n)
                                  : ngettext ("End %u Process?", "End %u Processes?", self->n),
                          self->n);
}

/* Names process, PID and user, and says what would be free then. */
static void
ask (GtkWindow *window,
     Request *request)
{
  gboolean is_kill = request->signal == SIGKILL;
  g_autofree char *names = join_names (request), *heading = make_heading (request);
  GtkWidget *dialog;

  dialog = fp_message_dialog_new (window, heading);
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog), "%s", names);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), make_answer (request));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "send",
                                    is_kill ? _ ("_Kill") : _ ("_End"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "send", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), request);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Free the text. */
static char *
name_program (const FpRecords *records,
              guint index)
{
  char program[FP_CELL_SIZE];

  fp_display_escape (fp_process_records_get_text (records, index, FP_TEXT_PROGRAM), program, sizeof program);
  return g_strdup (program);
}

static char **
name_all (const FpRecords *records,
          const guint *indices,
          guint n)
{
  char **names = g_new0 (char *, n + 1);
  const FpColumn *user = fp_columns_get_role (FP_ROLE_USER, FP_RECORD_PROCESS);
  char owner[FP_CELL_SIZE];

  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = fp_process_records_get (records, indices[i]);
      g_autofree char *program = name_program (records, indices[i]);

      fp_column_format (user, records, indices[i], NULL, owner, sizeof owner);
      /* Translators: program (PID) of user */
      names[i] = g_strdup_printf (_ ("%s (%d) of %s"), program, process->pid, owner);
    }
  return names;
}

void
fp_process_actions_signal (GtkWindow *window,
                           const FpRecords *records,
                           const guint *indices,
                           guint n,
                           const FpFormat *format,
                           FpEndingLoader *ending,
                           int signal)
{
  Request *request;

  if (n == 0)
    return;
  request = g_new0 (Request, 1);
  *request = (Request){ .n = n, .signal = signal, .format = *format };
  request->ending = g_object_ref (ending);
  g_weak_ref_init (&request->window, window);
  request->ids = g_new (FpProcessId, n);
  request->names = name_all (records, indices, n);
  request->program = name_program (records, indices[0]);
  for (guint i = 0; i < n; i++)
    {
      const FpProcess *process = fp_process_records_get (records, indices[i]);

      request->ids[i] = (FpProcessId){ process->pid, process->start_ticks };
      request->n_paused += fp_process_is_paused (process);
    }
  if (signal == SIGTERM || signal == SIGKILL)
    ask (window, request);
  else
    send (request);
}
