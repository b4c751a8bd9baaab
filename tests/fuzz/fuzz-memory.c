// SPDX-License-Identifier: GPL-3.0-or-later
#include "fp-memory.h"
#include "fuzz.h"

static void
check (guint sources,
       const char *text,
       gsize length)
{
  FpMemory memory = { 0 }, again = { 0 };
  guint64 bound;

  fp_memory_scan (&memory, sources, text, length);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    {
      if (!fp_memory_has (&memory, field))
        continue;
      FUZZ_ASSERT (fp_field_infos[field].origin & sources);
      FUZZ_ASSERT (fp_field_infos[field].unit != FP_UNIT_BYTES || memory.figures[field] % 1024 == 0);
      FUZZ_ASSERT (memmem (text, length, fp_field_infos[field].key, fp_field_infos[field].key_length));
    }
  FUZZ_ASSERT (memory.present >> FP_N_FIELDS == 0);

  fp_memory_scan (&again, sources, text, length);
  FUZZ_ASSERT (memcmp (&memory, &again, sizeof memory) == 0);
  fp_memory_derive (&memory);
  for (FpField field = 0; field < FP_N_FIELDS; field++)
    fp_memory_bound (&memory, field, &bound);
  fp_memory_clear_origins (&memory, sources | FP_ORIGIN_DERIVED | FP_ORIGIN_STATUS);
  FUZZ_ASSERT (memory.present == 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  check (FP_ORIGIN_SMAPS, (const char *)data, size);
  check (FP_ORIGIN_STATUS, (const char *)data, size);
  check (FP_ORIGIN_SMAPS | FP_ORIGIN_MAPPING, (const char *)data, size);
  return 0;
}
