// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <signal.h>

#include "fp-control-words.h"
#include "fp-process-actions.h"
#include "fp-query-term.h"
#include "fp-row-actions.h"

struct _FpRowActions
{
  GObject parent;

  FpTableView *view;
  GActionMap *actions;
  const FpSessionState *session;
  const FpListContent *content;
  FpEndingLoader *ending;
  GtkWidget *popover; /* NULL: the menu was never opened */
};

G_DEFINE_FINAL_TYPE (FpRowActions, fp_row_actions, G_TYPE_OBJECT)

static const FpRecords *
get_records_of (FpRowActions *self,
                FpRowKind kind)
{
  return fp_rows_get_records (fp_table_get_rows (fp_table_view_get_table (self->view)), kind);
}

static const FpRecords *
get_records (FpRowActions *self)
{
  return get_records_of (self, FP_ROW_RECORD);
}

static GArray *
get_selected (FpRowActions *self)
{
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_table_add_selected (fp_table_view_get_table (self->view), selected);
  return selected;
}

/* The parts of files that the processes below them have */
static GArray *
get_selected_parts (FpRowActions *self)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (guint));

  fp_table_add_selected_parts (fp_table_view_get_table (self->view), parts);
  return parts;
}

static void
signal_selected (FpRowActions *self,
                 int signal)
{
  g_autoptr (GArray) selected = get_selected (self);

  fp_process_actions_signal (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->view))), get_records (self),
                             (const guint *)selected->data, selected->len, &self->session->format, self->ending,
                             signal);
}

static void
end_cb (GSimpleAction *action,
        GVariant *parameter,
        gpointer data)
{
  signal_selected (data, SIGTERM);
}

static void
kill_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  signal_selected (data, SIGKILL);
}

static void
pause_cb (GSimpleAction *action,
          GVariant *parameter,
          gpointer data)
{
  signal_selected (data, SIGSTOP);
}

static void
resume_cb (GSimpleAction *action,
           GVariant *parameter,
           gpointer data)
{
  signal_selected (data, SIGCONT);
}

static void
details_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  gtk_widget_activate_action (GTK_WIDGET (FP_ROW_ACTIONS (data)->view), "win.show-details", NULL);
}

static void
unselect_cb (GSimpleAction *action,
             GVariant *parameter,
             gpointer data)
{
  gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (fp_table_view_get_table (FP_ROW_ACTIONS (data)->view)));
}

static void
measure_cb (GSimpleAction *action,
            GVariant *parameter,
            gpointer data)
{
  FpRowActions *self = data;
  g_autoptr (GArray) selected = get_selected (self);

  for (guint i = 0; i < selected->len; i++)
    {
      const FpProcess *process = fp_process_records_get (get_records (self), g_array_index (selected, guint, i));
      FpProcessId id = { process->pid, process->start_ticks };

      fp_collector_measure (self->session->collector, &id);
    }
}

static void
copy_cb (GSimpleAction *action,
         GVariant *parameter,
         gpointer data)
{
  FpRowActions *self = data;
  g_autoptr (GArray) selected = get_selected (self), parts = get_selected_parts (self);
  g_autoptr (GString) text = g_string_new (NULL);

  if (selected->len > 0)
    fp_process_actions_append_lines (text, get_records (self), (const guint *)selected->data, selected->len);
  if (parts->len > 0)
    fp_process_actions_append_lines (text, get_records_of (self, FP_ROW_PART), (const guint *)parts->data, parts->len);
  if (text->len == 0)
    return;
  fp_process_actions_copy (GTK_WIDGET (self->view), text->str);
  gtk_widget_activate_action (GTK_WIDGET (self->view), "win.report", "s", _ ("Copied"));
}

static void
show_processes_cb (GSimpleAction *action,
                   GVariant *parameter,
                   gpointer data)
{
  FpRowActions *self = data;
  g_autoptr (GArray) selected = get_selected (self);
  g_autofree char *search = NULL;

  if (selected->len != 1 || !self->content->make_search)
    return;
  search = self->content->make_search (get_records (self), g_array_index (selected, guint, 0));
  gtk_widget_activate_action (GTK_WIDGET (self->view), "win.search-for", "s", search);
}

/* NULL: not exactly one process is selected, or it is in no group; free the text */
static char *
make_group_search (FpRowActions *self)
{
  g_autoptr (GArray) selected = get_selected (self);
  const char *path;

  if (selected->len != 1 || !self->content->can_end)
    return NULL;
  path = fp_process_records_get_text (get_records (self), g_array_index (selected, guint, 0), FP_TEXT_CONTROL_GROUP);
  return *path ? fp_query_term_make ("control_group", path) : NULL;
}

static void
show_group_cb (GSimpleAction *action,
               GVariant *parameter,
               gpointer data)
{
  FpRowActions *self = data;
  g_autofree char *search = make_group_search (self);

  if (search)
    gtk_widget_activate_action (GTK_WIDGET (self->view), "win.search-groups", "s", search);
}

static void
enable (FpRowActions *self,
        const char *name,
        gboolean is_enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (self->actions, name)), is_enabled);
}

static guint
count_paused (FpRowActions *self,
              const GArray *selected)
{
  guint n = 0;

  for (guint i = 0; i < selected->len && self->content->can_end; i++)
    n += fp_process_is_paused (fp_process_records_get (get_records (self), g_array_index (selected, guint, i)));
  return n;
}

/* Copying, measuring and signals need a selection. The processes of a saved snapshot can't be measured or signalled. Nor
 * can a sandboxed Footprint signal processes outside of its sandbox. */
static void
update_actions (FpRowActions *self)
{
  g_autoptr (GArray) selected = get_selected (self), parts = get_selected_parts (self);
  g_autofree char *group_search = make_group_search (self);
  gboolean may_signal = self->content->can_end && fp_read_access_may_signal (self->session->access) && selected->len > 0;
  guint n_paused = may_signal ? count_paused (self, selected) : 0;

  enable (self, "copy", selected->len + parts->len > 0);
  enable (self, "measure", selected->len > 0 && self->content->can_end && self->session->is_live);
  enable (self, "show-group", group_search && self->session->is_live);
  enable (self, "show-processes", selected->len == 1 && self->content->make_search);
  enable (self, "unselect", fp_table_get_n_selected (fp_table_view_get_table (self->view)) > 0);
  enable (self, "end", may_signal);
  enable (self, "kill", may_signal);
  enable (self, "pause", may_signal && n_paused < selected->len);
  enable (self, "resume", n_paused > 0);
}

static void
menu_closed_cb (FpRowActions *self)
{
  fp_order_pause_set_menu_open (fp_table_view_get_order_pause (self->view), FALSE);
  /* An action of the menu may have shown another view. */
  if (gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
make_menu (FpRowActions *self)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource (self->content->menu);

  self->popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (gtk_builder_get_object (builder, "menu")));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (self->popover, gtk_widget_get_parent (GTK_WIDGET (self->view)));
  g_signal_connect_object (self->popover, "closed", G_CALLBACK (menu_closed_cb), self, G_CONNECT_SWAPPED);
}

static void
open_menu (FpRowActions *self,
           guint position,
           const GdkRectangle *where)
{
  if (!self->popover)
    make_menu (self);
  update_actions (self);
  fp_order_pause_set_menu_open (fp_table_view_get_order_pause (self->view), TRUE);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), where);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static void
add_actions (FpRowActions *self)
{
  static const GActionEntry entries[] = {
    { "copy", copy_cb, NULL, NULL, NULL, { 0 } },
    { "details", details_cb, NULL, NULL, NULL, { 0 } },
    { "unselect", unselect_cb, NULL, NULL, NULL, { 0 } },
    { "show-group", show_group_cb, NULL, NULL, NULL, { 0 } },
    { "show-processes", show_processes_cb, NULL, NULL, NULL, { 0 } },
    { "measure", measure_cb, NULL, NULL, NULL, { 0 } },
    { "end", end_cb, NULL, NULL, NULL, { 0 } },
    { "kill", kill_cb, NULL, NULL, NULL, { 0 } },
    { "pause", pause_cb, NULL, NULL, NULL, { 0 } },
    { "resume", resume_cb, NULL, NULL, NULL, { 0 } },
  };

  g_action_map_add_action_entries (self->actions, entries, G_N_ELEMENTS (entries), self);
}

static void
fp_row_actions_dispose (GObject *object)
{
  g_clear_pointer (&FP_ROW_ACTIONS (object)->popover, gtk_widget_unparent);

  G_OBJECT_CLASS (fp_row_actions_parent_class)->dispose (object);
}

static void
fp_row_actions_class_init (FpRowActionsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = fp_row_actions_dispose;
}

static void
fp_row_actions_init (FpRowActions *self)
{
}

/* ending: (nullable): of what is selected. It, the actions and the session are to live as long as the view. */
FpRowActions *
fp_row_actions_new (FpTableView *view,
                    GActionMap *actions,
                    FpSession *session,
                    const FpListContent *content,
                    FpEndingLoader *ending)
{
  FpRowActions *self = g_object_new (FP_TYPE_ROW_ACTIONS, NULL);

  self->view = view;
  self->actions = actions;
  self->session = fp_session_get (session);
  self->content = content;
  self->ending = ending;
  add_actions (self);
  update_actions (self);
  g_signal_connect_object (fp_table_view_get_table (view), "selection-settled", G_CALLBACK (update_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session->access, "changed", G_CALLBACK (update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "menu-requested", G_CALLBACK (open_menu), self, G_CONNECT_SWAPPED);
  return self;
}
