// SPDX-License-Identifier: GPL-3.0-or-later
/* A window with one of everything that the driver drives. */
#include <adwaita.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdlib.h>

#define N_ROWS 300

typedef struct
{
  AdwApplication *application;
  GtkWidget *window, *search, *said, *view, *level;
  GtkCustomFilter *filter;
  guint n_clicks;
} Sample;

static const char *const words[] = { "apple", "birch", "cedar", "daisy", "elder" };

static void
say (Sample *self,
     const char *format,
     ...) G_GNUC_PRINTF (2, 3);

static void
say (Sample *self,
     const char *format,
     ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  gtk_label_set_text (GTK_LABEL (self->said), text);
}

static void
get_cell (gpointer object,
          guint column,
          char *text,
          gsize size)
{
  guint n = (guint)atoi (gtk_string_object_get_string (object));

  if (column == 0)
    g_snprintf (text, size, "row %u", n);
  else if (column == 1)
    g_snprintf (text, size, "%u", n * 7919 % N_ROWS);
  else
    g_strlcpy (text, words[n % G_N_ELEMENTS (words)], size);
}

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer column)
{
  char texts[2][32];

  get_cell ((gpointer)a, GPOINTER_TO_UINT (column), texts[0], sizeof texts[0]);
  get_cell ((gpointer)b, GPOINTER_TO_UINT (column), texts[1], sizeof texts[1]);
  return GPOINTER_TO_UINT (column) == 1 ? atoi (texts[0]) - atoi (texts[1]) : g_strcmp0 (texts[0], texts[1]);
}

static gboolean
is_wanted (gpointer object,
           gpointer user_data)
{
  Sample *self = user_data;
  char text[32];

  for (guint i = 0; i < 3; i++)
    {
      get_cell (object, i, text, sizeof text);
      if (strstr (text, gtk_editable_get_text (GTK_EDITABLE (self->search))))
        return TRUE;
    }
  return FALSE;
}

static void
setup_cb (GtkListItemFactory *factory,
          GtkListItem *item)
{
  gtk_list_item_set_child (item, gtk_inscription_new (NULL));
}

static void
bind_cb (GtkListItemFactory *factory,
         GtkListItem *item,
         gpointer column)
{
  char text[32];

  get_cell (gtk_list_item_get_item (item), GPOINTER_TO_UINT (column), text, sizeof text);
  gtk_inscription_set_text (GTK_INSCRIPTION (gtk_list_item_get_child (item)), text);
}

static void
append_column (Sample *self,
               const char *title,
               guint number)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (title, factory);
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (number), NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (number));
  gtk_column_view_column_set_sorter (column, sorter);
  gtk_column_view_column_set_fixed_width (column, 200);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
}

/* GTK 4.8 keeps the top row on top through a new order, wherever it goes. */
static gboolean
scroll_to_top_cb (gpointer user_data)
{
  GtkWidget *child = gtk_widget_get_first_child (user_data);

  while (child && !GTK_IS_LIST_VIEW (child))
    child = gtk_widget_get_next_sibling (child);
  if (child)
    gtk_widget_activate_action (child, "list.scroll-to-item", "u", 0);
  return G_SOURCE_REMOVE;
}

static void
sorter_changed_cb (GtkSorter *sorter,
                   GtkSorterChange change,
                   Sample *self)
{
  if (gtk_widget_get_mapped (self->view))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, scroll_to_top_cb, g_object_ref (self->view), g_object_unref);
}

static void
activate_row_cb (GtkColumnView *view,
                 guint position,
                 Sample *self)
{
  char text[32];
  g_autoptr (GObject) object = g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (view)), position);

  get_cell (object, 0, text, sizeof text);
  say (self, "Activated %s", text);
}

static GtkWidget *
make_view (Sample *self)
{
  g_autoptr (GtkStringList) rows = gtk_string_list_new (NULL);
  GtkSortListModel *sorted;
  GtkFilterListModel *filtered;
  g_autoptr (GtkSelectionModel) selection = NULL;

  for (guint i = 0; i < N_ROWS; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);

      gtk_string_list_append (rows, number);
    }
  self->view = gtk_column_view_new (NULL);
  for (guint i = 0; i < 3; i++)
    append_column (self, ((const char *[]){ "Name", "Number", "Word" })[i], i);
  self->filter = gtk_custom_filter_new (is_wanted, self, NULL);
  filtered = gtk_filter_list_model_new (G_LIST_MODEL (g_steal_pointer (&rows)), GTK_FILTER (self->filter));
  sorted = gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (G_LIST_MODEL (sorted)));
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), selection);
  g_signal_connect (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)), "changed", G_CALLBACK (sorter_changed_cb), self);
  g_signal_connect (self->view, "activate", G_CALLBACK (activate_row_cb), self);
  return self->view;
}

static void
search_changed_cb (GtkSearchEntry *entry,
                   Sample *self)
{
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static void
clicked_cb (GtkButton *button,
            Sample *self)
{
  say (self, "Clicked %u times", ++self->n_clicks);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (self->level), self->n_clicks / 10.0);
}

static void
right_click_cb (GtkGestureClick *gesture,
                int n_press,
                double x,
                double y,
                Sample *self)
{
  gboolean is_shift = (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_SHIFT_MASK) != 0;

  say (self, "Right click%s", is_shift ? " with shift" : "");
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint key,
        guint code,
        GdkModifierType state,
        Sample *self)
{
  g_autofree char *name = gtk_accelerator_name (key, state & GDK_MODIFIER_MASK);

  if (g_str_has_prefix (name, "<"))
    say (self, "Key %s", name);
  return FALSE;
}

static void
surface_state_cb (GdkToplevel *surface,
                  GParamSpec *pspec,
                  Sample *self)
{
  if (gdk_toplevel_get_state (surface) & GDK_TOPLEVEL_STATE_MINIMIZED)
    say (self, "Minimized");
  else if (g_str_equal (gtk_label_get_text (GTK_LABEL (self->said)), "Minimized"))
    say (self, "Shown again");
}

static void
action_cb (GSimpleAction *action,
           GVariant *parameter,
           gpointer user_data)
{
  Sample *self = user_data;
  const char *name = g_action_get_name (G_ACTION (action));

  if (g_str_equal (name, "find"))
    gtk_widget_grab_focus (self->search);
  else if (g_str_equal (name, "warn"))
    g_warning ("as it was told");
  else if (g_str_equal (name, "crash"))
    raise (SIGSEGV);
  else if (g_str_equal (name, "leak"))
    strcpy (g_malloc (77), "lost");
  else
    {
      GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self->window), "Really?", "Nothing will happen.");

      adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "no", "_No", "yes", "_Yes", NULL);
      g_signal_connect_swapped (dialog, "response::yes", G_CALLBACK (gtk_label_set_text), self->said);
      gtk_window_present (GTK_WINDOW (dialog));
    }
}

static GtkWidget *
make_bar (Sample *self)
{
  GtkWidget *bar = adw_header_bar_new ();
  GtkWidget *button = gtk_button_new_with_label ("Count");
  GtkWidget *menu_button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (guint i = 0; i < 4; i++)
    g_menu_append (menu, ((const char *[]){ "Warn", "Crash", "Leak", "Ask" })[i],
                   ((const char *[]){ "app.warn", "app.crash", "app.leak", "app.ask" })[i]);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (menu_button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (menu_button, "Main menu");
  gtk_accessible_update_property (GTK_ACCESSIBLE (menu_button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Main menu", -1);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), self);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), button);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), menu_button);
  return bar;
}

static GtkWidget *
make_content (Sample *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *caption = gtk_label_new ("Look for");
  GtkGesture *click = gtk_gesture_click_new ();

  self->search = gtk_search_entry_new ();
  self->said = gtk_label_new ("Nothing yet");
  self->level = gtk_level_bar_new ();
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_RELATION_LABELLED_BY, caption, NULL, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->level), GTK_ACCESSIBLE_PROPERTY_LABEL, "Clicks",
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "of ten", -1);
  g_signal_connect (self->search, "search-changed", G_CALLBACK (search_changed_cb), self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), make_view (self));
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (self->view, GTK_EVENT_CONTROLLER (click));
  gtk_box_append (GTK_BOX (box), make_bar (self));
  gtk_box_append (GTK_BOX (box), caption);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), self->said);
  gtk_box_append (GTK_BOX (box), self->level);
  gtk_box_append (GTK_BOX (box), gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 10, 1));
  gtk_box_append (GTK_BOX (box), scroller);
  return box;
}

static void
activate_cb (GApplication *application,
             Sample *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->window = adw_application_window_new (GTK_APPLICATION (application));
  gtk_window_set_title (GTK_WINDOW (self->window), "Sample");
  gtk_window_set_default_size (GTK_WINDOW (self->window), 700, 640);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self->window), make_content (self));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_widget_add_controller (self->window, keys);
  gtk_window_set_focus (GTK_WINDOW (self->window), self->search);
  gtk_window_present (GTK_WINDOW (self->window));
  g_signal_connect (gtk_native_get_surface (GTK_NATIVE (self->window)), "notify::state", G_CALLBACK (surface_state_cb), self);
}

static gboolean
terminate_cb (gpointer user_data)
{
  Sample *self = user_data;

  gtk_window_destroy (GTK_WINDOW (self->window));
  return G_SOURCE_CONTINUE;
}

int
main (int argc,
      char **argv)
{
  static const GActionEntry actions[] = {
    { .name = "find", .activate = action_cb },
    { .name = "warn", .activate = action_cb },
    { .name = "crash", .activate = action_cb },
    { .name = "leak", .activate = action_cb },
    { .name = "ask", .activate = action_cb },
  };
  Sample self = { 0 };
  int status;

  self.application = adw_application_new ("io.github.footprint_app.Sample", G_APPLICATION_NON_UNIQUE);
  g_action_map_add_action_entries (G_ACTION_MAP (self.application), actions, G_N_ELEMENTS (actions), &self);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self.application), "app.find", (const char *[]){ "<Control>f", NULL });
  g_signal_connect (self.application, "activate", G_CALLBACK (activate_cb), &self);
  g_unix_signal_add (SIGTERM, terminate_cb, &self);
  status = g_application_run (G_APPLICATION (self.application), argc, argv);
  g_object_unref (self.application);
  return status;
}
