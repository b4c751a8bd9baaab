// SPDX-License-Identifier: GPL-3.0-or-later
#define G_LOG_DOMAIN "footprint"
#include "config.h"

#include <glib/gi18n.h>

#include "fp-shares.h"
#include "fp-sum.h"

static void
format (const FpRecords *sum,
        FpField field,
        char *text)
{
  fp_figure_format (fp_records_get_figure (sum, 0, field), FP_UNIT_BYTES, FP_STYLE_IEC, 0, text, FP_FIGURE_TEXT_SIZE);
}

static void
append_part (GString *text,
             const char *title,
             gint64 bytes)
{
  char size[FP_FIGURE_TEXT_SIZE];

  if (bytes <= 0)
    return;
  fp_figure_format (fp_figure_exact ((guint64)bytes), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
  g_string_append_printf (text, "%s%s %s", text->len ? " + " : "", title, size);
}

/* All processes as a part of the machine's memory, so that it adds up. NULL: the machine does not tell. */
char *
fp_sum_describe_machine (const FpRecords *records)
{
  const FpSystem *system = &fp_process_records_get_snapshot (records)->system;
  g_autoptr (FpRecords) sum = fp_totals_new (records, NULL, records->n, NULL, NULL);
  GString *text = g_string_new (NULL);
  char whole[FP_FIGURE_TEXT_SIZE];
  FpOutline outline;
  FpLedger ledger;

  if (!fp_ledger_make (&ledger, system))
    return g_string_free (text, TRUE);
  fp_outline_make (&outline, &ledger, fp_totals_get (sum, 0));
  append_part (text, _ ("Users"), outline.processes);
  append_part (text, _ ("Not readable at most"), outline.unread_at_most);
  append_part (text, fp_outline_get_files_title (system), outline.files);
  append_part (text, _ ("Kernel"), outline.kernel);
  append_part (text, _ ("Huge pages"), outline.huge_pages);
  append_part (text, _ ("Free"), outline.free);
  fp_figure_format (fp_figure_exact (fp_system_get (system, FP_SYSTEM_MEM_TOTAL)), FP_UNIT_BYTES, FP_STYLE_IEC, 0, whole,
                    sizeof whole);
  g_string_append_printf (text, " = %s", whole);
  return g_string_free (text, FALSE);
}

char *
fp_sum_describe_rows (const FpRecords *records,
                      const guint *indices,
                      guint n)
{
  g_autoptr (FpRecords) sum = fp_totals_new (records, n > 0 ? indices : NULL, n, NULL, NULL);
  const FpTotal *total = fp_totals_get (sum, 0);
  GString *text = g_string_new (NULL);
  char memory[FP_FIGURE_TEXT_SIZE], swap[FP_FIGURE_TEXT_SIZE];

  format (sum, FP_FIELD_PSS, memory);
  format (sum, FP_FIELD_SWAP_PSS, swap);
  g_string_append_printf (text, ngettext ("%u process", "%u processes", n), n);
  g_string_append_printf (text, _ (" · Memory %s · Swap %s"), memory, swap);
  if (total->n_unread > 0)
    g_string_append_printf (text, ngettext (" · %u can’t be read", " · %u can’t be read", total->n_unread),
                            total->n_unread);
  return g_string_free (text, FALSE);
}

/* Forked workers also give back what only they share, and files stay in memory: hence the two ends. */
char *
fp_sum_describe_freed (const FpRecords *records,
                       const guint *indices,
                       guint n)
{
  g_autoptr (FpRecords) sum = fp_totals_new (records, indices, n, NULL, NULL);
  FpFigure uss = fp_records_get_figure (sum, 0, FP_FIELD_USS), pss = fp_records_get_figure (sum, 0, FP_FIELD_PSS);
  char low[FP_FIGURE_TEXT_SIZE], high[FP_FIGURE_TEXT_SIZE], swap[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (uss.low), FP_UNIT_BYTES, FP_STYLE_IEC, 0, low, sizeof low);
  fp_figure_format (fp_figure_exact (pss.high), FP_UNIT_BYTES, FP_STYLE_IEC, 0, high, sizeof high);
  format (sum, FP_FIELD_SWAP_PSS, swap);
  if (pss.kind == FP_FIGURE_NONE)
    return g_strdup (_ ("Ending frees nothing"));
  if (pss.high == G_MAXUINT64)
    return g_strdup_printf (_ ("Ending frees at least %s"), low);
  return g_strdup_printf (_ ("Ending frees at least %s and at most %s, and %s of swap"), low, high, swap);
}

char *
fp_sum_describe_selection (const FpRecords *records,
                           const guint *indices,
                           guint n)
{
  g_autofree char *freed = fp_sum_describe_freed (records, indices, n);
  g_autofree char *count = g_strdup_printf (ngettext ("%u selected", "%u selected", n), n);

  return g_strdup_printf ("%s · %s", count, freed);
}

static char *
format_bytes (guint64 bytes)
{
  char size[FP_FIGURE_TEXT_SIZE];

  fp_figure_format (fp_figure_exact (bytes), FP_UNIT_BYTES, FP_STYLE_IEC, 0, size, sizeof size);
  return g_strdup (size);
}

static char *
describe_memory (FpFigure uss,
                 FpFigure pss)
{
  g_autofree char *low = format_bytes (pss.low), *high = format_bytes (pss.high), *own = format_bytes (uss.low);
  g_autofree char *common = format_bytes (pss.low - MIN (uss.low, pss.low));

  if (uss.kind == FP_FIGURE_EXACT && pss.kind == FP_FIGURE_EXACT)
    return g_strdup_printf (_ ("Uses %s by itself and %s as its share of what it has in common with others."), own, common);
  if (pss.kind == FP_FIGURE_EXACT)
    return g_strdup_printf (_ ("Uses %s."), low);
  if (pss.kind == FP_FIGURE_AT_MOST)
    return g_strdup_printf (_ ("Uses at most %s; how much of that it shares can’t be read."), high);
  if (pss.kind == FP_FIGURE_RANGE)
    return g_strdup_printf (_ ("Uses at least %s; some of it can’t be read."), low);
  return g_strdup (pss.kind == FP_FIGURE_NONE ? _ ("Has no memory of its own.") : _ ("Its memory is not known."));
}

/* A process, or a sum of them, in plain words; nothing in it that was not measured. */
char *
fp_sum_describe_use (const FpRecords *records,
                     guint index)
{
  FpFigure uss = fp_records_get_figure (records, index, FP_FIELD_USS);
  FpFigure pss = fp_records_get_figure (records, index, FP_FIELD_PSS);
  FpFigure swap = fp_records_get_figure (records, index, FP_FIELD_SWAP_PSS);
  g_autofree char *memory = describe_memory (uss, pss);
  g_autofree char *own = format_bytes (uss.low), *swapped = format_bytes (swap.low);
  GString *text = g_string_new (memory);

  if (swap.kind == FP_FIGURE_EXACT && swap.low > 0)
    g_string_append_printf (text, _ (" %s more are in swap."), swapped);
  if (uss.kind == FP_FIGURE_EXACT && uss.low > 0)
    g_string_append_printf (text, _ (" Ending it frees at least %s."), own);
  return g_string_free (text, FALSE);
}
