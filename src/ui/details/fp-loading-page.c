// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-loading-page.h"

struct _FpLoadingPage
{
  AdwBin parent;

  /* Template widgets */
  GtkWidget *spinner;
  GtkProgressBar *bar;
};

enum
{
  CANCELLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpLoadingPage, fp_loading_page, ADW_TYPE_BIN)

static void
cancel_cb (FpLoadingPage *self)
{
  g_signal_emit (self, signals[CANCELLED], 0);
}

static void
fp_loading_page_class_init (FpLoadingPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  signals[CANCELLED] =
      g_signal_new ("cancelled", FP_TYPE_LOADING_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-loading-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpLoadingPage, spinner);
  gtk_widget_class_bind_template_child (widget_class, FpLoadingPage, bar);
  gtk_widget_class_bind_template_callback (widget_class, cancel_cb);
}

static void
fp_loading_page_init (FpLoadingPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* On GTK 4.8 it asks for 60 frames a second also where nobody sees it. */
  g_signal_connect (self->spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
  g_signal_connect (self->spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
}

/* The bar stays hidden until the first progress is known. */
void
fp_loading_page_reset (FpLoadingPage *self)
{
  g_return_if_fail (FP_IS_LOADING_PAGE (self));

  gtk_widget_set_visible (GTK_WIDGET (self->bar), FALSE);
}

/* In bytes */
void
fp_loading_page_set_progress (FpLoadingPage *self,
                              guint64 position,
                              guint64 whole,
                              FpFigureStyle style)
{
  char done[FP_FIGURE_TEXT_SIZE], all[FP_FIGURE_TEXT_SIZE];
  g_autofree char *text = NULL;

  g_return_if_fail (FP_IS_LOADING_PAGE (self));
  g_return_if_fail (whole > 0);

  /* The bar is the percentage. */
  if (style == FP_STYLE_PERCENT)
    style = FP_STYLE_IEC;
  fp_figure_format (fp_figure_exact (position), FP_UNIT_BYTES, style, 0, done, sizeof done);
  fp_figure_format (fp_figure_exact (whole), FP_UNIT_BYTES, style, 0, all, sizeof all);
  /* Translators: so much of all memory of a process or a folder */
  text = g_strdup_printf (C_ ("part", "%s of %s"), done, all);
  gtk_progress_bar_set_fraction (self->bar, (double)position / (double)whole);
  gtk_progress_bar_set_text (self->bar, text);
  /* To GTK 4.8 its text is part of a drawing. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bar), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), TRUE);
}
