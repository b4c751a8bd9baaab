// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-columns.h"
#include "fp-control-overview.h"
#include "fp-control-values.h"
#include "fp-detail-pane.h"
#include "fp-display.h"
#include "fp-file-overview.h"
#include "fp-mapped-values.h"
#include "fp-mappings-page.h"
#include "fp-totals.h"

struct _FpDetailPane
{
  GtkWidget parent;

  /* Template widgets */
  GtkWidget *head;
  GtkWidget *back;
  GtkImage *icon;
  GtkLabel *title;
  GtkLabel *subtitle;
  GtkWidget *switcher;
  GtkStack *stack;
  FpOverview *overview;
  FpMappingsPage *mappings;
  FpControlOverview *control_overview; /* this or the next can be in place of the tabs */
  FpFileOverview *file_overview;

  FpSession *session; /* not owned: the window's */
  gboolean comes_from_mappings;
};

enum
{
  PROCESS_REQUESTED,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FpDetailPane, fp_detail_pane, GTK_TYPE_WIDGET)

static void
close_cb (FpDetailPane *self)
{
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
process_requested_cb (FpDetailPane *self,
                      int pid)
{
  g_signal_emit (self, signals[PROCESS_REQUESTED], 0, pid);
}

static void
processes_requested_cb (FpDetailPane *self,
                        const char *search)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.search-for", "s", search);
}

static void
show_control_group (FpDetailPane *self,
                    FpRecords *records,
                    guint index,
                    const FpSessionState *state)
{
  const FpFormat *format = &state->format;
  char text[FP_CELL_SIZE], shown[FP_CELL_SIZE];

  fp_column_format (fp_columns_get_role (FP_ROLE_NAME, FP_RECORD_CONTROL_GROUP), records, index, format, text, sizeof text);
  fp_display_escape (text, shown, sizeof shown);
  gtk_label_set_text (self->title, shown);
  gtk_label_set_text (self->subtitle, fp_text_control_kind (records, index, format));
  fp_session_follow (self->session, records, index);
  fp_control_overview_update (self->control_overview, records, index, state);
}

static void
show_file (FpDetailPane *self,
           FpRecords *records,
           guint index,
           const FpSessionState *state)
{
  char shown[FP_CELL_SIZE];
  const char *slash;

  fp_display_escape (fp_text_mapped_file (records, index, &state->format), shown, sizeof shown);
  slash = strrchr (shown, '/');
  gtk_label_set_text (self->title, slash && slash[1] ? slash + 1 : shown);
  gtk_label_set_text (self->subtitle, fp_text_mapped_kind (records, index, &state->format));
  fp_file_overview_update (self->file_overview, records, index, state);
}

/* A process that has ended has no mappings. Their tab is shown again with the next one that has it. */
static void
show_mappings_tab (FpDetailPane *self,
                   gboolean is_shown)
{
  GtkStackPage *page = gtk_stack_get_page (self->stack, GTK_WIDGET (self->mappings));

  if (gtk_stack_page_get_visible (page) == is_shown)
    return;
  if (!is_shown)
    self->comes_from_mappings = gtk_stack_get_visible_child (self->stack) == GTK_WIDGET (self->mappings);
  gtk_stack_page_set_visible (page, is_shown);
  if (is_shown && self->comes_from_mappings)
    gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->mappings));
}

/* Processes and sums of them have tabs, others an overview in their place. */
static void
show_part (FpDetailPane *self,
           FpRecordKind kind,
           gboolean has_ended)
{
  gboolean is_control_group = kind == FP_RECORD_CONTROL_GROUP, is_file = kind == FP_RECORD_MAPPED_FILE;

  show_mappings_tab (self, !has_ended);
  gtk_widget_set_visible (self->switcher, !is_control_group && !is_file && !has_ended);
  gtk_widget_set_visible (GTK_WIDGET (self->stack), !is_control_group && !is_file);
  gtk_widget_set_visible (GTK_WIDGET (self->control_overview), is_control_group);
  gtk_widget_set_visible (GTK_WIDGET (self->file_overview), is_file);
}

static void
describe_process (FpDetailPane *self,
                  const FpRecords *records,
                  guint index)
{
  const FpProcess *process = fp_process_records_get (records, index);
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (records);
  const FpEndedFacts *ended = fp_process_records_get_ended (records, index);
  FpFormat format = { 0 };
  char name[512], user[256];
  g_autofree char *subtitle = NULL;

  fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_PROGRAM), name, sizeof name);
  if (!*name)
    fp_display_escape (fp_snapshot_get_text (snapshot, process, FP_TEXT_COMM), name, sizeof name);
  fp_column_format (fp_columns_get_role (FP_ROLE_USER, FP_RECORD_PROCESS), records, index, &format, user, sizeof user);
  subtitle = ended && ended->n > 1 ? g_strdup_printf (ngettext ("%u process", "%u processes", ended->n), ended->n)
                                   : g_strdup_printf (_ ("Process %d of %s"), process->pid, user);
  gtk_label_set_text (self->title, name);
  gtk_label_set_text (self->subtitle, subtitle);
}

static void
describe_total (FpDetailPane *self,
                const FpTotal *total,
                const char *title)
{
  g_autofree char *subtitle =
      g_strdup_printf (ngettext ("%u process", "%u processes", total->n_members), total->n_members);
  char name[512];

  fp_display_escape (title ? title : total->name, name, sizeof name);
  gtk_label_set_text (self->title, name);
  gtk_label_set_text (self->subtitle, subtitle);
}

void
fp_detail_pane_show (FpDetailPane *self,
                     const FpDetailTarget *target)
{
  const FpSessionState *state;

  g_return_if_fail (FP_IS_DETAIL_PANE (self));
  g_return_if_fail (target);

  fp_session_set_needs (self->session, FP_NEEDER_PANE, target->records->class->kind == FP_RECORD_PROCESS ? FP_NEED_KEPT : 0);
  state = fp_session_get (self->session);
  gtk_widget_set_visible (self->back, target->records != state->sum);
  gtk_widget_set_visible (GTK_WIDGET (self->icon), target->icon != NULL);
  if (gtk_image_get_paintable (self->icon) != target->icon)
    gtk_image_set_from_paintable (self->icon, target->icon);
  show_part (self, target->records->class->kind, fp_process_records_has_ended (target->records, target->index));
  if (target->records->class->kind == FP_RECORD_MAPPED_FILE)
    {
      show_file (self, target->records, target->index, state);
      return;
    }
  if (target->records->class->kind == FP_RECORD_CONTROL_GROUP)
    {
      show_control_group (self, target->records, target->index, state);
      return;
    }
  if (target->records->class->kind == FP_RECORD_PROCESS)
    describe_process (self, target->records, target->index);
  else
    describe_total (self, fp_totals_get (target->records, target->index), target->title);
  fp_session_follow (self->session, target->records, target->index);
  fp_overview_update (self->overview, target, state);
  fp_mappings_page_show (self->mappings, target->records, target->index, &state->format);
}

static void
fp_detail_pane_dispose (GObject *object)
{
  FpDetailPane *self = FP_DETAIL_PANE (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  g_clear_pointer (&self->switcher, gtk_widget_unparent);
  if (self->file_overview)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->file_overview)));
  if (self->control_overview)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->control_overview)));
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->stack)));

  G_OBJECT_CLASS (fp_detail_pane_parent_class)->dispose (object);
}

static void
fp_detail_pane_class_init (FpDetailPaneClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_detail_pane_dispose;

  signals[PROCESS_REQUESTED] = g_signal_new ("process-requested", FP_TYPE_DETAIL_PANE, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  signals[CLOSED] =
      g_signal_new ("closed", FP_TYPE_DETAIL_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (FP_TYPE_CONTROL_OVERVIEW);
  g_type_ensure (FP_TYPE_FILE_OVERVIEW);
  g_type_ensure (FP_TYPE_MAPPINGS_PAGE);
  g_type_ensure (FP_TYPE_OVERVIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-detail-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, head);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, back);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, icon);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, title);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, subtitle);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, switcher);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, stack);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, overview);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, mappings);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, control_overview);
  gtk_widget_class_bind_template_child (widget_class, FpDetailPane, file_overview);
  gtk_widget_class_bind_template_callback (widget_class, close_cb);
  gtk_widget_class_bind_template_callback (widget_class, processes_requested_cb);
  gtk_widget_class_bind_template_callback (widget_class, process_requested_cb);
}

static void
fp_detail_pane_init (FpDetailPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* The session must live longer. */
void
fp_detail_pane_set_session (FpDetailPane *self,
                            FpSession *session)
{
  g_return_if_fail (FP_IS_DETAIL_PANE (self));

  self->session = session;
  fp_mappings_page_set_source (self->mappings, fp_session_get (session)->source);
  fp_overview_set_source (self->overview, fp_session_get (session)->source);
}

/* Restores the tab that was shown last and the choices on it, and saves later ones. */
void
fp_detail_pane_set_settings (FpDetailPane *self,
                             GSettings *settings)
{
  g_return_if_fail (FP_IS_DETAIL_PANE (self));

  g_settings_bind (settings, "detail-page", self->stack, "visible-child-name", G_SETTINGS_BIND_DEFAULT);
  fp_mappings_page_set_settings (self->mappings, settings);
}

void
fp_detail_pane_refresh (FpDetailPane *self)
{
  g_return_if_fail (FP_IS_DETAIL_PANE (self));

  fp_mappings_page_refresh (self->mappings);
}
