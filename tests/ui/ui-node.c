// SPDX-License-Identifier: GPL-3.0-or-later
#include <string.h>

#include "ui-calls.h"
#include "ui-driver-private.h"
#include "ui-tree.h"

#define FOCUS_MS        20
#define SEARCH_PAUSE_US (G_USEC_PER_SEC / 2)

static GHashTable *
get_all_kept (void)
{
  static GHashTable *kept;

  if (!kept)
    kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  return kept;
}

/* NULL: the program has gone */
static char *
make_key (UiNode *node,
          const char *path)
{
  AtspiApplication *program = ATSPI_OBJECT (node)->app;

  return program && program->bus_name ? g_strconcat (program->bus_name, path, NULL) : NULL;
}

UiNode *
ui_get_kept (UiNode *of,
             const char *path)
{
  g_autofree char *key = make_key (of, path);

  return key ? g_hash_table_lookup (get_all_kept (), key) : NULL;
}

/* Nodes are borrowed by the test: they end with it. libatspi makes another for the same when it has heard that it went. */
UiNode *
ui_keep (UiNode *node)
{
  char *key = node ? make_key (node, ATSPI_OBJECT (node)->path) : NULL;
  UiNode *known = key ? g_hash_table_lookup (get_all_kept (), key) : NULL;

  if (!key)
    return node;
  if (!known)
    {
      g_hash_table_insert (get_all_kept (), key, node);
      return node;
    }
  g_free (key);
  g_object_unref (node);
  return known;
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

/* Whether some of its text is selected */
gboolean
ui_is_marked (UiNode *node)
{
  g_autoptr (GObject) text = (GObject *)atspi_accessible_get_text_iface (ui_check (node));

  return text && atspi_text_get_n_selections (ATSPI_TEXT (text), NULL) > 0;
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

  ui_tree_forget ();
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

static UiNode *
find_surface (UiNode *node,
              gboolean *is_popup)
{
  UiNode *parent;

  for (UiNode *surface = node; surface; surface = parent)
    {
      AtspiComponentLayer layer;

      parent = ui_get_parent (surface);
      /* To GTK 4.18 a dialog is no window. */
      layer = parent && ui_role (parent) == ATSPI_ROLE_APPLICATION ? ATSPI_LAYER_WINDOW
                                                                   : atspi_component_get_layer (ATSPI_COMPONENT (surface), NULL);
      if (layer == ATSPI_LAYER_WINDOW || layer == ATSPI_LAYER_POPUP)
        {
          *is_popup = layer == ATSPI_LAYER_POPUP;
          return surface;
        }
    }
  ui_fail ("“%s” is in no window", ui_name (node));
}

/* The window or popover that a node is drawn on: X has a window for each. A widget stays on the one that it was made for. */
UiNode *
ui_get_surface (UiNode *node,
                gboolean *is_popup)
{
  static GHashTable *surfaces, *popups;
  UiNode *surface;

  if (!surfaces)
    {
      surfaces = g_hash_table_new (NULL, NULL);
      popups = g_hash_table_new (NULL, NULL);
    }
  surface = g_hash_table_lookup (surfaces, ui_check (node));
  if (!surface)
    {
      surface = find_surface (node, is_popup);
      g_hash_table_insert (surfaces, node, surface);
      if (*is_popup)
        g_hash_table_add (popups, surface);
    }
  *is_popup = g_hash_table_contains (popups, surface);
  return surface;
}

/* GTK 4.8 knows no toggle buttons, and groups are panels there. */
static gboolean
is_wanted (AtspiRole role,
           AtspiRole wanted)
{
  return role == wanted || (wanted == ATSPI_ROLE_PUSH_BUTTON && role == ATSPI_ROLE_TOGGLE_BUTTON) ||
         (wanted == ATSPI_ROLE_PANEL && role == ATSPI_ROLE_GROUPING);
}

/* In the order in which they are read; ATSPI_ROLE_INVALID: all */
static void
list_places (const UiTree *tree,
             guint place,
             AtspiRole role,
             GArray *places)
{
  const UiTreeEntry *entry = ui_tree_get (tree, place);

  if (role == ATSPI_ROLE_INVALID || is_wanted (entry->role, role))
    g_array_append_val (places, place);
  for (guint i = 0; i < entry->n_children; i++)
    list_places (tree, entry->first_child + i, role, places);
}

static gboolean
starts_in_table (UiNode *root)
{
  AtspiRole role = ui_role (root);

  return role == ATSPI_ROLE_TREE_TABLE || role == ATSPI_ROLE_TABLE || role == ATSPI_ROLE_LIST || role == ATSPI_ROLE_TABLE_ROW;
}

static void
search_in (UiNode *root,
           AtspiRole role,
           const char *name,
           guint limit,
           GPtrArray *found)
{
  gboolean with_rows = role == ATSPI_ROLE_TABLE_ROW || starts_in_table (root);
  g_autoptr (UiTree) tree = ui_tree_read_below (root, with_rows ? UI_TREE_WIDGETS : UI_TREE_NO_ROWS);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));

  list_places (tree, 0, role, places);
  if (name)
    ui_tree_read_names (tree, places);
  for (guint i = 0; i < places->len && found->len < limit; i++)
    {
      guint place = g_array_index (places, guint, i);

      if (!name || g_pattern_match_simple (name, ui_tree_get (tree, place)->name))
        {
          UiNode *node = ui_tree_get_node (tree, place);

          if (node)
            g_ptr_array_add (found, node);
        }
    }
}

/* The programs of a desktop are asked one by one: a tree is of one of them. */
static GPtrArray *
search (UiNode *root,
        AtspiRole role,
        const char *name,
        guint limit)
{
  GPtrArray *found = g_ptr_array_new ();
  int n = ui_role (root) == ATSPI_ROLE_DESKTOP_FRAME ? atspi_accessible_get_child_count (root, NULL) : -1;

  if (n < 0)
    search_in (root, role, name, limit, found);
  for (int i = 0; i < n && found->len < limit; i++)
    {
      UiNode *program = ui_get_child (root, i);

      if (program)
        search_in (program, role, name, limit, found);
    }
  return found;
}

GPtrArray *
ui_find_all (UiNode *root,
             AtspiRole role,
             const char *name)
{
  return search (root, role, name, G_MAXUINT);
}

UiNode *
ui_find_nth (UiNode *root,
             AtspiRole role,
             const char *name,
             guint n)
{
  g_autoptr (GPtrArray) found = search (root, role, name, n + 1);

  return n < found->len ? g_ptr_array_index (found, n) : NULL;
}

UiNode *
ui_find (UiNode *root,
         AtspiRole role,
         const char *name)
{
  return ui_find_nth (root, role, name, 0);
}

static gboolean
is_below (UiNode *node,
          UiNode *root)
{
  while (node && node != root)
    node = ui_get_parent (node);
  return node != NULL;
}

static UiNode *
search_focus (UiNode *root)
{
  g_autoptr (UiTree) tree = ui_tree_read_below (root, UI_TREE_WIDGETS);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (UiCalls) calls = ui_calls_new (root);

  list_places (tree, 0, ATSPI_ROLE_INVALID, places);
  for (guint i = 0; i < places->len; i++)
    ui_calls_ask_states (calls, ui_tree_get (tree, g_array_index (places, guint, i))->path);
  ui_calls_make (calls);
  for (guint i = 0; i < places->len; i++)
    if (ui_calls_has_state (calls, i, ATSPI_STATE_FOCUSED))
      return ui_tree_get_node (tree, g_array_index (places, guint, i));
  return NULL;
}

static void
focused_cb (AtspiEvent *event,
            gpointer data)
{
  UiNode **last = data;

  if (event->detail1)
    *last = ui_keep (g_object_ref (event->source));
  g_boxed_free (ATSPI_TYPE_EVENT, event);
}

static gboolean
is_focus (UiNode *node,
          UiNode *root)
{
  return node && ui_has_state (node, ATSPI_STATE_FOCUSED) && is_below (node, root);
}

/* A widget says when it gets the focus, which takes a moment. Where none said so, a whole tree is read, at times only. */
UiNode *
ui_find_focus (UiNode *root)
{
  static AtspiEventListener *listener;
  static UiNode *last;
  static gint64 next_search_us;

  if (!listener)
    {
      listener = atspi_event_listener_new (focused_cb, &last, NULL);
      atspi_event_listener_register (listener, "object:state-changed:focused", NULL);
    }
  if (!is_focus (last, root))
    ui_pause (FOCUS_MS);
  if (is_focus (last, root))
    next_search_us = 0;
  else if (g_get_monotonic_time () < next_search_us)
    return NULL;
  else
    {
      last = search_focus (root);
      next_search_us = last ? 0 : g_get_monotonic_time () + SEARCH_PAUSE_US;
    }
  return last;
}

char *
ui_get_texts (UiNode *node)
{
  g_autoptr (UiTree) tree = ui_tree_read_below (node, UI_TREE_WHOLE);

  return ui_tree_get_texts (tree, 0);
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

/* All of a row, as wide as it is */
UiBox
ui_get_whole_extents (UiNode *node)
{
  g_autoptr (UiCalls) calls = ui_calls_new (ui_check (node));

  ui_calls_ask_box (calls, ATSPI_OBJECT (node)->path);
  ui_calls_make (calls);
  return ui_calls_get_box (calls, 0);
}

/* The part of a row that can be scrolled to by height alone, as a row may be wider than its table. */
UiBox
ui_get_extents (UiNode *node)
{
  UiBox box = ui_get_whole_extents (node);
  UiNode *table = node;

  if (box.width == 0 || atspi_accessible_get_role (node, NULL) != ATSPI_ROLE_TABLE_ROW)
    return box;
  while (table && atspi_accessible_get_role (table, NULL) != ATSPI_ROLE_TREE_TABLE)
    table = ui_get_parent (table);
  if (table)
    {
      UiBox view = ui_get_whole_extents (table);
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

/* The node at a place, in coordinates of the window */
static UiNode *
pick (UiNode *node,
      int x,
      int y)
{
  return ui_keep (atspi_component_get_accessible_at_point (ATSPI_COMPONENT (node), x, y, ATSPI_COORD_TYPE_WINDOW, NULL));
}

/* GTK names what is at a place only when somebody has come to it by way of its parents. */
static void
visit (UiNode *node)
{
  ui_tree_free (ui_tree_read_below (node, UI_TREE_WHOLE));
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
  ui_tree_forget ();
  /* An error is no answer: the program may just have ended, which whoever waits next will notice. */
  if (!atspi_action_do_action (ATSPI_ACTION (action), 0, &error) && !error)
    ui_fail ("“%s” can do nothing", ui_name (node));
}

void
ui_set_text (UiNode *node,
             const char *text)
{
  g_autoptr (GObject) editable = (GObject *)atspi_accessible_get_editable_text_iface (ui_check (node));

  ui_tree_forget ();
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
