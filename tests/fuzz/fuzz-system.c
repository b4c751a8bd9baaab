// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-ledger.h"
#include "fuzz.h"

static void
check (const FpSystem *system)
{
  FpLedger ledger;
  gint64 sum = 0;
  guint64 used;

  if (FP_N_SYSTEM_FIELDS < 64)
    FUZZ_ASSERT (system->present >> FP_N_SYSTEM_FIELDS == 0);
  for (FpSystemField field = 0; field < FP_N_SYSTEM_FIELDS; field++)
    if (fp_system_has (system, field) && fp_system_field_infos[field].unit == FP_SYSTEM_UNIT_HUNDREDTHS)
      FUZZ_ASSERT (system->figures[field] <= 10099);
  FUZZ_ASSERT (system->n_swaps <= FP_MAX_SWAPS);
  for (guint i = 0; i < system->n_swaps; i++)
    {
      FUZZ_ASSERT_TEXT (system->swaps[i].name);
      FUZZ_ASSERT (system->swaps[i].type <= FP_SWAP_ZRAM);
      FUZZ_ASSERT (system->swaps[i].size % 1024 == 0 && system->swaps[i].used % 1024 == 0);
    }
  fp_system_get_swap_used (system, &used);
  FUZZ_ASSERT (used <= fp_system_get (system, FP_SYSTEM_SWAP_TOTAL));

  FUZZ_ASSERT (fp_ledger_make (&ledger, system) == fp_system_has (system, FP_SYSTEM_MEM_TOTAL));
  for (FpPart part = 0; part < FP_N_PARTS; part++)
    {
      FUZZ_ASSERT (part == FP_PART_REMAINDER || ledger.parts[part] >= 0);
      sum += ledger.parts[part];
    }
  FUZZ_ASSERT (sum == (gint64)MIN (fp_system_get (system, FP_SYSTEM_MEM_TOTAL), G_MAXINT64 / 64));
}

typedef void (*Parser) (FpSystem *system, const char *text, gsize length);

/* The first byte says which file it is. */
int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  static const Parser parsers[] = {
    fp_system_parse_meminfo,
    fp_system_parse_vmstat,
    fp_system_parse_pressure,
    fp_system_parse_loadavg,
    fp_system_parse_swaps,
  };
  FpSystem system = { 0 };
  FpSwap swap;

  if (size == 0)
    return 0;
  if (data[0] % 7 < G_N_ELEMENTS (parsers))
    parsers[data[0] % 7](&system, (const char *)data + 1, size - 1);
  else if (data[0] % 7 == 6)
    fp_system_count_pages_at_hand ((const char *)data + 1, size - 1);
  else
    fp_swap_parse_zram (&swap, (const char *)data + 1, size - 1);
  check (&system);
  return 0;
}
