// SPDX-License-Identifier: GPL-3.0-or-later
/* The pages of the help, inside of the program: each link leads to one, a search finds them, and all of their text is shown. */
#include <string.h>

#include "fp-bar.h"
#include "fp-help-page.h"
#include "fp-help-window.h"
#include "widget-probe.h"

#define RESOURCE "/io/github/footprint_app/Footprint/fp-help-window.ui"

typedef struct
{
  FpHelpWindow *window;
  GtkStack *pages;
  guint n_links;
  guint n_rows;
} Fixture;

static void
set_up (Fixture *self,
        gconstpointer data)
{
  self->window = fp_help_window_new (NULL);
  self->pages = GTK_STACK (widget_probe_find (GTK_WIDGET (self->window), GTK_TYPE_STACK));
}

static void
tear_down (Fixture *self,
           gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static FpHelpPage *
find_page (Fixture *self,
           const char *name)
{
  GtkWidget *page = gtk_stack_get_child_by_name (self->pages, name);

  if (!page)
    g_error ("there is no page “%s”", name);
  return FP_HELP_PAGE (page);
}

static void
check_links (Fixture *self,
             GtkWidget *root)
{
  if (ADW_IS_ACTION_ROW (root))
    {
      const char *target = g_object_get_data (G_OBJECT (root), "page");
      const char *title = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root));

      self->n_rows++;
      g_assert_cmpstr (title, !=, "");
      if (target)
        {
          FpHelpPage *page = find_page (self, target);

          self->n_links++;
          g_assert_cmpstr (gtk_stack_page_get_title (gtk_stack_get_page (self->pages, GTK_WIDGET (page))), ==, title);
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    check_links (self, child);
}

/* A row that leads to a page is called as the page is. */
static void
test_links (Fixture *self,
            gconstpointer data)
{
  check_links (self, GTK_WIDGET (self->pages));
  g_assert_cmpuint (self->n_links, >, 20);
  g_assert_cmpuint (self->n_rows, >, self->n_links + 20);
}

static guint
count_texts (GtkWidget *root)
{
  guint n = GTK_IS_LABEL (root) && (gtk_label_get_selectable (GTK_LABEL (root)) ||
                                    gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (root)) == GTK_ACCESSIBLE_ROLE_HEADING);

  for (GtkWidget *child = gtk_widget_get_first_child (root); child; child = gtk_widget_get_next_sibling (child))
    n += count_texts (child);
  return n;
}

static guint
count_elements (const char *text,
                const char *element)
{
  guint n = 0;

  for (const char *at = strstr (text, element); at; at = strstr (at + 1, element))
    n++;
  return n;
}

static void
test_texts (Fixture *self,
            gconstpointer data)
{
  g_autoptr (GBytes) file = g_resources_lookup_data (RESOURCE, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  const char *text = g_bytes_get_data (file, NULL);

  g_assert_cmpuint (count_texts (GTK_WIDGET (self->pages)), ==, count_elements (text, "<paragraph ") + count_elements (text, "<heading "));
  check_links (self, GTK_WIDGET (self->pages));
  g_assert_cmpuint (self->n_rows, ==, count_elements (text, "<row>") + count_elements (text, "<row "));
  g_assert_nonnull (widget_probe_find (GTK_WIDGET (find_page (self, "memory")), FP_TYPE_BAR));
}

static guint
count_found (Fixture *self,
             const char *words)
{
  guint n = 0;

  for (GtkWidget *page = gtk_widget_get_first_child (GTK_WIDGET (self->pages)); page; page = gtk_widget_get_next_sibling (page))
    n += fp_help_page_contains (FP_HELP_PAGE (page), words);
  return n;
}

/* All words, in any order and case; those of a title, too, and not those of a row that leads elsewhere. */
static void
test_search (Fixture *self,
             gconstpointer data)
{
  g_assert_true (fp_help_page_contains (find_page (self, "unlock"), "password ADMINISTRATOR"));
  g_assert_true (fp_help_page_contains (find_page (self, "others"), "something else"));
  g_assert_true (fp_help_page_contains (find_page (self, "unknown"), "≤"));
  g_assert_false (fp_help_page_contains (find_page (self, "start"), "unlock"));
  g_assert_false (fp_help_page_contains (find_page (self, "unlock"), "password zram"));
  g_assert_cmpuint (count_found (self, ""), >=, 10);
  g_assert_cmpuint (count_found (self, "zram"), ==, 2);
  g_assert_cmpuint (count_found (self, "no such word"), ==, 0);
}

static void
test_show (Fixture *self,
           gconstpointer data)
{
  fp_help_window_show (self->window, "swap");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (self->pages), ==, "swap");
  fp_help_window_show (self->window, "nowhere");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (self->pages), ==, "swap");
  fp_help_window_show (self->window, "start");
  g_assert_cmpstr (gtk_stack_get_visible_child_name (self->pages), ==, "start");
}

/* A page that was scrolled is read from its top the next time. */
static void
test_begin (Fixture *self,
            gconstpointer data)
{
  GtkWidget *scroller = widget_probe_find (GTK_WIDGET (find_page (self, "swap")), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  for (guint i = 0; i < 2; i++)
    {
      fp_help_window_show (self->window, i == 0 ? "swap" : "start");
      gtk_adjustment_configure (adjustment, 500, 0, 1000, 10, 100, 200);
      fp_help_window_show (self->window, "swap");
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), <, 1);
    }
}

int
main (int argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_test_add ("/help-pages/links", Fixture, NULL, set_up, test_links, tear_down);
  g_test_add ("/help-pages/texts", Fixture, NULL, set_up, test_texts, tear_down);
  g_test_add ("/help-pages/search", Fixture, NULL, set_up, test_search, tear_down);
  g_test_add ("/help-pages/show", Fixture, NULL, set_up, test_show, tear_down);
  g_test_add ("/help-pages/begin", Fixture, NULL, set_up, test_begin, tear_down);
  return g_test_run ();
}
