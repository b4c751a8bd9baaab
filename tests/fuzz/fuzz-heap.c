// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz-heap.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize size)
{
  fuzz_heap_read (data, size, NULL);
  return 0;
}
