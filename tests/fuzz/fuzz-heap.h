// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fp-heap-formats.h"

/* Reads a heap profile and checks what came of it. format: (nullable): only files of this one are read, so that a fuzzer
 * spends its time on one reader; NULL: all are, compressed ones too */
void fuzz_heap_read (const guint8 *data, gsize size, const FpHeapFormat *format);
