// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-shrinker.h"

#define MIN_HEIGHT 18

struct _FpShrinker
{
  GtkWidget parent;

  GtkWidget *scroller;
  GtkWidget *child; /* not owned */
};

enum
{
  PROP_0,
  PROP_CHILD,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (FpShrinker, fp_shrinker, GTK_TYPE_WIDGET)

/* A GtkScrolledWindow does not ask how high its child is at this width. How high it is itself says nothing of its width. */
static void
fp_shrinker_measure (GtkWidget *widget,
                     GtkOrientation orientation,
                     int for_size,
                     int *minimum,
                     int *natural,
                     int *minimum_baseline,
                     int *natural_baseline)
{
  FpShrinker *self = FP_SHRINKER (widget);

  *minimum = *natural = 0;
  if (self->child)
    gtk_widget_measure (self->child, orientation, orientation == GTK_ORIENTATION_VERTICAL ? for_size : -1, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = MIN (*minimum, MIN_HEIGHT);
}

static GtkSizeRequestMode
fp_shrinker_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fp_shrinker_size_allocate (GtkWidget *widget,
                           int width,
                           int height,
                           int baseline)
{
  FpShrinker *self = FP_SHRINKER (widget);
  int natural = 0;

  /* Keys scroll it where there is something to scroll to. */
  if (self->child)
    gtk_widget_measure (self->child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  gtk_widget_set_focusable (self->scroller, natural > height);
  gtk_widget_measure (self->scroller, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_allocate (self->scroller, width, height, baseline, NULL);
}

static void
fp_shrinker_set_property (GObject *object,
                          guint id,
                          const GValue *value,
                          GParamSpec *spec)
{
  FpShrinker *self = FP_SHRINKER (object);

  if (id != PROP_CHILD)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  self->child = g_value_get_object (value);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->child);
}

static void
fp_shrinker_dispose (GObject *object)
{
  FpShrinker *self = FP_SHRINKER (object);

  self->child = NULL;
  g_clear_pointer (&self->scroller, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_shrinker_parent_class)->dispose (object);
}

static void
fp_shrinker_class_init (FpShrinkerClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_shrinker_dispose;
  G_OBJECT_CLASS (class)->set_property = fp_shrinker_set_property;
  widget_class->get_request_mode = fp_shrinker_get_request_mode;
  widget_class->measure = fp_shrinker_measure;
  widget_class->size_allocate = fp_shrinker_size_allocate;
  properties[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPERTIES, properties);
}

static void
fp_shrinker_init (FpShrinker *self)
{
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}
