// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui-keys.h"

#define MOST_STEPS 120 /* with Tab or an arrow key, until the focus has come to where it is wanted */
#define STEP_MS    700

typedef struct
{
  UiNode *root, *before;
} Step;

static gboolean
has_moved (gpointer data)
{
  Step *step = data;
  UiNode *focus = ui_find_focus (step->root);

  return focus && focus != step->before;
}

static gboolean
is_called (UiNode *node,
           const char *name)
{
  return node && g_pattern_match_simple (name, ui_name (node));
}

/* A button of a menu has the name, and what is in it the focus. Libadwaita's lists of choices have it in a label alone. */
gboolean
keys_has_focus (UiNode *root,
                const char *name)
{
  UiNode *focus = ui_find_focus (root);

  if (!focus || *ui_name (focus))
    return is_called (focus, name);
  return is_called (ui_get_parent (focus), name) || (ui_role (focus) == ATSPI_ROLE_LIST_ITEM && ui_find (focus, ATSPI_ROLE_LABEL, name));
}

/* With this key, from one to the next */
void
keys_walk_to (UiNode *root,
              const char *key,
              const char *name)
{
  for (guint i = 0; i < MOST_STEPS; i++)
    {
      Step step = { root, ui_find_focus (root) };

      if (keys_has_focus (root, name))
        return;
      ui_key (key);
      ui_wait_for_ms (STEP_MS, has_moved, &step);
    }
  ui_fail ("“%s” does not come to “%s”", key, name);
}
