// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-growth.h"

struct _FpGrowths
{
  FpHistory *history;  /* (nullable): there is no growth, only changes */
  GHashTable *partial; /* (nullable) */
  FpFigure *changes;   /* (nullable): there is no mark */
  guint n;             /* totals that are added later have no growth */
  FpFigure figures[];
};

static const FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };

void
fp_growths_free (FpGrowths *self)
{
  g_clear_pointer (&self->history, fp_history_unref);
  g_free (self->changes);
  g_clear_pointer (&self->partial, g_hash_table_unref);
  g_free (self);
}

static gboolean
is_partial (const FpGrowths *self,
            FpKey key)
{
  return self->partial && g_hash_table_contains (self->partial, &key);
}

/* This is done before the records are shown: later the growth does not change. partial: (nullable): the keys of totals that
 * leave out some of those that the history adds up */
void
fp_records_take_history (FpRecords *self,
                         FpHistory *history,
                         GHashTable *partial)
{
  FpGrowths *growths = g_malloc0 (sizeof *growths + self->n * sizeof growths->figures[0]);

  growths->history = fp_history_ref (history);
  growths->partial = partial ? g_hash_table_ref (partial) : NULL;
  growths->n = self->n;
  growths->changes = fp_history_is_marked (history) ? g_new (FpFigure, self->n + 1) : NULL;
  for (guint i = 0; i < self->n; i++)
    {
      FpKey key = fp_records_get_key (self, i);
      gboolean is_whole = !is_partial (growths, key);

      growths->figures[i] = is_whole ? fp_history_get_growth (history, key).figure : unknown;
      if (growths->changes)
        growths->changes[i] = is_whole ? fp_history_get_change (history, self, i) : unknown;
    }
  g_clear_pointer (&self->growths, fp_growths_free);
  self->growths = growths;
}

FpFigure
fp_records_get_growth (const FpRecords *self,
                       guint index)
{
  if (fp_process_records_is_over (self, index))
    return (FpFigure){ .kind = FP_FIGURE_NONE };
  return self->growths && index < self->growths->n ? self->growths->figures[index] : unknown;
}

/* How much more or less memory and swap it has than at the mark. */
FpFigure
fp_records_get_change (const FpRecords *self,
                       guint index)
{
  return self->growths && self->growths->changes && index < self->growths->n ? self->growths->changes[index] : unknown;
}

/* Makes records of which no history is kept know how they differ from an older list of them. before: (nullable): they know
 * no changes */
void
fp_records_take_before (FpRecords *self,
                        const FpRecords *before)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (fp_key_hash, fp_key_equal, g_free, NULL);
  FpGrowths *growths = NULL;

  g_clear_pointer (&self->growths, fp_growths_free);
  if (!before)
    return;
  for (guint i = 0; i < before->n; i++)
    {
      FpKey key = fp_records_get_key (before, i);

      g_hash_table_insert (places, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i));
    }
  growths = g_malloc0 (sizeof *growths + self->n * sizeof growths->figures[0]);
  growths->n = self->n;
  growths->changes = g_new (FpFigure, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      FpKey key = fp_records_get_key (self, i);
      FpHistoryEnds now, was = { 0 };
      gpointer place;

      fp_history_ends_of_record (&now, self, i);
      if (g_hash_table_lookup_extended (places, &key, NULL, &place))
        fp_history_ends_of_record (&was, before, GPOINTER_TO_UINT (place));
      growths->figures[i] = unknown;
      growths->changes[i] = fp_history_ends_subtract (&now, &was);
    }
  self->growths = growths;
}

/* Returns: (nullable) (transfer none): what has the past of this record */
FpHistory *
fp_records_get_history (const FpRecords *self,
                        guint index)
{
  const FpGrowths *growths = self->growths;

  if (!growths || index >= growths->n || !growths->history || is_partial (growths, fp_records_get_key (self, index)))
    return NULL;
  return growths->history;
}
