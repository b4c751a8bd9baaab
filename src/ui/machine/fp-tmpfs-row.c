// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <glib/gi18n.h>

#include "fp-names-label.h"
#include "fp-tmpfs-row.h"

struct _FpTmpfsRow
{
  GtkListBoxRow parent;

  FpTmpfsRowKind kind;
  guint number;
};

G_DEFINE_FINAL_TYPE (FpTmpfsRow, fp_tmpfs_row, GTK_TYPE_LIST_BOX_ROW)

static gboolean
copy_cb (GtkWidget *widget,
         GVariant *arguments,
         gpointer data)
{
  FpTmpfsRow *self = FP_TMPFS_ROW (widget);

  return self->kind != FP_TMPFS_ROW_REST && gtk_widget_activate_action (widget, "files.copy", "u", self->number);
}

static void
fp_tmpfs_row_class_init (FpTmpfsRowClass *class)
{
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_c, GDK_CONTROL_MASK, copy_cb, NULL);
}

static void
fp_tmpfs_row_init (FpTmpfsRow *self)
{
}

static GtkWidget *
add_label (GtkWidget *box,
           const char *text,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  fp_names_label_wrap (GTK_LABEL (label));
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand (label, TRUE);
  if (css_class)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
add_button (FpTmpfsRow *self,
            GtkWidget *box,
            const char *icon,
            const char *title,
            const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "u", self->number);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (box), button);
}

/* The buttons stand in the second line, so that there is room for a path in a narrow window. */
static GtkWidget *
make_second_line (FpTmpfsRow *self,
                  const char *remark)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  add_label (line, remark, "subtitle");
  if (self->kind == FP_TMPFS_ROW_REACHABLE)
    add_button (self, line, "folder-symbolic", _ ("Show in Folder"), "files.show");
  if (self->kind != FP_TMPFS_ROW_REST)
    add_button (self, line, "edit-copy-symbolic", _ ("Copy Path"), "files.copy");
  return line;
}

GtkWidget *
fp_tmpfs_row_new (FpTmpfsRowKind kind,
                  guint number,
                  const FpMachineItem *item,
                  const FpFormat *format)
{
  FpTmpfsRow *self = g_object_new (FP_TYPE_TMPFS_ROW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *figure;
  char size[FP_FIGURE_TEXT_SIZE];
  g_autofree char *name = NULL;

  self->kind = kind;
  self->number = number;
  fp_format_kept_memory (format, item->figure, size);
  add_label (line, item->name, kind == FP_TMPFS_ROW_REST ? "dim-label" : NULL);
  figure = add_label (line, size, "numeric");
  gtk_label_set_wrap (GTK_LABEL (figure), FALSE);
  gtk_widget_set_hexpand (figure, FALSE);
  gtk_widget_set_valign (figure, GTK_ALIGN_START);
  gtk_widget_add_css_class (box, "machine");
  gtk_box_append (GTK_BOX (box), line);
  if (kind != FP_TMPFS_ROW_REST || item->remark)
    gtk_box_append (GTK_BOX (box), make_second_line (self, item->remark));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), kind == FP_TMPFS_ROW_REACHABLE);
  name = g_strdup_printf ("%s, %s", item->name, size);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, item->remark ? item->remark : "", -1);
  return GTK_WIDGET (self);
}

void
fp_tmpfs_row_open (FpTmpfsRow *self)
{
  g_return_if_fail (FP_IS_TMPFS_ROW (self));

  gtk_widget_activate_action (GTK_WIDGET (self), "files.show", "u", self->number);
}
