// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-mark-bar.h"

struct _FpMarkBar
{
  AdwBin parent;

  GtkWidget *button;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE (FpMarkBar, fp_mark_bar, ADW_TYPE_BIN)

static void
fp_mark_bar_class_init (FpMarkBarClass *class)
{
}

static void
fp_mark_bar_init (FpMarkBar *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *cross = gtk_image_new_from_icon_name ("window-close-symbolic");

  self->words = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->words), "numeric");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  gtk_box_append (GTK_BOX (box), cross);
  self->button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), "win.unmark");
  gtk_widget_set_halign (self->button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (self->button, _ ("Stop Comparing"));
  gtk_widget_add_css_class (self->button, "chip");
  adw_bin_set_child (ADW_BIN (self), self->button);
  gtk_widget_set_margin_start (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), 4);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
update (FpMarkBar *self,
        GParamSpec *spec,
        FpSession *session)
{
  const FpMachineMoment *mark = fp_session_get (session)->mark;
  g_autofree char *text = NULL, *label = NULL;
  char since[FP_FIGURE_TEXT_SIZE];

  gtk_widget_set_visible (GTK_WIDGET (self), mark != NULL);
  if (!mark)
    return;
  fp_figure_format (fp_figure_exact (mark->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, since, sizeof since);
  text = g_strdup_printf (_ ("Since %s"), since);
  /* Translators: a time of day or a date */
  label = g_strdup_printf (_ ("Compared since %s. Stop comparing"), since);
  gtk_label_set_text (self->words, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void
fp_mark_bar_set_session (FpMarkBar *self,
                         FpSession *session)
{
  g_return_if_fail (FP_IS_MARK_BAR (self));

  g_signal_connect_object (session, "notify::mark", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
