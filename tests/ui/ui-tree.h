// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui-driver.h"

G_BEGIN_DECLS

typedef enum
{
  UI_TREE_WHOLE,
  UI_TREE_WIDGETS, /* without what labels, pictures and their like consist of */
  UI_TREE_NO_ROWS, /* and without what rows of tables consist of, of which it has the first */
} UiTreePart;

typedef struct
{
  const char *path;
  const char *name; /* NULL until it is asked for */
  AtspiRole role;
  guint parent; /* a root is its own */
  guint first_child, n_children;
} UiTreeEntry;

/* Some nodes and those below them as they were at one time, read a level at a time. The roots come first. */
typedef struct
{
  grefcount ref_count;
  UiNode *of;
  GArray *entries; /* of UiTreeEntry */
  gboolean has_texts;
} UiTree;

UiTree *ui_tree_read (UiNode *of, const char *const *paths, guint n, UiTreePart part);
UiTree *ui_tree_read_below (UiNode *root, UiTreePart part);
void ui_tree_forget (void);
void ui_tree_free (UiTree *self);
UiTreeEntry *ui_tree_get (const UiTree *self, guint i);
void ui_tree_read_names (UiTree *self, const GArray *places);
char *ui_tree_get_texts (UiTree *self, guint i);
UiNode *ui_tree_get_node (const UiTree *self, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (UiTree, ui_tree_free)

G_END_DECLS
