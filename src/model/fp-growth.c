// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-growth.h"

struct _FpGrowths
{
  FpHistory *history;
  GHashTable *partial; /* (nullable) */
  guint n;             /* totals that are added later have no growth */
  FpFigure figures[];
};

static const FpFigure unknown = { FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };

void
fp_growths_free (FpGrowths *self)
{
  fp_history_unref (self->history);
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
  FpGrowths *growths = g_malloc (sizeof *growths + self->n * sizeof growths->figures[0]);

  growths->history = fp_history_ref (history);
  growths->partial = partial ? g_hash_table_ref (partial) : NULL;
  growths->n = self->n;
  for (guint i = 0; i < self->n; i++)
    {
      FpKey key = fp_records_get_key (self, i);

      growths->figures[i] = is_partial (growths, key) ? unknown : fp_history_get_growth (history, key).figure;
    }
  g_clear_pointer (&self->growths, fp_growths_free);
  self->growths = growths;
}

FpFigure
fp_records_get_growth (const FpRecords *self,
                       guint index)
{
  return self->growths && index < self->growths->n ? self->growths->figures[index] : unknown;
}

/* Returns: (nullable) (transfer none): what has the past of this record */
FpHistory *
fp_records_get_history (const FpRecords *self,
                        guint index)
{
  if (!self->growths || index >= self->growths->n || is_partial (self->growths, fp_records_get_key (self, index)))
    return NULL;
  return self->growths->history;
}
