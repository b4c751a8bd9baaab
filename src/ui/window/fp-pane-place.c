// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-pane-place.h"

#define KEY "show-detail-pane"

struct _FpPanePlace
{
  GObject parent;

  AdwLeaflet *leaflet; /* with the two below; not owned: the window has them all */
  GtkWidget *view;
  GtkWidget *pane;
  GSettings *settings;
};

enum
{
  PROP_0,
  PROP_IS_SHOWN,
  N_PROPS,
};

static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE (FpPanePlace, fp_pane_place, G_TYPE_OBJECT)

static void
notify (FpPanePlace *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_SHOWN]);
}

static void
fp_pane_place_get_property (GObject *object,
                            guint id,
                            GValue *value,
                            GParamSpec *pspec)
{
  if (id != PROP_IS_SHOWN)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else
    g_value_set_boolean (value, fp_pane_place_is_shown (FP_PANE_PLACE (object)));
}

static void
fp_pane_place_set_property (GObject *object,
                            guint id,
                            const GValue *value,
                            GParamSpec *pspec)
{
  if (id != PROP_IS_SHOWN)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  else
    fp_pane_place_set_shown (FP_PANE_PLACE (object), g_value_get_boolean (value));
}

static void
fp_pane_place_finalize (GObject *object)
{
  g_object_unref (FP_PANE_PLACE (object)->settings);

  G_OBJECT_CLASS (fp_pane_place_parent_class)->finalize (object);
}

static void
fp_pane_place_class_init (FpPanePlaceClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->finalize = fp_pane_place_finalize;
  object_class->get_property = fp_pane_place_get_property;
  object_class->set_property = fp_pane_place_set_property;

  props[PROP_IS_SHOWN] =
      g_param_spec_boolean ("is-shown", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
fp_pane_place_init (FpPanePlace *self)
{
}

FpPanePlace *
fp_pane_place_new (AdwLeaflet *leaflet,
                   GtkWidget *view,
                   GtkWidget *pane,
                   GSettings *settings)
{
  FpPanePlace *self = g_object_new (FP_TYPE_PANE_PLACE, NULL);

  self->leaflet = leaflet;
  self->view = view;
  self->pane = pane;
  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "changed::" KEY, G_CALLBACK (notify), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (leaflet, "notify::folded", G_CALLBACK (notify), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (leaflet, "notify::visible-child", G_CALLBACK (notify), self, G_CONNECT_SWAPPED);
  return self;
}

gboolean
fp_pane_place_is_shown (FpPanePlace *self)
{
  g_return_val_if_fail (FP_IS_PANE_PLACE (self), FALSE);

  if (adw_leaflet_get_folded (self->leaflet) && adw_leaflet_get_visible_child (self->leaflet) != self->pane)
    return FALSE;
  return g_settings_get_boolean (self->settings, KEY);
}

void
fp_pane_place_set_shown (FpPanePlace *self,
                         gboolean is_shown)
{
  g_return_if_fail (FP_IS_PANE_PLACE (self));

  if (is_shown || !adw_leaflet_get_folded (self->leaflet))
    g_settings_set_boolean (self->settings, KEY, is_shown);
  adw_leaflet_set_visible_child (self->leaflet, is_shown ? self->pane : self->view);
}
