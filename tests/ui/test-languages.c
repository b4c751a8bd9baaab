// SPDX-License-Identifier: GPL-3.0-or-later
/* All windows in two languages that nobody speaks, one of them from right to left, with large letters, and in those that there are
 * translations to. Each text is translated as a whole sentence, and nothing of it is cut off. What is in the lists is looked at
 * by tests/cli. */
#include "config.h"

#include <libintl.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "fp-application.h"
#include "fp-cell.h"
#include "fp-display.h"
#include "fp-heap-window.h"
#include "fp-help-window.h"
#include "fp-local-source.h"
#include "fp-preferences.h"
#include "fp-screenshot.h"
#include "fp-table-view.h"
#include "fp-tmpfs-window.h"
#include "fp-views.h"
#include "fp-window.h"
#include "heap-writer.h"
#include "made-language.h"
#include "sample-source.h"
#include "widget-probe.h"

#define PATIENCE      (20 * G_USEC_PER_SEC)
#define DPI           (96 * 1024)
#define COLUMN_ROUNDS 6
#define HEAP_WIDTH    1000 /* of fp-heap-window.ui */
#define LISTED        1200 /* the PID of a browser in tests/fixtures/desktop */

typedef struct
{
  const char *name, *language;
  GtkTextDirection direction;
  double scale;
  const char *locale; /* of a language that people speak: its texts are known to be complete */
} Look;

/* A process keeps the translations that it has looked up, so that $TEST_LOOK chooses one of these. */
static const Look looks[] = {
  { "longer", "xx", GTK_TEXT_DIR_LTR, 1 },
  { "mirrored", "xx@rtl", GTK_TEXT_DIR_RTL, 1 },
  { "large", "", GTK_TEXT_DIR_LTR, 1.5 },
  { "german", "", GTK_TEXT_DIR_LTR, 1, "de_DE.UTF-8" },
  { "french", "", GTK_TEXT_DIR_LTR, 1, "fr_FR.UTF-8" },
  { "spanish", "", GTK_TEXT_DIR_LTR, 1, "es_ES.UTF-8" },
};

typedef struct
{
  const Look *look;
  MadeLanguage *given; /* names in the files that are opened */
  guint n_texts, n_places;
  gboolean is_foreign; /* the words are libadwaita's */
  GHashTable *problems;
} Fixture;

/* One for all tests, as the name on the bus is */
static FpApplication *application;

static void
complain (Fixture *self,
          const char *where,
          const char *problem,
          const char *text)
{
  char *line = g_strdup_printf ("%s: %s: “%s”", where, problem, text);

  if (!g_hash_table_contains (self->problems, line))
    g_test_message ("%s", line);
  g_hash_table_add (self->problems, line);
}

static void
check_text (Fixture *self,
            const char *where,
            const char *text)
{
  g_autofree char *rest = NULL;

  if (!text || !*text || !*self->look->language || self->is_foreign)
    return;
  self->n_texts++;
  rest = made_language_find_rest (self->given, text);
  if (rest)
    {
      g_autofree char *problem = g_strdup_printf ("“%s” is not translated", rest);

      complain (self, where, problem, text);
    }
}

/* The one way to get at the names that a screen reader reads: a test for another value answers with the one that is there. */
static void
check_accessible (Fixture *self,
                  const char *where,
                  GtkWidget *widget)
{
  static const GtkAccessibleProperty properties[] = { GTK_ACCESSIBLE_PROPERTY_LABEL, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION };

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      g_autofree char *value = gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), properties[i], "");

      if (g_strcmp0 (value, "undefined") != 0)
        check_text (self, where, value);
    }
}

static void
check_texts (Fixture *self,
             const char *where,
             GtkWidget *widget)
{
  g_autofree char *placeholder = NULL;

  check_text (self, where, gtk_widget_get_tooltip_text (widget));
  check_accessible (self, where, widget);
  if (GTK_IS_LABEL (widget))
    check_text (self, where, gtk_label_get_text (GTK_LABEL (widget)));
  if (GTK_IS_WINDOW (widget))
    check_text (self, where, gtk_window_get_title (GTK_WINDOW (widget)));
  if (!GTK_IS_TEXT (widget) && !GTK_IS_SEARCH_ENTRY (widget))
    return;
  g_object_get (widget, "placeholder-text", &placeholder, NULL);
  check_text (self, where, placeholder);
}

/* A text that is shortened has to be readable as a whole, under the pointer. */
static gboolean
has_tooltip (GtkWidget *widget,
             const char *text)
{
  for (GtkWidget *above = widget; above; above = gtk_widget_get_parent (above))
    if (gtk_widget_get_has_tooltip (above))
      return !gtk_widget_get_tooltip_text (above) || strstr (gtk_widget_get_tooltip_text (above), text);
  return FALSE;
}

static void
check_shape (Fixture *self,
             const char *where,
             GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = gtk_label_get_text (label);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  if (pango_layout_is_ellipsized (layout))
    {
      if (!has_tooltip (GTK_WIDGET (label), text) && !made_language_is_given (self->given, text))
        complain (self, where, "it is shortened", text);
    }
  else if (width > gtk_widget_get_width (GTK_WIDGET (label)) + 1)
    complain (self, where, "it is wider than its place", text);
  if (height > gtk_widget_get_height (GTK_WIDGET (label)) + 1)
    complain (self, where, "it is higher than its place", text);
}

/* Up to what can be scrolled in that direction, or the window. */
static void
check_place (Fixture *self,
             const char *where,
             GtkWidget *widget,
             const char *text)
{
  gboolean is_bounded = TRUE;

  for (GtkWidget *above = gtk_widget_get_parent (widget); above && is_bounded; above = gtk_widget_get_parent (above))
    {
      graphene_rect_t box;
      GtkPolicyType horizontal = GTK_POLICY_NEVER;

      if (GTK_IS_SCROLLED_WINDOW (above))
        {
          gtk_scrolled_window_get_policy (GTK_SCROLLED_WINDOW (above), &horizontal, NULL);
          is_bounded = FALSE;
        }
      else if (!GTK_IS_NATIVE (above))
        continue;
      if (horizontal != GTK_POLICY_NEVER || !gtk_widget_compute_bounds (widget, above, &box))
        return;
      if (box.origin.x < -1 || box.origin.x + box.size.width > (float)gtk_widget_get_width (above) + 1)
        complain (self, where, "it is beyond the edge", text);
      if (GTK_IS_NATIVE (above))
        return;
    }
}

/* Cells have what is in the machine, and the window of tooltips what the last cell under the pointer had. Keys are called by
 * GTK, and the program's makers by their names. */
static gboolean
is_looked_at (GtkWidget *widget)
{
  return !FP_IS_CELL (widget) && !GTK_IS_SHORTCUT_LABEL (widget) && !GTK_IS_WINDOW_CONTROLS (widget) &&
         !g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow");
}

static void
check_tree (Fixture *self,
            const char *where,
            GtkWidget *widget)
{
  if (!is_looked_at (widget))
    return;
  check_texts (self, where, widget);
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) && *gtk_label_get_text (GTK_LABEL (widget)))
    {
      self->n_places++;
      check_shape (self, where, GTK_LABEL (widget));
      check_place (self, where, widget, gtk_label_get_text (GTK_LABEL (widget)));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    check_tree (self, where, child);
}

static void
await (gboolean (*is_so) (gpointer data),
       gpointer data)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (!is_so (data) && g_get_monotonic_time () < end)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (2000);
  g_assert_true (is_so (data));
}

static void
idle_cb (gpointer is_idle)
{
  *(gboolean *)is_idle = TRUE;
}

/* What has its place may scroll or change once more, when nothing else is to be done. */
static void
settle (GtkWidget *window)
{
  gboolean is_idle = FALSE;

  widget_probe_await_frame (window);
  g_idle_add_once (idle_cb, &is_idle);
  while (!is_idle)
    g_main_context_iteration (NULL, TRUE);
  widget_probe_await_frame (window);
}

/* When there is more or less room, columns come and go in several frames, and until then the header and the rows differ. */
static void
settle_columns (FpWindow *window)
{
  for (guint i = 0; i < COLUMN_ROUNDS; i++)
    settle (GTK_WIDGET (window));
}

static void
check_row (const char *where,
           GtkWidget *header,
           GtkWidget *row)
{
  GtkWidget *title = gtk_widget_get_first_child (header), *cell = gtk_widget_get_first_child (row);

  for (; title && cell; title = gtk_widget_get_next_sibling (title), cell = gtk_widget_get_next_sibling (cell))
    {
      graphene_rect_t above, below;

      if (!gtk_widget_get_mapped (title))
        continue;
      g_assert_true (gtk_widget_compute_bounds (title, header, &above) && gtk_widget_compute_bounds (cell, header, &below));
      if (ABS (above.origin.x - below.origin.x) > 1 || ABS (above.size.width - below.size.width) > 1)
        g_error ("%s: a column’s title is at %d and has %d, and its cell is at %d and has %d", where, (int)above.origin.x,
                 (int)above.size.width, (int)below.origin.x, (int)below.size.width);
    }
}

/* Titles stand above their cells. */
static void
check_columns (const char *where,
               GtkWidget *widget)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_COLUMN_VIEW (widget))
    {
      GtkWidget *header = gtk_widget_get_first_child (widget), *list = gtk_widget_get_next_sibling (header);
      GtkWidget *row = gtk_widget_get_first_child (list);

      if (row && gtk_widget_get_mapped (row))
        check_row (where, header, row);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    check_columns (where, child);
}

static void
check (Fixture *self,
       const char *where,
       GtkWidget *window)
{
  g_autofree char *name = g_strdup_printf ("language-%s-%s.png", self->look->name, where);
  g_autofree char *picture = g_build_filename (g_getenv ("FOOTPRINT_PICTURES"), name, NULL);
  g_autoptr (GError) error = NULL;
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mkdir_with_parents (g_getenv ("FOOTPRINT_PICTURES"), 0755);
  /* A window that is new is painted some frames later. */
  if (FP_IS_WINDOW (window))
    settle_columns (FP_WINDOW (window));
  else
    settle (window);
  while (!fp_screenshot_save (window, picture, &error) && g_get_monotonic_time () < end)
    {
      g_clear_error (&error);
      widget_probe_await_frame (window);
    }
  g_assert_no_error (error);
  check_tree (self, where, window);
  check_columns (where, window);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static gboolean
is_unmapped (gpointer widget)
{
  return !gtk_widget_get_mapped (widget);
}

static void
check_popover (Fixture *self,
               const char *where,
               GtkWidget *popover)
{
  await (is_mapped, popover);
  check (self, where, popover);
  gtk_popover_popdown (GTK_POPOVER (popover));
  await (is_unmapped, popover);
}

static void
find_mapped (GtkWidget *widget,
             GType type,
             GPtrArray *found)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    g_ptr_array_add (found, widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    find_mapped (child, type, found);
}

/* Opens each menu of the window and each list of choices. */
static void
check_menus (Fixture *self,
             const char *where,
             GtkWidget *window)
{
  g_autoptr (GPtrArray) buttons = g_ptr_array_new (), choices = g_ptr_array_new ();

  find_mapped (window, GTK_TYPE_MENU_BUTTON, buttons);
  for (guint i = 0; i < buttons->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-menu-%u", where, i);

      if (!gtk_widget_is_sensitive (buttons->pdata[i]))
        continue;
      gtk_menu_button_popup (buttons->pdata[i]);
      check_popover (self, name, GTK_WIDGET (gtk_menu_button_get_popover (buttons->pdata[i])));
    }
  find_mapped (window, GTK_TYPE_DROP_DOWN, choices);
  for (guint i = 0; i < choices->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-choice-%u", where, i);

      g_signal_emit_by_name (choices->pdata[i], "activate");
      check_popover (self, name, widget_probe_find (choices->pdata[i], GTK_TYPE_POPOVER));
    }
}

static gboolean
has_rows (gpointer window)
{
  GtkWidget *view;
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  find_mapped (window, FP_TYPE_TABLE_VIEW, found);
  view = found->len > 0 ? found->pdata[0] : NULL;
  return view && g_list_model_get_n_items (G_LIST_MODEL (fp_table_view_get_table (FP_TABLE_VIEW (view)))) > 0;
}

static gboolean
is_system_shown (gpointer window)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  find_mapped (window, GTK_TYPE_LIST_BOX_ROW, found);
  return found->len > 5;
}

/* Opens the menu of the first row. */
static void
check_row_menu (Fixture *self,
                const char *where,
                GtkWidget *window)
{
  g_autofree char *name = g_strdup_printf ("%s-row", where);
  g_autoptr (GPtrArray) tables = g_ptr_array_new (), popovers = g_ptr_array_new ();

  find_mapped (window, FP_TYPE_TABLE_VIEW, tables);
  g_signal_emit_by_name (tables->pdata[0], "menu-requested", 0, &(GdkRectangle){ 20, 40, 1, 1 });
  find_mapped (window, GTK_TYPE_POPOVER_MENU, popovers);
  g_assert_cmpuint (popovers->len, ==, 1);
  check_popover (self, name, popovers->pdata[0]);
}

static void
check_views (Fixture *self,
             const char *name,
             FpWindow *window,
             const char *const *views)
{
  for (; *views; views++)
    {
      g_autofree char *where = g_strdup_printf ("%s-%s", name, *views);

      g_assert_true (fp_window_show_view (window, *views));
      await (g_str_equal (*views, "system") ? is_system_shown : has_rows, window);
      check (self, where, GTK_WIDGET (window));
      check_menus (self, where, GTK_WIDGET (window));
      if (!g_str_equal (*views, "system"))
        check_row_menu (self, where, GTK_WIDGET (window));
    }
}

static GtkWindow *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type))
        return window;
    }
  return NULL;
}

static void
close_window (gpointer window)
{
  GObject *object = window;

  g_object_add_weak_pointer (object, &window);
  gtk_window_destroy (GTK_WINDOW (object));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  if (window)
    g_object_remove_weak_pointer (object, &window);
}

static gboolean
has_window (gpointer data)
{
  return gtk_application_get_active_window (GTK_APPLICATION (application)) != NULL;
}

/* The file is opened as from a file manager. */
static FpWindow *
open_file (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GtkWindow *window;

  g_application_open (G_APPLICATION (application), &file, 1, "");
  await (has_window, NULL);
  window = gtk_application_get_active_window (GTK_APPLICATION (application));
  await (is_mapped, window);
  return (FpWindow *)window;
}

static GSettings *
make_settings (void)
{
  GSettings *settings = g_settings_new (FP_APP_ID);

  g_settings_reset (settings, "detail-page");
  g_settings_reset (settings, "window-width");
  g_settings_set_boolean (settings, "show-detail-pane", TRUE);
  return settings;
}

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->look = data;
  self->problems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->given = made_language_new ();
  /* The menu has the files that other tests have opened. */
  made_language_add_words (self->given, "files-1.footprint plain-1.footprint known.heaptrack");
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  g_assert_cmpuint (self->n_places, >, 20);
  if (*self->look->language)
    g_assert_cmpuint (self->n_texts, >, 40);
  /* The other cases are worth seeing, too. */
  if (g_hash_table_size (self->problems) > 0)
    g_test_fail ();
  g_hash_table_unref (self->problems);
  made_language_free (self->given);
}

/* A snapshot with all lists. */
static void
test_views (Fixture *self,
            gconstpointer data)
{
  static const char *const views[] = { "system", "processes", "users", "files", NULL };
  g_autofree char *path = g_build_filename (g_getenv ("UI_FIXTURES"), "saved", "files-1.footprint", NULL);
  g_autoptr (GSettings) settings = make_settings ();
  FpWindow *window;

  made_language_add_names (self->given, (const char *const[]){ "--open", path, NULL });
  made_language_add_names (self->given, (const char *const[]){ "--open", path, "--by=file", NULL });
  window = open_file (path);
  check_views (self, "saved", window, views);
  close_window (window);
}

/* The details of a process, a machine that is measured now, and the marks of changes */
static void
test_details (Fixture *self,
              gconstpointer data)
{
  static const char *const views[] = { "system", "processes", NULL }, *const pages[] = { "mappings", "overview" };
  g_autofree char *proc = g_build_filename (g_getenv ("UI_FIXTURES"), "desktop", "proc", NULL);
  g_autoptr (GSettings) settings = make_settings ();
  g_autoptr (FpSource) source = fp_local_source_new (proc);
  FpWindow *window;

  /* The list stays beside the details. */
  g_settings_set_int (settings, "window-width", 1900);
  window = fp_window_new (GTK_APPLICATION (application), settings, source);

  made_language_add_names (self->given, (const char *const[]){ "--proc", proc, NULL });
  made_language_add_names (self->given, (const char *const[]){ "--proc", proc, "--mappings", "--pid=" G_STRINGIFY (LISTED), NULL });
  fp_window_show_details (window, LISTED);
  gtk_window_present (GTK_WINDOW (window));
  fp_window_show_view (window, "processes");
  await (has_rows, window);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *where = g_strdup_printf ("details-%s", pages[i]);

      g_settings_set_string (settings, "detail-page", pages[i]);
      settle_columns (window);
      check (self, where, GTK_WIDGET (window));
      check_menus (self, where, GTK_WIDGET (window));
    }
  gtk_widget_activate_action (GTK_WIDGET (window), "win.mark", NULL);
  settle_columns (window);
  check_views (self, "marked", window, views);
  fp_window_search (window, "no such thing");
  check (self, "nothing-found", GTK_WIDGET (window));
  close_window (window);
}

static void
check_dialog (Fixture *self,
              const char *action,
              GVariant *parameter,
              GType type)
{
  GtkWindow *dialog;

  g_action_group_activate_action (G_ACTION_GROUP (application), action, parameter);
  dialog = find_window (type);
  g_assert_nonnull (dialog);
  await (is_mapped, dialog);
  check (self, g_type_name (type), GTK_WIDGET (dialog));
  close_window (dialog);
}

static void
test_dialogs (Fixture *self,
              gconstpointer data)
{
  static const char *const pages[] = { "start", "unlock" };
  g_autofree char *path = g_build_filename (g_getenv ("UI_FIXTURES"), "saved", "plain-1.footprint", NULL);
  g_autoptr (GSettings) settings = make_settings ();
  GtkWidget *window = GTK_WIDGET (open_file (path));
  GtkWindow *shortcuts;

  check_dialog (self, "preferences", NULL, FP_TYPE_PREFERENCES);
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    check_dialog (self, "help", g_variant_new_string (pages[i]), FP_TYPE_HELP_WINDOW);
  self->is_foreign = TRUE;
  check_dialog (self, "about", NULL, ADW_TYPE_ABOUT_WINDOW);
  self->is_foreign = FALSE;
  gtk_widget_activate_action (window, "win.show-help-overlay", NULL);
  shortcuts = GTK_WINDOW (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (window)));
  await (is_mapped, shortcuts);
  check (self, "shortcuts", GTK_WIDGET (shortcuts));
  gtk_window_close (shortcuts);
  close_window (window);
}

static void
select_rows (GtkWidget *window,
             guint first,
             guint n)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();

  find_mapped (window, FP_TYPE_TABLE_VIEW, tables);
  gtk_selection_model_select_range (GTK_SELECTION_MODEL (fp_table_view_get_table (tables->pdata[0])), first, n, TRUE);
}

/* Opens the question before processes are ended, and does not answer it. */
static void
check_question (Fixture *self,
                GtkWidget *window,
                const char *action)
{
  g_autoptr (GPtrArray) tables = g_ptr_array_new ();
  GtkWindow *dialog;

  find_mapped (window, FP_TYPE_TABLE_VIEW, tables);
  gtk_widget_activate_action (tables->pdata[0], action, NULL);
  dialog = find_window (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (dialog);
  await (is_mapped, dialog);
  check (self, action, GTK_WIDGET (dialog));
  close_window (dialog);
}

/* The kernel's groups and one of them in the details, users of whom the kernel counts more, and questions about processes that
 * exist nowhere */
static void
test_groups (Fixture *self,
             gconstpointer data)
{
  static const char *const views[] = { "groups", "users", NULL };
  g_autoptr (GSettings) settings = make_settings ();
  g_autoptr (FpSource) source = sample_source_new ("whole");
  g_autofree char *names = sample_source_list_names (), *isolated = fp_display_isolate ("root");
  FpWindow *window = fp_window_new (GTK_APPLICATION (application), settings, source);

  g_assert_cmpstr (isolated, ==, self->look->direction == GTK_TEXT_DIR_RTL ? "\u200f\u2068root\u2069" : "root");
  made_language_add_words (self->given, names);
  made_language_add_words (self->given, "anna root postgres sudo systemd gnome-builder Web Content /system.slice/render-worker.service");
  gtk_window_present (GTK_WINDOW (window));
  check_views (self, "counted", window, views);
  fp_window_show_view (window, "groups");
  await (has_rows, window);
  select_rows (GTK_WIDGET (window), 3, 1);
  check (self, "group", GTK_WIDGET (window));
  fp_window_show_view (window, "processes");
  await (has_rows, window);
  select_rows (GTK_WIDGET (window), 0, 1);
  check_question (self, GTK_WIDGET (window), "page.end");
  select_rows (GTK_WIDGET (window), 0, 3);
  check_question (self, GTK_WIDGET (window), "page.kill");
  close_window (window);
}

static gboolean
has_files (gpointer window)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  find_mapped (window, GTK_TYPE_LIST_BOX_ROW, found);
  return found->len >= 2;
}

static void
test_files (Fixture *self,
            gconstpointer data)
{
  static const FpTmpfs places[] = {
    { .path = (char *)"/tmp", .size = 1 << 30, .used = 314 << 20, .has_used = TRUE },
    { .path = (char *)"/tmp", .size = 1 << 30, .used = 314 << 20, .has_used = TRUE, .pid = LISTED },
  };
  const FpFormat format = { .memory_total = 1 << 30 };
  g_autoptr (FpSource) source = sample_source_new ("whole");

  made_language_add_words (self->given, "anna notes render/a rather long name of a film that is rendered in several parts.mkv /tmp");
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *where = g_strdup_printf ("tmpfs-%u", i);
      GtkWidget *window = fp_tmpfs_window_new (source, &places[i], "/tmp", &format);

      gtk_window_present (GTK_WINDOW (window));
      await (has_files, window);
      check (self, where, window);
      close_window (window);
    }
}

static gboolean
is_profile_shown (gpointer window)
{
  return has_rows (window);
}

static void
test_heap (Fixture *self,
           gconstpointer data)
{
  g_autofree char *path = heap_writer_save_known (g_get_user_runtime_dir (), "known.heaptrack");
  g_autoptr (GSettings) settings = make_settings ();
  GtkWidget *window = GTK_WIDGET (open_file (path));

  g_assert_true (FP_IS_HEAP_WINDOW (window));
  made_language_add_names (self->given, (const char *const[]){ "--heap", path, NULL });
  /* These two have nothing left where it ends, and are not in that list. */
  made_language_add_words (self->given, "main strdup");
  await (is_profile_shown, window);
  check (self, "heap", window);
  g_assert_cmpint (gtk_widget_get_width (window), <=, HEAP_WIDTH);
  check_menus (self, "heap", window);
  close_window (window);
}

static const Look *
find_look (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    if (g_str_equal (looks[i].name, g_getenv ("TEST_LOOK")))
      return &looks[i];
  g_assert_not_reached ();
}

static gboolean
enter_locale (const Look *look)
{
  if (look->locale)
    return g_setenv ("LC_ALL", look->locale, TRUE) && setlocale (LC_ALL, "");
  made_language_enter_locale ();
  return TRUE;
}

int
main (int argc,
      char *argv[])
{
  static const struct
  {
    const char *name;
    void (*test) (Fixture *self, gconstpointer data);
  } tests[] = { { "views", test_views }, { "details", test_details }, { "dialogs", test_dialogs }, { "heap", test_heap }, { "groups", test_groups }, { "files", test_files } };
  const Look *look = find_look ();

  g_setenv ("GTK_A11Y", "test", TRUE);
  g_setenv ("LANGUAGE", look->language, TRUE);
  if (!enter_locale (look))
    {
      g_print ("1..0 # SKIP the sources of the locale %s are missing here (Debian package locales)\n", look->locale);
      return 0;
    }
  bindtextdomain (FP_GETTEXT_DOMAIN, g_getenv (look->locale ? "TEXTDOMAINDIR" : "TEST_LOCALES"));
  bind_textdomain_codeset (FP_GETTEXT_DOMAIN, "UTF-8");
  textdomain (FP_GETTEXT_DOMAIN);
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  gtk_widget_set_default_direction (look->direction);
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int)(DPI * look->scale), NULL);
  application = fp_application_new ();
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strdup_printf ("/languages/%s/%s", look->name, tests[i].name);

      g_test_add (path, Fixture, look, set_up, tests[i].test, tear_down);
    }
  return g_test_run ();
}
