// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-coverage-chip.h"

struct _FpCoverageChip
{
  AdwBin parent;

  /* Template widgets */
  GtkMenuButton *button;
  GtkImage *icon;
  GtkLabel *figure;
  GtkLabel *title;
  GtkLabel *words;
  GtkWidget *lock;

  FpSession *session; /* not owned: the window's */
  gboolean has_gaps;  /* some processes are not measured, or are hidden */
  gboolean is_narrow;
};

G_DEFINE_FINAL_TYPE (FpCoverageChip, fp_coverage_chip, ADW_TYPE_BIN)

/* Where all is measured and nothing is to be given back, there is nothing to say. Where it has no room, the line below the
 * list counts what is not measured, and the menu has both buttons. */
static void
update_shown (FpCoverageChip *self)
{
  gboolean is_unlocked = gtk_widget_get_sensitive (self->lock);

  gtk_image_set_from_icon_name (self->icon, is_unlocked ? "changes-allow-symbolic" : "changes-prevent-symbolic");
  gtk_widget_set_visible (GTK_WIDGET (self), !self->is_narrow && (self->has_gaps || is_unlocked));
}

static char *
make_title (const FpCoverageCount *count,
            gboolean is_all)
{
  if (count->n_unread > 0)
    /* Translators: how many are measured, of how many */
    return g_strdup_printf (ngettext ("%u of %u processes is measured", "%u of %u processes are measured", count->n - count->n_unread),
                            count->n - count->n_unread, count->n);
  if (is_all)
    return g_strdup_printf (ngettext ("%u process is measured", "All %u processes are measured", count->n), count->n);
  return g_strdup_printf (ngettext ("Only %u process is seen", "Only %u processes are seen", count->n), count->n);
}

static char *
make_words (const FpCoverageCount *count,
            const char *hidden,
            gboolean is_unlocked)
{
  if (hidden)
    return g_strdup (hidden);
  if (count->n_unread > 0 && is_unlocked)
    return g_strdup_printf (_ ("%.0f\u00a0%% of resident memory. Not even the helper may read the others."), count->percent_read);
  if (count->n_unread > 0)
    return g_strdup_printf (_ ("%.0f\u00a0%% of resident memory. Only an upper limit is known for the others."), count->percent_read);
  return g_strdup (_ ("Footprint’s helper reads the processes of other users, with the administrator’s permission."));
}

static void
set_texts (FpCoverageChip *self,
           const FpCoverageCount *count,
           const char *hidden)
{
  gboolean is_unlocked = gtk_widget_get_sensitive (self->lock);
  g_autofree char *title = make_title (count, !hidden || is_unlocked);
  g_autofree char *words = make_words (count, hidden, is_unlocked);
  /* Translators: so many processes */
  g_autofree char *figure = count->n_unread > 0
                                ? g_strdup_printf (ngettext ("%u not measured", "%u not measured", count->n_unread), count->n_unread)
                                : g_strdup_printf ("%u", count->n);

  gtk_label_set_text (self->figure, figure);
  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->words, words);
  /* It would come over what has popped up. */
  if (g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (self->button)), title) != 0)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static void
update (FpCoverageChip *self)
{
  const FpSnapshot *snapshot = fp_session_get (self->session)->snapshot;
  g_autofree char *hidden = NULL;
  FpCoverageCount count;

  if (fp_session_is_outdated (self->session) || snapshot->info.n_pending > 0)
    return;
  hidden = fp_read_access_explain_hidden (fp_session_get (self->session)->access, snapshot);
  fp_coverage_count (self->session, &count);
  self->has_gaps = snapshot->n_processes > 0 && (hidden || count.n_unread > 0);
  set_texts (self, &count, hidden);
  update_shown (self);
}

/* The session must live longer. */
void
fp_coverage_chip_set_session (FpCoverageChip *self,
                              FpSession *session)
{
  g_return_if_fail (FP_IS_COVERAGE_CHIP (self));

  self->session = session;
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_session_get (session)->access, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

void
fp_coverage_chip_set_narrow (FpCoverageChip *self,
                             gboolean is_narrow)
{
  g_return_if_fail (FP_IS_COVERAGE_CHIP (self));

  self->is_narrow = is_narrow;
  update_shown (self);
}

static void
fp_coverage_chip_class_init (FpCoverageChipClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/footprint_app/Footprint/fp-coverage-chip.ui");
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, button);
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, icon);
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, figure);
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, title);
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, words);
  gtk_widget_class_bind_template_child (widget_class, FpCoverageChip, lock);
  gtk_widget_class_bind_template_callback (widget_class, update_shown);
}

static void
fp_coverage_chip_init (FpCoverageChip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
