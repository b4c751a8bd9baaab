// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-preferences.h"
#include "fp-view-pages.h"

struct _FpPreferences
{
  AdwPreferencesWindow parent;

  /* Template widgets */
  GtkWidget *interval;
  GtkWidget *units;
  GtkWidget *color_scheme;
  GtkWidget *lists;
};

G_DEFINE_FINAL_TYPE (FpPreferences, fp_preferences, ADW_TYPE_PREFERENCES_WINDOW)

/* The nicks of a key, in the order of its row. */
static const char *const intervals[] = { "one", "two", "five", "ten", "paused", NULL };
static const char *const units[] = { "iec", "exact", "percent", NULL };
static const char *const color_schemes[] = { "system", "light", "dark", NULL };

static gboolean
find_nick (GValue *value,
           GVariant *setting,
           gpointer data)
{
  const char *const *nicks = data;

  for (guint i = 0; nicks[i]; i++)
    if (g_str_equal (nicks[i], g_variant_get_string (setting, NULL)))
      {
        g_value_set_uint (value, i);
        return TRUE;
      }
  return FALSE;
}

static GVariant *
get_nick (const GValue *value,
          const GVariantType *type,
          gpointer data)
{
  const char *const *nicks = data;
  guint i = g_value_get_uint (value);

  return i < g_strv_length ((char **)nicks) ? g_variant_new_string (nicks[i]) : NULL;
}

static void
bind (GSettings *settings,
      const char *key,
      GtkWidget *row,
      const char *const *nicks)
{
  g_settings_bind_with_mapping (settings, key, row, "selected", G_SETTINGS_BIND_DEFAULT, find_nick, get_nick,
                                (gpointer)nicks, NULL);
}

static FpWindow *
get_window (FpPreferences *self)
{
  return FP_WINDOW (gtk_window_get_transient_for (GTK_WINDOW (self)));
}

static void
set_columns_cb (GtkWidget *widget,
                const char *name,
                GVariant *columns)
{
  fp_window_set_columns (get_window (FP_PREFERENCES (widget)), columns);
}

static void
reset_columns_cb (FpPreferences *self)
{
  AdwToast *toast = adw_toast_new (_ ("The usual columns are shown"));

  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_action_name (toast, "preferences.set-columns");
  adw_toast_set_action_target_value (toast, fp_window_get_columns (get_window (self)));
  adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  fp_window_set_columns (get_window (self), NULL);
  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (self), toast);
}

static void
fp_preferences_class_init (FpPreferencesClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, FpPreferences, interval);
  gtk_widget_class_bind_template_child (widget_class, FpPreferences, units);
  gtk_widget_class_bind_template_child (widget_class, FpPreferences, color_scheme);
  gtk_widget_class_bind_template_child (widget_class, FpPreferences, lists);
  gtk_widget_class_bind_template_callback (widget_class, reset_columns_cb);
  gtk_widget_class_install_action (widget_class, "preferences.set-columns", FP_COLUMNS_TYPE, set_columns_cb);
}

static void
fp_preferences_init (FpPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* window: an FpWindow, or another one, whose columns are not kept */
FpPreferences *
fp_preferences_new (GtkWindow *window,
                    GSettings *settings)
{
  FpPreferences *self = g_object_new (FP_TYPE_PREFERENCES, "transient-for", window, NULL);

  gtk_widget_set_visible (self->lists, FP_IS_WINDOW (window));
  bind (settings, "interval", self->interval, intervals);
  bind (settings, "units", self->units, units);
  bind (settings, "color-scheme", self->color_scheme, color_schemes);
  return self;
}
