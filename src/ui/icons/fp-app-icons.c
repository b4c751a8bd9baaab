// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <gio/gdesktopappinfo.h>

#include "fp-app-icons.h"
#include "fp-desktop-index.h"

/* One package after another may be installed. */
#define PAUSE_US (5 * G_USEC_PER_SEC)

struct _FpAppIcons
{
  GObject parent;

  FpDesktopIndex *index; /* NULL: nothing was read yet */
  GAppInfoMonitor *monitor;
  gint64 read_us;
  gboolean is_stale;
  gboolean is_reading;
};

enum
{
  CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpAppIcons, fp_app_icons, G_TYPE_OBJECT)

static void
add_data_folder (GPtrArray *folders,
                 const char *data)
{
  g_autofree char *folder = g_build_filename (data, "applications", NULL);

  if (!g_ptr_array_find_with_equal_func (folders, folder, g_str_equal, NULL))
    g_ptr_array_add (folders, g_steal_pointer (&folder));
}

/* By precedence; at last where the host's are for who is in a Flatpak. */
static char **
list_folders (void)
{
  static const char *const of_host[] = { "/var/lib/flatpak/exports/share", "/run/host/usr/local/share",
                                         "/run/host/usr/share", NULL };
  GPtrArray *folders = g_ptr_array_new ();
  g_autofree char *of_home = g_build_filename (g_get_home_dir (), ".local", "share", NULL);
  g_autofree char *exported = g_build_filename (of_home, "flatpak", "exports", "share", NULL);

  add_data_folder (folders, g_get_user_data_dir ());
  for (const char *const *data = g_get_system_data_dirs (); *data; data++)
    add_data_folder (folders, *data);
  add_data_folder (folders, of_home);
  add_data_folder (folders, exported);
  for (const char *const *data = of_host; *data; data++)
    add_data_folder (folders, *data);
  g_ptr_array_add (folders, NULL);
  return (char **)g_ptr_array_free (folders, FALSE);
}

static void
free_folders (gpointer folders)
{
  g_strfreev (folders);
}

static void
free_index (gpointer index)
{
  fp_desktop_index_free (index);
}

static void
read_worker (GTask *task,
             gpointer source,
             gpointer data,
             GCancellable *cancellable)
{
  static const char *const themes_of_host[] = { "/run/host/user-share/icons/hicolor", "/run/host/share/icons/hicolor" };
  const char *const *folders = data;
  g_autoptr (GDesktopAppInfo) nothing = NULL;
  FpDesktopIndex *index;

  /* GAppInfoMonitor watches from one question to the first change after it. */
  nothing = g_desktop_app_info_new (FP_APP_ID ".None.desktop");
  index = fp_desktop_index_new (folders);
  for (guint i = 0; i < G_N_ELEMENTS (themes_of_host); i++)
    fp_desktop_index_add_theme (index, themes_of_host[i]);
  g_task_return_pointer (task, index, free_index);
}

static void
read_cb (GObject *source,
         GAsyncResult *result,
         gpointer data)
{
  FpAppIcons *self = FP_APP_ICONS (source);

  g_clear_pointer (&self->index, fp_desktop_index_free);
  self->index = g_task_propagate_pointer (G_TASK (result), NULL);
  self->is_reading = FALSE;
  self->read_us = g_get_monotonic_time ();
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
read_anew (FpAppIcons *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->is_reading || (self->index && g_get_monotonic_time () - self->read_us < PAUSE_US))
    return;
  task = g_task_new (self, NULL, read_cb, NULL);
  g_task_set_source_tag (task, read_anew);
  g_task_set_task_data (task, list_folders (), free_folders);
  self->is_stale = FALSE;
  self->is_reading = TRUE;
  g_task_run_in_thread (task, read_worker);
}

static void
entries_changed_cb (FpAppIcons *self)
{
  self->is_stale = TRUE;
}

static void
fp_app_icons_finalize (GObject *object)
{
  FpAppIcons *self = FP_APP_ICONS (object);

  g_clear_object (&self->monitor);
  g_clear_pointer (&self->index, fp_desktop_index_free);

  G_OBJECT_CLASS (fp_app_icons_parent_class)->finalize (object);
}

static void
fp_app_icons_class_init (FpAppIconsClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_app_icons_finalize;

  signals[CHANGED] =
      g_signal_new ("changed", FP_TYPE_APP_ICONS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fp_app_icons_init (FpAppIcons *self)
{
  self->is_stale = TRUE;
  self->monitor = g_app_info_monitor_get ();
  g_signal_connect_object (self->monitor, "changed", G_CALLBACK (entries_changed_cb), self, G_CONNECT_SWAPPED);
}

FpAppIcons *
fp_app_icons_new (void)
{
  return g_object_new (FP_TYPE_APP_ICONS, NULL);
}

/* app, program: as a process has them, or empty. NULL: it has none, or none is known yet */
GIcon *
fp_app_icons_find (FpAppIcons *self,
                   const char *app,
                   const char *program)
{
  GIcon *icon = NULL;

  g_return_val_if_fail (FP_IS_APP_ICONS (self), NULL);

  if (self->is_stale)
    read_anew (self);
  if (!self->index)
    return NULL;
  if (*app)
    icon = fp_desktop_index_find_app (self->index, app);
  if (!icon && *program)
    icon = fp_desktop_index_find_program (self->index, program);
  return icon;
}
