// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-text-width.h"

#define DIGITS        "0123456789"
#define DIGITS_WIDTH  90 /* pixels, in Cantarell 11 */
#define TITLE_MARGINS 16 /* style.css */

/* In the widget's font, its figures as wide as in a table */
int
fp_text_width_measure (GtkWidget *widget,
                       const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  PangoAttrList *attributes = pango_attr_list_new ();
  int width;

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* The width of a title of the view, with its margins and the sort arrow. room: for these, before the view has titles */
int
fp_text_width_measure_title (GtkColumnView *view,
                             const char *text,
                             int room)
{
  GtkWidget *label = gtk_widget_get_first_child (GTK_WIDGET (view));
  int whole, own;

  while (label && !GTK_IS_LABEL (label))
    label = gtk_widget_get_first_child (label);
  if (!label)
    return fp_text_width_measure (GTK_WIDGET (view), text) + room;
  gtk_widget_measure (gtk_widget_get_parent (label), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &whole, NULL, NULL);
  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &own, NULL, NULL);
  return fp_text_width_measure (label, text) + whole - own + TITLE_MARGINS;
}

/* Returns the factor for widths that are given for Cantarell 11. At least 1: small text makes nothing narrower. */
double
fp_text_width_get_scale (GtkWidget *widget)
{
  return (double)MAX (fp_text_width_measure (widget, DIGITS), DIGITS_WIDTH) / DIGITS_WIDTH;
}

/* The width that the children of a box need side by side, at the usual text size, even while they are below each other. */
double
fp_text_width_measure_box (GtkBox *box)
{
  GtkWidget *widget = GTK_WIDGET (box);
  int sum = gtk_widget_get_margin_start (widget) + gtk_widget_get_margin_end (widget);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    {
      int width;

      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
      sum += width + gtk_box_get_spacing (box);
    }
  return sum / fp_text_width_get_scale (widget);
}
