// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>

#include "fp-file-manager.h"
#include "fp-heap-follower.h"
#include "fp-heap-scene.h"
#include "fp-heap-words.h"
#include "fp-message-dialog.h"
#include "fp-recording-bar.h"

#define PERIOD_MS 1000
#define REST      4 /* times as long as a reading takes, there is none */

typedef enum
{
  GOING_ON,
  STOPPED, /* by the user */
  TOO_LARGE,
  NO_ROOM,
  LEFT, /* by the recorder */
} Ending;

struct _FpRecordingBar
{
  AdwBin parent;

  /* Template widgets */
  GtkLabel *words;
  GtkWidget *stop;
  GtkWidget *show;

  /* Owned */
  FpRecording recording;
  FpHeapFollower *follower;
  GCancellable *cancellable; /* while the file is read */
  char *problem;             /* (nullable): the file can't be read */

  FpFigureStyle style;
  guint tick_source;
  guint child_source; /* while the program runs */
  int status;         /* of the program, once it has ended */
  gint64 started_us;
  gint64 asked_us;
  gint64 ended_us; /* 0: the recording goes on */
  guint64 size;
  Ending ending;
  Ending wanted;    /* where it could not be done yet */
  gboolean is_last; /* reading: nothing is added any more */
  gint64 rest_until_us;
  gboolean is_watching;
  gboolean is_done;  /* and all of it is shown */
  gboolean is_stuck; /* the recording can't be ended without the program */
};

enum
{
  GROWN,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (FpRecordingBar, fp_recording_bar, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

/* The task of a worker. */
typedef struct
{
  FpRecording recording;
  Ending wanted; /* and what was found */
  gboolean is_running;
  gboolean has_ended;
  guint64 size;
} Watch;

static void
watch_free (gpointer data)
{
  Watch *self = data;

  fp_recording_clear (&self->recording);
  g_free (self);
}

static gboolean
is_running (FpRecordingBar *self)
{
  return self->child_source > 0;
}

static char *
describe_program (FpRecordingBar *self)
{
  if (is_running (self))
    return g_strdup (_ ("The program goes on without being recorded."));
  if (WIFSIGNALED (self->status))
    /* Translators: the name of a signal, such as “Killed” */
    return g_strdup_printf (_ ("The program was ended by a signal: %s."), g_strsignal (WTERMSIG (self->status)));
  if (WEXITSTATUS (self->status) != 0)
    return g_strdup_printf (_ ("The program has ended with the status %d."), WEXITSTATUS (self->status));
  return g_strdup (_ ("The program has ended."));
}

static char *
describe_ending (FpRecordingBar *self,
                 const char *time,
                 const char *size)
{
  switch (self->ending)
    {
    case TOO_LARGE:
      /* Translators: a time and a size */
      return g_strdup_printf (_ ("Recorded %s, until the largest size of %s."), time, size);
    case NO_ROOM:
      /* Translators: a time and a size */
      return g_strdup_printf (_ ("Recorded %s · %s, until the disk was nearly full."), time, size);
    case LEFT:
      /* Translators: a time and a size. A process that goes on with another program has no recorder any more. */
      return g_strdup_printf (_ ("Recorded %s · %s, until the program closed the file or became another program."), time, size);
    case GOING_ON:
    case STOPPED:
    default:
      /* Translators: a time and a size */
      return g_strdup_printf (_ ("Recorded %s · %s."), time, size);
    }
}

static void
update (FpRecordingBar *self)
{
  gint64 end_us = self->ended_us ? self->ended_us : g_get_monotonic_time ();
  g_autofree char *time = fp_heap_format_time ((guint64)(end_us - self->started_us) / 1000);
  g_autofree char *first = NULL, *last = NULL, *words = NULL, *on_disk = NULL;
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (self->size), FP_UNIT_BYTES, self->style, 0, size, sizeof size);
  on_disk = g_strdup_printf (_ ("%s on disk"), size);
  if (self->problem)
    words = g_strdup_printf (_ ("The recording can’t be read: %s"), self->problem);
  else if (self->ended_us > 0)
    {
      first = describe_ending (self, time, self->ending == TOO_LARGE ? size : on_disk);
      last = describe_program (self);
      words = g_strdup_printf ("%s %s", first, last);
    }
  else if (self->is_stuck)
    /* Translators: a time and a size */
    words = g_strdup_printf (_ ("Recording · %s · %s. It goes on until the program ends."), time, on_disk);
  else
    /* Translators: a time and a size */
    words = g_strdup_printf (_ ("Recording · %s · %s"), time, on_disk);
  if (g_strcmp0 (gtk_label_get_text (self->words), words) != 0)
    gtk_label_set_text (self->words, words);
  gtk_widget_set_visible (self->stop, self->ended_us == 0);
  gtk_widget_set_visible (self->show, self->ended_us > 0);
}

static void
end_recording (FpRecordingBar *self,
               Ending ending)
{
  if (self->ended_us > 0)
    return;
  self->ending = ending;
  self->ended_us = g_get_monotonic_time ();
}

static void look (FpRecordingBar *self);

static void
tick_cb (gpointer data)
{
  FpRecordingBar *self = data;

  self->tick_source = 0;
  look (self);
}

static void
schedule (FpRecordingBar *self,
          guint delay_ms)
{
  g_clear_handle_id (&self->tick_source, g_source_remove);
  self->tick_source = g_timeout_add_once (delay_ms, tick_cb, self);
}

static void
followed_cb (GObject *source,
             GAsyncResult *result,
             gpointer data)
{
  g_autoptr (FpRecordingBar) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapScene) scene = fp_heap_scene_finish (result, &error);
  gint64 now_us = g_get_monotonic_time ();
  gboolean is_shown = FALSE;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  self->rest_until_us = now_us + REST * (now_us - self->asked_us);
  if (error)
    self->problem = g_strdup (error->message);
  if (scene)
    g_signal_emit (self, signals[GROWN], 0, scene, &is_shown);
  update (self);
  self->is_done = self->is_last && is_shown;
  if (self->ended_us > 0 && !self->is_done)
    schedule (self, self->is_last ? PERIOD_MS : 0);
}

/* A reading that takes long is followed by a longer rest, so that one core at most is busy for a part of the time. */
static void
follow (FpRecordingBar *self,
        gboolean is_last)
{
  gint64 now_us = g_get_monotonic_time ();

  if (self->cancellable || (now_us < self->rest_until_us && self->ended_us == 0))
    return;
  self->asked_us = now_us;
  self->is_last = is_last;
  self->cancellable = g_cancellable_new ();
  fp_heap_scene_follow_async (self->follower, is_last && self->ending == GOING_ON && WIFEXITED (self->status), self->style,
                              self->cancellable, followed_cb, g_object_ref (self));
}

static void
watch_worker (GTask *task,
              gpointer source,
              gpointer data,
              GCancellable *cancellable)
{
  Watch *self = data;

  self->size = fp_recording_get_size (&self->recording);
  if (self->wanted == GOING_ON && self->size >= FP_RECORDING_MAX_SIZE)
    self->wanted = TOO_LARGE;
  if (self->wanted == GOING_ON && fp_recording_get_room (&self->recording) < FP_RECORDING_MIN_FREE)
    self->wanted = NO_ROOM;
  if (!self->is_running)
    self->has_ended = FALSE;
  else if (fp_recording_has_left (&self->recording))
    {
      self->wanted = LEFT;
      self->has_ended = TRUE;
    }
  else if (self->wanted != GOING_ON)
    self->has_ended = fp_recording_end (&self->recording);
  g_task_return_boolean (task, TRUE);
}

/* Size and room are looked at while a long reading goes on, and where the file can't be read. */
static void
watched_cb (GObject *source,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (FpRecordingBar) self = data;
  const Watch *watch = g_task_get_task_data (G_TASK (result));
  gboolean is_last;

  self->is_watching = FALSE;
  if (self->is_done)
    return;
  self->size = watch->size;
  fp_recording_take_findings (&self->recording, &watch->recording);
  self->is_stuck = self->ended_us == 0 && watch->wanted != GOING_ON && !watch->has_ended;
  if (watch->has_ended)
    end_recording (self, watch->wanted);
  is_last = self->ended_us > 0 && (watch->has_ended || !watch->is_running);
  update (self);
  self->is_done = self->problem && is_last;
  if (self->is_done)
    return;
  if (!self->problem)
    follow (self, is_last);
  schedule (self, PERIOD_MS);
}

static void
look (FpRecordingBar *self)
{
  g_autoptr (GTask) task = NULL;
  Watch *watch;

  if (self->is_watching || self->is_done)
    return;
  g_clear_handle_id (&self->tick_source, g_source_remove);
  self->is_watching = TRUE;
  watch = g_new0 (Watch, 1);
  *watch = (Watch){ fp_recording_copy (&self->recording), self->wanted, self->ended_us == 0, FALSE, 0 };
  task = g_task_new (NULL, NULL, watched_cb, g_object_ref (self));
  g_task_set_source_tag (task, look);
  g_task_set_task_data (task, watch, watch_free);
  g_task_run_in_thread (task, watch_worker);
}

static void
ended_cb (GPid pid,
          gint status,
          gpointer data)
{
  FpRecordingBar *self = data;

  self->child_source = 0;
  self->status = status;
  g_spawn_close_pid (pid);
  end_recording (self, GOING_ON);
  update (self);
  look (self);
}

/* The bar is gone, but a program that has ended has to be reaped. */
static void
reaped_cb (GPid pid,
           gint status,
           gpointer data)
{
  g_spawn_close_pid (pid);
}

static void
stop_response_cb (FpRecordingBar *self,
                  const char *response)
{
  if (g_str_equal (response, "end") && is_running (self))
    kill (self->recording.pid, SIGTERM);
  else if (g_str_equal (response, "keep") && self->ended_us == 0)
    {
      self->wanted = STOPPED;
      look (self);
    }
}

static void
stop_cb (FpRecordingBar *self)
{
  GtkWidget *dialog = fp_message_dialog_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), _ ("Stop Recording?"));

  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog),
                               _ ("The program can go on without being recorded, or be asked to end."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "keep", _ ("_Only Stop Recording"), "end",
                                    _ ("_End Program"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "end", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (stop_response_cb), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
shown_cb (GObject *source,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (FpRecordingBar) self = data;
  g_autoptr (GError) error = NULL;

  if (!fp_file_manager_show_finish (result, &error) && gtk_widget_get_root (GTK_WIDGET (self)))
    fp_message_dialog_tell (GTK_WIDGET (self), _ ("The Folder Can’t Be Shown"), error->message);
}

static void
show_cb (FpRecordingBar *self)
{
  g_autofree char *path = fp_recording_find_path (&self->recording);

  fp_file_manager_show_async (path, NULL, shown_cb, g_object_ref (self));
}

/* Tasks hold the bar, and Footprint may quit before they have ended. */
void
fp_recording_bar_leave (FpRecordingBar *self)
{
  g_return_if_fail (FP_IS_RECORDING_BAR (self));

  self->is_done = TRUE;
  g_clear_handle_id (&self->tick_source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->child_source > 0)
    {
      g_clear_handle_id (&self->child_source, g_source_remove);
      g_child_watch_add (self->recording.pid, reaped_cb, NULL);
      /* The size is not watched without the bar. Footprint may quit next, so that a worker would be too late. */
      if (self->ended_us == 0)
        fp_recording_end (&self->recording);
    }
}

static void
fp_recording_bar_dispose (GObject *object)
{
  fp_recording_bar_leave (FP_RECORDING_BAR (object));

  G_OBJECT_CLASS (fp_recording_bar_parent_class)->dispose (object);
}

static void
fp_recording_bar_finalize (GObject *object)
{
  FpRecordingBar *self = FP_RECORDING_BAR (object);

  fp_recording_clear (&self->recording);
  g_clear_pointer (&self->follower, fp_heap_follower_unref);
  g_free (self->problem);

  G_OBJECT_CLASS (fp_recording_bar_parent_class)->finalize (object);
}

static void
fp_recording_bar_class_init (FpRecordingBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_recording_bar_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_recording_bar_finalize;

  signals[GROWN] = g_signal_new ("grown", FP_TYPE_RECORDING_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_BOOLEAN, 1, G_TYPE_POINTER);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-recording-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpRecordingBar, words);
  gtk_widget_class_bind_template_child (widget_class, FpRecordingBar, stop);
  gtk_widget_class_bind_template_child (widget_class, FpRecordingBar, show);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_cb);
}

static void
fp_recording_bar_init (FpRecordingBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* recording: (transfer full): of a program that nobody else waits for. Once only */
void
fp_recording_bar_start (FpRecordingBar *self,
                        FpRecording *recording,
                        FpFigureStyle style)
{
  int fd;

  g_return_if_fail (FP_IS_RECORDING_BAR (self));
  g_return_if_fail (!self->follower);

  self->recording = *recording;
  *recording = (FpRecording){ 0 };
  self->style = style;
  self->started_us = g_get_monotonic_time ();
  self->child_source = g_child_watch_add (self->recording.pid, ended_cb, self);
  fd = g_open (self->recording.path, O_RDONLY | O_CLOEXEC, 0);
  self->follower = fp_heap_follower_new (fd);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  update (self);
  schedule (self, PERIOD_MS);
}

void
fp_recording_bar_set_style (FpRecordingBar *self,
                            FpFigureStyle style)
{
  g_return_if_fail (FP_IS_RECORDING_BAR (self));

  self->style = style;
  if (self->follower)
    update (self);
}

gboolean
fp_recording_bar_has_ended (FpRecordingBar *self)
{
  g_return_val_if_fail (FP_IS_RECORDING_BAR (self), FALSE);

  return self->ended_us > 0;
}
