// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison-bar.h"
#include "fp-moment.h"

struct _FpComparisonBar
{
  AdwBin parent;

  /* Template widgets */
  GtkLabel *text;

  /* Borrowed */
  FpSession *session;
};

G_DEFINE_FINAL_TYPE (FpComparisonBar, fp_comparison_bar, ADW_TYPE_BIN)

static void
update (FpComparisonBar *self)
{
  const FpSessionState *state = fp_session_get (self->session);
  g_autofree char *before = NULL, *after = NULL, *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), state->before != NULL);
  if (!state->before)
    return;
  before = fp_moment_describe_file (state->before_name, state->before->info.realtime_us);
  after = state->is_live ? g_strdup (_ ("now"))
                         : fp_moment_describe_file (fp_source_get_status (state->source).name, state->snapshot->info.realtime_us);
  /* Translators: two moments that are compared, the first of a file, the second of a file or “now” */
  text = g_strdup_printf (_ ("Before: %s · After: %s"), before, after);
  if (g_strcmp0 (gtk_label_get_text (self->text), text) != 0)
    gtk_label_set_text (self->text, text);
}

static void
fp_comparison_bar_class_init (FpComparisonBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-comparison-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FpComparisonBar, text);
}

static void
fp_comparison_bar_init (FpComparisonBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The session must live longer. */
void
fp_comparison_bar_set_session (FpComparisonBar *self,
                               FpSession *session)
{
  g_return_if_fail (FP_IS_COMPARISON_BAR (self));

  self->session = session;
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
