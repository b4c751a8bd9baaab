// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "ui-driver-private.h"

typedef struct
{
  AtspiRole role;
  GPatternSpec *name;
  gboolean is_focus;
  gboolean with_rows;
  guint limit;
  GPtrArray *found;
} Search;

/* Nodes are borrowed by the test: they end with it. */
UiNode *
ui_keep (UiNode *node)
{
  static GHashTable *kept;

  if (!kept)
    kept = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  if (node)
    g_hash_table_add (kept, node);
  return node;
}

/* A node that was not found can go anywhere: this says so before a crash would. */
UiNode *
ui_check (UiNode *node)
{
  if (!node)
    ui_fail ("There is no such node");
  return node;
}

static const char *
intern (char *text)
{
  const char *result = g_intern_string (text ? text : "");

  g_free (text);
  return result;
}

AtspiRole
ui_role (UiNode *node)
{
  return atspi_accessible_get_role (ui_check (node), NULL);
}

const char *
ui_name (UiNode *node)
{
  return intern (atspi_accessible_get_name (ui_check (node), NULL));
}

const char *
ui_description (UiNode *node)
{
  return intern (atspi_accessible_get_description (ui_check (node), NULL));
}

const char *
ui_text (UiNode *node)
{
  g_autoptr (GObject) text = (GObject *)atspi_accessible_get_text_iface (ui_check (node));

  /* An end of -1, which should mean all, gives nothing here. */
  return text ? intern (atspi_text_get_text (ATSPI_TEXT (text), 0, atspi_text_get_character_count (ATSPI_TEXT (text), NULL), NULL)) : "";
}

double
ui_value (UiNode *node)
{
  g_autoptr (GObject) value = (GObject *)atspi_accessible_get_value_iface (ui_check (node));

  if (!value)
    ui_fail ("“%s” has no value", ui_name (node));
  return atspi_value_get_current_value (ATSPI_VALUE (value), NULL);
}

void
ui_set_value (UiNode *node,
              double number)
{
  g_autoptr (GObject) value = (GObject *)atspi_accessible_get_value_iface (ui_check (node));

  if (!value || !atspi_value_set_current_value (ATSPI_VALUE (value), number, NULL))
    ui_fail ("“%s” takes no value", ui_name (node));
}

gboolean
ui_has_state (UiNode *node,
              AtspiStateType state)
{
  g_autoptr (GObject) states = (GObject *)atspi_accessible_get_state_set (ui_check (node));

  return states && atspi_state_set_contains (ATSPI_STATE_SET (states), state);
}

/* The first target */
UiNode *
ui_get_relation (UiNode *node,
                 AtspiRelationType type)
{
  g_autoptr (GArray) relations = atspi_accessible_get_relation_set (ui_check (node), NULL);
  UiNode *result = NULL;

  for (guint i = 0; relations && i < relations->len; i++)
    {
      AtspiRelation *relation = g_array_index (relations, AtspiRelation *, i);

      if (!result && atspi_relation_get_relation_type (relation) == type && atspi_relation_get_n_targets (relation) > 0)
        result = ui_keep (atspi_relation_get_target (relation, 0));
      g_object_unref (relation);
    }
  return result;
}

UiNode *
ui_get_child (UiNode *node,
              int index)
{
  return ui_keep (atspi_accessible_get_child_at_index (ui_check (node), index, NULL));
}

UiNode *
ui_get_parent (UiNode *node)
{
  return ui_keep (atspi_accessible_get_parent (ui_check (node), NULL));
}

static AtspiComponentLayer
get_layer (UiNode *node)
{
  g_autoptr (GObject) component = (GObject *)atspi_accessible_get_component_iface (node);

  return component ? atspi_component_get_layer (ATSPI_COMPONENT (component), NULL) : ATSPI_LAYER_INVALID;
}

/* The window or popover that a node is drawn on: X has a window for each. */
UiNode *
ui_get_surface (UiNode *node,
                gboolean *is_popup)
{
  AtspiComponentLayer layer = ATSPI_LAYER_INVALID;

  for (UiNode *surface = ui_check (node); surface; surface = ui_get_parent (surface))
    {
      UiNode *parent = ui_get_parent (surface);

      /* To GTK 4.18 a dialog is no window. */
      layer = parent && ui_role (parent) == ATSPI_ROLE_APPLICATION ? ATSPI_LAYER_WINDOW : get_layer (surface);
      if (layer == ATSPI_LAYER_WINDOW || layer == ATSPI_LAYER_POPUP)
        {
          *is_popup = layer == ATSPI_LAYER_POPUP;
          return surface;
        }
    }
  ui_fail ("“%s” is in no window", ui_name (node));
}

/* GTK 4.8 knows no toggle buttons, and groups are panels there. */
static gboolean
is_wanted (AtspiRole role,
           const Search *search)
{
  return role == search->role || (search->role == ATSPI_ROLE_PUSH_BUTTON && role == ATSPI_ROLE_TOGGLE_BUTTON) ||
         (search->role == ATSPI_ROLE_PANEL && role == ATSPI_ROLE_GROUPING);
}

static gboolean
matches (UiNode *node,
         AtspiRole role,
         const Search *search)
{
  if (search->is_focus)
    return ui_has_state (node, ATSPI_STATE_FOCUSED);
  return is_wanted (role, search) && (!search->name || g_pattern_spec_match_string (search->name, ui_name (node)));
}

/* Every question takes a turn of the bus, and a window has a thousand nodes. */
static gboolean
has_children (AtspiRole role,
              const Search *search)
{
  static const AtspiRole leaves[] = {
    ATSPI_ROLE_IMAGE,
    ATSPI_ROLE_LABEL,
    ATSPI_ROLE_LEVEL_BAR,
    ATSPI_ROLE_SCROLL_BAR,
    ATSPI_ROLE_SEPARATOR,
  };

  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    if (role == leaves[i])
      return FALSE;
  return role != ATSPI_ROLE_TABLE_ROW || search->with_rows;
}

/* Returns: the role of the node. All of a list are rows if one is. */
static AtspiRole
walk (UiNode *node,
      const Search *search)
{
  AtspiRole role = ui_role (node), child_role = ATSPI_ROLE_INVALID;
  int n;

  if (matches (node, role, search))
    g_ptr_array_add (search->found, ui_keep (g_object_ref (node)));
  n = has_children (role, search) ? atspi_accessible_get_child_count (node, NULL) : 0;
  for (int i = 0; i < n && search->found->len < search->limit; i++)
    {
      g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (node, i, NULL);

      if (child)
        child_role = walk (child, search);
      if (child_role == ATSPI_ROLE_TABLE_ROW && !search->with_rows)
        break;
    }
  return role;
}

static gboolean
starts_in_table (UiNode *root)
{
  AtspiRole role = ui_role (root);

  return role == ATSPI_ROLE_TREE_TABLE || role == ATSPI_ROLE_TABLE || role == ATSPI_ROLE_LIST || role == ATSPI_ROLE_TABLE_ROW;
}

static GPtrArray *
search (UiNode *root,
        AtspiRole role,
        const char *name,
        gboolean is_focus,
        guint limit)
{
  Search self = { .role = role, .is_focus = is_focus, .limit = limit, .found = g_ptr_array_new () };

  self.with_rows = is_focus || role == ATSPI_ROLE_TABLE_ROW || starts_in_table (root);
  self.name = name ? g_pattern_spec_new (name) : NULL;
  walk (root, &self);
  g_clear_pointer (&self.name, g_pattern_spec_free);
  return self.found;
}

GPtrArray *
ui_find_all (UiNode *root,
             AtspiRole role,
             const char *name)
{
  return search (root, role, name, FALSE, G_MAXUINT);
}

UiNode *
ui_find_nth (UiNode *root,
             AtspiRole role,
             const char *name,
             guint n)
{
  g_autoptr (GPtrArray) found = search (root, role, name, FALSE, n + 1);

  return n < found->len ? g_ptr_array_index (found, n) : NULL;
}

UiNode *
ui_find (UiNode *root,
         AtspiRole role,
         const char *name)
{
  return ui_find_nth (root, role, name, 0);
}

UiNode *
ui_find_focus (UiNode *root)
{
  g_autoptr (GPtrArray) found = search (root, ATSPI_ROLE_INVALID, NULL, TRUE, 1);

  return found->len ? g_ptr_array_index (found, 0) : NULL;
}

/* A widget without a name has the name of its class. */
static gboolean
is_text (UiNode *leaf)
{
  AtspiRole role = ui_role (leaf);

  return role == ATSPI_ROLE_LABEL || (role != ATSPI_ROLE_FILLER && !g_str_has_prefix (ui_name (leaf), "Gtk"));
}

static void
append_texts (UiNode *node,
              GString *text)
{
  int n = atspi_accessible_get_child_count (node, NULL);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (node, i, NULL);

      if (child)
        append_texts (child, text);
    }
  if (n < 1 && *ui_name (node) && is_text (node))
    g_string_append_printf (text, "%s%s", text->len ? " " : "", ui_name (node));
}

/* All texts in it, in their order */
char *
ui_get_texts (UiNode *node)
{
  GString *text = g_string_new (NULL);

  append_texts (node, text);
  return g_string_free (text, FALSE);
}

static char *
describe (AtspiRole role,
          const char *name)
{
  g_autofree char *role_name = atspi_role_get_name (role);

  return g_strdup_printf ("%s “%s”", role_name, name ? name : "*");
}

UiNode *
ui_wait_for (UiNode *root,
             AtspiRole role,
             const char *name)
{
  g_autofree char *what = describe (role, name);
  gint64 end = ui_patience ();
  UiNode *result;

  while (!(result = ui_find (root, role, name)))
    ui_breathe (end, G_STRFUNC, what);
  return result;
}

void
ui_wait_until_gone (UiNode *root,
                    AtspiRole role,
                    const char *name)
{
  g_autofree char *thing = describe (role, name);
  g_autofree char *what = g_strdup_printf ("the end of %s", thing);
  gint64 end = ui_patience ();

  while (ui_find (root, role, name))
    ui_breathe (end, G_STRFUNC, what);
}

static UiBox
read_extents (UiNode *node)
{
  g_autoptr (GObject) component = (GObject *)atspi_accessible_get_component_iface (ui_check (node));
  g_autofree AtspiRect *rect = NULL;

  /* Never the screen's: GTK 4.8 does not know them, and warns. */
  rect = component ? atspi_component_get_extents (ATSPI_COMPONENT (component), ATSPI_COORD_TYPE_WINDOW, NULL) : NULL;
  return rect ? (UiBox){ rect->x, rect->y, rect->width, rect->height } : (UiBox){ 0 };
}

/* The part of a row that can be scrolled to by height alone, as a row may be wider than its table. */
UiBox
ui_get_extents (UiNode *node)
{
  UiBox box = read_extents (node);
  UiNode *table = node;

  if (box.width == 0 || atspi_accessible_get_role (node, NULL) != ATSPI_ROLE_TABLE_ROW)
    return box;
  while (table && atspi_accessible_get_role (table, NULL) != ATSPI_ROLE_TREE_TABLE)
    table = ui_get_parent (table);
  if (table)
    {
      UiBox view = read_extents (table);
      int end = MIN (box.x + box.width, view.x + view.width);

      box.x = MAX (box.x, view.x);
      box.width = MAX (end - box.x, 0);
    }
  return box;
}

/* Whether what is not on the screen has none, which ui-newer-gtk.c sees to where GTK is new enough. */
gboolean
ui_has_true_extents (void)
{
  return g_getenv ("UI_MODULES") != NULL;
}

static UiNode *
pick (UiNode *node,
      int x,
      int y)
{
  g_autoptr (GObject) component = (GObject *)atspi_accessible_get_component_iface (ui_check (node));

  if (!component)
    return NULL;
  return ui_keep (atspi_component_get_accessible_at_point (ATSPI_COMPONENT (component), x, y, ATSPI_COORD_TYPE_WINDOW, NULL));
}

static void
visit (UiNode *node)
{
  int n = atspi_accessible_get_child_count (node, NULL);

  for (int i = 0; i < n; i++)
    {
      g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (node, i, NULL);

      if (child)
        visit (child);
    }
}

/* The node at a place, in coordinates of the window, as far as it is part of node */
UiNode *
ui_pick (UiNode *node,
         int x,
         int y)
{
  UiNode *there = pick (node, x, y);

  if (there)
    return there;
  /* GTK names what is there only when somebody has visited it by its parents. */
  visit (node);
  return pick (node, x, y);
}

static gboolean
contains (UiBox box,
          int x,
          int y)
{
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/* As far as what it is in leaves it to be seen */
static gboolean
is_unclipped (UiNode *node,
              UiBox box)
{
  gboolean is_popup;
  UiNode *surface = ui_get_surface (node, &is_popup);

  for (; node && node != surface; node = ui_get_parent (node))
    if (!contains (ui_get_extents (node), box.x + box.width / 2, box.y + box.height / 2))
      return FALSE;
  return TRUE;
}

/* A row that was scrolled away keeps its extents, so ask who is there. */
gboolean
ui_is_on_screen (UiNode *node)
{
  UiBox box = ui_get_extents (node);
  UiNode *there = NULL;
  gboolean is_popup;

  if (box.width > 0 && ui_has_true_extents ())
    return is_unclipped (node, box);
  if (box.width > 0)
    {
      visit (node);
      there = pick (ui_get_surface (node, &is_popup), box.x + box.width / 2, box.y + box.height / 2);
    }
  while (there && there != node)
    there = ui_get_parent (there);
  return there != NULL;
}

void
ui_act (UiNode *node)
{
  g_autoptr (GObject) action = (GObject *)atspi_accessible_get_action_iface (ui_check (node));
  g_autoptr (GError) error = NULL;

  if (!action || atspi_action_get_n_actions (ATSPI_ACTION (action), NULL) < 1)
    ui_fail ("“%s” can do nothing", ui_name (node));
  /* An error is no answer: the program may just have ended, which whoever waits next will notice. */
  if (!atspi_action_do_action (ATSPI_ACTION (action), 0, &error) && !error)
    ui_fail ("“%s” can do nothing", ui_name (node));
}

void
ui_set_text (UiNode *node,
             const char *text)
{
  g_autoptr (GObject) editable = (GObject *)atspi_accessible_get_editable_text_iface (ui_check (node));

  if (!editable || !atspi_editable_text_set_text_contents (ATSPI_EDITABLE_TEXT (editable), text, NULL))
    ui_fail ("“%s” takes no text", ui_name (node));
}

/* Rows in one line, and only those that were ever shown. */
static void
dump (UiNode *node,
      guint depth,
      GString *result)
{
  UiBox box = ui_get_extents (node);
  AtspiRole role = ui_role (node);
  g_autofree char *line = describe (role, ui_name (node)), *texts = NULL;
  int n = atspi_accessible_get_child_count (node, NULL);

  if (role == ATSPI_ROLE_TABLE_ROW && box.width == 0)
    return;
  texts = role == ATSPI_ROLE_TABLE_ROW ? ui_get_texts (node) : NULL;
  g_string_append_printf (result, "\n%*s%s %d,%d %d×%d %s", (int)depth * 2, "", line, box.x, box.y, box.width, box.height,
                          texts ? texts : "");
  for (int i = 0; i < n && !texts; i++)
    {
      g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (node, i, NULL);

      if (child)
        dump (child, depth + 1, result);
    }
}

char *
ui_dump (UiNode *root)
{
  GString *result = g_string_new (NULL);

  dump (root, 0, result);
  return g_string_free (result, FALSE);
}
