// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-file-opener.h"
#include "fp-snapshot-saver.h"

#define MAX_RECENT 5

struct _FpFileOpener
{
  GObject parent;

  GtkApplicationWindow *window; /* not owned */
  GMenu *recent;
  GtkNativeDialog *dialog; /* NULL: it is not open */
};

/* Names that recorders give to their files; others open as well. */
static const char *const profile_patterns[] = {
  "heaptrack.*.zst",
  "heaptrack.*.gz",
  "heaptrack.*.raw",
  "*.pb.gz",
  "massif.out*",
  "dhat.out*",
  "dhat-heap.json",
  "*.folded",
};

G_DEFINE_FINAL_TYPE (FpFileOpener, fp_file_opener, G_TYPE_OBJECT)

/* Each file gets a window of its own. */
static void
open_file (GFile *file)
{
  g_application_open (g_application_get_default (), &file, 1, "");
}

static void
open_response_cb (GtkNativeDialog *dialog,
                  int response,
                  FpFileOpener *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  g_clear_object (&self->dialog);
  if (file)
    open_file (file);
}

/* known: a filter to which the names of profiles are added */
static void
add_filters (GtkFileChooser *chooser,
             GtkFileFilter *known)
{
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();

  for (guint i = 0; i < G_N_ELEMENTS (profile_patterns); i++)
    gtk_file_filter_add_pattern (known, profile_patterns[i]);
  gtk_file_filter_set_name (all, _ ("All Files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, known);
  gtk_file_chooser_add_filter (chooser, all);
}

static void
add_all_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) known = gtk_file_filter_new ();

  gtk_file_filter_set_name (known, _ ("Snapshots and Heap Profiles"));
  gtk_file_filter_add_pattern (known, "*" FP_SNAPSHOT_SUFFIX);
  gtk_file_filter_add_pattern (known, "*.tar");
  add_filters (chooser, known);
}

static void
open_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpFileOpener *self = data;

  if (self->dialog)
    return;
  self->dialog = GTK_NATIVE_DIALOG (gtk_file_chooser_native_new (_ ("Open Snapshot or Heap Profile"), GTK_WINDOW (self->window),
                                                                 GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL));
  add_all_filters (GTK_FILE_CHOOSER (self->dialog));
  gtk_native_dialog_set_modal (self->dialog, TRUE);
  g_signal_connect_object (self->dialog, "response", G_CALLBACK (open_response_cb), self, 0);
  gtk_native_dialog_show (self->dialog);
}

static void
open_recent_cb (GSimpleAction *action,
                GVariant *parameter,
                gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  open_file (file);
}

static gboolean
dropped_cb (GtkDropTarget *target,
            const GValue *value,
            double x,
            double y,
            FpFileOpener *self)
{
  const GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));

  for (const GSList *file = files; file; file = file->next)
    open_file (file->data);
  return files != NULL;
}

static gint
compare_visits (gconstpointer a,
                gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_visited ((GtkRecentInfo *)b), gtk_recent_info_get_visited ((GtkRecentInfo *)a));
}

static gboolean
is_ours (GtkRecentInfo *info)
{
  const char *type = gtk_recent_info_get_mime_type (info);

  return (g_strcmp0 (type, FP_SNAPSHOT_TYPE) == 0 || g_strcmp0 (type, FP_HEAP_PROFILE_TYPE) == 0) && gtk_recent_info_exists (info);
}

/* The latest first. The menu has a line that can't be chosen where there is none. It is for when the menu opens, because
 * reading the list at the start would be in the way of the first frame. */
void
fp_file_opener_list_recent (FpFileOpener *self)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());

  items = g_list_sort (items, compare_visits);
  g_menu_remove_all (self->recent);
  for (GList *item = items; item && g_menu_model_get_n_items (G_MENU_MODEL (self->recent)) < MAX_RECENT; item = item->next)
    {
      GtkRecentInfo *info = item->data;
      g_autoptr (GMenuItem) shown = NULL;
      g_auto (GStrv) parts = NULL;
      g_autofree char *label = NULL;

      if (!is_ours (info))
        continue;
      /* An underline in a name is none of a letter to press. */
      parts = g_strsplit (gtk_recent_info_get_display_name (info), "_", -1);
      label = g_strjoinv ("__", parts);
      shown = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (shown, "win.open-recent", "s", gtk_recent_info_get_uri (info));
      g_menu_append_item (self->recent, shown);
    }
  g_list_free_full (items, (GDestroyNotify)gtk_recent_info_unref);
  if (g_menu_model_get_n_items (G_MENU_MODEL (self->recent)) == 0)
    g_menu_append (self->recent, _ ("No Files Yet"), "win.no-recent");
}

void
fp_file_opener_remember (GFile *file,
                         const char *type)
{
  g_autofree char *uri = g_file_get_uri (file);
  const GtkRecentData data = {
    .mime_type = (char *)type, .app_name = (char *)_ ("Footprint"), .app_exec = (char *)"footprint %u"
  };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

void
fp_file_opener_add_profile_filters (GtkFileChooser *chooser)
{
  g_autoptr (GtkFileFilter) known = gtk_file_filter_new ();

  gtk_file_filter_set_name (known, _ ("Heap Profiles"));
  add_filters (chooser, known);
}

/* The window may close while the dialog is open. */
static void
fp_file_opener_dispose (GObject *object)
{
  FpFileOpener *self = FP_FILE_OPENER (object);

  if (self->dialog)
    gtk_native_dialog_destroy (self->dialog);
  g_clear_object (&self->dialog);
  g_clear_object (&self->recent);

  G_OBJECT_CLASS (fp_file_opener_parent_class)->dispose (object);
}

static void
fp_file_opener_class_init (FpFileOpenerClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_file_opener_dispose;
}

static void
fp_file_opener_init (FpFileOpener *self)
{
}

/* The window must live longer. recent: for the files that were opened or saved last */
FpFileOpener *
fp_file_opener_new (GtkApplicationWindow *window,
                    GMenu *recent)
{
  static const GActionEntry entries[] = {
    { "open", open_cb, NULL, NULL, NULL, { 0 } },
    { "open-recent", open_recent_cb, "s", NULL, NULL, { 0 } },
  };
  FpFileOpener *self = g_object_new (FP_TYPE_FILE_OPENER, NULL);
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->window = window;
  self->recent = g_object_ref (recent);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (target, "drop", G_CALLBACK (dropped_cb), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (window), GTK_EVENT_CONTROLLER (target));
  return self;
}
