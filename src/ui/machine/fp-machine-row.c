// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-machine-row.h"
#include "fp-names-label.h"

#define INDENT       40 /* of parts, so that they stand below their line's title */
#define FIGURE_CHARS 9
#define CHANGE_CHARS 11 /* "≈ −1023 MiB" */

/* Where the change stands below its figure */
#define NARROW_INDENT 20
#define NARROW_CHARS  9

struct _FpMachineRow
{
  GtkListBoxRow parent;

  FpMachineRowKind kind;
  GtkWidget *title;
  GtkWidget *subtitle;
  GtkWidget *hint;
  GtkWidget *figures; /* the figure, and its change beside or below it */
  GtkWidget *figure;
  GtkWidget *change;
  GtkWidget *arrow;
  char *action;
  char *target;
  gboolean has_action; /* it was said whether it has one */
  gboolean is_expanded;
};

G_DEFINE_FINAL_TYPE (FpMachineRow, fp_machine_row, GTK_TYPE_LIST_BOX_ROW)

static void
fp_machine_row_finalize (GObject *object)
{
  g_free (FP_MACHINE_ROW (object)->action);
  g_free (FP_MACHINE_ROW (object)->target);

  G_OBJECT_CLASS (fp_machine_row_parent_class)->finalize (object);
}

static void
fp_machine_row_class_init (FpMachineRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = fp_machine_row_finalize;
}

static GtkWidget *
make_label (float xalign,
            const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (css_class)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
wrap (GtkWidget *label)
{
  fp_names_label_wrap (GTK_LABEL (label));
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
}

static GtkWidget *
make_words (FpMachineRow *self)
{
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  self->title = make_label (0, NULL);
  self->subtitle = make_label (0, "subtitle");
  self->hint = make_label (0, "hint");
  wrap (self->title);
  wrap (self->subtitle);
  wrap (self->hint);
  gtk_widget_add_css_class (self->subtitle, "numeric");
  gtk_box_append (GTK_BOX (words), self->title);
  gtk_box_append (GTK_BOX (words), self->subtitle);
  gtk_box_append (GTK_BOX (words), self->hint);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  return words;
}

static void
fp_machine_row_init (FpMachineRow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  gtk_widget_add_css_class (box, "machine");
  self->figures = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->figure = make_label (1, "numeric");
  self->change = make_label (1, "numeric");
  gtk_label_set_width_chars (GTK_LABEL (self->figure), FIGURE_CHARS);
  gtk_label_set_width_chars (GTK_LABEL (self->change), CHANGE_CHARS);
  gtk_widget_set_valign (self->figures, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->figures), self->figure);
  gtk_box_append (GTK_BOX (self->figures), self->change);
  self->arrow = gtk_image_new ();
  gtk_widget_add_css_class (self->arrow, "dim-label");
  gtk_box_append (GTK_BOX (box), make_words (self));
  gtk_box_append (GTK_BOX (box), self->figures);
  gtk_box_append (GTK_BOX (box), self->arrow);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
}

/* colour: (nullable): of the line in the chart */
GtkWidget *
fp_machine_row_new (FpMachineRowKind kind,
                    const char *colour)
{
  FpMachineRow *self = g_object_new (FP_TYPE_MACHINE_ROW, NULL);
  GtkWidget *box = gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)), *dot;
  g_autofree char *markup = NULL;

  self->kind = kind;
  if (kind == FP_MACHINE_ROW_PART)
    {
      gtk_widget_set_margin_start (box, INDENT);
      gtk_widget_add_css_class (GTK_WIDGET (self), "part");
      return GTK_WIDGET (self);
    }
  fp_machine_row_set_expanded (self, FALSE);
  if (!colour)
    return GTK_WIDGET (self);
  markup = g_strdup_printf ("<span foreground=\"%s\">●</span>", colour);
  dot = gtk_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (dot), markup);
  gtk_box_prepend (GTK_BOX (box), dot);
  return GTK_WIDGET (self);
}

/* The end of a line does not fall into a range. Free the text. */
static char *
join_ranges (const char *text)
{
  GString *joined = g_string_new (text);

  g_string_replace (joined, "–", "–\u2060", 0);
  return g_string_free (joined, FALSE);
}

static gboolean
set_text (GtkWidget *label,
          const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text ? text : "") == 0)
    return FALSE;
  gtk_label_set_text (GTK_LABEL (label), text ? text : "");
  return TRUE;
}

static void
set_class (GtkWidget *widget,
           const char *css_class,
           gboolean has_class)
{
  if (has_class)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

/* An icon that is set again is laid out again, and the page around it. */
static void
set_action (FpMachineRow *self,
            const char *action)
{
  gboolean is_new = !self->has_action || (action != NULL) != (self->action != NULL);

  g_free (self->action);
  self->action = g_strdup (action);
  self->has_action = TRUE;
  if (!is_new)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow), action ? "go-next-symbolic" : NULL);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), action != NULL);
}

static void
tell_screen_reader (FpMachineRow *self,
                    const FpMachineRowTexts *texts)
{
  g_autoptr (GString) name = g_string_new (texts->title), more = g_string_new (texts->subtitle);

  if (texts->figure && *texts->figure)
    g_string_append_printf (name, ", %s", texts->figure);
  if (texts->change_words)
    g_string_append_printf (name, ", %s", texts->change_words);
  if (texts->hint)
    g_string_append_printf (more, "%s%s", more->len > 0 ? " · " : "", texts->hint);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, more->str, -1);
}

void
fp_machine_row_set_texts (FpMachineRow *self,
                          const FpMachineRowTexts *texts)
{
  g_autofree char *subtitle = join_ranges (texts->subtitle);
  gboolean is_new;

  g_return_if_fail (FP_IS_MACHINE_ROW (self));

  is_new = set_text (self->title, texts->title);
  is_new |= set_text (self->subtitle, subtitle);
  is_new |= set_text (self->hint, texts->hint);
  is_new |= set_text (self->figure, texts->figure);
  is_new |= set_text (self->change, texts->change);
  /* The ends of a range may change while its middle does not. */
  if (is_new || g_strcmp0 (gtk_widget_get_tooltip_text (self->change), texts->change_words) != 0)
    {
      gtk_widget_set_tooltip_text (self->change, texts->change_words);
      tell_screen_reader (self, texts);
    }
  gtk_widget_set_visible (self->subtitle, texts->subtitle && *texts->subtitle);
  gtk_widget_set_visible (self->hint, texts->hint != NULL);
  gtk_widget_set_visible (self->change, texts->change != NULL);
  gtk_widget_set_visible (self->figures, texts->change || (texts->figure && *texts->figure));
  set_class (self->change, "dim-label", !texts->has_changed);
  if (self->kind == FP_MACHINE_ROW_LINE)
    return;
  if (g_strcmp0 (self->target, texts->target) != 0)
    {
      g_free (self->target);
      self->target = g_strdup (texts->target);
    }
  set_class (self->title, "dim-label", !texts->action && !*texts->figure && !texts->is_heading);
  set_class (self->title, "caption-heading", texts->is_heading);
  set_class (GTK_WIDGET (self), "section", texts->is_heading);
  set_action (self, texts->action);
}

/* There is no room for two columns: the change stands below its figure. */
void
fp_machine_row_set_narrow (FpMachineRow *self,
                           gboolean is_narrow)
{
  g_return_if_fail (FP_IS_MACHINE_ROW (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->figures),
                                  is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_label_set_width_chars (GTK_LABEL (self->change), is_narrow ? NARROW_CHARS : CHANGE_CHARS);
  if (self->kind == FP_MACHINE_ROW_PART)
    gtk_widget_set_margin_start (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (self)), is_narrow ? NARROW_INDENT : INDENT);
}

void
fp_machine_row_set_expanded (FpMachineRow *self,
                             gboolean is_expanded)
{
  g_return_if_fail (FP_IS_MACHINE_ROW (self));

  self->is_expanded = is_expanded;
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow), is_expanded ? "pan-up-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, is_expanded, -1);
}

gboolean
fp_machine_row_get_expanded (FpMachineRow *self)
{
  g_return_val_if_fail (FP_IS_MACHINE_ROW (self), FALSE);

  return self->is_expanded;
}

/* Does what the row's action says, if it has one. */
void
fp_machine_row_open (FpMachineRow *self)
{
  g_return_if_fail (FP_IS_MACHINE_ROW (self));

  if (self->action)
    gtk_widget_activate_action (GTK_WIDGET (self), self->action, "s", self->target);
}
