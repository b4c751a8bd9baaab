// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-display.h"
#include "fp-file-manager.h"
#include "fp-loading-page.h"
#include "fp-tmpfs-row.h"
#include "fp-tmpfs-window.h"
#include "fp-tmpfs-words.h"

#define MAX_SHOWN  100
#define LOADING_MS 500

struct _FpTmpfsWindow
{
  AdwWindow parent;

  /* Template widgets */
  AdwWindowTitle *title;
  AdwToastOverlay *toasts;
  GtkStack *stack;
  FpLoadingPage *loading;
  AdwStatusPage *status;
  GtkLabel *explanation;
  GtkListBox *list;

  /* Owned */
  FpSource *source;
  char *path;
  FpTmpfs tmpfs; /* with the path above */
  FpFormat format;
  FpTmpfsFiles *files;       /* (nullable) */
  GCancellable *cancellable; /* while they are read */
  GCancellable *showing;     /* calls to the file manager */
  guint loading_source;
};

G_DEFINE_FINAL_TYPE (FpTmpfsWindow, fp_tmpfs_window, ADW_TYPE_WINDOW)

static void
stop_loading (FpTmpfsWindow *self)
{
  g_clear_handle_id (&self->loading_source, g_source_remove);
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
show_status (FpTmpfsWindow *self,
             const char *title,
             const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_window_title_set_subtitle (self->title, NULL);
  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, escaped);
  gtk_stack_set_visible_child_name (self->stack, "status");
}

static void
clear_rows (FpTmpfsWindow *self)
{
  GtkListBoxRow *row;

  while ((row = gtk_list_box_get_row_at_index (self->list, 0)))
    gtk_list_box_remove (self->list, GTK_WIDGET (row));
}

static FpTmpfsRowKind
get_row_kind (const FpTmpfsWindow *self,
              guint number)
{
  if (number >= self->files->files->len)
    return FP_TMPFS_ROW_REST;
  return self->tmpfs.pid == 0 ? FP_TMPFS_ROW_REACHABLE : FP_TMPFS_ROW_FILE;
}

static void
show_files (FpTmpfsWindow *self)
{
  g_autoptr (GPtrArray) items = fp_tmpfs_list_items (self->files, g_get_real_time () / G_USEC_PER_SEC);
  g_autofree char *summary = fp_tmpfs_describe_files (self->files, &self->format);

  clear_rows (self);
  if (items->len == 0)
    {
      show_status (self, _ ("No Files"), _ ("No file here takes memory."));
      return;
    }
  adw_window_title_set_subtitle (self->title, summary);
  for (guint i = 0; i < items->len; i++)
    gtk_list_box_append (self->list, fp_tmpfs_row_new (get_row_kind (self, i), i, g_ptr_array_index (items, i), &self->format));
  gtk_stack_set_visible_child_name (self->stack, "files");
  gtk_widget_grab_focus (GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0)));
}

static void
loaded_cb (GObject *source,
           GAsyncResult *result,
           gpointer data)
{
  g_autoptr (FpTmpfsWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FpTmpfsFiles) files = fp_source_request_finish (FP_SOURCE (source), FP_REQUEST_TMPFS_FILES, result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_handle_id (&self->loading_source, g_source_remove);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->files, fp_tmpfs_files_free);
  if ((self->files = g_steal_pointer (&files)))
    show_files (self);
  else
    show_status (self, C_ ("status", "Not Read"), error->message);
}

static void
progress_cb (goffset position,
             goffset whole,
             gpointer data)
{
  FpTmpfsWindow *self = data;

  fp_loading_page_set_progress (self->loading, (guint64)MIN (position, whole), (guint64)whole, self->format.style);
}

static void
loading_cb (gpointer data)
{
  FpTmpfsWindow *self = data;

  self->loading_source = 0;
  gtk_stack_set_visible_child_name (self->stack, "loading");
}

static void
load (FpTmpfsWindow *self)
{
  const FpSourceRequest request = { .kind = FP_REQUEST_TMPFS_FILES,
                                    .tmpfs = &self->tmpfs,
                                    .n_biggest = MAX_SHOWN,
                                    .progress = progress_cb,
                                    .progress_data = self };

  stop_loading (self);
  self->cancellable = g_cancellable_new ();
  self->loading_source = g_timeout_add_once (LOADING_MS, loading_cb, self);
  fp_loading_page_reset (self->loading);
  fp_source_request_async (self->source, &request, self->cancellable, loaded_cb, g_object_ref (self));
}

/* The files that were shown before stay. */
static void
cancelled_cb (FpTmpfsWindow *self)
{
  stop_loading (self);
  if (self->files)
    show_files (self);
  else
    show_status (self, C_ ("status", "Not Read"), _ ("Reading was cancelled."));
}

static void
refresh_cb (GtkWidget *widget,
            const char *name,
            GVariant *parameter)
{
  load (FP_TMPFS_WINDOW (widget));
}

static void
report (FpTmpfsWindow *self,
        const char *text)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (escaped));
}

static void
shown_cb (GObject *object,
          GAsyncResult *result,
          gpointer data)
{
  g_autoptr (FpTmpfsWindow) self = data;
  g_autoptr (GError) error = NULL;

  if (!fp_file_manager_show_finish (result, &error) && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    report (self, _ ("No file manager could be opened"));
}

static const FpTmpfsFile *
get_file (FpTmpfsWindow *self,
          GVariant *number)
{
  guint i = g_variant_get_uint32 (number);

  return self->files && i < self->files->files->len ? &g_array_index (self->files->files, FpTmpfsFile, i) : NULL;
}

static void
show_cb (GtkWidget *widget,
         const char *name,
         GVariant *number)
{
  FpTmpfsWindow *self = FP_TMPFS_WINDOW (widget);
  const FpTmpfsFile *file = get_file (self, number);

  if (file && self->tmpfs.pid == 0)
    fp_file_manager_show_async (file->place, self->showing, shown_cb, g_object_ref (self));
}

static void
copy_cb (GtkWidget *widget,
         const char *name,
         GVariant *number)
{
  FpTmpfsWindow *self = FP_TMPFS_WINDOW (widget);
  const FpTmpfsFile *file = get_file (self, number);
  g_autofree char *text = file ? fp_tmpfs_quote_path (file->place) : NULL;

  if (!text)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  report (self, _ ("Path copied"));
}

static void
activated_cb (FpTmpfsWindow *self,
              FpTmpfsRow *row)
{
  fp_tmpfs_row_open (row);
}

static void
fp_tmpfs_window_dispose (GObject *object)
{
  FpTmpfsWindow *self = FP_TMPFS_WINDOW (object);

  stop_loading (self);
  if (self->showing)
    g_cancellable_cancel (self->showing);
  g_clear_object (&self->showing);
  g_clear_object (&self->source);

  G_OBJECT_CLASS (fp_tmpfs_window_parent_class)->dispose (object);
}

static void
fp_tmpfs_window_finalize (GObject *object)
{
  FpTmpfsWindow *self = FP_TMPFS_WINDOW (object);

  g_clear_pointer (&self->files, fp_tmpfs_files_free);
  g_free (self->path);

  G_OBJECT_CLASS (fp_tmpfs_window_parent_class)->finalize (object);
}

static void
fp_tmpfs_window_class_init (FpTmpfsWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_tmpfs_window_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_tmpfs_window_finalize;

  g_type_ensure (FP_TYPE_LOADING_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-tmpfs-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, loading);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, status);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, explanation);
  gtk_widget_class_bind_template_child (widget_class, FpTmpfsWindow, list);
  gtk_widget_class_bind_template_callback (widget_class, cancelled_cb);
  gtk_widget_class_bind_template_callback (widget_class, activated_cb);
  gtk_widget_class_install_action (widget_class, "files.refresh", NULL, refresh_cb);
  gtk_widget_class_install_action (widget_class, "files.show", "u", show_cb);
  gtk_widget_class_install_action (widget_class, "files.copy", "u", copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F5, 0, "files.refresh", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_r, GDK_CONTROL_MASK, "files.refresh", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fp_tmpfs_window_init (FpTmpfsWindow *self)
{
  self->showing = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
explain (FpTmpfsWindow *self)
{
  if (self->tmpfs.pid == 0)
    gtk_label_set_text (self->explanation, _ ("These files stay in memory, or in swap, until they are deleted."));
  else
    gtk_label_set_text (self->explanation, _ ("These files stay in memory, or in swap, until they are deleted. They are in a "
                                              "container or sandbox: the paths are as seen from inside, and can’t be opened from here."));
}

/* name: of the file system, as a person is to read it */
GtkWidget *
fp_tmpfs_window_new (FpSource *source,
                     const FpTmpfs *tmpfs,
                     const char *name,
                     const FpFormat *format)
{
  FpTmpfsWindow *self = g_object_new (FP_TYPE_TMPFS_WINDOW, NULL);
  g_autofree char *isolated = fp_display_isolate (name), *title = g_strdup_printf (_ ("Files in %s"), isolated);

  self->source = g_object_ref (source);
  self->path = g_strdup (tmpfs->path);
  self->tmpfs = *tmpfs;
  self->tmpfs.path = self->path;
  self->format = *format;
  adw_window_title_set_title (self->title, title);
  gtk_window_set_title (GTK_WINDOW (self), title);
  explain (self);
  load (self);
  return GTK_WIDGET (self);
}
