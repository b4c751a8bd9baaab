// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <string.h>

#include "fp-order.h"

void
fp_order_init (FpOrder *self)
{
  *self = (FpOrder){ .texts = g_string_chunk_new (4096) };
}

void
fp_order_clear (FpOrder *self)
{
  g_clear_pointer (&self->texts, g_string_chunk_free);
}

/* Groups have sums, a name and nothing else. */
static const FpColumn *
find_group_column (const FpColumn *column)
{
  if (!column || column->kinds & (FP_RECORD_TOTAL | FP_RECORD_FOLD))
    return column;
  return fp_columns_find (column->presentation == FP_PRESENT_TEXT ? "name" : "pss", FP_RECORD_TOTAL);
}

/* Before items are prepared anew. */
void
fp_order_forget_texts (FpOrder *self)
{
  g_string_chunk_clear (self->texts);
  self->last_text = NULL;
}

/* NULL: by key */
void
fp_order_set_column (FpOrder *self,
                     const FpColumn *column,
                     gboolean descending)
{
  self->column = column;
  self->group_column = find_group_column (column);
  self->descending = descending;
}

/* Neighbours often have the same. */
static const char *
keep_text (FpOrder *self,
           const char *text)
{
  if (!self->last_text || strcmp (self->last_text, text) != 0)
    self->last_text = g_string_chunk_insert_const (self->texts, text);
  return self->last_text;
}

void
fp_order_prepare (FpOrder *self,
                  FpItem *item,
                  const FpRecords *records,
                  const FpFormat *format)
{
  const FpColumn *column = item->row.kind == FP_ROW_GROUP ? self->group_column : self->column;
  guint index = item->row.index;
  char buffer[FP_CELL_SIZE];

  item->text = NULL;
  if (!column)
    return;
  if (column->presentation == FP_PRESENT_TEXT && !column->get_figure)
    {
      item->text = fp_column_get_text (column, records, index, format, buffer, sizeof buffer);
      if (item->text == buffer)
        item->text = keep_text (self, buffer);
    }
  else
    item->figure = fp_column_get_figure (column, records, index);
  item->memory = column->field == FP_FIELD_PSS ? item->figure : fp_records_get_figure (records, index, FP_FIELD_PSS);
}

static int
compare_texts (const char *a,
               const char *b,
               gboolean descending)
{
  int order;

  if (a == b)
    return 0;
  if (!*a || !*b)
    return !*a - !*b;
  order = g_ascii_strcasecmp (a, b);
  return descending ? -order : order;
}

static int
compare_items (const FpOrder *self,
               const FpItem *x,
               const FpItem *y)
{
  int order = 0;

  if (x->is_leader != y->is_leader)
    return x->is_leader ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (self->column)
    order = x->text && y->text ? compare_texts (x->text, y->text, self->descending)
                               : fp_figure_compare (x->figure, y->figure, self->descending);
  if (order == 0 && self->column)
    order = fp_figure_compare (x->memory, y->memory, TRUE);
  if (order == 0)
    order = (x->row.key.a > y->row.key.a) - (x->row.key.a < y->row.key.a);
  if (order == 0)
    order = (x->row.key.b > y->row.key.b) - (x->row.key.b < y->row.key.b);
  return order;
}

/* What an item begins with, as far as 64 bits tell: of two in which it differs the order is known without the rest.
 * The next two tell more of figures and short texts, many of which are the same: items are far apart in memory. */
typedef struct
{
  guint64 start;
  guint64 memory;
  guint64 key;
  FpItem *item;
} Entry;

static guint64
start_of_text (const char *text,
               gboolean descending)
{
  guint64 start = 0;

  if (!*text)
    return G_MAXUINT64;
  for (guint i = 0; i < sizeof start; i++)
    {
      start = start << 8 | (guchar)g_ascii_tolower (*text);
      text += *text != '\0';
    }
  return descending ? ~start : start;
}

static guint64
start_of (const FpOrder *self,
          const FpItem *item,
          gboolean is_held)
{
  if (item->is_leader)
    return 0;
  if (is_held)
    return item->rank;
  if (!self->column)
    return item->row.key.a;
  return item->text ? start_of_text (item->text, self->descending)
                    : fp_figure_get_place (item->figure, self->descending);
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b,
                 gpointer data)
{
  const Entry *x = *(const Entry *const *)a, *y = *(const Entry *const *)b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->memory != y->memory)
    return x->memory < y->memory ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return compare_items (data, x->item, y->item);
}

static Entry
make_entry (const FpOrder *self,
            FpItem *item,
            gboolean is_held)
{
  Entry entry = { start_of (self, item, is_held), 0, 0, item };

  if (!self->column || item->is_leader || is_held || (item->text && strlen (item->text) >= sizeof entry.start))
    return entry;
  entry.memory = fp_figure_get_place (item->memory, TRUE);
  entry.key = item->row.key.a;
  return entry;
}

/* is_held: by rank where there is one */
void
fp_order_sort (const FpOrder *self,
               FpItem **items,
               guint n,
               gboolean is_held)
{
  g_autofree Entry *entries = g_new (Entry, n + 1);
  g_autofree Entry **order = g_new (Entry *, n + 1);
  gboolean is_sorted = TRUE;

  for (guint i = 0; i < n; i++)
    {
      entries[i] = make_entry (self, items[i], is_held);
      order[i] = &entries[i];
      is_sorted = is_sorted && (i == 0 || compare_entries (&order[i - 1], &order[i], (gpointer)self) <= 0);
    }
  if (is_sorted)
    return;
  g_qsort_with_data (order, (gint)n, sizeof *order, compare_entries, (gpointer)self);
  for (guint i = 0; i < n; i++)
    items[i] = order[i]->item;
}
