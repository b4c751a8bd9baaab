// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-machine-changes-view.h"
#include "fp-machine-chart.h"
#include "fp-machine-kept.h"
#include "fp-machine-list.h"
#include "fp-machine-page.h"
#include "fp-names-label.h"
#include "fp-sandbox-page.h"
#include "fp-tmpfs-window.h"

struct _FpMachinePage
{
  FpView parent;

  /* Template widgets */
  GtkStack *stack;
  GtkSpinner *spinner;
  GtkScrolledWindow *scroller;
  GtkWidget *content;
  GtkImage *icon;
  GtkLabel *shortage;
  GtkLabel *waiting;
  GtkLabel *killed;
  GtkLabel *available;
  GtkLabel *limits;
  GtkOrientable *heading;
  GtkLabel *total;
  GtkLabel *since;
  GtkWidget *mark;
  GtkWidget *history;
  FpMachineChart *chart;
  FpSandboxPage *sandbox_page;
  AdwStatusPage *failed;

  FpMachineList *lines;
  FpMachineList *facts;
  FpMachineChangesView *changes;

  FpMachine *machine;     /* (nullable) */
  FpMachineMoment before; /* of the refresh before; all zero at first */
  FpMachineMoment last;
  FpControlGroups *old_groups; /* (nullable): the first that came */
  FpKept *old_kept;            /* (nullable): of the moment from which changes count */
  guint64 start_us;            /* realtime_us of that moment */
  int shown_level;             /* FpShortageLevel that the icon shows; -1: none yet */
};

/* Calm does not shout. */
static const struct
{
  const char *icon;
  const char *css_class;
} looks[FP_N_SHORTAGES] = {
  [FP_SHORTAGE_UNKNOWN] = { "dialog-question-symbolic", "dim-label" },
  [FP_SHORTAGE_CALM] = { "object-select-symbolic", "success" },
  [FP_SHORTAGE_TIGHT] = { "dialog-warning-symbolic", "warning" },
  [FP_SHORTAGE_THRASHING] = { "dialog-error-symbolic", "error" },
};

G_DEFINE_FINAL_TYPE (FpMachinePage, fp_machine_page, FP_TYPE_VIEW)

static const FpSessionState *
get_state (FpMachinePage *self)
{
  return fp_session_get (fp_view_get_session (FP_VIEW (self)));
}

/* NULL hides it. Takes the text. */
static void
show_text (GtkLabel *label,
           char *text)
{
  g_autofree char *shown = text;

  gtk_widget_set_visible (GTK_WIDGET (label), shown != NULL);
  if (shown && g_strcmp0 (gtk_label_get_text (label), shown) != 0)
    gtk_label_set_text (label, shown);
}

/* An icon that is set again is laid out and drawn again, and the page around it. */
static void
show_level (FpMachinePage *self,
            FpShortageLevel level)
{
  if (self->shown_level == (int)level)
    return;
  self->shown_level = (int)level;
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), looks[i].css_class);
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), looks[level].css_class);
  gtk_image_set_from_icon_name (self->icon, looks[level].icon);
}

static void
show_shortage (FpMachinePage *self)
{
  show_level (self, self->machine->shortage.level);
  show_text (self->shortage, fp_shortage_make_title (&self->machine->shortage, self->machine->input.groups));
  show_text (self->waiting, fp_machine_describe_waiting (self->machine));
  show_text (self->killed, fp_machine_describe_killed (self->machine));
  show_text (self->available, fp_machine_describe_available (self->machine));
  show_text (self->limits, fp_machine_describe_limits (self->machine));
}

/* NULL: there is no earlier moment, or it is the same as the present one */
static const FpMachineMoment *
get_start (FpMachinePage *self)
{
  const FpMachineMoment *first = fp_machine_history_get_first (get_state (self)->machine);

  if (get_state (self)->before)
    return get_state (self)->has_start ? &get_state (self)->start : NULL;
  if (!get_state (self)->is_live)
    return NULL;
  return get_state (self)->mark ? get_state (self)->mark : first;
}

static char *
describe_start (const FpMachineMoment *start)
{
  char words[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (start->realtime_us), FP_UNIT_MOMENT, FP_STYLE_IEC, 0, words, sizeof words);
  /* Translators: a time of day or a date */
  return g_strdup_printf (_ ("Change since %s"), words);
}

static void
show_heading (FpMachinePage *self)
{
  const FpMachineMoment *start = self->machine->input.start;
  FpFormat format = self->machine->input.format;
  char size[FP_FIGURE_TEXT_SIZE];

  /* The whole is always 100 %. */
  if (format.style == FP_STYLE_PERCENT)
    format.style = FP_STYLE_IEC;
  fp_format_memory (&format, fp_figure_exact ((guint64)self->machine->state.total), size);
  show_text (self->total, self->machine->is_known ? g_strdup_printf (_ ("Where %s of memory is"), size) : NULL);
  show_text (self->since, start ? describe_start (start) : NULL);
  gtk_widget_set_visible (self->mark, start && !get_state (self)->before);
}

static void
keep_moment (FpMachinePage *self)
{
  if (self->machine->now.time_us == self->last.time_us)
    return;
  self->before = self->last;
  self->last = self->machine->now;
}

/* Files are read only while they are shown, so they may not be known of that moment. */
static void
keep_start (FpMachinePage *self)
{
  const FpSessionState *state = get_state (self);
  const FpMachineMoment *start = get_start (self);
  guint64 start_us = start && !state->before ? start->realtime_us : 0;

  if (self->start_us != start_us)
    g_clear_pointer (&self->old_kept, fp_kept_unref);
  self->start_us = start_us;
  if (!self->old_kept && state->kept && start_us == state->snapshot->info.realtime_us)
    self->old_kept = fp_kept_ref (state->kept);
}

static FpMachineInput
make_input (FpMachinePage *self)
{
  const FpSessionState *state = get_state (self);
  gboolean is_same = self->last.time_us == state->snapshot->info.boottime_us;
  gboolean has_kept = fp_source_offers (state->source, FP_REQUEST_KEPT);
  const FpMachineMoment *before = is_same ? &self->before : &self->last;

  return (FpMachineInput){ .processes = state->records,
                           .users = state->totals,
                           .sum = state->sum,
                           .groups = state->groups,
                           .old_groups = state->before ? NULL : state->mark ? state->mark_groups
                                                                            : self->old_groups,
                           .kept = state->kept,
                           .old_kept = self->old_kept,
                           .missing = has_kept ? NULL : fp_source_get_missing (FP_REQUEST_KEPT),
                           .start = get_start (self),
                           .before = before->time_us ? before : NULL,
                           .minute = fp_machine_history_get_minute (state->machine, state->snapshot->info.boottime_us),
                           .filling = state->machine->filling,
                           .format = state->format,
                           .is_sandboxed = fp_source_get_status (state->source).is_sandboxed };
}

/* A mark that was set here knows graphics; where they are not known of both moments, they are within other lines. */
static void
show_changes (FpMachinePage *self)
{
  const FpMachineMoment *start = self->machine->input.start;
  g_autoptr (GArray) programs = g_array_new (FALSE, FALSE, sizeof (FpProgramChange));
  g_autoptr (FpMachineChanges) changes = NULL;

  if (start && self->machine->is_known)
    {
      fp_total_history_add_changes (get_state (self)->total_history, programs);
      changes = fp_machine_changes_new (&start->state, start->state.has_graphics ? &self->machine->state : &self->machine->now.state,
                                        programs);
    }
  fp_machine_changes_view_update (self->changes, changes, start ? start->realtime_us : 0, &self->machine->input.format);
}

static void
show_machine (FpMachinePage *self)
{
  const FpSessionState *state = get_state (self);
  g_autoptr (FpMachine) old = self->machine;
  FpMachineInput input;

  keep_start (self);
  input = make_input (self);
  self->machine = fp_machine_new (&input);
  if (!self->old_groups && state->groups)
    self->old_groups = fp_control_groups_ref (state->groups);
  show_shortage (self);
  show_heading (self);
  gtk_widget_set_visible (GTK_WIDGET (self->lines), self->machine->is_known);
  if (self->machine->is_known)
    fp_machine_list_update (self->lines, self->machine);
  fp_machine_list_update (self->facts, self->machine);
  show_changes (self);
  gtk_widget_set_visible (self->history, state->is_live && state->machine->moments->len > 0);
  fp_machine_chart_set_history (self->chart, state->machine, state->mark, &state->format);
  keep_moment (self);
}

static void
fp_machine_page_refresh (FpView *view)
{
  FpMachinePage *self = FP_MACHINE_PAGE (view);
  const FpSessionState *state = get_state (self);
  FpSource *explained = fp_read_access_get_explained (state->access);

  if (state->records)
    show_machine (self);
  if (explained)
    {
      fp_sandbox_page_update (self->sandbox_page, explained);
      gtk_stack_set_visible_child_name (self->stack, "sandbox");
    }
  else if (state->records)
    gtk_stack_set_visible_child_name (self->stack, "machine");
  else if (state->problem)
    {
      adw_status_page_set_description (self->failed, state->problem);
      gtk_stack_set_visible_child_name (self->stack, "failed");
    }
}

static const FpTmpfs *
find_tmpfs (FpMachinePage *self,
            const char *device)
{
  const FpKept *kept = self->machine ? self->machine->input.kept : NULL;

  for (guint i = 0; kept && i < kept->tmpfs->len; i++)
    if (g_array_index (kept->tmpfs, FpTmpfs, i).device == g_ascii_strtoull (device, NULL, 10))
      return &g_array_index (kept->tmpfs, FpTmpfs, i);
  return NULL;
}

static void
show_files_cb (GtkWidget *widget,
               const char *name,
               GVariant *parameter)
{
  FpMachinePage *self = FP_MACHINE_PAGE (widget);
  const FpTmpfs *tmpfs = find_tmpfs (self, g_variant_get_string (parameter, NULL));
  GtkWindow *parent = GTK_WINDOW (gtk_widget_get_root (widget));
  g_autofree char *title = NULL;
  GtkWidget *window;
  int width, height;

  if (!tmpfs)
    return;
  title = fp_machine_name_tmpfs (tmpfs, self->machine->snapshot);
  window = fp_tmpfs_window_new (get_state (self)->source, tmpfs, title, &get_state (self)->format);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_get_default_size (GTK_WINDOW (window), &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (window), MIN (width, gtk_widget_get_width (GTK_WIDGET (parent))), height);
  gtk_window_present (GTK_WINDOW (window));
}

static void
show_line_cb (GtkWidget *widget,
              const char *name,
              GVariant *parameter)
{
  for (FpMachineLine line = 0; line < FP_N_MACHINE_LINES; line++)
    if (g_str_equal (fp_machine_line_infos[line].name, g_variant_get_string (parameter, NULL)))
      fp_machine_list_open (FP_MACHINE_PAGE (widget)->lines, line);
}

static void
fp_machine_page_set_narrow (FpView *view,
                            gboolean is_narrow)
{
  FpMachinePage *self = FP_MACHINE_PAGE (view);

  fp_machine_list_set_narrow (self->lines, is_narrow);
  fp_machine_list_set_narrow (self->facts, is_narrow);
  gtk_orientable_set_orientation (self->heading, is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_label_set_xalign (self->since, is_narrow ? 0 : 1);
  /* It stands above the column of changes, or below the total. */
  gtk_box_reorder_child_after (GTK_BOX (self->heading), GTK_WIDGET (self->since), is_narrow ? GTK_WIDGET (self->total) : self->mark);
  gtk_widget_set_halign (self->mark, is_narrow ? GTK_ALIGN_START : GTK_ALIGN_FILL);
}

static void
fp_machine_page_dispose (GObject *object)
{
  FpMachinePage *self = FP_MACHINE_PAGE (object);

  fp_view_set_shown (FP_VIEW (self), FALSE);
  if (self->lines)
    fp_machine_list_update (self->lines, NULL);
  if (self->facts)
    fp_machine_list_update (self->facts, NULL);
  self->lines = self->facts = NULL;
  g_clear_pointer (&self->machine, fp_machine_free);
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->stack)));

  G_OBJECT_CLASS (fp_machine_page_parent_class)->dispose (object);
}

static void
fp_machine_page_finalize (GObject *object)
{
  g_clear_pointer (&FP_MACHINE_PAGE (object)->old_groups, fp_control_groups_unref);
  g_clear_pointer (&FP_MACHINE_PAGE (object)->old_kept, fp_kept_unref);

  G_OBJECT_CLASS (fp_machine_page_parent_class)->finalize (object);
}

static void
fp_machine_page_class_init (FpMachinePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_machine_page_dispose;
  G_OBJECT_CLASS (class)->finalize = fp_machine_page_finalize;
  FP_VIEW_CLASS (class)->refresh = fp_machine_page_refresh;
  FP_VIEW_CLASS (class)->set_narrow = fp_machine_page_set_narrow;

  g_type_ensure (FP_TYPE_MACHINE_CHART);
  g_type_ensure (FP_TYPE_SANDBOX_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-machine-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, stack);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, spinner);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, scroller);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, content);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, icon);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, shortage);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, waiting);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, killed);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, available);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, limits);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, heading);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, total);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, since);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, mark);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, history);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, chart);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, sandbox_page);
  gtk_widget_class_bind_template_child (widget_class, FpMachinePage, failed);
  gtk_widget_class_install_action (widget_class, "machine.show-files", "s", show_files_cb);
  gtk_widget_class_install_action (widget_class, "machine.show-line", "s", show_line_cb);
}

static void
fp_machine_page_init (FpMachinePage *self)
{
  GtkAdjustment *adjustment;

  self->shown_level = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  fp_names_label_wrap (self->shortage);
  fp_names_label_wrap (self->waiting);
  fp_names_label_wrap (self->killed);
  fp_names_label_wrap (self->available);
  fp_names_label_wrap (self->limits);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  self->lines = FP_MACHINE_LIST (fp_machine_list_new (FP_MACHINE_LIST_LINES, _ ("Where memory is"), adjustment));
  self->facts = FP_MACHINE_LIST (fp_machine_list_new (FP_MACHINE_LIST_FACTS, _ ("More figures"), adjustment));
  gtk_box_insert_child_after (GTK_BOX (self->content), GTK_WIDGET (self->lines), GTK_WIDGET (self->heading));
  self->changes = FP_MACHINE_CHANGES_VIEW (fp_machine_changes_view_new (adjustment));
  gtk_box_insert_child_after (GTK_BOX (self->content), GTK_WIDGET (self->changes), GTK_WIDGET (self->lines));
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->facts));
  /* On GTK 4.8 it asks for 60 frames a second also where nobody sees it. */
  g_signal_connect (self->spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
  g_signal_connect (self->spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
}
