// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <langinfo.h>

#include "fp-figure.h"
#include "fp-help-page.h"

struct _FpHelpPage
{
  AdwBin parent;

  /* Template widgets */
  GtkScrolledWindow *scroller;
  GtkWidget *content;

  GtkWidget *rows; /* the list that the next row joins; NULL after a text */
  GString *words;  /* all texts, as they are searched */
};

/* An element of the page, until it is closed. */
typedef struct
{
  char *link;     /* NULL: it leads nowhere */
  char *texts[3]; /* by Part */
  GString *text;  /* of the part that is open */
  gboolean is_translatable;
} Element;

typedef enum
{
  PART_NAME, /* what is not in a part of its own, too */
  PART_FIGURE,
  PART_TEXT,
} Part;

static GtkBuildableIface *parent_buildable;

static gboolean
is_own (const char *element)
{
  static const char *const names[] = { "paragraph", "heading", "row", NULL };

  return g_strv_contains (names, element);
}

static Part
find_part (const char *element)
{
  if (g_str_equal (element, "figure"))
    return PART_FIGURE;
  return g_str_equal (element, "text") ? PART_TEXT : PART_NAME;
}

static void
start_cb (GtkBuildableParseContext *context,
          const char *name,
          const char **attributes,
          const char **values,
          gpointer data,
          GError **error)
{
  Element *self = data;

  self->is_translatable = FALSE;
  g_string_truncate (self->text, 0);
  for (guint i = 0; attributes[i]; i++)
    if (g_str_equal (attributes[i], "translatable"))
      self->is_translatable = g_str_equal (values[i], "yes");
    else if (g_str_equal (attributes[i], "page"))
      self->link = g_strdup (values[i]);
}

static void
text_cb (GtkBuildableParseContext *context,
         const char *text,
         gsize length,
         gpointer data,
         GError **error)
{
  g_string_append_len (((Element *)data)->text, text, (gssize)length);
}

/* As the rest of the window writes it: "1,09 Gio" for "1.09 GiB". Free the text. */
static char *
make_local (const char *figure)
{
  static const char *const units[] = { "KiB", "MiB", "GiB" };
  GString *text = g_string_new (figure);

  g_string_replace (text, ".", nl_langinfo (RADIXCHAR), 0);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    g_string_replace (text, units[i], fp_figure_get_unit (i + 1), 0);
  return g_string_free (text, FALSE);
}

/* The blanks around the parts of a row belong to none of them. */
static void
end_cb (GtkBuildableParseContext *context,
        const char *name,
        gpointer data,
        GError **error)
{
  Element *self = data;
  char **text = &self->texts[find_part (name)];

  if (!*text && self->text->len > 0)
    *text = self->is_translatable ? g_strdup (_ (self->text->str)) : make_local (self->text->str);
  g_string_truncate (self->text, 0);
}

static const GtkBuildableParser parser = { .start_element = start_cb, .end_element = end_cb, .text = text_cb };

static gboolean
fp_help_page_custom_tag_start (GtkBuildable *buildable,
                               GtkBuilder *builder,
                               GObject *child,
                               const char *name,
                               GtkBuildableParser *out_parser,
                               gpointer *data)
{
  Element *element;

  if (!is_own (name))
    return parent_buildable->custom_tag_start (buildable, builder, child, name, out_parser, data);
  element = g_new0 (Element, 1);
  element->text = g_string_new (NULL);
  *out_parser = parser;
  *data = element;
  return TRUE;
}

/* A text that can be selected has the focus in turn, so that a screen reader reads one after another. */
static void
add_text (FpHelpPage *self,
          const char *text,
          gboolean is_heading)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "accessible-role",
                                   is_heading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL, "label", text, "wrap",
                                   TRUE, "xalign", 0.0, "selectable", !is_heading, NULL);

  if (is_heading)
    {
      gtk_widget_add_css_class (label, "heading");
      gtk_widget_set_margin_top (label, 12);
    }
  self->rows = NULL;
  gtk_box_append (GTK_BOX (self->content), label);
}

static void
activated_cb (FpHelpPage *self,
              GtkListBoxRow *row)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "help.show", "s", g_object_get_data (G_OBJECT (row), "page"));
}

static GtkWidget *
get_rows (FpHelpPage *self)
{
  if (self->rows)
    return self->rows;
  self->rows = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->rows), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->rows, "boxed-list");
  g_signal_connect_object (self->rows, "row-activated", G_CALLBACK (activated_cb), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->content), self->rows);
  return self->rows;
}

static GtkWidget *
make_suffix (const Element *element)
{
  GtkWidget *suffix;

  if (element->link)
    return gtk_image_new_from_icon_name ("go-next-symbolic");
  suffix = gtk_label_new (element->texts[PART_FIGURE]);
  gtk_widget_add_css_class (suffix, "numeric");
  return suffix;
}

static void
add_row (FpHelpPage *self,
         const Element *element)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), element->texts[PART_NAME]);
  if (element->texts[PART_TEXT])
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), element->texts[PART_TEXT]);
  if (element->link || element->texts[PART_FIGURE])
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), make_suffix (element));
  /* A screen reader has the title from the row itself. */
  if (element->texts[PART_FIGURE])
    gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, element->texts[PART_FIGURE], -1);
  if (element->link)
    {
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      g_object_set_data_full (G_OBJECT (row), "page", g_strdup (element->link), g_free);
    }
  gtk_list_box_append (GTK_LIST_BOX (get_rows (self)), row);
}

static void
free_element (Element *element)
{
  for (guint i = 0; i < G_N_ELEMENTS (element->texts); i++)
    g_free (element->texts[i]);
  g_free (element->link);
  g_string_free (element->text, TRUE);
  g_free (element);
}

static void
fp_help_page_custom_tag_end (GtkBuildable *buildable,
                             GtkBuilder *builder,
                             GObject *child,
                             const char *name,
                             gpointer data)
{
  FpHelpPage *self = FP_HELP_PAGE (buildable);
  Element *element = data;
  gboolean is_heading = g_str_equal (name, "heading");

  if (!is_own (name))
    {
      if (parent_buildable->custom_tag_end)
        parent_buildable->custom_tag_end (buildable, builder, child, name, data);
      return;
    }
  /* A search finds the page that a row leads to, and not the one that leads there. */
  for (guint i = 0; !element->link && i < G_N_ELEMENTS (element->texts); i++)
    if (element->texts[i])
      fp_help_page_add_words (self, element->texts[i]);
  if (is_heading || g_str_equal (name, "paragraph"))
    add_text (self, element->texts[PART_NAME], is_heading);
  else
    add_row (self, element);
  free_element (element);
}

static void
fp_help_page_custom_finished (GtkBuildable *buildable,
                              GtkBuilder *builder,
                              GObject *child,
                              const char *name,
                              gpointer data)
{
  if (!is_own (name))
    parent_buildable->custom_finished (buildable, builder, child, name, data);
}

/* The template's own child comes before there is any content. */
static void
fp_help_page_add_child (GtkBuildable *buildable,
                        GtkBuilder *builder,
                        GObject *child,
                        const char *type)
{
  FpHelpPage *self = FP_HELP_PAGE (buildable);

  if (!self->content)
    {
      parent_buildable->add_child (buildable, builder, child, type);
      return;
    }
  self->rows = NULL;
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (child));
}

static void
fp_help_page_buildable_init (GtkBuildableIface *iface)
{
  parent_buildable = g_type_interface_peek_parent (iface);
  iface->add_child = fp_help_page_add_child;
  iface->custom_tag_start = fp_help_page_custom_tag_start;
  iface->custom_tag_end = fp_help_page_custom_tag_end;
  iface->custom_finished = fp_help_page_custom_finished;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FpHelpPage,
                               fp_help_page,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_BUILDABLE, fp_help_page_buildable_init))

static void
fp_help_page_finalize (GObject *object)
{
  g_string_free (FP_HELP_PAGE (object)->words, TRUE);

  G_OBJECT_CLASS (fp_help_page_parent_class)->finalize (object);
}

static void
fp_help_page_class_init (FpHelpPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_help_page_finalize;

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/footprint_app/Footprint/fp-help-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FpHelpPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, FpHelpPage, content);
}

static void
fp_help_page_init (FpHelpPage *self)
{
  self->words = g_string_new (NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Scrolls back to where the text begins. */
void
fp_help_page_begin (FpHelpPage *self)
{
  g_return_if_fail (FP_IS_HELP_PAGE (self));

  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
}

/* Words by which a search finds the page, beside its own texts. */
void
fp_help_page_add_words (FpHelpPage *self,
                        const char *words)
{
  g_autofree char *folded = g_utf8_casefold (words, -1);

  g_return_if_fail (FP_IS_HELP_PAGE (self));

  g_string_append_printf (self->words, "%s\n", folded);
}

/* Whether the page has all of these words, in any order and case. */
gboolean
fp_help_page_contains (FpHelpPage *self,
                       const char *words)
{
  g_autofree char *folded = g_utf8_casefold (words, -1);
  g_auto (GStrv) wanted = g_strsplit_set (folded, " \t", -1);

  g_return_val_if_fail (FP_IS_HELP_PAGE (self), FALSE);

  for (guint i = 0; wanted[i]; i++)
    if (!strstr (self->words->str, wanted[i]))
      return FALSE;
  return TRUE;
}
