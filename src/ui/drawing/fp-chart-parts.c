// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-chart-parts.h"

#define LEAST_WIDTH 120
#define SPACING     6

void
fp_chart_parts_init_class (GtkWidgetClass *class)
{
  gtk_widget_class_set_layout_manager_type (class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (class, "chart");
  gtk_widget_class_set_accessible_role (class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

/* draw and key_pressed get the chart as their data. The chart unparents both widgets when it is disposed of. */
void
fp_chart_parts_add (GtkWidget *chart,
                    int height,
                    GtkDrawingAreaDrawFunc draw,
                    GCallback key_pressed,
                    GtkWidget **plot,
                    GtkWidget **words)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (chart);
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  *plot = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (*plot), height);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (*plot), LEAST_WIDTH);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (*plot), draw, chart, NULL);
  gtk_widget_set_parent (*plot, chart);
  *words = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (*words), 0);
  gtk_label_set_wrap (GTK_LABEL (*words), TRUE);
  gtk_widget_add_css_class (*words, "caption");
  gtk_widget_add_css_class (*words, "numeric");
  gtk_widget_set_parent (*words, chart);
  g_signal_connect_swapped (keys, "key-pressed", key_pressed, chart);
  gtk_widget_add_controller (chart, keys);
  gtk_widget_set_focusable (chart, TRUE);
}
