// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-rows.h"

typedef struct
{
  guint index;
  FpFigure figure;
  const char *text;
  FpFigure memory;
  FpKey key;
} SortKey;

struct _FpRows
{
  FpQuery *query;
  FpRowFilter filter;
  gpointer filter_data;
  const FpColumn *sort_column;
  gboolean descending;
  GArray *keys;
  GArray *indices;
  GStringChunk *texts;
};

FpRows *
fp_rows_new (void)
{
  FpRows *self = g_new0 (FpRows, 1);

  self->keys = g_array_new (FALSE, FALSE, sizeof (SortKey));
  self->indices = g_array_new (FALSE, FALSE, sizeof (guint));
  self->texts = g_string_chunk_new (4096);
  return self;
}

void
fp_rows_free (FpRows *self)
{
  g_clear_pointer (&self->query, fp_query_free);
  g_array_unref (self->keys);
  g_array_unref (self->indices);
  g_string_chunk_free (self->texts);
  g_free (self);
}

/* Takes the query. */
void
fp_rows_set_query (FpRows *self,
                   FpQuery *query)
{
  g_clear_pointer (&self->query, fp_query_free);
  self->query = query;
}

void
fp_rows_set_filter (FpRows *self,
                    FpRowFilter filter,
                    gpointer data)
{
  self->filter = filter;
  self->filter_data = data;
}

void
fp_rows_set_sort (FpRows *self,
                  const FpColumn *column,
                  gboolean descending)
{
  self->sort_column = column;
  self->descending = descending;
}

static void
make_key (FpRows *self,
          const FpRecords *records,
          guint index)
{
  const FpColumn *column = self->sort_column;
  SortKey key = { .index = index, .key = fp_records_get_key (records, index) };
  char buffer[FP_CELL_SIZE];

  if (column && column->presentation == FP_PRESENT_TEXT)
    {
      key.text = fp_column_get_text (column, records, index, NULL, buffer, sizeof buffer);
      if (key.text == buffer)
        key.text = g_string_chunk_insert_const (self->texts, buffer);
    }
  else if (column)
    key.figure = fp_column_get_figure (column, records, index);
  key.memory = fp_records_get_figure (records, index, FP_FIELD_PSS);
  g_array_append_val (self->keys, key);
}

static int
compare_texts (const char *a,
               const char *b,
               gboolean descending)
{
  int order;

  if (!*a || !*b)
    return !*a - !*b;
  order = g_ascii_strcasecmp (a, b);
  return descending ? -order : order;
}

static int
compare_keys (gconstpointer a,
              gconstpointer b,
              gpointer data)
{
  const FpRows *self = data;
  const SortKey *x = a, *y = b;
  int order = 0;

  if (self->sort_column)
    order = x->text ? compare_texts (x->text, y->text, self->descending)
                    : fp_figure_compare (x->figure, y->figure, self->descending);
  if (order == 0 && self->sort_column)
    order = fp_figure_compare (x->memory, y->memory, TRUE);
  if (order == 0)
    order = (x->key.a > y->key.a) - (x->key.a < y->key.a);
  if (order == 0)
    order = (x->key.b > y->key.b) - (x->key.b < y->key.b);
  return order;
}

void
fp_rows_update (FpRows *self,
                const FpRecords *records)
{
  g_array_set_size (self->keys, 0);
  g_string_chunk_clear (self->texts);
  for (guint i = 0; i < records->n; i++)
    if ((!self->filter || self->filter (records, i, self->filter_data)) &&
        (!self->query || fp_query_matches (self->query, records, i)))
      make_key (self, records, i);

  g_array_sort_with_data (self->keys, compare_keys, self);
  g_array_set_size (self->indices, self->keys->len);
  for (guint i = 0; i < self->keys->len; i++)
    g_array_index (self->indices, guint, i) = g_array_index (self->keys, SortKey, i).index;
}

guint
fp_rows_get_n (const FpRows *self)
{
  return self->indices->len;
}

const guint *
fp_rows_get_indices (const FpRows *self)
{
  return (const guint *)self->indices->data;
}
