// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"
#include "folders.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>

#include "fp-about.h"
#include "fp-application.h"
#include "fp-file-kinds.h"
#include "fp-file-opener.h"
#include "fp-file-source.h"
#include "fp-heap-window.h"
#include "fp-help-window.h"
#include "fp-host-source.h"
#include "fp-local-source.h"
#include "fp-preferences.h"
#include "fp-profile-dialog.h"
#include "fp-snapshot-saver.h"
#include "fp-views.h"
#include "fp-window.h"

struct _FpApplication
{
  AdwApplication parent;

  GSettings *settings;
  char *view_help; /* GOption keeps the pointer */
  gboolean picture_failed;
};

G_DEFINE_FINAL_TYPE (FpApplication, fp_application, ADW_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "filter", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("Search for this"), N_ ("TEXT") },
  { "details", 0, 0, G_OPTION_ARG_INT, NULL, N_ ("Show the details of this process"), N_ ("PID") },
  { "proc", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Read this folder instead of /proc"),
    /* Translators: stands behind an option for what is to be typed there */
    N_ ("FOLDER") },
  { "open", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Show a saved snapshot"), N_ ("FILE") },
  { "heap", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Show which code allocated the memory, from a heap profile"), N_ ("FILE") },
  { "screenshot", 0, 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Save a picture of the window and quit"), N_ ("FILE") },
  { "version", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("[FILE…]") },
  { NULL }
};

static void
take_colour_scheme (FpApplication *self)
{
  static const AdwColorScheme schemes[] = { ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
                                            ADW_COLOR_SCHEME_FORCE_DARK };

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      schemes[g_settings_get_enum (self->settings, "color-scheme")]);
}

/* The active one may be a dialog of what is looked for. NULL: there is none yet */
static gpointer
find_window (gpointer application,
             GType type)
{
  for (GList *item = gtk_application_get_windows (application); item; item = item->next)
    if (g_type_is_a (G_OBJECT_TYPE (item->data), type))
      return item->data;
  return NULL;
}

static void
about_cb (GSimpleAction *action,
          GVariant *parameter,
          gpointer data)
{
  GtkWindow *active = gtk_application_get_active_window (data);

  fp_about_show (active, FP_IS_WINDOW (active) ? fp_window_get_source (FP_WINDOW (active)) : NULL);
}

static void
preferences_cb (GSimpleAction *action,
                GVariant *parameter,
                gpointer data)
{
  GtkWindow *active = gtk_application_get_active_window (data);
  GtkWindow *window = FP_IS_HEAP_WINDOW (active) ? active : find_window (data, FP_TYPE_WINDOW);
  FpPreferences *preferences = find_window (data, FP_TYPE_PREFERENCES);

  /* The active one may be the help. */
  if (!window)
    window = find_window (data, FP_TYPE_HEAP_WINDOW);
  if (window && !preferences)
    preferences = fp_preferences_new (window, FP_APPLICATION (data)->settings);
  if (preferences)
    gtk_window_present (GTK_WINDOW (preferences));
}

static void
profile_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  FpProfileDialog *dialog = find_window (data, FP_TYPE_PROFILE_DIALOG);

  if (!dialog)
    dialog = fp_profile_dialog_new (gtk_application_get_active_window (data), FP_APPLICATION (data)->settings);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
help_cb (GSimpleAction *action,
         GVariant *page,
         gpointer data)
{
  FpHelpWindow *window = find_window (data, FP_TYPE_HELP_WINDOW);
  const char *shown = g_variant_get_string (page, NULL);

  /* F1 is one action in all windows, and a heap has a page of its own. */
  if (g_str_equal (shown, "start") && FP_IS_HEAP_WINDOW (gtk_application_get_active_window (data)))
    shown = "heap";
  if (!window)
    window = fp_help_window_new (data);
  fp_help_window_show (window, shown);
  gtk_window_present (GTK_WINDOW (window));
}

/* The window saves what it was like; its dialogs go with it, and the application when none is left. Heap windows end their
 * recordings. */
static void
quit_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpWindow *window = find_window (data, FP_TYPE_WINDOW);
  GtkWindow *profile;

  while ((profile = find_window (data, FP_TYPE_HEAP_WINDOW)))
    gtk_window_destroy (profile);

  if (window)
    gtk_window_close (GTK_WINDOW (window));
  g_application_quit (data);
}

static gboolean
signalled_cb (gpointer data)
{
  g_action_group_activate_action (data, "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static void
set_accels (GtkApplication *application)
{
  static const struct
  {
    const char *action;
    const char *accels[3];
  } accels[] = {
    { "app.help::start", { "F1", NULL } },
    { "app.quit", { "<Control>q", NULL } },
    { "app.preferences", { "<Control>comma", NULL } },
    { "window.close", { "<Control>w", NULL } },
    { "win.open", { "<Control>o", NULL } },
    { "win.save", { "<Control>s", NULL } },
    { "win.search", { "<Control>f", NULL } },
    { "win.refresh", { "F5", "<Control>r", NULL } },
    { "win.show-detail-pane", { "F9", NULL } },
    { "win.show-help-overlay", { "<Control>question", NULL } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action, accels[i].accels);
  for (guint i = 0; i < fp_n_views; i++)
    {
      g_autofree char *action = g_strconcat ("win.view::", fp_views[i].id, NULL);

      gtk_application_set_accels_for_action (application, action, (const char *const[]){ fp_views[i].accel, NULL });
    }
}

static void
fp_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "about", about_cb, NULL, NULL, NULL, { 0 } },
    { "help", help_cb, "s", NULL, NULL, { 0 } },
    { "preferences", preferences_cb, NULL, NULL, NULL, { 0 } },
    { "profile", profile_cb, NULL, NULL, NULL, { 0 } },
    { "quit", quit_cb, NULL, NULL, NULL, { 0 } },
  };
  FpApplication *self = FP_APPLICATION (application);

  G_APPLICATION_CLASS (fp_application_parent_class)->startup (application);
  self->settings = g_settings_new (FP_APP_ID);
  g_signal_connect_object (self->settings, "changed::color-scheme", G_CALLBACK (take_colour_scheme), self,
                           G_CONNECT_SWAPPED);
  take_colour_scheme (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  set_accels (GTK_APPLICATION (self));
  g_unix_signal_add (SIGTERM, signalled_cb, self);
  g_unix_signal_add (SIGINT, signalled_cb, self);
}

/* The machine's */
static FpWindow *
get_window (FpApplication *self)
{
  g_autoptr (FpSource) source = NULL;

  for (GList *item = gtk_application_get_windows (GTK_APPLICATION (self)); item; item = item->next)
    if (FP_IS_WINDOW (item->data) && fp_window_is_live (item->data))
      return item->data;
  source = fp_host_source_new (FP_LIBEXEC_DIR "/footprint-helper");
  return fp_window_new (GTK_APPLICATION (self), self->settings, source);
}

/* A saved snapshot, or another /proc, always gets a window of its own. NULL: neither is asked for */
static FpWindow *
open_window (FpApplication *self,
             GApplicationCommandLine *command_line)
{
  GVariantDict *dict = g_application_command_line_get_options_dict (command_line);
  gboolean is_saved = g_variant_dict_contains (dict, "open");
  g_autoptr (FpSource) source = NULL;
  g_autoptr (GFile) file = NULL;
  const char *path;

  if (!g_variant_dict_lookup (dict, is_saved ? "open" : "proc", "^&ay", &path))
    return NULL;
  file = g_application_command_line_create_file_for_arg (command_line, path);
  source = is_saved ? fp_file_source_new (file) : fp_local_source_new (g_file_peek_path (file));
  return fp_window_new (GTK_APPLICATION (self), self->settings, source);
}

/* dict: (nullable): the options it was called with */
static void
show_profile (FpApplication *self,
              GFile *file,
              GVariantDict *dict)
{
  g_autoptr (FpSource) source = fp_host_source_new (FP_LIBEXEC_DIR "/footprint-helper");
  FpHeapWindow *window = fp_heap_window_new (GTK_APPLICATION (self), self->settings, source, file);
  const char *text;

  if (dict && g_variant_dict_lookup (dict, "filter", "&s", &text))
    fp_heap_window_search (window, text);
  if (dict && g_variant_dict_lookup (dict, "screenshot", "^&ay", &text))
    fp_heap_window_take_picture (window, text, &self->picture_failed);
  gtk_window_present (GTK_WINDOW (window));
}

static FpWindow *
show_snapshot (FpApplication *self,
               GFile *file)
{
  g_autoptr (FpSource) source = fp_file_source_new (file);
  FpWindow *window = fp_window_new (GTK_APPLICATION (self), self->settings, source);

  fp_file_opener_remember (file, FP_SNAPSHOT_TYPE);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
apply_options (FpApplication *self,
               GVariantDict *dict,
               FpWindow *window)
{
  const char *text;
  gint pid;

  if (g_variant_dict_lookup (dict, "view", "&s", &text))
    fp_window_show_view (window, text);
  if (g_variant_dict_lookup (dict, "filter", "&s", &text))
    fp_window_search (window, text);
  if (g_variant_dict_lookup (dict, "details", "i", &pid))
    fp_window_show_details (window, pid);
  if (g_variant_dict_lookup (dict, "screenshot", "^&ay", &text))
    fp_window_take_picture (window, text, &self->picture_failed);
  gtk_window_present (GTK_WINDOW (window));
}

/* Files on the way to their windows, which keep the program running. The command line keeps the program waiting that named them,
 * where another one runs already. */
typedef struct
{
  FpApplication *application;
  GApplicationCommandLine *command_line; /* NULL: the files were not named there */
} Opening;

/* The options are for the last snapshot, which has the focus. */
static void
kinds_cb (GObject *source,
          GAsyncResult *result,
          gpointer data)
{
  Opening *self = data;
  const gboolean *are_profiles;
  GPtrArray *files = fp_file_kinds_finish (result, &are_profiles);
  GVariantDict *dict = self->command_line ? g_application_command_line_get_options_dict (self->command_line) : NULL;
  FpWindow *window = NULL;

  for (guint i = 0; i < files->len; i++)
    if (are_profiles[i])
      show_profile (self->application, g_ptr_array_index (files, i), dict);
    else
      window = show_snapshot (self->application, g_ptr_array_index (files, i));
  if (window && dict)
    apply_options (self->application, dict, window);
  g_application_release (G_APPLICATION (self->application));
  g_clear_object (&self->command_line);
  g_object_unref (self->application);
  g_free (self);
}

/* command_line: (nullable) */
static void
open_files (FpApplication *self,
            GFile **files,
            gint n,
            GApplicationCommandLine *command_line)
{
  Opening *opening = g_new (Opening, 1);

  *opening = (Opening){ g_object_ref (self), command_line ? g_object_ref (command_line) : NULL };
  g_application_hold (G_APPLICATION (self));
  fp_file_kinds_find_async (files, n, kinds_cb, opening);
}

/* FALSE: no files are named */
static gboolean
open_named (FpApplication *self,
            GApplicationCommandLine *command_line)
{
  g_autofree const char **paths = NULL;
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_object_unref);

  g_variant_dict_lookup (g_application_command_line_get_options_dict (command_line), G_OPTION_REMAINING, "^a&ay", &paths);
  for (guint i = 0; paths && paths[i]; i++)
    g_ptr_array_add (files, g_application_command_line_create_file_for_arg (command_line, paths[i]));
  if (files->len > 0)
    open_files (self, (GFile **)files->pdata, (gint)files->len, command_line);
  return files->len > 0;
}

static void
fp_application_open (GApplication *application,
                     GFile **files,
                     gint n,
                     const char *hint)
{
  open_files (FP_APPLICATION (application), files, n, NULL);
}

static void
fp_application_activate (GApplication *application)
{
  gtk_window_present (GTK_WINDOW (get_window (FP_APPLICATION (application))));
}

static int
fp_application_command_line (GApplication *application,
                             GApplicationCommandLine *command_line)
{
  FpApplication *self = FP_APPLICATION (application);
  GVariantDict *dict = g_application_command_line_get_options_dict (command_line);
  gboolean has_profile;
  const char *path;
  FpWindow *window;

  has_profile = g_variant_dict_lookup (dict, "heap", "^&ay", &path);
  if (has_profile)
    {
      g_autoptr (GFile) file = g_application_command_line_create_file_for_arg (command_line, path);

      show_profile (self, file, dict);
    }
  if (open_named (self, command_line))
    return 0;
  window = open_window (self, command_line);
  if (!window && !has_profile)
    window = get_window (self);
  if (window)
    apply_options (self, dict, window);
  return 0;
}

static int
fp_application_handle_local_options (GApplication *application,
                                     GVariantDict *dict)
{
  g_autofree char *views = NULL;
  const char *view;

  if (g_variant_dict_contains (dict, "version"))
    {
      g_print ("footprint " FP_VERSION "\n");
      return 0;
    }
  if (!g_variant_dict_lookup (dict, "view", "&s", &view))
    return -1;
  for (guint i = 0; i < fp_n_views; i++)
    if (g_str_equal (fp_views[i].id, view))
      return -1;
  views = fp_views_name_all (FALSE);
  /* Translators: what was typed, and a list, such as “processes”, “users” and “files” */
  g_printerr (_ ("footprint: There is no view “%s”; there are %s\n"), view, views);
  return 2;
}

static void
fp_application_finalize (GObject *object)
{
  g_clear_object (&FP_APPLICATION (object)->settings);
  g_free (FP_APPLICATION (object)->view_help);

  G_OBJECT_CLASS (fp_application_parent_class)->finalize (object);
}

static void
fp_application_class_init (FpApplicationClass *class)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_application_finalize;
  application_class->startup = fp_application_startup;
  application_class->activate = fp_application_activate;
  application_class->open = fp_application_open;
  application_class->command_line = fp_application_command_line;
  application_class->handle_local_options = fp_application_handle_local_options;
}

static void
fp_application_init (FpApplication *self)
{
  g_autofree char *views = fp_views_name_all (TRUE);

  /* Translators: a list, such as “processes”, “users” or “files” */
  self->view_help = g_strdup_printf (_ ("Show %s"), views);
  g_application_add_main_option (G_APPLICATION (self), "view", 0, G_OPTION_FLAG_NONE, G_OPTION_ARG_STRING,
                                 /* Translators: stands behind an option for what is to be typed there */
                                 self->view_help, N_ ("VIEW"));
  g_application_add_main_option_entries (G_APPLICATION (self), options);
}

FpApplication *
fp_application_new (void)
{
  return g_object_new (FP_TYPE_APPLICATION, "application-id", FP_APP_ID, "flags", G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_HANDLES_OPEN,
                       "resource-base-path", "/io/github/footprint_app/Footprint", NULL);
}

/* Returns: the status to exit with */
int
fp_application_run (FpApplication *self,
                    int argc,
                    char *argv[])
{
  int status = g_application_run (G_APPLICATION (self), argc, argv);

  return status == 0 && self->picture_failed ? 1 : status;
}
