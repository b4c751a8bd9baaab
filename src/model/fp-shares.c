// SPDX-License-Identifier: GPL-3.0-or-later
#include "config.h"

#include "fp-shares.h"

/* all: the total of every process there is */
void
fp_shares_make (FpShare shares[FP_N_SHARES],
                const FpLedger *ledger,
                const FpTotal *all)
{
  static const struct
  {
    FpPart part;
    FpField field;
  } divided[FP_N_SHARES] = {
    { FP_PART_ANONYMOUS, FP_FIELD_PSS_ANON },
    { FP_PART_SHMEM, FP_FIELD_PSS_SHMEM },
    { FP_PART_PAGE_CACHE, FP_FIELD_PSS_FILE },
  };

  for (guint i = 0; i < FP_N_SHARES; i++)
    {
      FpField field = divided[i].field;
      FpShare *share = &shares[i];
      guint64 possible;
      gint64 left;

      *share = (FpShare){ .part = divided[i].part, .field = field, .whole = ledger->parts[divided[i].part] };
      share->read = all->low[field];
      left = share->whole - (gint64)MIN (share->read, G_MAXINT64);
      possible = (guint64)MAX (left, 0);
      share->more_at_most = MIN (fp_total_get_spread (all, field), possible);
      if (all->unknown >> field & 1)
        share->unread_at_most = MIN (all->high[field] - all->low[field] - fp_total_get_spread (all, field),
                                     possible - share->more_at_most);
      share->rest = left - (gint64)share->more_at_most - (gint64)share->unread_at_most;
      share->rest_at_most = left;
    }
}

/* all: the total of every process there is. The rest has swapped shared memory and what ended processes have left. */
FpFigure
fp_shares_get_swap_rest (const FpSystem *system,
                         const FpTotal *all)
{
  guint64 used, low, high;

  if (!fp_system_get_swap_used (system, &used))
    return (FpFigure){ FP_FIGURE_UNKNOWN, 0, G_MAXUINT64 };
  low = used - MIN (used, all->high[FP_FIELD_SWAP_PSS]);
  high = used - MIN (used, all->low[FP_FIELD_SWAP_PSS]);
  return fp_figure_between (low, high);
}
