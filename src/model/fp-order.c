// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include <string.h>

#include "fp-control-records.h"
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

/* Groups have only sums and a name, so they are sorted by one of these instead. */
static const FpColumn *
find_group_column (const FpColumn *column)
{
  if (!column || column->kinds & (FP_RECORD_TOTAL | FP_RECORD_FOLD | FP_RECORD_COMPARED))
    return column;
  return fp_columns_get_role (column->presentation == FP_PRESENT_TEXT ? FP_ROLE_NAME : FP_ROLE_MEMORY, FP_RECORD_TOTAL);
}

/* Returns whether groups have the column that the rows are sorted by. */
gboolean
fp_order_knows_groups (const FpOrder *self)
{
  return self->column == self->group_column;
}

/* Call this before items are prepared anew. */
void
fp_order_forget_texts (FpOrder *self)
{
  g_string_chunk_clear (self->texts);
  self->last_text = NULL;
}

/* column: (nullable): NULL sorts by key */
void
fp_order_set_column (FpOrder *self,
                     const FpColumn *column,
                     gboolean descending)
{
  self->column = column;
  self->group_column = find_group_column (column);
  self->descending = descending;
}

/* Neighbours often have the same text. */
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
                  guint index,
                  const FpFormat *format)
{
  const FpColumn *column = records->class->kind & (FP_RECORD_TOTAL | FP_RECORD_FOLD) ? self->group_column : self->column;
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
  if (records->class->kind == FP_RECORD_CONTROL_GROUP)
    item->memory = fp_control_records_get_control (records, index, FP_CONTROL_MEMORY);
  else
    item->memory = column->field == FP_FIELD_PSS ? item->figure : fp_records_get_figure (records, index, FP_FIELD_PSS);
}

/* The call of g_ascii_tolower () would take longer than all the rest. */
static inline guchar
fold (char c)
{
  return (guchar)(g_ascii_isupper (c) ? c - 'A' + 'a' : c);
}

/* The order of texts is that of these numbers: eight letters at a time, without the case of ASCII, zeros behind the end. */
static guint64
read_letters (const char **text)
{
  guint64 letters = 0;

  for (guint i = 0; i < sizeof letters; i++)
    {
      letters = letters << 8 | fold (**text);
      *text += **text != '\0';
    }
  return letters;
}

static int
compare_texts (const char *a,
               const char *b,
               gboolean descending)
{
  guint64 x, y;

  if (a == b)
    return 0;
  if (!*a || !*b)
    return !*a - !*b;
  do
    {
      x = read_letters (&a);
      y = read_letters (&b);
    }
  while (x == y && (x & 0xff) != 0);
  if (x == y)
    return 0;
  return (x < y) == !descending ? -1 : 1;
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

/* The first 64 bits of an item (start) decide most comparisons alone. Where they are equal, memory and key decide for
 * figures, and for texts that end there. They are copied because items are far apart in memory. */
typedef struct
{
  guint64 start;
  guint64 memory;
  guint64 key;
  FpItem *item;
  gboolean goes_on; /* the text is longer than start: its rest decides before memory and key */
} Entry;

static void
take_text (Entry *entry,
           const char *text,
           gboolean descending)
{
  guint64 start = read_letters (&text);

  entry->start = descending ? ~start : start;
  entry->goes_on = (start & 0xff) != 0;
}

static Entry
make_entry (const FpOrder *self,
            FpItem *item,
            gboolean is_held)
{
  Entry entry = { .item = item };

  if (item->is_leader)
    return entry;
  if (is_held || !self->column)
    {
      entry.start = is_held ? item->rank : item->row.key.a;
      return entry;
    }
  entry.memory = fp_figure_get_place (item->memory, TRUE);
  entry.key = item->row.key.a;
  if (!item->text)
    entry.start = fp_figure_get_place (item->figure, self->descending);
  else if (*item->text)
    take_text (&entry, item->text, self->descending);
  else
    entry.start = G_MAXUINT64;
  return entry;
}

static int
compare_entries (gconstpointer a,
                 gconstpointer b,
                 gpointer data)
{
  const Entry *x = *(const Entry *const *)a, *y = *(const Entry *const *)b;

  if (x->start != y->start)
    return x->start < y->start ? -1 : 1;
  if (x->goes_on && y->goes_on)
    return 0;
  if (x->memory != y->memory)
    return x->memory < y->memory ? -1 : 1;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return compare_items (data, x->item, y->item);
}

/* Returns the length of the beginning that all of the texts share. */
static gsize
find_difference (Entry *const *entries,
                 guint n,
                 gsize from)
{
  const char *first = entries[0]->item->text;
  gsize end = strlen (first);

  for (guint i = 1; i < n; i++)
    {
      const char *text = entries[i]->item->text;
      gsize at = from;

      while (text != first && at < end && fold (text[at]) == fold (first[at]))
        at++;
      if (text != first)
        end = at;
    }
  return end;
}

/* Paths begin the same, so equal beginnings are compared once, and the rest is sorted by itself. */
static void
sort_entries (const FpOrder *self,
              Entry **entries,
              guint n,
              gsize from)
{
  guint end;

  g_qsort_with_data (entries, (gint)n, sizeof *entries, compare_entries, (gpointer)self);
  for (guint i = 0; i < n; i = end)
    {
      gsize next;

      for (end = i + 1; end < n && entries[end]->start == entries[i]->start; end++)
        ;
      if (!entries[i]->goes_on || end - i < 2)
        continue;
      next = find_difference (entries + i, end - i, from + sizeof entries[i]->start);
      for (guint j = i; j < end; j++)
        take_text (entries[j], entries[j]->item->text + next, self->descending);
      sort_entries (self, entries + i, end - i, next);
    }
}

/* is_held: items with a rank are sorted by it */
void
fp_order_sort (const FpOrder *self,
               FpItem **items,
               guint n,
               gboolean is_held)
{
  g_autofree Entry *entries = NULL;
  g_autofree Entry **order = NULL;
  gboolean is_sorted = TRUE;

  if (n < 2)
    return;
  entries = g_new (Entry, n);
  order = g_new (Entry *, n);
  for (guint i = 0; i < n; i++)
    {
      entries[i] = make_entry (self, items[i], is_held);
      order[i] = &entries[i];
      is_sorted = is_sorted && (i == 0 || compare_items (self, items[i - 1], items[i]) <= 0);
    }
  if (is_sorted)
    return;
  sort_entries (self, order, n, 0);
  for (guint i = 0; i < n; i++)
    items[i] = order[i]->item;
}
