// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "fp-column-chooser.h"
#include "fp-columns.h"

struct _FpColumnChooser
{
  AdwWindow parent;

  /* Template widgets */
  GtkSearchEntry *search_entry;
  GtkStack *stack;
  GtkBox *list;

  GtkWidget *groups[FP_N_TOPICS]; /* NULL: the table has no such columns */
  GPtrArray *rows;                /* of Row */
};

typedef struct
{
  const FpColumn *column;
  GtkWidget *widget;
} Row;

G_DEFINE_FINAL_TYPE (FpColumnChooser, fp_column_chooser, ADW_TYPE_WINDOW)

static gboolean
matches (const FpColumn *column,
         const char *search)
{
  g_autofree char *text = g_strconcat (_ (column->title), " ", _ (column->meaning), NULL);

  return *search == '\0' || g_str_match_string (search, text, TRUE);
}

static void
search_changed_cb (FpColumnChooser *self)
{
  const char *search = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
  gboolean is_any = FALSE, is_any_about[FP_N_TOPICS] = { FALSE };

  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = g_ptr_array_index (self->rows, i);
      gboolean is_shown = matches (row->column, search);

      gtk_widget_set_visible (row->widget, is_shown);
      is_any |= is_shown;
      is_any_about[row->column->topic] |= is_shown;
    }
  for (FpTopic topic = 0; topic < FP_N_TOPICS; topic++)
    if (self->groups[topic])
      gtk_widget_set_visible (self->groups[topic], is_any_about[topic]);
  gtk_stack_set_visible_child_name (self->stack, is_any ? "list" : "no-match");
}

static void
stop_search_cb (FpColumnChooser *self)
{
  if (*gtk_editable_get_text (GTK_EDITABLE (self->search_entry)))
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* Also where the focus is not in the search: what had it may be filtered out. */
static gboolean
escape_cb (GtkWidget *widget,
           GVariant *arguments,
           gpointer data)
{
  stop_search_cb (FP_COLUMN_CHOOSER (widget));
  return GDK_EVENT_STOP;
}

/* Without the title that it begins with, where that is beside it. Free the text. */
static char *
get_meaning (const FpColumn *column)
{
  const char *title = _ (column->title), *meaning = _ (column->meaning);
  /* Translators: title of a column, and what it means */
  g_autofree char *prefix = g_strdup_printf (_ ("%s: %s"), title, "");
  g_autofree char *first = NULL;
  const char *rest;

  if (!g_str_has_prefix (meaning, prefix))
    return g_strdup (meaning);
  rest = meaning + strlen (prefix);
  first = g_utf8_strup (rest, g_utf8_next_char (rest) - rest);
  return g_strconcat (first, g_utf8_next_char (rest), NULL);
}

static void
add_row (FpColumnChooser *self,
         const FpColumn *column,
         const char *action_name)
{
  GtkWidget *widget = adw_action_row_new (), *toggle = gtk_switch_new ();
  g_autofree char *meaning = get_meaning (column);
  Row *row = g_new (Row, 1);

  *row = (Row){ column, widget };
  g_ptr_array_add (self->rows, row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (widget), _ (column->title));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (widget), meaning);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (toggle), action_name);
  adw_action_row_add_suffix (ADW_ACTION_ROW (widget), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (widget), toggle);
  if (!self->groups[column->topic])
    {
      self->groups[column->topic] = adw_preferences_group_new ();
      adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self->groups[column->topic]),
                                       _ (fp_topic_titles[column->topic]));
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self->groups[column->topic]), widget);
}

static void
fp_column_chooser_finalize (GObject *object)
{
  g_ptr_array_unref (FP_COLUMN_CHOOSER (object)->rows);

  G_OBJECT_CLASS (fp_column_chooser_parent_class)->finalize (object);
}

static void
fp_column_chooser_class_init (FpColumnChooserClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = fp_column_chooser_finalize;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/footprint_app/Footprint/fp-column-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, FpColumnChooser, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FpColumnChooser, stack);
  gtk_widget_class_bind_template_child (widget_class, FpColumnChooser, list);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

static void
fp_column_chooser_init (FpColumnChooser *self)
{
  self->rows = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_entry_set_key_capture_widget (self->search_entry, GTK_WIDGET (self));
}

/* kind: a mask, of what is in the table; columns: for each an action of its id, whose state says whether it is shown */
FpColumnChooser *
fp_column_chooser_new (GtkWindow *parent,
                       FpRecordKind kind,
                       GActionGroup *columns)
{
  FpColumnChooser *self = g_object_new (FP_TYPE_COLUMN_CHOOSER, "transient-for", parent, NULL);

  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", columns);
  for (guint i = 0; i < fp_columns_get_n (); i++)
    {
      const FpColumn *column = fp_columns_get (i);
      g_autofree char *action_name = g_strconcat ("columns.", column->id, NULL);

      if (column->kinds & kind && g_action_group_get_action_enabled (columns, column->id))
        add_row (self, column, action_name);
    }
  for (FpTopic topic = 0; topic < FP_N_TOPICS; topic++)
    if (self->groups[topic])
      gtk_box_append (self->list, self->groups[topic]);
  return self;
}
