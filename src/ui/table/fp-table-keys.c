// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-table-keys.h"

struct _FpTableKeys
{
  GtkWidget *list;
  FpTable *table;
  FpExpandFunc expand;
  FpRowFunc reveal;
  FpRowFunc menu;
  gpointer data;
  FpKey cursor;
  FpKey anchor; /* where a range begins */
};

static guint
get_page (FpTableKeys *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));
  guint n = fp_table_get_n_rows (self->table);
  double height = gtk_adjustment_get_upper (adjustment) / MAX (n, 1);

  return height > 0 ? MAX ((guint)(gtk_adjustment_get_page_size (adjustment) / height), 2) - 1 : 1;
}

static gboolean
find_target (FpTableKeys *self,
             guint key,
             guint *target)
{
  guint n = fp_table_get_n_rows (self->table);
  guint now = fp_table_find (self->table, self->cursor);
  guint step = 1;

  if (n == 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      *target = 0;
      return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      *target = n - 1;
      return TRUE;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      step = get_page (self);
      break;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      break;
    default:
      return FALSE;
    }
  if (now == GTK_INVALID_LIST_POSITION)
    *target = 0;
  else if (key == GDK_KEY_Up || key == GDK_KEY_KP_Up || key == GDK_KEY_Page_Up || key == GDK_KEY_KP_Page_Up)
    *target = now - MIN (now, step);
  else
    *target = MIN (now + step, n - 1);
  return TRUE;
}

void
fp_table_keys_go_to (FpTableKeys *self,
                     guint position,
                     GdkModifierType modifiers)
{
  GtkSelectionModel *model = GTK_SELECTION_MODEL (self->table);
  guint anchor = fp_table_find (self->table, self->anchor);

  self->cursor = fp_rows_get (fp_table_get_rows (self->table), position)->key;
  self->reveal (self->data, position);
  if (modifiers & GDK_SHIFT_MASK && anchor != GTK_INVALID_LIST_POSITION)
    {
      gtk_selection_model_select_range (model, MIN (anchor, position), MAX (anchor, position) - MIN (anchor, position) + 1,
                                        !(modifiers & GDK_CONTROL_MASK));
      return;
    }
  self->anchor = self->cursor;
  if (!(modifiers & GDK_CONTROL_MASK))
    gtk_selection_model_select_item (model, position, TRUE);
}

/* Selected or not, beside what else is */
void
fp_table_keys_toggle (FpTableKeys *self,
                      guint position)
{
  self->cursor = self->anchor = fp_rows_get (fp_table_get_rows (self->table), position)->key;
  fp_table_toggle (self->table, position);
}

static gboolean
key_pressed_cb (GtkEventControllerKey *controller,
                guint key,
                guint code,
                GdkModifierType modifiers,
                gpointer data)
{
  FpTableKeys *self = data;
  guint target, now;
  gboolean is_rtl;

  if (modifiers & GDK_ALT_MASK)
    return GDK_EVENT_PROPAGATE;
  if (find_target (self, key, &target))
    {
      fp_table_keys_go_to (self, target, modifiers);
      return GDK_EVENT_STOP;
    }
  now = fp_table_find (self->table, self->cursor);
  if (now == GTK_INVALID_LIST_POSITION)
    return GDK_EVENT_PROPAGATE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      is_rtl = gtk_widget_get_direction (self->list) == GTK_TEXT_DIR_RTL;
      self->expand (self->data, now, key == (is_rtl ? GDK_KEY_Left : GDK_KEY_Right));
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      gtk_widget_activate_action (self->list, "list.activate-item", "u", now);
      return GDK_EVENT_STOP;
    case GDK_KEY_space:
      if (!(modifiers & GDK_CONTROL_MASK))
        return GDK_EVENT_PROPAGATE;
      fp_table_keys_toggle (self, now);
      return GDK_EVENT_STOP;
    case GDK_KEY_F10:
      if (!(modifiers & GDK_SHIFT_MASK))
        return GDK_EVENT_PROPAGATE;
      G_GNUC_FALLTHROUGH;
    case GDK_KEY_Menu:
      self->menu (self->data, now);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* The keys go on from a single row that is selected by other means, such as the pointer. */
static void
selection_changed_cb (GtkSelectionModel *model,
                      guint position,
                      guint n,
                      gpointer data)
{
  FpTableKeys *self = g_object_get_data (data, "fp-keys");
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (model);

  if (gtk_bitset_get_size (selected) == 1)
    self->cursor = self->anchor =
        fp_rows_get (fp_table_get_rows (self->table), gtk_bitset_get_minimum (selected))->key;
}

/* It ends with the view. */
FpTableKeys *
fp_table_keys_attach (GtkWidget *view,
                      GtkWidget *list,
                      FpTable *table,
                      FpExpandFunc expand,
                      FpRowFunc reveal,
                      FpRowFunc menu,
                      gpointer data)
{
  FpTableKeys *self = g_new0 (FpTableKeys, 1);
  GtkEventController *controller = gtk_event_controller_key_new ();

  *self = (FpTableKeys){ list, table, expand, reveal, menu, data, { 0, 0 }, { 0, 0 } };
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_object_set_data_full (G_OBJECT (controller), "fp-keys", self, g_free);
  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  g_signal_connect_object (table, "selection-changed", G_CALLBACK (selection_changed_cb), G_OBJECT (controller), 0);
  gtk_widget_add_controller (view, controller);
  return self;
}
