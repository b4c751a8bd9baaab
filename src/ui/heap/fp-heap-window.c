// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-opener.h"
#include "fp-heap-page.h"
#include "fp-heap-window.h"
#include "fp-loading-page.h"
#include "fp-message-dialog.h"
#include "fp-patience.h"
#include "fp-recording-bar.h"
#include "fp-screenshot.h"
#include "fp-text-width.h"

#define SHORTCUTS  "/io/github/footprint_app/Footprint/fp-heap-shortcuts.ui"
#define LOADING_MS 300
#define SETTLE_MS  300 /* until everything is drawn */

struct _FpHeapWindow
{
  AdwApplicationWindow parent;

  /* Template widgets */
  AdwWindowTitle *title;
  FpRecordingBar *recording_bar;
  GtkWidget *search_button;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *stack;
  FpLoadingPage *loading;
  AdwStatusPage *status;
  GtkWidget *again;
  FpHeapPage *page;
  GtkWidget *menu_button;
  GMenu *recent_menu;

  /* Owned */
  GFile *file;
  GSettings *settings;
  FpSource *source; /* of the machine's processes */
  FpFileOpener *opener;
  GCancellable *cancellable; /* while the file is read */
  GCancellable *comparing;   /* while another one is read to be compared */
  GCancellable *finding;     /* the process that was recorded */
  FpPatience *patience;
  GFile *earlier; /* (nullable): that one */
  guint loading_source;
  char *picture_path; /* NULL: no screenshot was asked for */
  gboolean *picture_failed;
};

G_DEFINE_FINAL_TYPE (FpHeapWindow, fp_heap_window, ADW_TYPE_APPLICATION_WINDOW)

/* A share of the machine's memory says nothing about a profile. */
static FpFigureStyle
get_style (FpHeapWindow *self)
{
  static const FpFigureStyle styles[] = { FP_STYLE_IEC, FP_STYLE_BYTES, FP_STYLE_IEC };

  return styles[g_settings_get_enum (self->settings, "units")];
}

static void
take_units (FpHeapWindow *self)
{
  fp_heap_page_set_style (self->page, get_style (self));
  fp_recording_bar_set_style (self->recording_bar, get_style (self));
}

static void
stop_reading (FpHeapWindow *self)
{
  g_clear_handle_id (&self->loading_source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* Between two frames, GTK has nothing to take a picture of where something is to be drawn anew. */
static void
painted_cb (FpHeapWindow *self,
            GdkFrameClock *clock)
{
  g_autoptr (GError) error = NULL;

  g_signal_handlers_disconnect_by_func (clock, painted_cb, self);
  *self->picture_failed = !fp_screenshot_save (GTK_WIDGET (self), self->picture_path, &error);
  if (error)
    g_printerr ("footprint: %s\n", error->message);
  gtk_window_close (GTK_WINDOW (self));
}

static gboolean
settled_cb (gpointer data)
{
  FpHeapWindow *self = data;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));

  /* It may have been closed meanwhile. */
  if (!clock)
    return G_SOURCE_REMOVE;
  g_signal_connect_object (clock, "after-paint", G_CALLBACK (painted_cb), self, G_CONNECT_SWAPPED);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

static gboolean
tick_cb (GtkWidget *widget,
         GdkFrameClock *clock,
         gpointer data)
{
  g_timeout_add_full (G_PRIORITY_LOW, SETTLE_MS, settled_cb, g_object_ref (widget), g_object_unref);
  return G_SOURCE_REMOVE;
}

/* Nothing is there before the first frame. With the picture the program has done what it was called for. */
static void
take_picture (FpHeapWindow *self)
{
  if (self->picture_path)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), tick_cb, NULL, NULL);
}

static void
show_status (FpHeapWindow *self,
             const char *title,
             const char *text,
             gboolean may_read_again)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, escaped);
  gtk_widget_set_visible (self->again, may_read_again);
  gtk_stack_set_visible_child_name (self->stack, "status");
  take_picture (self);
}

static void
set_readable (FpHeapWindow *self,
              gboolean is_readable)
{
  gtk_widget_set_sensitive (self->search_button, is_readable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.search", is_readable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.compare", is_readable);
  gtk_search_bar_set_key_capture_widget (self->search_bar, is_readable ? GTK_WIDGET (self) : NULL);
}

static void
search_changed_cb (FpHeapWindow *self)
{
  fp_heap_page_set_search (self->page, gtk_editable_get_text (self->search_entry));
}

static gboolean
has_search_focus (FpHeapWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  return focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->search_entry));
}

/* Processes that may not be read are of others, who are not asked for it. */
static void
process_cb (GObject *source,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (FpHeapWindow) self = data;
  g_autoptr (FpHeapProcess) process = fp_heap_process_read_finish (result, NULL);

  if (process && !g_cancellable_is_cancelled (self->finding))
    fp_heap_page_set_process (self->page, g_steal_pointer (&process));
}

static void
show_scene (FpHeapWindow *self,
            FpHeapScene *scene)
{
  g_autofree char *command = scene->profile->command ? g_utf8_make_valid (scene->profile->command, -1) : NULL;

  adw_window_title_set_subtitle (self->title, command);
  fp_heap_page_show (self->page, scene);
  search_changed_cb (self);
  set_readable (self, TRUE);
  gtk_stack_set_visible_child_name (self->stack, "profile");
  if (!has_search_focus (self))
    fp_heap_page_focus (self->page);
  fp_file_opener_remember (self->file, FP_HEAP_PROFILE_TYPE);
  fp_heap_process_read_async (self->source, scene->profile, self->file, self->finding, process_cb, g_object_ref (self));
  take_picture (self);
}

static void
read_done_cb (GObject *source,
              GAsyncResult *result,
              gpointer data)
{
  g_autoptr (FpHeapWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapScene) scene = fp_heap_scene_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_handle_id (&self->loading_source, g_source_remove);
  g_clear_object (&self->cancellable);
  if (scene)
    show_scene (self, scene);
  else
    show_status (self, _ ("The Profile Can’t Be Opened"), error->message, FALSE);
}

static void
progress_cb (guint64 position,
             guint64 whole,
             gpointer data)
{
  fp_loading_page_set_progress (FP_HEAP_WINDOW (data)->loading, position, whole, FP_STYLE_IEC);
}

static void
loading_cb (gpointer data)
{
  FpHeapWindow *self = data;

  self->loading_source = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
}

static void
read_cb (FpHeapWindow *self)
{
  stop_reading (self);
  self->cancellable = g_cancellable_new ();
  self->loading_source = g_timeout_add_once (LOADING_MS, loading_cb, self);
  fp_loading_page_reset (self->loading);
  fp_heap_scene_read_async (self->file, get_style (self), progress_cb, self->cancellable, read_done_cb, g_object_ref (self));
}

static void
cancelled_cb (FpHeapWindow *self)
{
  stop_reading (self);
  show_status (self, C_ ("status", "Not Read"), _ ("Reading was cancelled."), TRUE);
}

/* A program may run for long before it allocates, or end without that. */
static gboolean
grown_cb (FpHeapWindow *self,
          FpHeapScene *scene)
{
  if (fp_heap_page_has_scene (self->page))
    return fp_heap_page_grow (self->page, scene);
  if (scene->profile->total.calls > 0)
    show_scene (self, scene);
  else if (fp_recording_bar_has_ended (self->recording_bar))
    show_status (self, _ ("Nothing Was Recorded"), _ ("The program allocated no memory, or the recorder could not be loaded into it."), FALSE);
  return TRUE;
}

static void
search_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  FpHeapWindow *self = FP_HEAP_WINDOW (widget);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
stop_comparing (FpHeapWindow *self)
{
  g_clear_pointer (&self->patience, fp_patience_free);
  if (self->comparing)
    g_cancellable_cancel (self->comparing);
  g_clear_object (&self->comparing);
  g_clear_object (&self->earlier);
}

/* Free it. */
static char *
name_file (GFile *file,
           gboolean with_folder)
{
  g_autoptr (GFile) folder = with_folder ? g_file_get_parent (file) : NULL;
  g_autofree char *basename = g_file_get_basename (file), *outer = folder ? g_file_get_basename (folder) : NULL;
  g_autofree char *path = outer ? g_build_filename (outer, basename, NULL) : g_strdup (basename);

  return g_filename_display_name (path);
}

/* Files that are called the same are told apart by their folders. */
static void
compare (FpHeapWindow *self,
         FpHeapProfile *earlier)
{
  g_autofree char *short_name = name_file (self->earlier, FALSE), *own_short_name = name_file (self->file, FALSE);
  gboolean is_same = g_str_equal (short_name, own_short_name);
  g_autofree char *name = name_file (self->earlier, is_same), *own_name = name_file (self->file, is_same);

  if (!fp_heap_page_compare (self->page, earlier, (const char *const[]){ name, own_name }))
    fp_message_dialog_tell (GTK_WIDGET (self), _ ("The Profiles Can’t Be Compared"), _ ("They have no figures of the same kind."));
}

/* Another file may have been chosen since. */
static void
earlier_cb (GObject *source,
            GAsyncResult *result,
            gpointer data)
{
  g_autoptr (FpHeapWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpHeapProfile) earlier = fp_heap_scene_read_earlier_finish (result, &error);

  if (!self->comparing || g_task_get_cancellable (G_TASK (result)) != self->comparing)
    return;
  if (earlier)
    compare (self, earlier);
  stop_comparing (self);
  if (error && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fp_message_dialog_tell (GTK_WIDGET (self), _ ("The Profile Can’t Be Opened"), error->message);
}

static void
compare_response_cb (GtkNativeDialog *dialog,
                     int response,
                     FpHeapWindow *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  g_object_unref (dialog);
  if (!file)
    return;
  stop_comparing (self);
  self->comparing = g_cancellable_new ();
  self->earlier = g_steal_pointer (&file);
  self->patience = fp_patience_new (GTK_WIDGET (self), _ ("Opening…"), self->comparing);
  fp_heap_scene_read_earlier_async (self->earlier, self->comparing, earlier_cb, g_object_ref (self));
}

static void
compare_cb (GtkWidget *widget,
            const char *name,
            GVariant *parameter)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_ ("Compare With an Earlier Heap Profile"), GTK_WINDOW (widget),
                                                              GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);

  fp_file_opener_add_profile_filters (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (compare_response_cb), widget, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/* Until libadwaita 1.4 has AdwBreakpoint. */
static void
size_changed_cb (FpHeapWindow *self)
{
  double scale;
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  scale = fp_text_width_get_scale (GTK_WIDGET (self));
  fp_heap_page_set_size (self->page, width / scale, height / scale);
}

static void
menu_opens_cb (GtkMenuButton *button,
               gpointer self)
{
  fp_file_opener_list_recent (FP_HEAP_WINDOW (self)->opener);
}

static void
fp_heap_window_dispose (GObject *object)
{
  FpHeapWindow *self = FP_HEAP_WINDOW (object);

  stop_reading (self);
  stop_comparing (self);
  g_cancellable_cancel (self->finding);
  if (self->recording_bar)
    fp_recording_bar_leave (self->recording_bar);
  g_clear_object (&self->source);
  g_clear_object (&self->opener);
  g_clear_object (&self->settings);
  g_clear_object (&self->file);

  G_OBJECT_CLASS (fp_heap_window_parent_class)->dispose (object);
}

static void
fp_heap_window_finalize (GObject *object)
{
  g_free (FP_HEAP_WINDOW (object)->picture_path);
  g_clear_object (&FP_HEAP_WINDOW (object)->finding);

  G_OBJECT_CLASS (fp_heap_window_parent_class)->finalize (object);
}

static void
fp_heap_window_class_init (FpHeapWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_heap_window_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_heap_window_finalize;

  g_type_ensure (FP_TYPE_HEAP_PAGE);
  g_type_ensure (FP_TYPE_LOADING_PAGE);
  g_type_ensure (FP_TYPE_RECORDING_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-heap-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, title);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, recording_bar);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, search_button);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, loading);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, status);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, again);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, page);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, FpHeapWindow, recent_menu);
  gtk_widget_class_bind_template_callback (widget_class, cancelled_cb);
  gtk_widget_class_bind_template_callback (widget_class, grown_cb);
  gtk_widget_class_bind_template_callback (widget_class, read_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_cb);
  gtk_widget_class_install_action (widget_class, "win.compare", NULL, compare_cb);
}

static void
fp_heap_window_init (FpHeapWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->finding = g_cancellable_new ();
}

static FpHeapWindow *
make_window (GtkApplication *application,
             GSettings *settings,
             FpSource *source,
             GFile *file)
{
  FpHeapWindow *self = g_object_new (FP_TYPE_HEAP_WINDOW, "application", application, NULL);
  g_autofree char *basename = g_file_get_basename (file);
  g_autofree char *name = g_filename_display_name (basename ? basename : "");
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (SHORTCUTS);

  self->file = g_object_ref (file);
  self->settings = g_object_ref (settings);
  self->source = g_object_ref (source);
  adw_window_title_set_title (self->title, name);
  gtk_window_set_title (GTK_WINDOW (self), name);
  self->opener = fp_file_opener_new (GTK_APPLICATION_WINDOW (self), self->recent_menu);
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->menu_button), menu_opens_cb, self, NULL);
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  set_readable (self, FALSE);
  g_signal_connect_object (self->settings, "changed::units", G_CALLBACK (take_units), self, G_CONNECT_SWAPPED);
  take_units (self);
  g_signal_connect_object (self, "notify::default-width", G_CALLBACK (size_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "notify::default-height", G_CALLBACK (size_changed_cb), self, G_CONNECT_SWAPPED);
  size_changed_cb (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->menu_button);
  return self;
}

FpHeapWindow *
fp_heap_window_new (GtkApplication *application,
                    GSettings *settings,
                    FpSource *source,
                    GFile *file)
{
  FpHeapWindow *self = make_window (application, settings, source, file);

  read_cb (self);
  return self;
}

/* recording: (transfer full): shown while it grows */
FpHeapWindow *
fp_heap_window_new_recording (GtkApplication *application,
                              GSettings *settings,
                              FpSource *source,
                              FpRecording *recording)
{
  g_autoptr (GFile) file = g_file_new_for_path (recording->path);
  FpHeapWindow *self = make_window (application, settings, source, file);

  fp_recording_bar_start (self->recording_bar, recording, get_style (self));
  return self;
}

void
fp_heap_window_search (FpHeapWindow *self,
                       const char *text)
{
  g_return_if_fail (FP_IS_HEAP_WINDOW (self));

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_editable_set_text (self->search_entry, text);
}

/* failed: set once it is tried, and has to be there until the program ends */
void
fp_heap_window_take_picture (FpHeapWindow *self,
                             const char *path,
                             gboolean *failed)
{
  g_return_if_fail (FP_IS_HEAP_WINDOW (self));

  g_free (self->picture_path);
  self->picture_path = g_strdup (path);
  self->picture_failed = failed;
}
