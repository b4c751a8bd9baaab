// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* pmap of procps, run from a copy of itself and its libraries: it shares no page with those it looks at, so that
 * looking does not change their PSS. */
typedef struct
{
  char *folder;
  GPtrArray *command; /* up to the options */
} Pmap;

gboolean pmap_init (Pmap *self);
void pmap_clear (Pmap *self);
char *pmap_run (const Pmap *self, const char *options, gint pid);

/* The output of pmap, by the right edges of the words of its header. */
typedef struct
{
  char *text;
  GPtrArray *lines;
  guint n_mappings;
  GPtrArray *titles;
  GArray *edges; /* of gsize */
} PmapTable;

/* Cuts the text into its lines. (g_strsplit takes minutes for 60,000 of them with a sanitizer, whose strstr measures
 * the rest each time.) */
GPtrArray *pmap_cut_lines (char *text);

gboolean pmap_table_init (PmapTable *self, const char *text);
void pmap_table_clear (PmapTable *self);
char *pmap_table_get (const PmapTable *self, guint mapping, guint column);
const char *pmap_table_get_name (const PmapTable *self, guint mapping);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pmap, pmap_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PmapTable, pmap_table_clear)

G_END_DECLS
