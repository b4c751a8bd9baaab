// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-welcome-bar.h"

#define KEY "show-welcome"

struct _FpWelcomeBar
{
  AdwBin parent;

  GtkWidget *content; /* of the template */
  GSettings *settings;
};

G_DEFINE_FINAL_TYPE (FpWelcomeBar, fp_welcome_bar, ADW_TYPE_BIN)

static void
dismiss_cb (FpWelcomeBar *self)
{
  g_settings_set_boolean (self->settings, KEY, FALSE);
}

static void
fp_welcome_bar_dispose (GObject *object)
{
  g_clear_object (&FP_WELCOME_BAR (object)->settings);

  G_OBJECT_CLASS (fp_welcome_bar_parent_class)->dispose (object);
}

static void
fp_welcome_bar_class_init (FpWelcomeBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_welcome_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-welcome-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpWelcomeBar, content);
  gtk_widget_class_bind_template_callback (widget_class, dismiss_cb);
}

static void
fp_welcome_bar_init (FpWelcomeBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Without settings it is not shown. Its own visibility belongs to the window, which may have no room for it. */
void
fp_welcome_bar_set_settings (FpWelcomeBar *self,
                             GSettings *settings)
{
  g_return_if_fail (FP_IS_WELCOME_BAR (self));

  self->settings = g_object_ref (settings);
  g_settings_bind (settings, KEY, self->content, "visible", G_SETTINGS_BIND_GET);
}
