// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <math.h>

#include "fp-coverage.h"
#include "fp-display.h"
#include "fp-moment.h"
#include "fp-totals.h"

#define ENOUGH 95 /* percent of the resident memory */

struct _FpCoverage
{
  AdwBin parent;

  /* Template widgets */
  GtkRevealer *revealer;
  GtkImage *icon;
  GtkLabel *text;
  GtkWidget *unlock;
  GtkWidget *explain;
  GtkWidget *hide;

  FpSession *session; /* not owned: the window's */
  gboolean is_dismissed;
  gboolean is_low;
  gboolean has_counted; /* and then lacks_much says what was found, until other processes may be read */
  gboolean lacks_much;
};

G_DEFINE_FINAL_TYPE (FpCoverage, fp_coverage, ADW_TYPE_BIN)

static void
hide_cb (FpCoverage *self)
{
  self->is_dismissed = TRUE;
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
}

static void
unlock_changed_cb (FpCoverage *self)
{
  if (!gtk_widget_get_sensitive (self->unlock))
    gtk_widget_set_visible (self->unlock, FALSE);
}

/* The line below the lists counts the same total, so both have the same numbers. */
void
fp_coverage_count (FpSession *session,
                   FpCoverageCount *count)
{
  const FpSnapshot *snapshot = fp_session_get (session)->snapshot;
  const FpTotal *all = fp_totals_get (fp_session_get (session)->sum, 0);
  guint64 rss = 0, rss_unread = 0;

  for (guint i = 0; i < snapshot->n_processes; i++)
    {
      const FpProcess *process = &snapshot->processes[i];
      guint64 bytes = fp_memory_get (&process->memory, FP_FIELD_RSS);

      if (!fp_reason_has_memory ((FpReason)process->reason))
        continue;
      rss += bytes;
      rss_unread += fp_process_is_unread (process) ? bytes : 0;
    }
  *count = (FpCoverageCount){ all->n_members, all->n_unread,
                              rss > 0 ? floor ((double)(rss - rss_unread) * 100 / (double)rss) : 100 };
}

/* A line that came and went would move the list, so the first count decides. NULL: nearly everything could be read, and the chip in
 * the header tells the rest; free the text. */
static char *
explain_unread (FpCoverage *self)
{
  FpCoverageCount count;

  fp_coverage_count (self->session, &count);
  if (!self->has_counted)
    self->lacks_much = count.percent_read < ENOUGH;
  self->has_counted = TRUE;
  if (count.n_unread == 0 || !self->lacks_much)
    return NULL;
  return g_strdup_printf (
      /* Translators: how many were measured, of how many, and a percentage */
      ngettext ("%u of %u processes was measured, %.0f\u00a0%% of resident memory. Only an upper limit is known for the others.",
                "%u of %u processes were measured, %.0f\u00a0%% of resident memory. Only an upper limit is known for the others.",
                count.n - count.n_unread),
      count.n - count.n_unread, count.n, count.percent_read);
}

static char *
explain_saved (const FpSnapshot *snapshot,
               const char *name,
               const char *unread)
{
  g_autofree char *file = fp_moment_describe_file (name, snapshot->info.realtime_us);
  GString *text = g_string_new (NULL);

  /* Translators: the name of a file and the time when it was saved */
  g_string_append_printf (text, _ ("Saved snapshot: %s."), file);
  if (unread)
    fp_display_append_sentence (text, g_strdup (unread));
  return g_string_free (text, FALSE);
}

/* The lists stay as they were, and nothing else on the screen would tell that they are old. */
static gboolean
show_problem (FpCoverage *self)
{
  const FpSessionState *state = fp_session_get (self->session);
  g_autoptr (GDateTime) read_at = NULL;
  g_autofree char *text = NULL, *moment = NULL;

  if (!state->problem || !state->snapshot)
    return FALSE;
  read_at = g_date_time_new_from_unix_local ((gint64)(state->snapshot->info.realtime_us / G_USEC_PER_SEC));
  moment = read_at ? g_date_time_format (read_at, "%H:%M:%S") : g_strdup ("—");
  /* Translators: a sentence that says why nothing can be read any more, and a time of day */
  text = g_strdup_printf (_ ("%s. These are the figures of %s."), state->problem, moment);
  gtk_image_set_from_icon_name (self->icon, "dialog-warning-symbolic");
  gtk_label_set_text (self->text, text);
  gtk_widget_set_visible (self->unlock, FALSE);
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  return TRUE;
}

static void
update_words (FpCoverage *self)
{
  const FpSnapshot *snapshot = fp_session_get (self->session)->snapshot;
  gboolean is_live = fp_session_get (self->session)->is_live;
  g_autofree char *text = NULL, *unread = NULL;

  if (snapshot->info.n_pending > 0)
    return;
  /* The list says so in large letters, and no password helps. */
  if (is_live && snapshot->n_processes == 0)
    {
      gtk_revealer_set_reveal_child (self->revealer, FALSE);
      return;
    }
  unread = explain_unread (self);
  text = is_live ? fp_read_access_explain_hidden (fp_session_get (self->session)->access, snapshot)
                 : explain_saved (snapshot, fp_source_get_status (fp_session_get (self->session)->source).name, unread);
  /* A password can't show what a container hides. PID 1 is seen inside a container, but not under hidepid. */
  gtk_widget_set_visible (self->unlock, gtk_widget_get_sensitive (self->unlock) &&
                                            (unread || (text && !fp_snapshot_find (snapshot, 1))));
  if (!text)
    text = g_steal_pointer (&unread);
  gtk_image_set_from_icon_name (self->icon, is_live ? "changes-prevent-symbolic" : "document-open-recent-symbolic");
  if (text)
    gtk_label_set_text (self->text, text);
  gtk_revealer_set_reveal_child (self->revealer, text != NULL);
}

/* While only a sandbox's processes can be read, or none, the line says so and can't be hidden. */
static void
update (FpCoverage *self)
{
  FpReadAccess *access = fp_session_get (self->session)->access;
  gboolean is_of_sandbox = fp_read_access_is_confined (access), has_problem = show_problem (self);

  gtk_widget_set_visible (GTK_WIDGET (self), !fp_read_access_get_explained (access) && (has_problem || !self->is_low));
  gtk_widget_set_visible (self->explain, is_of_sandbox && !has_problem);
  gtk_widget_set_visible (self->hide, !is_of_sandbox && !has_problem);
  if (has_problem)
    return;
  if (self->is_dismissed && !is_of_sandbox)
    gtk_revealer_set_reveal_child (self->revealer, FALSE);
  else if (!fp_session_is_outdated (self->session))
    update_words (self);
}

static void
access_changed_cb (FpCoverage *self)
{
  self->has_counted = FALSE;
  update (self);
}

/* A low window has no room for the line, unless the figures are old. The line below the lists counts what is not measured. */
void
fp_coverage_set_low (FpCoverage *self,
                     gboolean is_low)
{
  g_return_if_fail (FP_IS_COVERAGE (self));

  if (self->is_low == is_low)
    return;
  self->is_low = is_low;
  if (fp_session_get (self->session)->snapshot)
    update (self);
}

/* The session must live longer. */
void
fp_coverage_set_session (FpCoverage *self,
                         FpSession *session)
{
  g_return_if_fail (FP_IS_COVERAGE (self));

  self->session = session;
  g_signal_connect_object (session, "refreshed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::problem", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fp_session_get (session)->access, "changed", G_CALLBACK (access_changed_cb), self, G_CONNECT_SWAPPED);
}

static void
fp_coverage_class_init (FpCoverageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-coverage.ui");
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, revealer);
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, icon);
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, text);
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, unlock);
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, explain);
  gtk_widget_class_bind_template_child (widget_class, FpCoverage, hide);
  gtk_widget_class_bind_template_callback (widget_class, hide_cb);
  gtk_widget_class_bind_template_callback (widget_class, unlock_changed_cb);
}

static void
fp_coverage_init (FpCoverage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
