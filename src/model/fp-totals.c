// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include "fp-totals.h"

typedef struct
{
  FpRecords parent;
  GArray *totals;
  GStringChunk *names;
} FpTotals;

const FpTotal *
fp_totals_get (const FpRecords *records,
               guint index)
{
  return &g_array_index (((const FpTotals *)records)->totals, FpTotal, index);
}

static FpKey
fp_totals_get_key (const FpRecords *records,
                   guint index)
{
  return (FpKey){ g_str_hash (fp_totals_get (records, index)->name), G_MAXUINT64 };
}

static FpFigure
fp_totals_get_figure (const FpRecords *records,
                      guint index,
                      FpField field)
{
  const FpTotal *total = fp_totals_get (records, index);

  if (total->n_known[field] == 0 && total->n_unknown[field] == 0)
    return (FpFigure){ FP_FIGURE_NONE, 0, 0 };
  if (total->n_unknown[field] == 0)
    return fp_figure_exact (total->low[field]);
  if (total->n_known[field] == 0 && total->high[field] == G_MAXUINT64)
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  if (total->n_known[field] == 0)
    return fp_figure_at_most (total->high[field]);
  return (FpFigure){ FP_FIGURE_RANGE, total->low[field], total->high[field] };
}

static void
fp_totals_free (FpRecords *records)
{
  FpTotals *self = (FpTotals *)records;

  g_array_unref (self->totals);
  g_string_chunk_free (self->names);
  g_free (self);
}

static void
add_figure (FpTotal *total,
            FpField field,
            FpFigure figure)
{
  if (figure.kind == FP_FIGURE_NONE)
    return;
  if (figure.kind == FP_FIGURE_EXACT)
    total->n_known[field]++;
  else
    total->n_unknown[field]++;
  total->low[field] += figure.low;
  if (figure.high == G_MAXUINT64 || total->high[field] == G_MAXUINT64)
    total->high[field] = G_MAXUINT64;
  else
    total->high[field] += figure.high;
}

static void
add_member (FpTotal *total,
            const FpRecords *records,
            guint index)
{
  total->n_members++;
  if (records->class->kind == FP_RECORD_PROCESS)
    total->n_unread += fp_process_is_unread (fp_process_records_get (records, index));
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    add_figure (total, field, fp_records_get_figure (records, index, field));
}

static guint
find_group (FpTotals *self,
            GHashTable *groups,
            const char *text)
{
  gpointer found;
  FpTotal total = { 0 };

  if (g_hash_table_lookup_extended (groups, text, NULL, &found))
    return GPOINTER_TO_UINT (found);
  total.name = g_string_chunk_insert (self->names, text);
  g_array_append_val (self->totals, total);
  g_hash_table_insert (groups, (gpointer)total.name, GUINT_TO_POINTER (self->totals->len - 1));
  return self->totals->len - 1;
}

FpRecords *
fp_totals_new (const FpRecords *records,
               const guint *indices,
               guint n,
               const FpColumn *by,
               const FpFormat *format)
{
  static const FpRecordsClass class = {
    FP_RECORD_TOTAL, fp_totals_get_key, fp_totals_get_figure, fp_totals_free
  };
  g_autoptr (GHashTable) groups = g_hash_table_new (g_str_hash, g_str_equal);
  FpTotals *self = g_new0 (FpTotals, 1);
  char buffer[FP_CELL_SIZE];

  self->parent.class = &class;
  g_atomic_ref_count_init (&self->parent.ref_count);
  self->totals = g_array_new (FALSE, FALSE, sizeof (FpTotal));
  self->names = g_string_chunk_new (1024);
  if (!by)
    find_group (self, groups, "");
  for (guint i = 0; i < n; i++)
    {
      const char *text = by ? fp_column_get_text (by, records, indices[i], format, buffer, sizeof buffer) : "";
      guint group = find_group (self, groups, text);

      add_member (&g_array_index (self->totals, FpTotal, group), records, indices[i]);
    }
  self->parent.n = self->totals->len;
  return &self->parent;
}
