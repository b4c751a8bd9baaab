// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-desktop-entry.h"
#include "fp-desktop-index.h"

#define SUFFIX    ".desktop"
#define MAX_DEPTH 4

struct _FpDesktopIndex
{
  GHashTable *seen; /* ids */
  GHashTable *apps;
  GHashTable *programs;
};

/* How well an entry stands for what it is found by; those of one rank in the order they were read. */
enum
{
  RANK_DISPLAYED = 1,
  RANK_NO_ARGUMENTS = 2,
  RANK_COMMAND = 4,
  RANK_SAME_NAME = 8,
};

typedef struct
{
  GIcon *icon;
  guint rank;
} Choice;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_object_unref (choice->icon);
  g_free (choice);
}

static void
offer (GHashTable *table,
       const char *key,
       GIcon *icon,
       guint rank)
{
  Choice *choice = g_hash_table_lookup (table, key);

  if (choice && choice->rank >= rank)
    return;
  choice = g_new (Choice, 1);
  *choice = (Choice){ g_object_ref (icon), rank };
  g_hash_table_insert (table, g_strdup (key), choice);
}

/* org.gnome.Loupe is loupe's own. */
static gboolean
is_named_after (const char *id,
                const char *program)
{
  const char *dot = strrchr (id, '.');

  return g_str_equal (id, program) || (dot && g_ascii_strcasecmp (dot + 1, program) == 0);
}

static void
offer_program (FpDesktopIndex *self,
               const char *program,
               const FpDesktopEntry *entry,
               const char *id,
               guint rank)
{
  if (is_named_after (id, program))
    rank |= RANK_SAME_NAME;
  offer (self->programs, program, entry->icon, rank);
}

static void
add_entry (FpDesktopIndex *self,
           const FpDesktopEntry *entry,
           const char *id)
{
  guint rank = entry->is_displayed ? RANK_DISPLAYED : 0;

  if (!entry->icon)
    return;
  offer (self->apps, id, entry->icon, rank | RANK_SAME_NAME);
  if (entry->app)
    offer (self->apps, entry->app, entry->icon, rank);
  if (entry->window_class)
    offer_program (self, entry->window_class, entry, id, rank);
  rank |= RANK_COMMAND;
  if (entry->try_program)
    offer_program (self, entry->try_program, entry, id, rank);
  if (!entry->has_arguments)
    rank |= RANK_NO_ARGUMENTS;
  if (entry->program)
    offer_program (self, entry->program, entry, id, rank);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* In an order that is the same on every file system. */
static GPtrArray *
list_names (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* prefix: of the ids in this folder. An entry hides those of its id in later folders, also when it is deleted. */
static void
add_folder (FpDesktopIndex *self,
            const char *folder,
            const char *prefix,
            guint depth)
{
  g_autoptr (GPtrArray) names = list_names (folder);

  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *id = g_strconcat (prefix, name, NULL);
      g_autofree char *inner = NULL;
      g_auto (FpDesktopEntry) entry = { 0 };

      if (!g_str_has_suffix (name, SUFFIX))
        {
          inner = g_strconcat (id, "-", NULL);
          if (depth < MAX_DEPTH && g_file_test (path, G_FILE_TEST_IS_DIR))
            add_folder (self, path, inner, depth + 1);
          continue;
        }
      id[strlen (id) - strlen (SUFFIX)] = '\0';
      if (!g_hash_table_add (self->seen, g_strdup (id)))
        continue;
      fp_desktop_entry_read (&entry, path);
      add_entry (self, &entry, id);
    }
}

/* The first of the folders comes first. */
FpDesktopIndex *
fp_desktop_index_new (const char *const *folders)
{
  FpDesktopIndex *self = g_new0 (FpDesktopIndex, 1);

  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->apps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, choice_free);
  self->programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, choice_free);
  for (; *folders; folders++)
    add_folder (self, *folders, "", 0);
  g_hash_table_remove_all (self->seen);
  return self;
}

/* By custom an app's icon has its id, or its program's name. */
static void
add_icon (FpDesktopIndex *self,
          const char *file)
{
  g_autofree char *name = g_strndup (file, strlen (file) - strlen (".png"));
  g_autofree char *program = NULL;
  const char *dot = strrchr (name, '.');
  g_autoptr (GIcon) icon = g_themed_icon_new (name);

  program = g_ascii_strdown (dot ? dot + 1 : name, -1);
  offer (self->apps, name, icon, 0);
  offer (self->programs, program, icon, 0);
}

/* The icons of a theme alone, where a sandbox shows them but no entries; whatever is known otherwise comes first. */
void
fp_desktop_index_add_theme (FpDesktopIndex *self,
                            const char *folder)
{
  g_autoptr (GPtrArray) sizes = list_names (folder);

  for (guint i = 0; i < sizes->len; i++)
    {
      g_autofree char *apps = g_build_filename (folder, sizes->pdata[i], "apps", NULL);
      g_autoptr (GPtrArray) names = list_names (apps);

      for (guint j = 0; j < names->len; j++)
        if (g_str_has_suffix (names->pdata[j], ".png") || g_str_has_suffix (names->pdata[j], ".svg"))
          add_icon (self, names->pdata[j]);
    }
}

void
fp_desktop_index_free (FpDesktopIndex *self)
{
  g_hash_table_unref (self->seen);
  g_hash_table_unref (self->apps);
  g_hash_table_unref (self->programs);
  g_free (self);
}

static GIcon *
find (GHashTable *table,
      const char *key)
{
  const Choice *choice = g_hash_table_lookup (table, key);

  return choice ? choice->icon : NULL;
}

/* app: as its control group names it. NULL: no entry has that */
GIcon *
fp_desktop_index_find_app (const FpDesktopIndex *self,
                           const char *app)
{
  return find (self->apps, app);
}

/* The same by what is run. */
GIcon *
fp_desktop_index_find_program (const FpDesktopIndex *self,
                               const char *program)
{
  return find (self->programs, program);
}
