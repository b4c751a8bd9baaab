// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib/gstdio.h>
#include <string.h>

#include "pmap.h"

static char *
copy_file (Pmap *self,
           const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  char *copy = g_build_filename (self->folder, name, NULL);
  g_autofree char *data = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  g_assert_true (g_file_set_contents (copy, data, (gssize)length, NULL));
  g_assert_cmpint (g_chmod (copy, 0700), ==, 0);
  return copy;
}

/* "libc.so.6 => /lib/libc.so.6 (0x7f…)", and the loader by its path alone. */
static void
copy_libraries (Pmap *self,
                const char *program)
{
  g_autofree char *command = g_strdup_printf ("ldd %s", program), *output = NULL, *loader = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_spawn_command_line_sync (command, &output, NULL, NULL, NULL));
  lines = g_strsplit (output, "\n", -1);
  for (char **line = lines; *line; line++)
    {
      char *path = strchr (*line, '/');
      g_autofree char *copy = NULL;

      if (!path)
        continue;
      path[strcspn (path, " ")] = '\0';
      copy = copy_file (self, path);
      if (!strstr (*line, "=>"))
        loader = g_steal_pointer (&copy);
    }
  g_assert_nonnull (loader);
  g_ptr_array_add (self->command, g_steal_pointer (&loader));
  g_ptr_array_add (self->command, g_strdup ("--library-path"));
  g_ptr_array_add (self->command, g_strdup (self->folder));
}

/* FALSE: there is none. */
gboolean
pmap_init (Pmap *self)
{
  g_autofree char *program = g_find_program_in_path ("pmap");

  *self = (Pmap){ NULL, g_ptr_array_new_with_free_func (g_free) };
  if (!program)
    return FALSE;
  self->folder = g_dir_make_tmp ("footprint-pmap-XXXXXX", NULL);
  g_assert_nonnull (self->folder);
  copy_libraries (self, program);
  g_ptr_array_add (self->command, copy_file (self, program));
  return TRUE;
}

void
pmap_clear (Pmap *self)
{
  g_autoptr (GDir) dir = self->folder ? g_dir_open (self->folder, 0, NULL) : NULL;
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  if (self->folder)
    g_rmdir (self->folder);
  g_free (self->folder);
  g_ptr_array_unref (self->command);
}

char *
pmap_run (const Pmap *self,
          const char *options,
          gint pid)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autofree char *number = g_strdup_printf ("%d", pid);
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "LC_ALL", "C", TRUE);
  g_autoptr (GError) error = NULL;
  char *output = NULL;
  int status = 0;

  g_ptr_array_extend (argv, self->command, NULL, NULL);
  g_ptr_array_add (argv, (gpointer) "-p");
  g_ptr_array_add (argv, (gpointer)options);
  g_ptr_array_add (argv, number);
  g_ptr_array_add (argv, NULL);
  g_spawn_sync (NULL, (char **)argv->pdata, environment, G_SPAWN_DEFAULT, NULL, NULL, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  return output;
}

GPtrArray *
pmap_cut_lines (char *text)
{
  GPtrArray *lines = g_ptr_array_new ();

  for (char *end; (end = strchr (text, '\n')); text = end + 1)
    {
      *end = '\0';
      g_ptr_array_add (lines, text);
    }
  return lines;
}

/* A line with the command, the header, the mappings, a rule, the sums. */
gboolean
pmap_table_init (PmapTable *self,
                 const char *text)
{
  const char *header;

  *self = (PmapTable){ g_strdup (text), NULL, 0, g_ptr_array_new_with_free_func (g_free),
                       g_array_new (FALSE, FALSE, sizeof (gsize)) };
  self->lines = pmap_cut_lines (self->text);
  if (self->lines->len < 5)
    return FALSE;
  self->n_mappings = self->lines->len - 4;
  header = g_ptr_array_index (self->lines, 1);
  for (const char *word = header; *word;)
    {
      gsize start, edge;

      word += strspn (word, " ");
      start = (gsize)(word - header);
      edge = start + strcspn (word, " ");
      g_ptr_array_add (self->titles, g_strndup (word, edge - start));
      g_array_append_val (self->edges, edge);
      word = header + edge;
    }
  /* Mapping, which goes on to the end of the line. */
  g_ptr_array_set_size (self->titles, (gint)self->titles->len - 1);
  return TRUE;
}

void
pmap_table_clear (PmapTable *self)
{
  g_free (self->text);
  g_ptr_array_unref (self->lines);
  g_ptr_array_unref (self->titles);
  g_array_unref (self->edges);
}

char *
pmap_table_get (const PmapTable *self,
                guint mapping,
                guint column)
{
  const char *line = g_ptr_array_index (self->lines, 2 + mapping);
  gsize from = column > 0 ? g_array_index (self->edges, gsize, column - 1) : 0;
  gsize to = g_array_index (self->edges, gsize, column);

  g_assert_cmpuint (strlen (line), >=, to);
  return g_strstrip (g_strndup (line + from, to - from));
}

const char *
pmap_table_get_name (const PmapTable *self,
                     guint mapping)
{
  const char *line = g_ptr_array_index (self->lines, 2 + mapping);

  return line + g_array_index (self->edges, gsize, self->titles->len - 1) + 1;
}
