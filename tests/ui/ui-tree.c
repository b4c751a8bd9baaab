// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui-calls.h"
#include "ui-driver-private.h"
#include "ui-tree.h"

UiTreeEntry *
ui_tree_get (const UiTree *self,
             guint i)
{
  return &g_array_index (self->entries, UiTreeEntry, i);
}

static gboolean
has_children (const UiTreeEntry *entry,
              UiTreePart part)
{
  static const AtspiRole leaves[] = {
    ATSPI_ROLE_IMAGE,
    ATSPI_ROLE_LABEL,
    ATSPI_ROLE_LEVEL_BAR,
    ATSPI_ROLE_SCROLL_BAR,
    ATSPI_ROLE_SEPARATOR,
  };

  if (part == UI_TREE_WHOLE)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (leaves); i++)
    if (entry->role == leaves[i])
      return FALSE;
  return entry->role != ATSPI_ROLE_TABLE_ROW || part == UI_TREE_WIDGETS;
}

/* GTK 4 gives a widget a path that no other has had and a role for life. Other toolkits number what they show. */
static gboolean
is_lasting (const char *path)
{
  return !g_str_has_prefix (path, "/org/a11y/atspi/accessible/");
}

/* Asks for the roles that are not known yet. The caller owns the array. */
static AtspiRole *
read_roles (UiNode *of,
            const char *const *paths,
            guint n)
{
  static GHashTable *known;
  AtspiRole *roles = g_new (AtspiRole, n);
  g_autoptr (UiCalls) calls = ui_calls_new (of);
  guint n_asked = 0;

  if (!known)
    known = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n; i++)
    {
      roles[i] = (AtspiRole)GPOINTER_TO_INT (g_hash_table_lookup (known, paths[i]));
      if (roles[i] == ATSPI_ROLE_INVALID)
        ui_calls_ask_role (calls, paths[i]);
    }
  ui_calls_make (calls);
  for (guint i = 0; i < n; i++)
    if (roles[i] == ATSPI_ROLE_INVALID)
      {
        roles[i] = ui_calls_get_role (calls, n_asked++);
        if (is_lasting (paths[i]))
          g_hash_table_insert (known, (gpointer)paths[i], GINT_TO_POINTER (roles[i]));
      }
  return roles;
}

static void
fill_roles (UiTree *self,
            guint start)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  g_autofree AtspiRole *roles = NULL;

  for (guint i = start; i < self->entries->len; i++)
    g_ptr_array_add (paths, (gpointer)ui_tree_get (self, i)->path);
  roles = read_roles (self->of, (const char *const *)paths->pdata, paths->len);
  for (guint i = start; i < self->entries->len; i++)
    ui_tree_get (self, i)->role = roles[i - start];
}

static void
append (UiTree *self,
        const char *path,
        guint parent)
{
  UiTreeEntry entry = { .path = path, .role = ATSPI_ROLE_INVALID, .parent = parent };

  g_array_append_val (self->entries, entry);
}

/* All of a list are rows if its first one is. */
static void
drop_rows (UiTree *self,
           GPtrArray *families)
{
  g_autoptr (GPtrArray) large = g_ptr_array_new (), firsts = g_ptr_array_new ();
  g_autofree AtspiRole *roles = NULL;

  for (guint i = 0; i < families->len; i++)
    {
      GPtrArray *family = g_ptr_array_index (families, i);

      if (family->len < 2)
        continue;
      g_ptr_array_add (large, family);
      g_ptr_array_add (firsts, g_ptr_array_index (family, 0));
    }
  roles = read_roles (self->of, (const char *const *)firsts->pdata, firsts->len);
  for (guint i = 0; i < large->len; i++)
    if (roles[i] == ATSPI_ROLE_TABLE_ROW)
      g_ptr_array_set_size (g_ptr_array_index (large, i), 1);
}

/* Asks those from start to end for their children. */
static void
read_level (UiTree *self,
            guint start,
            guint end,
            UiTreePart part)
{
  g_autoptr (UiCalls) calls = ui_calls_new (self->of);
  g_autoptr (GPtrArray) families = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  g_autoptr (GArray) parents = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = start; i < end; i++)
    if (has_children (ui_tree_get (self, i), part))
      {
        ui_calls_ask_children (calls, ui_tree_get (self, i)->path);
        g_array_append_val (parents, i);
      }
  ui_calls_make (calls);
  for (guint i = 0; i < parents->len; i++)
    g_ptr_array_add (families, ui_calls_get_paths (calls, i));
  if (part == UI_TREE_NO_ROWS)
    drop_rows (self, families);
  for (guint i = 0; i < parents->len; i++)
    {
      GPtrArray *family = g_ptr_array_index (families, i);
      guint parent = g_array_index (parents, guint, i);

      ui_tree_get (self, parent)->first_child = self->entries->len;
      ui_tree_get (self, parent)->n_children = family->len;
      for (guint j = 0; j < family->len; j++)
        append (self, g_ptr_array_index (family, j), parent);
    }
  fill_roles (self, end);
}

/* The paths are of nodes of the same program as “of”. */
UiTree *
ui_tree_read (UiNode *of,
              const char *const *paths,
              guint n,
              UiTreePart part)
{
  UiTree *self = g_new0 (UiTree, 1);

  g_ref_count_init (&self->ref_count);
  self->of = of;
  self->entries = g_array_new (FALSE, FALSE, sizeof (UiTreeEntry));
  for (guint i = 0; i < n; i++)
    append (self, g_intern_string (paths[i]), i);
  fill_roles (self, 0);
  for (guint start = 0, end = n; start < end; end = self->entries->len)
    {
      read_level (self, start, end, part);
      start = end;
    }
  return self;
}

/* Trees that were read since the test last waited or did something */
typedef struct
{
  UiNode *root;
  UiTreePart part;
  UiTree *tree;
} Fresh;

static GArray *
get_fresh (void)
{
  static GArray *fresh;

  if (!fresh)
    fresh = g_array_new (FALSE, FALSE, sizeof (Fresh));
  return fresh;
}

/* Several looks at the same moment read a tree once: most of what a test costs is such reading. */
UiTree *
ui_tree_read_below (UiNode *root,
                    UiTreePart part)
{
  const char *path = ATSPI_OBJECT (ui_check (root))->path;
  GArray *fresh = get_fresh ();
  Fresh added = { .root = root, .part = part };

  for (guint i = 0; i < fresh->len && !added.tree; i++)
    {
      const Fresh *known = &g_array_index (fresh, Fresh, i);

      if (known->root == root && known->part == part)
        added.tree = known->tree;
    }
  if (!added.tree)
    {
      added.tree = ui_tree_read (root, &path, 1, part);
      g_array_append_val (fresh, added);
    }
  g_ref_count_inc (&added.tree->ref_count);
  return added.tree;
}

/* Call this when what is shown may have changed. */
void
ui_tree_forget (void)
{
  GArray *fresh = get_fresh ();

  for (guint i = 0; i < fresh->len; i++)
    ui_tree_free (g_array_index (fresh, Fresh, i).tree);
  g_array_set_size (fresh, 0);
}

void
ui_tree_free (UiTree *self)
{
  if (!g_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->entries);
  g_free (self);
}

/* places: of guint */
void
ui_tree_read_names (UiTree *self,
                    const GArray *places)
{
  g_autoptr (UiCalls) calls = ui_calls_new (self->of);

  for (guint i = 0; i < places->len; i++)
    ui_calls_ask_name (calls, ui_tree_get (self, g_array_index (places, guint, i))->path);
  ui_calls_make (calls);
  for (guint i = 0; i < places->len; i++)
    ui_tree_get (self, g_array_index (places, guint, i))->name = ui_calls_get_name (calls, i);
}

/* A widget without a name has the name of its class. */
static gboolean
is_text (const UiTreeEntry *leaf)
{
  return *leaf->name && (leaf->role == ATSPI_ROLE_LABEL || (leaf->role != ATSPI_ROLE_FILLER && !g_str_has_prefix (leaf->name, "Gtk")));
}

static void
read_leaves (UiTree *self)
{
  g_autoptr (GArray) leaves = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < self->entries->len; i++)
    if (ui_tree_get (self, i)->n_children == 0)
      g_array_append_val (leaves, i);
  ui_tree_read_names (self, leaves);
  self->has_texts = TRUE;
}

static void
append_texts (const UiTree *self,
              guint i,
              GString *text)
{
  const UiTreeEntry *entry = ui_tree_get (self, i);

  if (entry->n_children == 0 && is_text (entry))
    g_string_append_printf (text, "%s%s", text->len ? " " : "", entry->name);
  for (guint j = 0; j < entry->n_children; j++)
    append_texts (self, entry->first_child + j, text);
}

/* All texts in it, in their order */
char *
ui_tree_get_texts (UiTree *self,
                   guint i)
{
  GString *text = g_string_new (NULL);

  if (!self->has_texts)
    read_leaves (self);
  append_texts (self, i, text);
  return g_string_free (text, FALSE);
}

static UiNode *
get_child_with_path (UiNode *parent,
                     int index,
                     const char *path)
{
  g_autoptr (UiRef) child = atspi_accessible_get_child_at_index (parent, index, NULL);
  g_autoptr (UiRef) inner = NULL;

  if (!child || g_strcmp0 (ATSPI_OBJECT (child)->path, path) == 0)
    return g_steal_pointer (&child);
  /* A stack has a page round each child, which it leaves out where it is asked for all of them. */
  inner = atspi_accessible_get_child_at_index (child, 0, NULL);
  return inner && g_strcmp0 (ATSPI_OBJECT (inner)->path, path) == 0 ? g_steal_pointer (&inner) : NULL;
}

/* NULL: it has gone meanwhile */
UiNode *
ui_tree_get_node (const UiTree *self,
                  guint i)
{
  const UiTreeEntry *entry = ui_tree_get (self, i);
  UiNode *node = ui_get_kept (self->of, entry->path), *parent;

  if (node || entry->parent == i)
    return node;
  parent = ui_tree_get_node (self, entry->parent);
  return parent ? ui_keep (get_child_with_path (parent, (int)(i - ui_tree_get (self, entry->parent)->first_child), entry->path)) : NULL;
}
