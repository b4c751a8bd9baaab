// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-comparison-bar.h"
#include "fp-coverage-chip.h"
#include "fp-coverage.h"
#include "fp-display.h"
#include "fp-file-actions.h"
#include "fp-file-opener.h"
#include "fp-frame-pace.h"
#include "fp-mark-bar.h"
#include "fp-memory-bar.h"
#include "fp-moment.h"
#include "fp-pane-handle.h"
#include "fp-pane-place.h"
#include "fp-picture.h"
#include "fp-room.h"
#include "fp-view-pages.h"
#include "fp-views.h"
#include "fp-welcome-bar.h"
#include "fp-window.h"

#define LEAST_PANE 360
#define LEAST_LIST 517 /* beside the pane */

struct _FpWindow
{
  AdwApplicationWindow parent;

  /* Template widgets */
  AdwToastOverlay *toasts;
  GtkWidget *search_button;
  GtkWidget *pane_button;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  AdwStatusPage *unusable;
  AdwLeaflet *leaflet;
  AdwViewSwitcherTitle *switcher_title;
  AdwViewSwitcherBar *switcher_bar;
  AdwViewStack *views;
  FpPaneHandle *handle;
  FpDetailPane *pane;
  FpComparisonBar *comparison_bar;
  FpCoverage *coverage;
  FpCoverageChip *chip;
  GtkWidget *welcome_bar;
  FpMemoryBar *memory_bar;
  FpMarkBar *mark_bar;
  GtkWidget *menu_button;
  GMenu *recent_menu;

  /* Owned */
  GSettings *settings;
  FpSession *session;
  FpRoom *room;
  FpPanePlace *pane_place;
  FpFramePace *pace;
  FpFileActions *file_actions;
  FpFileOpener *file_opener;
  FpViewPages *pages;

  FpPicture *picture; /* NULL: none was asked for */
  gint wanted_pid;    /* the process to select once it is listed; 0: none */
  gboolean has_focused_view;
};

G_DEFINE_FINAL_TYPE (FpWindow, fp_window, ADW_TYPE_APPLICATION_WINDOW)

static FpView *
get_view (FpWindow *self)
{
  return fp_view_pages_get_shown (self->pages);
}

static void
update_attention (FpWindow *self)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (FpProcessId));

  fp_view_add_attention (get_view (self), ids);
  fp_collector_set_attention (fp_session_get (self->session)->collector, (const FpProcessId *)ids->data, ids->len);
}

/* The first focus is the list’s once that has rows, unless somebody was faster: GTK 4.8 shows a blank list when that has it
 * from the beginning. */
static void
focus_view (FpWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (self->has_focused_view)
    return;
  self->has_focused_view = TRUE;
  if (!focus || focus == self->menu_button || gtk_widget_get_parent (focus) == self->menu_button)
    fp_view_focus (get_view (self));
}

/* A picture is of the first complete list. */
static void
painted_cb (FpWindow *self)
{
  const FpSnapshot *snapshot = fp_session_get (self->session)->snapshot;
  gboolean is_complete = snapshot && snapshot->info.n_pending == 0 && fp_view_is_ready (get_view (self));

  update_attention (self);
  if (self->picture)
    fp_picture_painted (self->picture, is_complete);
  else if (is_complete)
    focus_view (self);
}

static void
update_pane (FpWindow *self)
{
  if (self->session && gtk_widget_get_visible (GTK_WIDGET (self->pane)))
    fp_view_show_target (get_view (self), self->pane);
}

static void
reported_cb (FpWindow *self,
             const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  g_autofree char *escaped = g_markup_escape_text (text, -1);

  adw_toast_set_title (toast, escaped);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* On this page, or where that does not show it on the one that can. */
static gboolean
select_process (FpWindow *self,
                gint pid)
{
  g_autofree char *text = NULL;

  if (fp_view_select (get_view (self), pid, FALSE))
    return TRUE;
  if (fp_snapshot_find (fp_session_get (self->session)->snapshot, pid))
    {
      fp_window_show_view (self, FP_PROCESSES_VIEW);
      if (fp_view_select (get_view (self), pid, FALSE))
        return TRUE;
      text = g_strdup_printf (_ ("Search and filter were set to show process %d"), pid);
      reported_cb (self, text);
      return fp_view_select (get_view (self), pid, TRUE);
    }
  text = g_strdup_printf (_ ("There is no process %d"), pid);
  reported_cb (self, text);
  return FALSE;
}

/* Once it is in the list; who is not there in the first picture is not there. */
static void
show_wanted (FpWindow *self)
{
  gint pid = self->wanted_pid;

  self->wanted_pid = 0;
  if (pid && select_process (self, pid))
    fp_pane_place_set_shown (self->pane_place, TRUE);
}

/* A saved snapshot is called by its file and its time. */
static void
update_title (FpWindow *self)
{
  const FpSessionState *state = fp_session_get (self->session);
  const char *name = fp_source_get_status (state->source).name;
  g_autofree char *title = NULL, *moment = NULL;

  if (!name)
    return;
  title = fp_moment_describe_file (name, state->snapshot->info.realtime_us);
  moment = fp_moment_describe (state->snapshot->info.realtime_us);
  gtk_window_set_title (GTK_WINDOW (self), title);
  adw_view_switcher_title_set_title (self->switcher_title, name);
  adw_view_switcher_title_set_subtitle (self->switcher_title, moment);
}

/* The views were refreshed before. */
static void
refreshed_cb (FpWindow *self)
{
  update_title (self);
  show_wanted (self);
  fp_frame_pace_await (self->pace);
}

/* A file that can't be used has nothing for any view to show. */
static void
show_unusable (FpWindow *self,
               const char *problem)
{
  g_autoptr (GString) words = g_string_new (problem);
  g_autofree char *escaped = NULL;

  fp_display_end_sentence (words);
  escaped = g_markup_escape_text (words->str, -1);
  adw_status_page_set_description (self->unusable, escaped);
  gtk_widget_show (GTK_WIDGET (self->unusable));
  gtk_widget_hide (GTK_WIDGET (self->leaflet));
  gtk_widget_hide (GTK_WIDGET (self->memory_bar));
  gtk_search_bar_set_key_capture_widget (self->search_bar, NULL);
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.search", FALSE);
  gtk_widget_hide (self->search_button);
  gtk_widget_hide (self->pane_button);
  adw_view_switcher_title_set_title (self->switcher_title, fp_source_get_status (fp_session_get (self->session)->source).name);
  adw_view_switcher_title_set_view_switcher_enabled (self->switcher_title, FALSE);
  gtk_widget_hide (GTK_WIDGET (self->switcher_bar));
}

static void
problem_cb (FpWindow *self)
{
  const char *problem = fp_session_get (self->session)->problem;

  if (problem && self->picture)
    fp_picture_fail (self->picture, problem);
  if (problem && !fp_session_get (self->session)->is_live)
    show_unusable (self, problem);
}

/* A view without a list has nothing to search in. */
static void
search_shown_cb (FpWindow *self)
{
  if (self->pages && gtk_search_bar_get_search_mode (self->search_bar) && !fp_view_get_columns (get_view (self)))
    fp_window_show_view (self, FP_PROCESSES_VIEW);
}

/* At once: the entry tells that the search has changed when nothing was typed for a moment, and another view may be shown by then. */
static void
typed_cb (FpWindow *self)
{
  if (*gtk_editable_get_text (self->search_entry))
    search_shown_cb (self);
}

static void
search_changed_cb (FpWindow *self)
{
  if (self->pages)
    fp_view_pages_set_search (self->pages, gtk_editable_get_text (self->search_entry));
}

static void
update_pane_shown (FpWindow *self)
{
  gboolean is_shown = g_settings_get_boolean (self->settings, "show-detail-pane");

  gtk_widget_set_visible (GTK_WIDGET (self->pane), is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->handle), is_shown);
  if (self->session && !is_shown)
    fp_session_set_needs (self->session, FP_NEEDER_PANE, 0);
  update_pane (self);
}

static void
pane_closed_cb (FpWindow *self)
{
  fp_pane_place_set_shown (self->pane_place, FALSE);
}

static void
process_requested_cb (FpWindow *self,
                      int pid)
{
  select_process (self, pid);
}

static void
fit_pane (FpWindow *self)
{
  const FpRoomState *room = fp_room_get (self->room);

  fp_pane_handle_set_range (self->handle, LEAST_PANE, room->width - (int)(LEAST_LIST * room->text_scale));
  gtk_widget_set_size_request (GTK_WIDGET (self->pane),
                               room->has_two_parts ? fp_pane_handle_get_fitted_width (self->handle) : LEAST_PANE, -1);
}

/* In a low window details have its whole height, and lead back to the view. */
static gboolean
move_switcher_cb (gpointer data)
{
  FpWindow *self = data;
  gboolean is_covered;

  if (!self->room)
    return G_SOURCE_REMOVE;
  is_covered = fp_room_get (self->room)->is_low && adw_leaflet_get_folded (self->leaflet) &&
               adw_leaflet_get_visible_child (self->leaflet) == GTK_WIDGET (self->pane);
  adw_view_switcher_bar_set_reveal (self->switcher_bar, adw_view_switcher_title_get_title_visible (self->switcher_title) && !is_covered);
  return G_SOURCE_REMOVE;
}

/* It finds this out while the window gets its size, when what is shown anew comes too late for a place of its own. */
static void
place_switcher_cb (FpWindow *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, move_switcher_cb, g_object_ref (self), g_object_unref);
}

static void
room_changed_cb (FpWindow *self)
{
  const FpRoomState *room = fp_room_get (self->room);

  adw_leaflet_set_can_unfold (self->leaflet, room->has_two_parts);
  fit_pane (self);
  place_switcher_cb (self);
  gtk_widget_set_visible (self->welcome_bar, !room->is_low && !self->picture);
  gtk_widget_set_visible (GTK_WIDGET (self->memory_bar), !room->is_low && !gtk_widget_get_visible (GTK_WIDGET (self->unusable)));
  fp_coverage_set_low (self->coverage, room->is_low);
  fp_memory_bar_set_narrow (self->memory_bar, room->is_narrow);
  fp_coverage_chip_set_narrow (self->chip, room->is_narrow);
  fp_view_pages_set_narrow (self->pages, room->is_narrow);
}

/* The font may be another one. */
static void
fp_window_css_changed (GtkWidget *widget,
                       GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fp_window_parent_class)->css_changed (widget, change);
  if (FP_WINDOW (widget)->room)
    fp_room_measure_later (FP_WINDOW (widget)->room);
}

static void
refresh_cb (GtkWidget *widget,
            const char *name,
            GVariant *parameter)
{
  fp_collector_refresh (fp_session_get (FP_WINDOW (widget)->session)->collector);
  fp_detail_pane_refresh (FP_WINDOW (widget)->pane);
  fp_view_read_again (get_view (FP_WINDOW (widget)));
}

static void
search_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  search_shown_cb (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
view_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  if (fp_window_show_view (self, g_variant_get_string (parameter, NULL)) && fp_view_is_ready (get_view (self)))
    fp_view_focus (get_view (self));
}

/* Each action searches in another view, whatever view is shown. */
static const struct
{
  const char *action;
  const char *view;
} searches[] = {
  { "win.search-for", FP_PROCESSES_VIEW },
  { "win.search-groups", "groups" },
  { "win.search-files", "files" },
};

static void
search_in_cb (GtkWidget *widget,
              const char *name,
              GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    if (g_str_equal (name, searches[i].action) && !fp_window_show_view (self, searches[i].view))
      return;
  adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->views));
  fp_view_show_all (get_view (self));
  fp_window_search (self, g_variant_get_string (parameter, NULL));
}

static void
clear_search_cb (GtkWidget *widget,
                 const char *name,
                 GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  gtk_editable_set_text (self->search_entry, "");
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  search_changed_cb (self);
}

static void
show_details_cb (GtkWidget *widget,
                 const char *name,
                 GVariant *parameter)
{
  fp_pane_place_set_shown (FP_WINDOW (widget)->pane_place, TRUE);
}

static void
resize_details_cb (GtkWidget *widget,
                   const char *name,
                   GVariant *parameter)
{
  GtkWidget *handle = GTK_WIDGET (FP_WINDOW (widget)->handle);

  if (gtk_widget_get_mapped (handle))
    gtk_widget_grab_focus (handle);
}

static void
unselect_cb (GtkWidget *widget,
             const char *name,
             GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (get_view (FP_WINDOW (widget))), "page.unselect", NULL);
}

static void
show_process_cb (GtkWidget *widget,
                 const char *name,
                 GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  if (select_process (self, g_variant_get_int32 (parameter)))
    fp_pane_place_set_shown (self->pane_place, TRUE);
}

static void
report_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  reported_cb (FP_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
mark_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  fp_session_mark (FP_WINDOW (widget)->session, parameter ? g_variant_get_uint64 (parameter) : 0);
}

static void
unmark_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  fp_session_unmark (FP_WINDOW (widget)->session);
}

static void
take_interval (FpWindow *self)
{
  static const guint intervals_ms[] = { 1000, 2000, 5000, 10000, 0 };

  fp_session_set_interval (self->session, intervals_ms[g_settings_get_enum (self->settings, "interval")]);
}

static void
take_units (FpWindow *self)
{
  static const FpFigureStyle styles[] = { FP_STYLE_IEC, FP_STYLE_BYTES, FP_STYLE_PERCENT };

  fp_session_set_figure_style (self->session, styles[g_settings_get_enum (self->settings, "units")]);
}

/* Once, at the end: a settings store is no place for each pixel of a resize. */
static gboolean
fp_window_close_request (GtkWindow *window)
{
  FpWindow *self = FP_WINDOW (window);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  g_settings_set_int (self->settings, "window-width", width);
  g_settings_set_int (self->settings, "window-height", height);
  g_settings_set_boolean (self->settings, "window-maximized", gtk_window_is_maximized (window));
  g_settings_set_int (self->settings, "pane-width", fp_pane_handle_get_width (self->handle));
  fp_view_pages_save (self->pages);
  return GTK_WINDOW_CLASS (fp_window_parent_class)->close_request (window);
}

static void
fp_window_dispose (GObject *object)
{
  FpWindow *self = FP_WINDOW (object);

  g_clear_object (&self->room);
  g_clear_object (&self->pane_place);
  g_clear_object (&self->pace);
  g_clear_object (&self->file_actions);
  g_clear_object (&self->file_opener);
  if (self->session)
    g_object_run_dispose (G_OBJECT (self->session));
  g_clear_object (&self->session);
  g_clear_object (&self->pages);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->picture, fp_picture_free);

  G_OBJECT_CLASS (fp_window_parent_class)->dispose (object);
}

static void
fp_window_class_init (FpWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_window_dispose;
  GTK_WINDOW_CLASS (class)->close_request = fp_window_close_request;
  widget_class->css_changed = fp_window_css_changed;

  g_type_ensure (FP_TYPE_COMPARISON_BAR);
  g_type_ensure (FP_TYPE_COVERAGE);
  g_type_ensure (FP_TYPE_COVERAGE_CHIP);
  g_type_ensure (FP_TYPE_DETAIL_PANE);
  g_type_ensure (FP_TYPE_MARK_BAR);
  g_type_ensure (FP_TYPE_MEMORY_BAR);
  g_type_ensure (FP_TYPE_PANE_HANDLE);
  g_type_ensure (FP_TYPE_WELCOME_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FpWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, search_button);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, pane_button);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, unusable);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, switcher_title);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, views);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, handle);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, pane);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, coverage);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, chip);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, welcome_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, memory_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, mark_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, comparison_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, recent_menu);
  gtk_widget_class_bind_template_callback (widget_class, pane_closed_cb);
  gtk_widget_class_bind_template_callback (widget_class, process_requested_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_shown_cb);
  gtk_widget_class_bind_template_callback (widget_class, typed_cb);
  gtk_widget_class_bind_template_callback (widget_class, place_switcher_cb);

  gtk_widget_class_install_action (widget_class, "win.refresh", NULL, refresh_cb);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_cb);
  gtk_widget_class_install_action (widget_class, "win.view", "s", view_cb);
  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    gtk_widget_class_install_action (widget_class, searches[i].action, "s", search_in_cb);
  gtk_widget_class_install_action (widget_class, "win.clear-search", NULL, clear_search_cb);
  gtk_widget_class_install_action (widget_class, "win.show-details", NULL, show_details_cb);
  gtk_widget_class_install_action (widget_class, "win.resize-details", NULL, resize_details_cb);
  gtk_widget_class_install_action (widget_class, "win.unselect", NULL, unselect_cb);
  gtk_widget_class_install_action (widget_class, "win.show-process", "i", show_process_cb);
  gtk_widget_class_install_action (widget_class, "win.report", "s", report_cb);
  gtk_widget_class_install_action (widget_class, "win.mark", NULL, mark_cb);
  gtk_widget_class_install_action (widget_class, "win.mark-at", "t", mark_cb);
  gtk_widget_class_install_action (widget_class, "win.unmark", NULL, unmark_cb);
  /* No accelerator of the application: those go before the keys of the mappings, which have a mark of their own. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F8, 0, "win.resize-details", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_m, GDK_CONTROL_MASK, "win.mark", NULL);
}

static void
fp_window_init (FpWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* A label that gets the focus when a narrow window shows the details instead of the list would come up selected. */
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-label-select-on-focus", FALSE, NULL);
}

static void
menu_opens_cb (GtkMenuButton *button,
               gpointer self)
{
  fp_file_opener_list_recent (FP_WINDOW (self)->file_opener);
}

/* Each part watches the session by itself. The window comes after the views, those that are made later among them: their
 * selection decides what is shown beside them. */
static void
watch_session (FpWindow *self)
{
  FpReadAccess *access = fp_session_get (self->session)->access;

  fp_comparison_bar_set_session (self->comparison_bar, self->session);
  fp_coverage_set_session (self->coverage, self->session);
  fp_coverage_chip_set_session (self->chip, self->session);
  fp_memory_bar_set_session (self->memory_bar, self->session);
  fp_mark_bar_set_session (self->mark_bar, self->session);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.mark", fp_session_get (self->session)->is_live);
  fp_detail_pane_set_session (self->pane, self->session);
  self->pages = fp_view_pages_new (self->views, self->session, self->settings);
  g_signal_connect_object (self->pages, "target-changed", G_CALLBACK (update_pane), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "refreshed", G_CALLBACK (refreshed_cb), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->session, "notify::problem", G_CALLBACK (problem_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (access, "reported", G_CALLBACK (reported_cb), self, G_CONNECT_SWAPPED);
  fp_read_access_update (access);
  self->file_actions = fp_file_actions_new (GTK_APPLICATION_WINDOW (self), self->session);
  self->file_opener = fp_file_opener_new (GTK_APPLICATION_WINDOW (self), self->recent_menu);
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->menu_button), menu_opens_cb, self, NULL);
  /* A file has nothing new to read. */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "win.refresh", fp_session_get (self->session)->is_live);
  self->pace = fp_frame_pace_new (GTK_WIDGET (self), fp_session_get (self->session)->collector);
  g_signal_connect_object (self->pace, "painted", G_CALLBACK (painted_cb), self, G_CONNECT_SWAPPED);
}

static void
apply_settings (FpWindow *self)
{
  g_autoptr (GPropertyAction) action = NULL;

  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (self->settings, "window-width"),
                               g_settings_get_int (self->settings, "window-height"));
  if (g_settings_get_boolean (self->settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  if (fp_session_get (self->session)->is_live)
    fp_welcome_bar_set_settings (FP_WELCOME_BAR (self->welcome_bar), self->settings);
  fp_pane_handle_set_width (self->handle, g_settings_get_int (self->settings, "pane-width"));
  fp_detail_pane_set_settings (self->pane, self->settings);
  g_signal_connect_object (self->settings, "changed::show-detail-pane", G_CALLBACK (update_pane_shown), self,
                           G_CONNECT_SWAPPED);
  self->pane_place = fp_pane_place_new (self->leaflet, GTK_WIDGET (self->views), GTK_WIDGET (self->pane), self->settings);
  action = g_property_action_new ("show-detail-pane", self->pane_place, "is-shown");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  update_pane_shown (self);
  take_interval (self);
  take_units (self);
  g_signal_connect_object (self->settings, "changed::units", G_CALLBACK (take_units), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "changed::interval", G_CALLBACK (take_interval), self, G_CONNECT_SWAPPED);
}

FpWindow *
fp_window_new (GtkApplication *application,
               GSettings *settings,
               FpSource *source)
{
  FpWindow *self = g_object_new (FP_TYPE_WINDOW, "application", application, NULL);
  g_autoptr (GtkShortcutsWindow) shortcuts = fp_views_make_shortcuts ();

  self->settings = g_object_ref (settings);
  self->session = fp_session_new (GTK_WINDOW (self), source);
  if (!fp_session_get (self->session)->is_live)
    gtk_window_set_title (GTK_WINDOW (self), fp_source_get_status (source).name);
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self), shortcuts);
  watch_session (self);
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  gtk_search_bar_set_key_capture_widget (self->search_bar, GTK_WIDGET (self));
  self->room = fp_room_new (GTK_WINDOW (self));
  g_signal_connect_object (self->room, "changed", G_CALLBACK (room_changed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->handle, "notify::width", G_CALLBACK (fit_pane), self, G_CONNECT_SWAPPED);
  apply_settings (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->menu_button);
  return self;
}

FpSource *
fp_window_get_source (FpWindow *self)
{
  g_return_val_if_fail (FP_IS_WINDOW (self), NULL);

  return fp_session_get (self->session)->source;
}

/* FALSE: it shows a saved snapshot */
gboolean
fp_window_is_live (FpWindow *self)
{
  g_return_val_if_fail (FP_IS_WINDOW (self), FALSE);

  return fp_session_get (self->session)->is_live;
}

/* Says why where it can't be shown. */
gboolean
fp_window_show_view (FpWindow *self,
                     const char *id)
{
  const FpViewInfo *info;

  g_return_val_if_fail (FP_IS_WINDOW (self), FALSE);

  if (fp_view_pages_show (self->pages, id))
    return TRUE;
  info = fp_views_find (id);
  if (info)
    reported_cb (self, fp_views_explain_missing (info, fp_session_get (self->session)->source));
  return FALSE;
}

void
fp_window_show_details (FpWindow *self,
                        gint pid)
{
  g_return_if_fail (FP_IS_WINDOW (self));

  self->wanted_pid = pid;
  if (fp_session_get (self->session)->records)
    show_wanted (self);
}

void
fp_window_take_picture (FpWindow *self,
                        const char *path,
                        gboolean *failed)
{
  g_return_if_fail (FP_IS_WINDOW (self));

  g_clear_pointer (&self->picture, fp_picture_free);
  self->picture = fp_picture_new (GTK_WINDOW (self), self->pace, path, failed);
  gtk_widget_hide (self->welcome_bar);
  fp_frame_pace_await (self->pace);
}

void
fp_window_search (FpWindow *self,
                  const char *text)
{
  g_return_if_fail (FP_IS_WINDOW (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self->unusable)))
    return;
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_editable_set_text (self->search_entry, text);
  search_changed_cb (self);
}

GVariant *
fp_window_get_columns (FpWindow *self)
{
  g_return_val_if_fail (FP_IS_WINDOW (self), NULL);

  return fp_view_pages_get_columns (self->pages);
}

/* NULL: the usual ones */
void
fp_window_set_columns (FpWindow *self,
                       GVariant *columns)
{
  g_return_if_fail (FP_IS_WINDOW (self));

  fp_view_pages_set_columns (self->pages, columns);
}
