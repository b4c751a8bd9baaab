// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-help-diagram.h"
#include "fp-help-page.h"
#include "fp-help-window.h"

#define TOPIC_MARGIN 4 /* so that titles of two lines are apart */

struct _FpHelpWindow
{
  AdwWindow parent;

  /* Template widgets */
  AdwLeaflet *leaflet;
  GtkWidget *topics_view;
  GtkWidget *page_view;
  GtkSearchEntry *search_entry;
  GtkListBox *topics; /* a row for each page of the stack, in its order */
  AdwWindowTitle *page_title;
  GtkStack *pages;
};

G_DEFINE_FINAL_TYPE (FpHelpWindow, fp_help_window, ADW_TYPE_WINDOW)

/* The rows have the order of the pages. */
static GtkWidget *
get_page (FpHelpWindow *self,
          GtkListBoxRow *row)
{
  GtkWidget *page = gtk_widget_get_first_child (GTK_WIDGET (self->pages));

  for (int i = gtk_list_box_row_get_index (row); i > 0; i--)
    page = gtk_widget_get_next_sibling (page);
  return page;
}

static gboolean
is_found (GtkListBoxRow *row,
          gpointer data)
{
  FpHelpWindow *self = data;

  return fp_help_page_contains (FP_HELP_PAGE (get_page (self, row)), gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
add_topics (FpHelpWindow *self)
{
  for (GtkWidget *page = gtk_widget_get_first_child (GTK_WIDGET (self->pages)); page; page = gtk_widget_get_next_sibling (page))
    {
      const char *title = gtk_stack_page_get_title (gtk_stack_get_page (self->pages, page));
      GtkWidget *label = gtk_label_new (title), *row = gtk_list_box_row_new ();

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_widget_set_margin_top (label, TOPIC_MARGIN);
      gtk_widget_set_margin_bottom (label, TOPIC_MARGIN);
      gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
      gtk_list_box_append (self->topics, row);
      fp_help_page_add_words (FP_HELP_PAGE (page), title);
    }
  gtk_list_box_set_filter_func (self->topics, is_found, self, NULL);
}

static GtkListBoxRow *
find_first_shown (FpHelpWindow *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->topics, i)); i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

static void
selected_cb (FpHelpWindow *self,
             GtkListBoxRow *row)
{
  GtkWidget *page = row ? get_page (self, row) : NULL;

  if (!page)
    return;
  fp_help_page_begin (FP_HELP_PAGE (page));
  gtk_stack_set_visible_child (self->pages, page);
  adw_window_title_set_title (self->page_title, gtk_stack_page_get_title (gtk_stack_get_page (self->pages, page)));
}

static void
show_page_view (FpHelpWindow *self)
{
  adw_leaflet_set_visible_child (self->leaflet, self->page_view);
}

static void
searched_cb (FpHelpWindow *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->topics);

  gtk_list_box_invalidate_filter (self->topics);
  if (!row || !gtk_widget_get_child_visible (GTK_WIDGET (row)))
    gtk_list_box_select_row (self->topics, find_first_shown (self));
}

/* The first topic that was found is selected already. */
static void
search_entered_cb (FpHelpWindow *self)
{
  if (gtk_list_box_get_selected_row (self->topics))
    show_page_view (self);
}

static void
search_stopped_cb (FpHelpWindow *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search_entry)))
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

static void
show_cb (GtkWidget *widget,
         const char *name,
         GVariant *page)
{
  fp_help_window_show (FP_HELP_WINDOW (widget), g_variant_get_string (page, NULL));
}

static void
search_cb (GtkWidget *widget,
           const char *name,
           GVariant *parameter)
{
  FpHelpWindow *self = FP_HELP_WINDOW (widget);

  adw_leaflet_set_visible_child (self->leaflet, self->topics_view);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
read_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  FpHelpWindow *self = FP_HELP_WINDOW (widget);

  show_page_view (self);
  gtk_widget_child_focus (GTK_WIDGET (self->pages), GTK_DIR_TAB_FORWARD);
}

static void
back_cb (GtkWidget *widget,
         const char *name,
         GVariant *parameter)
{
  adw_leaflet_set_visible_child (FP_HELP_WINDOW (widget)->leaflet, FP_HELP_WINDOW (widget)->topics_view);
}

static void
fp_help_window_class_init (FpHelpWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_type_ensure (FP_TYPE_HELP_DIAGRAM);
  g_type_ensure (FP_TYPE_HELP_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-help-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, topics_view);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, page_view);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, topics);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, page_title);
  gtk_widget_class_bind_template_child (widget_class, FpHelpWindow, pages);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_page_view);
  gtk_widget_class_bind_template_callback (widget_class, searched_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_entered_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_stopped_cb);
  gtk_widget_class_install_action (widget_class, "help.show", "s", show_cb);
  gtk_widget_class_install_action (widget_class, "help.search", NULL, search_cb);
  gtk_widget_class_install_action (widget_class, "help.read", NULL, read_cb);
  gtk_widget_class_install_action (widget_class, "help.back", NULL, back_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "help.search", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "help.back", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fp_help_window_init (FpHelpWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_topics (self);
}

FpHelpWindow *
fp_help_window_new (GtkApplication *application)
{
  return g_object_new (FP_TYPE_HELP_WINDOW, "application", application, NULL);
}

/* A page that is not found leaves the one that is shown. */
void
fp_help_window_show (FpHelpWindow *self,
                     const char *page)
{
  GtkWidget *found;
  GtkListBoxRow *row;

  g_return_if_fail (FP_IS_HELP_WINDOW (self));

  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  gtk_list_box_invalidate_filter (self->topics);
  found = gtk_stack_get_child_by_name (self->pages, page);
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->topics, i)); i++)
    if (get_page (self, row) == found)
      {
        fp_help_page_begin (FP_HELP_PAGE (found));
        gtk_list_box_select_row (self->topics, row);
        gtk_widget_grab_focus (GTK_WIDGET (row));
        show_page_view (self);
      }
}
