// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-mapping-answers.h"
#include "fp-scan.h"

/* The meaning that was found for a doubtful name; it holds for all mappings with the same words and file. */
typedef struct
{
  guint64 inode;
  guint64 device;
  guint32 words;
  guint32 name;
  FpFileState file_state;
} Answer;

static guint
answer_hash (gconstpointer key)
{
  const Answer *answer = key;

  return g_int64_hash (&answer->inode) ^ answer->words;
}

static gboolean
answer_equal (gconstpointer a,
              gconstpointer b)
{
  const Answer *x = a, *y = b;

  return x->inode == y->inode && x->device == y->device && x->words == y->words;
}

void
fp_mapping_answers_init (FpMappingAnswers *self,
                         FpMappings *mappings,
                         FpStrings *names)
{
  *self = (FpMappingAnswers){ mappings, names };
  self->table = g_hash_table_new_full (answer_hash, answer_equal, g_free, NULL);
}

void
fp_mapping_answers_clear (FpMappingAnswers *self)
{
  g_clear_pointer (&self->table, g_hash_table_unref);
}

/* The mapping's own answer, without a meaning yet */
static Answer
make_answer (const FpMappingAnswers *self,
             guint index,
             FpMapping *mapping)
{
  guint32 words = fp_mappings_get_place (self->mappings, index, mapping);

  return (Answer){ mapping->inode, (guint64)mapping->device_major << 32 | mapping->device_minor, words };
}

/* Settles the name of this mapping, and of all others with the same words and file. */
void
fp_mapping_answers_settle (FpMappingAnswers *self,
                           guint index,
                           const char *name,
                           FpFileState file_state)
{
  FpMapping mapping;
  Answer answer = make_answer (self, index, &mapping);

  answer.name = fp_strings_intern (self->names, name);
  answer.file_state = file_state;
  g_hash_table_add (self->table, g_memdup2 (&answer, sizeof answer));
}

/* "#7f0000000000 2 /tmp/a", as fp_mapping_names_ask () writes it behind the kernel's text; a newline is a NUL in it. */
void
fp_mapping_answers_scan (FpMappingAnswers *self,
                         const char *line,
                         const char *end)
{
  guint64 start, file_state;
  char clean[FP_MAPPING_NAME_SIZE];
  g_autofree char *name = NULL;
  FpMapping mapping;
  guint index;

  line++;
  if (!fp_scan_hex (&line, end, ' ', &start) || !fp_scan_hex (&line, end, ' ', &file_state) || file_state > FP_FILE_DELETED)
    return;
  index = fp_mappings_find (self->mappings, start);
  if (index == fp_mappings_get_n (self->mappings))
    return;
  fp_mappings_get_place (self->mappings, index, &mapping);
  if (mapping.start != start || mapping.file_state != FP_FILE_DOUBTFUL)
    return;
  name = g_memdup2 (line, (gsize)(end - line) + 1);
  for (gsize i = 0; i < (gsize)(end - line); i++)
    if (name[i] == '\0')
      name[i] = '\n';
  fp_text_clean (clean, sizeof clean, name, (gsize)(end - line));
  fp_mapping_answers_settle (self, index, clean, (FpFileState)file_state);
}

/* Finds the next mapping, from *index on, with a name that can mean two things and is not settled yet. The name is valid
 * until another is settled. */
gboolean
fp_mapping_answers_next_open (const FpMappingAnswers *self,
                              guint *index,
                              FpMapping *mapping)
{
  for (; self->has_doubtful && *index < fp_mappings_get_n (self->mappings); (*index)++)
    {
      Answer key = make_answer (self, *index, mapping);

      if (mapping->file_state != FP_FILE_DOUBTFUL || g_hash_table_contains (self->table, &key))
        continue;
      mapping->name = mapping->shown = fp_strings_get (self->names, key.words);
      return TRUE;
    }
  return FALSE;
}

/* "/tmp/“x (deleted)”": without the quotes it would look like a file "x" that is gone. */
static void
add_quoted (FpMappingAnswers *self,
            guint32 name)
{
  const char *text = fp_strings_get (self->names, name), *base = strrchr (text, '/');
  g_autofree char *shown = g_strdup_printf ("%.*s“%s”", base ? (int)(base + 1 - text) : 0, text, base ? base + 1 : text);

  fp_mappings_add_quoted (self->mappings, name, fp_strings_intern (self->names, shown));
}

/* Writes the answers into the mappings. A name without one stays as the kernel wrote it. */
void
fp_mapping_answers_apply (FpMappingAnswers *self)
{
  GHashTableIter iter;
  gpointer key;

  for (guint i = 0; self->has_doubtful && i < fp_mappings_get_n (self->mappings); i++)
    {
      FpMapping mapping;
      Answer wanted = make_answer (self, i, &mapping);
      const Answer *answer = mapping.file_state == FP_FILE_DOUBTFUL ? g_hash_table_lookup (self->table, &wanted) : NULL;

      if (answer)
        fp_mappings_set_file (self->mappings, i, answer->name, answer->file_state);
      else
        fp_mappings_set_file (self->mappings, i, wanted.words, FP_FILE_UNKNOWN);
    }
  g_hash_table_iter_init (&iter, self->table);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (((const Answer *)key)->file_state == FP_FILE_PRESENT)
      add_quoted (self, ((const Answer *)key)->name);
}
