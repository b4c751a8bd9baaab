// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-collector.h"
#include "fp-coverage-chip.h"
#include "fp-detail-pane.h"
#include "fp-frame-pace.h"
#include "fp-list-page.h"
#include "fp-memory-bar.h"
#include "fp-read-access.h"
#include "fp-row-icons.h"
#include "fp-screenshot.h"
#include "fp-text-width.h"
#include "fp-totals.h"
#include "fp-window-state.h"
#include "fp-window.h"

#define N_PAGES      2
#define LATE         5 /* intervals without a snapshot make a gap in the history */
#define NARROW_WIDTH 600
#define PANE_WIDTH   382 /* beside the list; in a window of 1200, the list then ends after the column of swap */
#define NARROW_PANE  360
#define FOLD_WIDTH   900 /* in narrower windows, the details replace the list */

struct _FpWindow
{
  AdwApplicationWindow parent;

  /* Template widgets */
  AdwToastOverlay *toasts;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  AdwLeaflet *leaflet;
  AdwViewSwitcherTitle *switcher_title;
  AdwViewSwitcherBar *switcher_bar;
  AdwViewStack *views;
  GtkWidget *separator;
  FpDetailPane *pane;
  FpCoverage *coverage;
  FpCoverageChip *chip;
  FpMemoryBar *memory_bar;
  GtkWidget *menu_button;

  /* Owned */
  GSettings *settings;
  FpSource *source;
  FpCollector *collector;
  FpFramePace *pace;
  FpReadAccess *access;
  FpRecords *records;
  FpRecords *all; /* the sum of the records */
  FpHistory *history;
  guint64 remembered_us;  /* boottime_us of the history's last snapshot */
  gboolean is_remembered; /* the history took the last snapshot */

  FpListPage *pages[N_PAGES];
  char *picture_path; /* NULL: no screenshot was asked for */
  double text_scale;
  guint scale_source;
  gint wanted_pid; /* the process to select once it is listed; 0: none */
  gboolean is_live;
  gboolean has_failed; /* the last collection failed: the shown snapshot is old */
};

G_DEFINE_FINAL_TYPE (FpWindow, fp_window, ADW_TYPE_APPLICATION_WINDOW)

static FpListPage *
get_page (FpWindow *self)
{
  return FP_LIST_PAGE (adw_view_stack_get_visible_child (self->views));
}

static FpTableColumns *
get_columns (FpListPage *page)
{
  return fp_table_view_get_columns (fp_list_page_get_view (page));
}

static void
update_attention (FpWindow *self)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (FpProcessId));

  fp_list_page_add_attention (get_page (self), ids);
  fp_collector_set_attention (self->collector, (const FpProcessId *)ids->data, ids->len);
}

/* The picture is of the first complete list; with it the program has done what it was called for. */
static void
take_picture (FpWindow *self)
{
  g_autoptr (GError) error = NULL;

  /* Each frame asks; with the picture the window is closed, and its records are gone. */
  if (!self->picture_path || !self->records || fp_process_records_get_snapshot (self->records)->info.n_pending > 0)
    return;
  if (!fp_screenshot_save (GTK_WIDGET (self), self->picture_path, &error))
    g_printerr ("footprint: %s\n", error->message);
  g_clear_pointer (&self->picture_path, g_free);
  gtk_window_close (GTK_WINDOW (self));
}

static gboolean
settled_cb (gpointer data)
{
  take_picture (data);
  return G_SOURCE_REMOVE;
}

static void
painted_cb (FpWindow *self)
{
  update_attention (self);
  if (self->picture_path)
    g_timeout_add_full (G_PRIORITY_LOW, 300, settled_cb, g_object_ref (self), g_object_unref);
}

static FpFigureStyle
get_figure_style (FpWindow *self)
{
  static const FpFigureStyle styles[] = { FP_STYLE_IEC, FP_STYLE_BYTES, FP_STYLE_PERCENT };

  return styles[g_settings_get_enum (self->settings, "units")];
}

/* 0: none */
static guint
get_interval_ms (FpWindow *self)
{
  static const guint intervals_ms[] = { 1000, 2000, 5000, 10000, 0 };

  return self->is_live ? intervals_ms[g_settings_get_enum (self->settings, "interval")] : 0;
}

static void
update_pane (FpWindow *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self->pane)) && self->records)
    fp_list_page_show_target (get_page (self), self->pane, self->all, self->is_remembered);
}

static void
update_coverage (FpWindow *self)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (self->records);
  g_autofree char *hidden = NULL;

  /* A snapshot that somebody with other permissions read says nothing of what is hidden from the present reader. */
  if (fp_collector_awaits_refresh (self->collector))
    return;
  hidden = fp_read_access_explain_hidden (self->access, snapshot);
  fp_coverage_update (self->coverage, snapshot, self->is_live, hidden);
  fp_coverage_chip_update (self->chip, snapshot, hidden);
}

static void
show_details (FpWindow *self)
{
  g_settings_set_boolean (self->settings, "show-detail-pane", TRUE);
  adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->pane));
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

  if (fp_list_page_select (get_page (self), pid, FALSE))
    return TRUE;
  if (fp_snapshot_find (fp_process_records_get_snapshot (self->records), pid))
    {
      fp_window_show_view (self, "processes");
      if (fp_list_page_select (get_page (self), pid, FALSE))
        return TRUE;
      text = g_strdup_printf (_ ("Search and filter were set to show process %d"), pid);
      reported_cb (self, text);
      return fp_list_page_select (get_page (self), pid, TRUE);
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
    show_details (self);
}

/* Threads of the kernel have no memory of their own, and are not counted. */
static FpRecords *
sum_up_programs (const FpRecords *records)
{
  g_autofree guint *indices = g_new (guint, records->n);
  guint n = 0;

  for (guint i = 0; i < records->n; i++)
    if (!fp_process_is_kernel_thread (fp_process_records_get (records, i)))
      indices[n++] = i;
  return fp_totals_new (records, indices, n, NULL, NULL);
}

static void
update_page (FpWindow *self)
{
  const FpSnapshot *snapshot = fp_process_records_get_snapshot (self->records);
  g_autofree char *hidden = fp_read_access_explain_hidden (self->access, snapshot);

  fp_list_page_set_hidden (get_page (self), hidden);
  fp_list_page_update (get_page (self), self->records);
}

/* The machine's history goes on while another's is shown. */
static void
remember (FpWindow *self,
          const FpSnapshot *snapshot)
{
  guint64 now_us = snapshot->info.boottime_us;

  /* While some are to be read yet, several snapshots come in one interval. */
  self->is_remembered = fp_snapshot_has_reliable_sums (snapshot) &&
                        (snapshot->info.n_pending == 0 ||
                         now_us - self->remembered_us >= (guint64)get_interval_ms (self) * 1000);
  if (!self->is_remembered)
    return;
  self->remembered_us = now_us;
  fp_history_take (self->history, snapshot, LATE * (guint64)get_interval_ms (self) * 1000);
  fp_history_follow (self->history, self->all, 0);
}

static void
collected_cb (FpWindow *self,
              FpSnapshot *snapshot)
{
  self->has_failed = FALSE;
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);
  self->records = fp_process_records_new (snapshot);
  self->all = sum_up_programs (self->records);
  remember (self, snapshot);
  update_page (self);
  show_wanted (self);
  update_pane (self);
  update_coverage (self);
  fp_memory_bar_update (self->memory_bar, self->records, self->all, get_figure_style (self));
  fp_frame_pace_await (self->pace);
}

static void
failed_cb (FpWindow *self,
           GError *error)
{
  for (guint i = 0; i < N_PAGES; i++)
    fp_list_page_fail (self->pages[i], error->message);
  if (self->records && !self->has_failed)
    reported_cb (self, error->message);
  self->has_failed = TRUE;
}

/* Hidden views skip refreshes, so a view catches up when it is shown. */
static void
view_changed_cb (FpWindow *self)
{
  if (self->records)
    update_page (self);
  update_pane (self);
  if (self->settings)
    g_settings_set_string (self->settings, "view", adw_view_stack_get_visible_child_name (self->views));
}

static void
search_changed_cb (FpWindow *self)
{
  for (guint i = 0; i < N_PAGES; i++)
    fp_list_page_set_search (self->pages[i], gtk_editable_get_text (self->search_entry));
}

static void
search_requested_cb (FpWindow *self,
                     const char *text)
{
  fp_window_show_view (self, "processes");
  fp_list_page_show_all (get_page (self));
  fp_window_search (self, text);
}

static void
clear_search (FpWindow *self)
{
  gtk_editable_set_text (self->search_entry, "");
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
  search_changed_cb (self);
}

static void
update_pane_shown (FpWindow *self)
{
  gboolean is_shown = g_settings_get_boolean (self->settings, "show-detail-pane");

  gtk_widget_set_visible (GTK_WIDGET (self->pane), is_shown);
  gtk_widget_set_visible (self->separator, is_shown);
  update_pane (self);
}

static void
pane_closed_cb (FpWindow *self)
{
  if (adw_leaflet_get_folded (self->leaflet))
    adw_leaflet_set_visible_child (self->leaflet, GTK_WIDGET (self->views));
  else
    g_settings_set_boolean (self->settings, "show-detail-pane", FALSE);
}

static void
process_requested_cb (FpWindow *self,
                      int pid)
{
  select_process (self, pid);
}

/* Until libadwaita 1.4 has AdwBreakpoint. Of large text there is room for less. */
static void
width_changed_cb (FpWindow *self)
{
  gboolean is_narrow, has_room;
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  is_narrow = width < NARROW_WIDTH * self->text_scale;
  has_room = width >= FOLD_WIDTH * self->text_scale;
  adw_leaflet_set_can_unfold (self->leaflet, has_room);
  gtk_widget_set_size_request (GTK_WIDGET (self->pane), has_room ? PANE_WIDTH : NARROW_PANE, -1);
  fp_memory_bar_set_narrow (self->memory_bar, is_narrow);
  fp_coverage_chip_set_narrow (self->chip, is_narrow);
  for (guint i = 0; i < N_PAGES; i++)
    fp_list_page_set_narrow (self->pages[i], is_narrow);
}

static gboolean
scaled_cb (gpointer data)
{
  FpWindow *self = data;

  self->scale_source = 0;
  self->text_scale = fp_text_width_get_scale (GTK_WIDGET (self));
  width_changed_cb (self);
  return G_SOURCE_REMOVE;
}

/* The font may be another one; no widget may come or go before all have theirs. */
static void
fp_window_css_changed (GtkWidget *widget,
                       GtkCssStyleChange *change)
{
  FpWindow *self = FP_WINDOW (widget);

  GTK_WIDGET_CLASS (fp_window_parent_class)->css_changed (widget, change);
  if (self->collector && self->scale_source == 0)
    self->scale_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, scaled_cb, self, NULL);
}

static gboolean
move_switcher_cb (gpointer data)
{
  FpWindow *self = data;

  adw_view_switcher_bar_set_reveal (self->switcher_bar, adw_view_switcher_title_get_title_visible (self->switcher_title));
  return G_SOURCE_REMOVE;
}

/* It finds this out while the window gets its size, when what is shown anew comes too late for a place of its own. */
static void
switcher_hidden_cb (FpWindow *self)
{
  g_idle_add_full (G_PRIORITY_HIGH_IDLE, move_switcher_cb, g_object_ref (self), g_object_unref);
}

static void
update_access (FpWindow *self)
{
  FpSource *explained = fp_read_access_get_explained (self->access);

  gtk_widget_set_visible (GTK_WIDGET (self->coverage), !explained);
  fp_coverage_set_of_sandbox (self->coverage, fp_read_access_is_confined (self->access));
  for (guint i = 0; i < N_PAGES; i++)
    {
      fp_row_actions_set_abilities (fp_list_page_get_row_actions (self->pages[i]), self->is_live,
                                    fp_read_access_may_signal (self->access));
      fp_list_page_explain_sandbox (self->pages[i], explained);
    }
  if (self->records)
    update_coverage (self);
}

static void
refresh_cb (GtkWidget *widget,
            const char *name,
            GVariant *parameter)
{
  fp_collector_refresh (FP_WINDOW (widget)->collector);
  fp_detail_pane_refresh (FP_WINDOW (widget)->pane);
}

static void
search_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  FpWindow *self = FP_WINDOW (widget);

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
view_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  fp_window_show_view (FP_WINDOW (widget), g_variant_get_string (parameter, NULL));
}

static void
take_interval (FpWindow *self)
{
  fp_collector_set_interval (self->collector, get_interval_ms (self));
}

static void
take_units (FpWindow *self)
{
  FpFigureStyle style = get_figure_style (self);

  for (guint i = 0; i < N_PAGES; i++)
    fp_list_page_set_figure_style (self->pages[i], style);
  if (self->records)
    fp_memory_bar_update (self->memory_bar, self->records, self->all, style);
  update_pane (self);
}

/* Once, at the end: a settings store is no place for each pixel of a resize. */
static gboolean
fp_window_close_request (GtkWindow *window)
{
  fp_window_state_save (window, FP_WINDOW (window)->pages, FP_WINDOW (window)->settings);
  return GTK_WINDOW_CLASS (fp_window_parent_class)->close_request (window);
}

static void
fp_window_dispose (GObject *object)
{
  FpWindow *self = FP_WINDOW (object);

  g_clear_handle_id (&self->scale_source, g_source_remove);
  g_clear_object (&self->access);
  g_clear_object (&self->pace);
  if (self->collector)
    g_object_run_dispose (G_OBJECT (self->collector));
  g_clear_object (&self->collector);
  g_clear_object (&self->source);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->picture_path, g_free);
  g_clear_pointer (&self->history, fp_history_free);
  g_clear_pointer (&self->records, fp_records_unref);
  g_clear_pointer (&self->all, fp_records_unref);

  G_OBJECT_CLASS (fp_window_parent_class)->dispose (object);
}

static void
fp_window_class_init (FpWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = fp_window_dispose;
  GTK_WINDOW_CLASS (class)->close_request = fp_window_close_request;
  widget_class->css_changed = fp_window_css_changed;

  g_type_ensure (FP_TYPE_COVERAGE);
  g_type_ensure (FP_TYPE_COVERAGE_CHIP);
  g_type_ensure (FP_TYPE_DETAIL_PANE);
  g_type_ensure (FP_TYPE_MEMORY_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FpWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, switcher_title);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, switcher_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, views);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, separator);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, pane);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, coverage);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, chip);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, memory_bar);
  gtk_widget_class_bind_template_child (widget_class, FpWindow, menu_button);
  gtk_widget_class_bind_template_callback (widget_class, pane_closed_cb);
  gtk_widget_class_bind_template_callback (widget_class, process_requested_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, switcher_hidden_cb);

  gtk_widget_class_install_action (widget_class, "win.refresh", NULL, refresh_cb);
  gtk_widget_class_install_action (widget_class, "win.search", NULL, search_cb);
  gtk_widget_class_install_action (widget_class, "win.view", "s", view_cb);
}

static void
fp_window_init (FpWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->history = fp_history_new ();
  fp_detail_pane_set_history (self->pane, self->history);
}

static void
add_settings_action (FpWindow *self,
                     const char *key)
{
  g_autoptr (GAction) action = g_settings_create_action (self->settings, key);

  g_action_map_add_action (G_ACTION_MAP (self), action);
}

static void
add_pages (FpWindow *self)
{
  const FpListPageInfo *infos[N_PAGES] = { &fp_processes_page_info, &fp_users_page_info };

  for (guint i = 0; i < N_PAGES; i++)
    {
      GtkWidget *page = fp_list_page_new (infos[i]);
      FpRowActions *actions = fp_list_page_get_row_actions (FP_LIST_PAGE (page));
      AdwViewStackPage *stack_page = adw_view_stack_add_titled (self->views, page, infos[i]->id, _ (infos[i]->title));

      adw_view_stack_page_set_icon_name (stack_page, infos[i]->icon);
      g_signal_connect_object (page, "search-cleared", G_CALLBACK (clear_search), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (page, "search-requested", G_CALLBACK (search_requested_cb), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (page, "target-changed", G_CALLBACK (update_pane), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (actions, "measure-requested", G_CALLBACK (fp_collector_measure), self->collector,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (actions, "details-requested", G_CALLBACK (show_details), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (actions, "reported", G_CALLBACK (reported_cb), self, G_CONNECT_SWAPPED);
      fp_list_page_set_live (FP_LIST_PAGE (page), self->is_live);
      fp_list_page_set_source (FP_LIST_PAGE (page), self->source);
      self->pages[i] = FP_LIST_PAGE (page);
    }
}

/* is_live: it is this machine now, read again and again */
FpWindow *
fp_window_new (GtkApplication *application,
               GSettings *settings,
               FpSource *source,
               gboolean is_live)
{
  FpWindow *self = g_object_new (FP_TYPE_WINDOW, "application", application, NULL);
  g_autofree char *view = g_settings_get_string (settings, "view");

  self->settings = g_object_ref (settings);
  self->is_live = is_live;
  self->source = g_object_ref (source);
  self->collector = fp_collector_new (source);
  /* Before anybody else is told, who then can know that what was read is old. */
  g_signal_connect_object (source, "lock-changed", G_CALLBACK (fp_collector_refresh), self->collector, G_CONNECT_SWAPPED);
  self->access = fp_read_access_new (GTK_WINDOW (self), source, is_live);
  g_signal_connect_object (self->access, "changed", G_CALLBACK (update_access), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->access, "reported", G_CALLBACK (reported_cb), self, G_CONNECT_SWAPPED);
  self->pace = fp_frame_pace_new (GTK_WIDGET (self), self->collector);
  g_signal_connect_object (self->pace, "painted", G_CALLBACK (painted_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->collector, "collected", G_CALLBACK (collected_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->collector, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  add_pages (self);
  g_signal_connect_object (fp_row_icons_get_for_display (gtk_widget_get_display (GTK_WIDGET (self))), "changed",
                           G_CALLBACK (update_pane), self, G_CONNECT_SWAPPED);
  fp_read_access_update (self->access);
  self->text_scale = fp_text_width_get_scale (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  gtk_search_bar_set_key_capture_widget (self->search_bar, GTK_WIDGET (self));
  g_signal_connect_object (self, "notify::default-width", G_CALLBACK (width_changed_cb), self, G_CONNECT_SWAPPED);
  fp_detail_pane_set_source (self->pane, source);
  fp_detail_pane_set_settings (self->pane, settings);
  fp_window_state_restore (GTK_WINDOW (self), self->pages, settings);
  fp_window_show_view (self, view);
  g_signal_connect_object (settings, "changed::show-detail-pane", G_CALLBACK (update_pane_shown), self,
                           G_CONNECT_SWAPPED);
  add_settings_action (self, "show-detail-pane");
  update_pane_shown (self);
  take_interval (self);
  take_units (self);
  g_signal_connect_object (settings, "changed::units", G_CALLBACK (take_units), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed::interval", G_CALLBACK (take_interval), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->views, "notify::visible-child", G_CALLBACK (view_changed_cb), self,
                           G_CONNECT_SWAPPED);
  /* GTK 4.8 shows a blank list when that has the first focus. */
  gtk_window_set_focus (GTK_WINDOW (self), self->menu_button);
  return self;
}

void
fp_window_show_view (FpWindow *self,
                     const char *id)
{
  if (adw_view_stack_get_child_by_name (self->views, id))
    adw_view_stack_set_visible_child_name (self->views, id);
}

void
fp_window_show_details (FpWindow *self,
                        gint pid)
{
  self->wanted_pid = pid;
  if (self->records)
    show_wanted (self);
}

void
fp_window_take_picture (FpWindow *self,
                        const char *path)
{
  g_free (self->picture_path);
  self->picture_path = g_strdup (path);
  fp_frame_pace_await (self->pace);
}

void
fp_window_search (FpWindow *self,
                  const char *text)
{
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_editable_set_text (self->search_entry, text);
  search_changed_cb (self);
}

GVariant *
fp_window_get_columns (FpWindow *self)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (FP_WINDOW_COLUMNS_TYPE));
  for (guint i = 0; i < N_PAGES; i++)
    g_variant_builder_add_value (&builder, fp_table_columns_to_variant (get_columns (self->pages[i])));
  return g_variant_builder_end (&builder);
}

/* NULL: the usual ones */
void
fp_window_set_columns (FpWindow *self,
                       GVariant *columns)
{
  for (guint i = 0; i < N_PAGES; i++)
    {
      g_autoptr (GVariant) of_page = columns ? g_variant_get_child_value (columns, i) : NULL;

      fp_table_columns_take_variant (get_columns (self->pages[i]), of_page);
    }
}
